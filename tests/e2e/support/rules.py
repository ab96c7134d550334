"""The rules of chess, implemented slowly and simply, as a referee that shares no code with the engine: positions from FEN, legal
moves, captures, attacks. In Chess960 a FEN names castling rights by the rook's file (Shredder-FEN), and castling is a move of the
king onto its rook. Squares are 0 (a1) to 63 (h8)."""

KNIGHT = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
KING = [(df, dr) for df in (-1, 0, 1) for dr in (-1, 0, 1) if (df, dr) != (0, 0)]
ROOK = [(0, 1), (0, -1), (1, 0), (-1, 0)]
BISHOP = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
SLIDES = {"b": BISHOP, "r": ROOK, "q": ROOK + BISHOP}
POINTS = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}


def square(name):
    return ord(name[0]) - ord("a") + 8 * (int(name[1]) - 1)


def name(index):
    return "abcdefgh"[index % 8] + str(index // 8 + 1)


def step(index, df, dr):
    file, rank = index % 8 + df, index // 8 + dr
    return file + 8 * rank if 0 <= file < 8 and 0 <= rank < 8 else None


def between(a, b):
    """The squares strictly between two; None if they are not on one line."""
    df, dr = b % 8 - a % 8, b // 8 - a // 8
    if a == b or not (df == 0 or dr == 0 or abs(df) == abs(dr)):
        return None
    df, dr = (df > 0) - (df < 0), (dr > 0) - (dr < 0)
    squares, at = [], step(a, df, dr)
    while at != b:
        squares.append(at)
        at = step(at, df, dr)
    return squares


def span(a, b):
    """The squares of one rank from a to b, inclusive."""
    return range(min(a, b), max(a, b) + 1)


def rook_of(right):
    """The rook's square for a letter of FEN's castling field."""
    file = {"k": 7, "q": 0}.get(right.lower(), "abcdefgh".find(right.lower()))
    return file + (0 if right.isupper() else 56)


def castled(king, rook):
    """The squares of king and rook after castling."""
    home = king - king % 8
    return (home + 6, home + 5) if rook > king else (home + 2, home + 3)


class Position:
    def __init__(self, fen):
        board, side, castling, en_passant, clock, number = (fen.split() + ["0", "1"])[:6]
        self.board = [None] * 64
        for rank, row in enumerate(board.split("/")):
            file = 0
            for character in row:
                if character.isdigit():
                    file += int(character)
                else:
                    self.board[file + 8 * (7 - rank)] = character
                    file += 1
        self.white = side == "w"
        self.castling = set(castling) - {"-"}
        self.en_passant = None if en_passant == "-" else square(en_passant)

    def copy(self):
        other = object.__new__(Position)
        other.board, other.white = self.board[:], self.white
        other.castling, other.en_passant = set(self.castling), self.en_passant
        return other

    def owns(self, index, white):
        piece = self.board[index]
        return piece is not None and piece.isupper() == white

    def kind(self, index):
        return self.board[index].lower() if self.board[index] else None

    def attacks(self, index):
        """The squares that the piece on `index` attacks, ignoring pins."""
        piece, found = self.board[index], []
        kind = piece.lower()
        if kind == "p":
            found = [step(index, df, 1 if piece.isupper() else -1) for df in (-1, 1)]
        elif kind in SLIDES:
            for df, dr in SLIDES[kind]:
                at = step(index, df, dr)
                while at is not None:
                    found.append(at)
                    at = None if self.board[at] else step(at, df, dr)
        else:
            found = [step(index, df, dr) for df, dr in (KNIGHT if kind == "n" else KING)]
        return [at for at in found if at is not None]

    def attackers(self, index, white):
        return [at for at in range(64) if self.owns(at, white) and index in self.attacks(at)]

    def king(self, white):
        return self.board.index("K" if white else "k")

    def in_check(self, white=None):
        white = self.white if white is None else white
        return bool(self.attackers(self.king(white), not white))

    def key(self):
        return (tuple(self.board), self.white, frozenset(self.castling),
                self.en_passant if any(self.is_en_passant(move) for move in self.legal()) else None)

    def is_en_passant(self, move):
        return self.kind(move[0]) == "p" and move[1] == self.en_passant and move[0] % 8 != move[1] % 8

    def captured(self, move):
        """The kind of piece that a move captures, or None."""
        if self.is_en_passant(move):
            return "p"
        return self.kind(move[1])

    def pseudo(self):
        for at in range(64):
            if not self.owns(at, self.white):
                continue
            if self.kind(at) != "p":
                yield from ((at, to, "") for to in self.attacks(at) if not self.owns(to, self.white))
                continue
            forward, targets = (1 if self.white else -1), []
            one = step(at, 0, forward)
            if self.board[one] is None:
                targets.append(one)
                two = step(one, 0, forward)
                if at // 8 == (1 if self.white else 6) and self.board[two] is None:
                    targets.append(two)
            targets += [to for to in self.attacks(at) if self.owns(to, not self.white) or to == self.en_passant]
            for to in targets:
                yield from ((at, to, promotion) for promotion in ("nbrq" if to // 8 in (0, 7) else [""]))
        yield from self.castlings()

    def castlings(self):
        for right in self.castling:
            if right.isupper() == self.white:
                king, rook = self.king(self.white), rook_of(right)
                king_to, rook_to = castled(king, rook)
                way = set(span(king, king_to)) | set(span(rook, rook_to))
                if all(self.board[at] is None for at in way - {king, rook}) and \
                        not any(self.attackers(at, not self.white) for at in span(king, king_to)):
                    yield king, king_to if right in "KQkq" else rook, ""

    def make(self, move):
        start, to, promotion = move
        after = self.copy()
        piece = after.board[start]
        if self.is_en_passant(move):
            after.board[to + (-8 if self.white else 8)] = None
        rook = self.castling_rook(move) if piece.lower() == "k" else None
        after.board[start] = None
        if rook is None:
            after.board[to] = piece
        else:
            tower, after.board[rook] = after.board[rook], None
            king_to, rook_to = castled(start, rook)
            after.board[king_to], after.board[rook_to] = piece, tower
        if promotion:
            after.board[to] = promotion.upper() if self.white else promotion
        if self.castling:
            after.castling = {right for right in self.castling if rook_of(right) not in (start, to) and
                              not (piece.lower() == "k" and right.isupper() == self.white)}
        after.en_passant = (start + to) // 2 if piece.lower() == "p" and abs(to - start) == 16 else None
        after.white = not self.white
        return after

    def castling_rook(self, move):
        """The rook's square if the king's move is castling, otherwise None."""
        start, to, _ = move
        if self.kind(to) == "r" and self.owns(to, self.white):
            return to
        if abs(to - start) == 2 and start % 8 == 4:
            return to + 1 if to > start else to - 2
        return None

    def passed(self):
        after = self.copy()
        after.white, after.en_passant = not self.white, None
        return after

    def legal(self):
        return [move for move in self.pseudo() if not self.make(move).in_check(self.white)]

    def parse(self, text):
        """The legal move written so (e2e4, e7e8q); None if there is none."""
        move = (square(text[:2]), square(text[2:4]), text[4:])
        return move if move in self.legal() else None

    # --- exchanges, by playing legal captures on one square ---

    def taken(self, move):
        points = POINTS[self.captured(move)] if self.captured(move) else 0
        return points + (POINTS[move[2]] - 1 if move[2] else 0)

    def captures_on(self, target):
        return [move for move in self.legal() if move[1] == target and self.captured(move)]

    def gain(self, move):
        after = self.make(move)
        answers = [answer for answer in after.captures_on(move[1]) if answer[2] in ("", "q")]
        if not answers:
            return self.taken(move)
        cheapest = min(answers, key=lambda answer: "pnbrqk".index(after.kind(answer[0])))
        return self.taken(move) - max(0, after.gain(cheapest))

    def best_on(self, target):
        """The largest gain by a capture there; -100 if there is none."""
        return max((self.gain(move) for move in self.captures_on(target)), default=-100)
