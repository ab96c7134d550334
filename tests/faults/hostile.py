"""Hostile input: bytes, edits of text and files, option values. And a strict reader of PGN."""

import re

from conversation import START, rules
from trial import demand

BYTES = [b"\0", b"\xff", b"\x1b[2J", b"\r", b"\n", b"'", b'"', b"|", b"<", b">", b"%s%n", b"$(x)", b"`", b"\\", b";", b"\xc3", b"\t",
         b"-", b"=", b"{", b"}", b"(", b")", b" ", b"9", b"0", b"Z", "é".encode(), "♞".encode()]
VALUES = ["", "-1", "0", "x", "1e999", "nan", "-0.5", "99999999999999999999", "1;2", "%s%n%s", "a b", "é", "\x1b[31mred", "--", "-",
          "'", "nowhere/at/all", "/dev/null", ".", "1,2,3", "0x10", "١", "on", "2.5.1", "1" * 300]


def junk(random, length):
    if random.random() < 0.3:
        return random.randbytes(length)
    return b"".join(random.choice(BYTES) for _ in range(length // 2))


def edit_bytes(random, data, times=None):
    """Flips, cuts, zeroes or repeats some bytes; the result always differs."""
    edited = data
    while edited == data:
        edited = bytearray(data)
        for _ in range(times or random.choice([1, 1, 2, 5])):
            at = random.randrange(len(edited) + 1) if edited else 0
            length = min(random.choice([1, 1, 2, 8, 64, 4096]), len(edited) - at)
            how = random.randrange(7)
            if how == 0 and at < len(edited):
                edited[at] ^= 1 << random.randrange(8)
            elif how == 1:
                del edited[at:at + length]
            elif how == 2:
                edited[at:at] = edited[at:at + length]
            elif how == 3:
                edited[at:at + length] = bytes(length)
            elif how == 4:
                edited[at:at] = junk(random, random.choice([1, 4, 100]))
            elif how == 5:
                del edited[at:]
            else:
                other = random.randrange(len(edited) + 1)
                edited[at:at + length] = edited[other:other + length]
        edited = bytes(edited)
        if not data:
            return edited
    return edited


def edit_fen(random, fen):
    """Edits a FEN slightly, so it reaches the checks after parsing."""
    fields = fen.split(" ")
    for _ in range(random.choice([1, 1, 2, 3])):
        how = random.randrange(9)
        board = list(fields[0])
        at = random.randrange(len(board))
        if how == 0:
            board[at] = random.choice("KQRBNPkqrbnp12345678/x")
        elif how == 1:
            other = random.randrange(len(board))
            board[at], board[other] = board[other], board[at]
        elif how == 2:
            fields[1] = random.choice(["w", "b", "x", "W"])
        elif how == 3:
            fields[2] = random.choice(["KQkq", "-", "K", "kq", "Qk", "KK", "AHah", "x", "HA"])
        elif how == 4:
            fields[3] = random.choice(["-"] + [f + r for f in "abcdefgh" for r in "36"] + ["e4", "i9"])
        elif how == 5:
            fields[-1] = random.choice(["0", "1", "-1", "99999", "x", ""])
        elif how == 6:
            fields[-2] = random.choice(["0", "99", "100", "101", "-1", "150", "x"])
        elif how == 7:
            pieces = [i for i, letter in enumerate(board) if letter.isalpha()]
            board[random.choice(pieces)] = random.choice("QRBNPqrbnp1")
        else:
            return " ".join(fields)[:random.randrange(len(fen))]
        fields[0] = "".join(board)
    return " ".join(fields)


def edit_arguments(random, words, options):
    """Removes, adds or replaces one to three words, by values that make no run longer."""
    words = list(words)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(words) + 1)
        how = random.randrange(6)
        if how == 0 and at < len(words) and not words[max(0, at - 1)].startswith("-") and not words[at].startswith("-"):
            del words[at]
        elif how == 1:
            words.insert(at, random.choice(VALUES))
        elif how == 2 and at < len(words):
            words[at] = random.choice(VALUES)
        elif how == 3 and options:
            words[at:at] = [random.choice(options), random.choice(VALUES)]
        elif how == 4 and at < len(words):
            words[at] = words[at] + random.choice(VALUES)
        else:
            words.insert(at, "--" + random.choice(["help", "hepl", "x", "", "quiet=", "=", "no-such-option"]))
    return [word.replace("\0", "") for word in words]


# --- PGN, checked by the referee ---

def san_move(position, text):
    """The legal move that a SAN names; None if there is none, or more than one."""
    match = re.fullmatch(r"([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=([QRBN]))?", text.rstrip("+#"))
    if text.startswith("O-O"):
        to = (6 if text.rstrip("+#") == "O-O" else 2) + (0 if position.white else 56)
        found = [move for move in position.legal() if position.kind(move[0]) == "k" and move[1] == to and abs(move[0] - to) == 2]
    elif match:
        piece, file, rank, to, promotion = match.groups()
        found = [move for move in position.pseudo() if position.kind(move[0]) == (piece or "p").lower()
                 and rules.name(move[1]) == to and rules.name(move[0])[0] == (file or rules.name(move[0])[0])
                 and rules.name(move[0])[1] == (rank or rules.name(move[0])[1]) and move[2] == (promotion or "").lower()
                 and not position.make(move).in_check(position.white)]
    else:
        return None
    return found[0] if len(found) == 1 else None


def demand_legal_game(text):
    """Checks one game in the match runner's PGN."""
    fen = re.search(r'\[FEN "(.*)"\]', text)
    body = re.sub(r"\{[^}]*\}", " ", text.rpartition("]\n")[2])
    position = rules.Position(fen.group(1) if fen else START)
    for word in body.split():
        if re.fullmatch(r"\d+\.+|1-0|0-1|1/2-1/2|\*", word):
            continue
        move = san_move(position, word)
        demand(move, f"{word} is not legal in a game that was written")
        position = position.make(move)
