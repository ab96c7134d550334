"""A strict reader of annotated games, by independent rules (rules.py): every move of the game and its variations must be legal,
in the one correct notation, and correctly numbered. Standard chess only."""

import re

from rules import Position, name

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
TOKEN = re.compile(r'\{([^}]*)\}|([()])|\$(\d+)|(1-0|0-1|1/2-1/2|\*)|(\d+)(\.\.\.|\.)|([^\s(){}$]+)')
# The form that Lichess and python-chess read.
EVAL = re.compile(r"\[%eval (?:#(-?[1-9]\d*)|(-?\d+\.\d\d))\]")


def san_of(pos, move):
    """The SAN of a legal move."""
    start, to, promotion = move
    kind, after = pos.kind(start), pos.make(move)
    if kind == "k" and abs(start - to) == 2:
        text = "O-O" if to > start else "O-O-O"
    elif kind == "p":
        text = (name(start)[0] + "x" if pos.captured(move) else "") + name(to) + ("=" + promotion.upper() if promotion else "")
    else:
        others = [other for other in pos.legal() if other[1] == to and other[0] != start and pos.kind(other[0]) == kind]
        mark = ""
        if others:
            mark = name(start)[0]
            if any(other[0] % 8 == start % 8 for other in others):
                mark = name(start)[1] if all(other[0] // 8 != start // 8 for other in others) else name(start)
        text = kind.upper() + mark + ("x" if pos.captured(move) else "") + name(to)
    if after.in_check():
        text += "+" if after.legal() else "#"
    return text


class Node:
    """A move, its notes, and the variations that replace it. The first node of a game has no move."""

    def __init__(self, san, before, after):
        self.san, self.before, self.after = san, before, after
        self.nags, self.comments, self.variations, self.kinds = [], [], [], []

    def evals(self):
        """The scores in the comments: pawns, or the distance of a mate as text."""
        return [float(found[2]) if found[2] else "#" + found[1] for text in self.comments for found in EVAL.finditer(text)]


class Game:
    def __init__(self, text):
        head, _, body = text.partition("\n\n")
        for line in text.splitlines():
            assert len(line) < 80, line
        self.tags = dict(re.findall(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]$', head, re.M))
        assert len(self.tags) == head.count("\n") + 1, head
        fen = self.tags.get("FEN", START)
        self.number, self.black_first = int(fen.split()[5]), fen.split()[1] == "b"
        self.tokens, self.result, self.after = self.split(body), None, []
        self.line = self.read_line(Position(fen), self.number * 2 + self.black_first, False)
        assert not self.tokens and self.result == self.tags["Result"], self.tokens[:5]

    @staticmethod
    def split(body):
        tokens, at = [], 0
        for found in TOKEN.finditer(body):
            assert not body[at:found.start()].strip(), body[at:found.start()]
            tokens.append(found.groups())
            at = found.end()
        assert not body[at:].strip(), body[at:]
        return tokens

    def read_line(self, pos, ply, is_variation):
        """The nodes up to the end of the line; the first has no move. `ply` is 2 for White's first move."""
        nodes, numbered, needed = [Node(None, pos, pos)], None, True
        while self.tokens:
            comment, bracket, nag, result, digits, dots, san = self.tokens.pop(0)
            node = nodes[-1]
            if result:
                assert not is_variation and self.result is None and numbered is None
                self.result = result
                self.after = [token[0] for token in self.tokens]
                self.tokens = []
            elif bracket == "(":
                assert node.san is not None, "a variation before the first move"
                node.variations.append(self.read_line(node.before, ply - 1, True))
                node.kinds.append("variation")
                needed = True
            elif bracket == ")":
                assert is_variation and len(nodes) > 1 and numbered is None
                return nodes
            elif comment is not None:
                node.comments.append(" ".join(comment.split()))
                node.kinds.append("comment")
                needed = True
            elif nag:
                node.nags.append(int(nag))
                node.kinds.append("nag")
            elif digits:
                numbered = int(digits), dots
            else:
                assert numbered or not needed and ply % 2, f"no number before {san}"
                assert numbered in (None, (ply // 2, "..." if ply % 2 else ".")), (numbered, ply, san)
                pos = nodes[-1].after
                legal = [move for move in pos.legal() if (name(move[1]) in san or "O" in san) and san_of(pos, move) == san]
                assert len(legal) == 1, f"{san}: {len(legal)} moves"
                nodes.append(Node(san, nodes[-1].after, nodes[-1].after.make(legal[0])))
                numbered, needed, ply = None, False, ply + 1
        assert not is_variation, "a variation has no end"
        return nodes


def read_games(text):
    """All games of an annotated file; each begins with its Event tag."""
    return [Game(part.rstrip("\n") + "\n") for part in re.split(r"(?=^\[Event \")", text, flags=re.M) if part.strip()]
