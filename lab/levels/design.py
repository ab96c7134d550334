"""Which pairings should play how often, so that few hours of processor time say most about the ratings.

A game of two players whose expected score is p tells (k p (1-p))^2 / (p (1-p) - d / 4) about the difference of their ratings,
where d is the share of draws and k = ln 10 / 400: ratings are those of half points (`luft-lab rate`). From this follow the
errors that a plan of games will have. Games are then given, a few seconds at a time, to the pairing that lowers the errors of
the levels most for its time; the largest errors count most. Pure functions; standard library only.
"""

import math

K = math.log(10) / 400
Z_95 = 1.96
PRIOR = 1000.0     # Elo, one standard deviation: what is known of a rating before any game
SLICE = 600        # slices of the time, each given to one pairing
EMPHASIS = 4       # exponent of an error's weight
MOST = 1000        # games of a pairing, so that no rating hangs on one opponent
DRAWS = [(600, .45), (1000, .3), (1500, .1), (2000, .12), (2300, .35), (2800, .5)]  # between equals, by rating: counted


def between(points, x):
    """Linear between points (x, y) in order of x; beyond them the first or last segment goes on."""
    i = 1
    while i < len(points) - 1 and points[i][0] < x:
        i += 1
    (x0, y0), (x1, y1) = points[i - 1:i + 1]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def information(first, second):
    """Of one game about the difference of two ratings."""
    spread = 1 / (1 + 10 ** ((second - first) / 400))
    spread *= 1 - spread
    draws = min(.6, max(.05, between(DRAWS, (first + second) / 2))) * 4 * spread
    return (K * spread) ** 2 / (spread - draws * spread)


class Errors:
    """The covariance of all ratings that are not fixed, renewed after each lot of games (Sherman and Morrison 1950)."""

    def __init__(self, ratings, fixed):
        self.ratings, self.names = ratings, [name for name in ratings if name not in fixed]
        self.at = {name: i for i, name in enumerate(self.names)}
        self.covariance = [[PRIOR ** 2 * (i == j) for j in range(len(self.names))] for i in range(len(self.names))]

    def along(self, first, second):
        """The column of covariances of all ratings with the difference of these two, and that difference's variance."""
        a, b = self.at.get(first), self.at.get(second)
        column = [(row[a] if a is not None else 0) - (row[b] if b is not None else 0) for row in self.covariance]
        return column, (column[a] if a is not None else 0) - (column[b] if b is not None else 0)

    def share(self, first, second, games):
        column, variance = self.along(first, second)
        told = games * information(self.ratings[first], self.ratings[second])
        return column, told / (1 + told * variance)

    def add(self, first, second, games):
        column, share = self.share(first, second, games)
        for row, x in zip(self.covariance, column):
            for j, y in enumerate(column):
                row[j] -= share * x * y

    def gain(self, first, second, games, wanted):
        """By how much the errors of the players in `wanted` fall, large ones weighted most."""
        column, share = self.share(first, second, games)
        total = 0
        for name in wanted:
            i = self.at[name]
            total += self.covariance[i][i] ** (EMPHASIS - 1) * share * column[i] ** 2
        return total

    def error(self, name):
        return Z_95 * math.sqrt(self.covariance[self.at[name]][self.at[name]])


def plan(ratings, fixed, pairs, seconds, least, wanted):
    """Shares `seconds` of processor time out. `pairs` is {(first, second): seconds of one game}, `least` {pair: games that it
    gets in any case}. Returns {pair: games}, all even, and the errors to be expected; less than the least where time is short, and
    time is left where all have MOST."""
    errors = Errors(ratings, fixed)
    need = sum(pairs[pair] * games for pair, games in least.items())
    part = min(1, seconds / need) if need > 0 else 1
    games = {pair: part * least.get(pair, 0) for pair in pairs}
    for pair, count in games.items():
        if count > 0:
            errors.add(*pair, count)
    left = seconds - part * need
    slice_seconds = seconds / SLICE
    while left > slice_seconds:
        open_pairs = [pair for pair in pairs if games[pair] < MOST]
        if not open_pairs:
            break
        best = max(open_pairs, key=lambda pair: errors.gain(*pair, slice_seconds / pairs[pair], wanted))
        errors.add(*best, slice_seconds / pairs[best])
        games[best] += slice_seconds / pairs[best]
        left -= slice_seconds
    return ({pair: 2 * round(min(count, MOST) / 2) for pair, count in games.items() if count >= 1},
            {name: errors.error(name) for name in wanted})
