"""The rules of chess once more, slow and plain, as a referee that shares nothing with the engine: positions from FEN, legal
moves, captures, attacks. Standard chess only. Squares are 0 (a1) to 63 (h8)."""

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
    """Squares strictly between two on one line; None when they share none."""
    df, dr = b % 8 - a % 8, b // 8 - a // 8
    if a == b or not (df == 0 or dr == 0 or abs(df) == abs(dr)):
        return None
    df, dr = (df > 0) - (df < 0), (dr > 0) - (dr < 0)
    squares, at = [], step(a, df, dr)
    while at != b:
        squares.append(at)
        at = step(at, df, dr)
    return squares


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
        """Squares that the piece on `index` attacks, pins apart."""
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
        """The kind of piece that a move takes, or None."""
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
        home = 4 if self.white else 60
        for right, path, safe, to in (("K", [5, 6], [4, 5, 6], 6), ("Q", [1, 2, 3], [2, 3, 4], 2)):
            if (right if self.white else right.lower()) in self.castling and \
                    all(self.board[p + home - 4] is None for p in path) and \
                    not any(self.attackers(s + home - 4, not self.white) for s in safe):
                yield home, to + home - 4, ""

    def make(self, move):
        start, to, promotion = move
        after = self.copy()
        piece = after.board[start]
        if self.is_en_passant(move):
            after.board[to + (-8 if self.white else 8)] = None
        if piece.lower() == "k" and abs(to - start) == 2 and start % 8 == 4:
            rook_from, rook_to = (to + 1, to - 1) if to > start else (to - 2, to + 1)
            after.board[rook_to], after.board[rook_from] = after.board[rook_from], None
        after.board[to], after.board[start] = piece, None
        if promotion:
            after.board[to] = promotion.upper() if self.white else promotion
        lost = {0: "Q", 7: "K", 4: "KQ", 56: "q", 63: "k", 60: "kq"}
        after.castling -= set(lost.get(start, "") + lost.get(to, ""))
        after.en_passant = (start + to) // 2 if piece.lower() == "p" and abs(to - start) == 16 else None
        after.white = not self.white
        return after

    def passed(self):
        after = self.copy()
        after.white, after.en_passant = not self.white, None
        return after

    def legal(self):
        return [move for move in self.pseudo() if not self.make(move).in_check(self.white)]

    def parse(self, text):
        """The legal move of this name (e2e4, e7e8q); None when there is none."""
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
        """The most that a capture there wins; -100 when there is none."""
        return max((self.gain(move) for move in self.captures_on(target)), default=-100)
