#!/usr/bin/env python3
"""The measured results, results/*.tsv, and the tables that documents make of them.

Writes the tables again between the markers of the documents, and prints what is wrong with a row. A marker is
`<!-- table: KIND ROWS... -->`, its table ends at `<!-- end of table -->`. results/README.md describes the columns;
tests/e2e/test_results.py checks rows and documents. Standard library only.
"""

import math
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENTS = ("docs/measurements.md", "docs/nnue.md", "docs/search.md", "nets/README.md")
MARKER = re.compile(r"(<!-- table: ([^\n]*?) -->\n).*?(<!-- end of table -->\n)", re.S)
Z_95 = 1.959963984540054  # half the width of a two-sided 95 % interval of the normal distribution, in deviations

# --- the columns ---

GAMES = ("id date commit bench net subject opponent limit conditions games wins draws losses pentanomial elo error "
         "verdict note").split()
COLUMNS = {
    "matches": GAMES,
    "experiments": GAMES,
    "archive": GAMES,
    "ablation": GAMES[:-1] + ["nodes_ratio", "note"],
    "published": "technique worth".split(),
    "nets": ("gen date commit parent played_by nodes plies positions shape target training validation hours_playing "
             "hours_training units against games elo error conditions verdict note").split(),
    "trainings": ("id date commit subject shape positions epochs step decay target training validation gold seconds "
                  "note").split(),
    "tunes": "date commit tune number from to steps note".split(),
    "errors": "date commit net set group positions error note".split(),
    "speed": "id date commit bench net kind subject value unit reference reference_value conditions note".split(),
}
WHOLE = r"\d+"
REAL = r"-?\d+(\.\d+)?"
FORMS = {
    "id": r"[a-z0-9.-]+", "date": r"\d{4}-\d\d-\d\d", "commit": r"[0-9a-f]{7,40}", "pentanomial": r"\d+( \d+){4}",
    "limit": r"(nodes|depth)=\d+|[\d.]+/move|[\d.]+\+[\d.]+",  # as luft-lab prints it
    "verdict": "passed|failed|stopped|taken|partly|dropped|undecided",
    **dict.fromkeys("bench games wins draws losses plies positions epochs step units".split(), WHOLE),
    **dict.fromkeys("elo error nodes_ratio training validation hours_playing hours_training decay gold seconds from to "
                    "steps value reference_value".split(), REAL),
}


def read_rows(path, name):
    """The rows of a file of the kind `name` as dictionaries; ValueError where it has other columns."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    if lines[0].split("\t") != COLUMNS[name]:
        raise ValueError(f"{path}: its first line does not name the columns of {name}")
    rows = [dict(zip(COLUMNS[name], line.split("\t"))) for line in lines[1:] if line.count("\t") + 1 == len(COLUMNS[name])]
    if len(rows) + 1 != len(lines):
        raise ValueError(f"{path}: a line has not {len(COLUMNS[name])} columns")
    return rows


def load(name):
    return read_rows(ROOT / f"results/{name}.tsv", name)


def store(name, rows):
    text = "".join("\t".join(words) + "\n" for words in [COLUMNS[name]] + [[row[c] for c in COLUMNS[name]] for row in rows])
    (ROOT / f"results/{name}.tsv").write_text(text, encoding="utf-8")


# --- Elo, as lab/match/stats.c computes it ---

def score_to_elo(score):
    return -math.inf if score <= 0 else math.inf if score >= 1 else 400 * math.log10(score / (1 - score))


def estimate(counts):
    """Elo and its error from counts whose scores are spread evenly from 0 to 1: five of pairs, or losses, draws, wins."""
    total = sum(counts)
    scores = [i / (len(counts) - 1) for i in range(len(counts))]
    mean = sum(n * s for n, s in zip(counts, scores)) / total
    deviation = math.sqrt(sum(n * (s - mean) ** 2 for n, s in zip(counts, scores)) / total)
    if deviation == 0:
        return score_to_elo(mean), math.inf
    half = Z_95 * deviation / math.sqrt(total)
    elo = score_to_elo(mean)
    return elo, max(elo - score_to_elo(mean - half), score_to_elo(mean + half) - elo)


def pairs_of(row):
    return [int(word) for word in row["pentanomial"].split()]


def games_of(row):
    return [int(row[name]) for name in ("losses", "draws", "wins")] if row["wins"] else []


def techniques():
    return re.findall(r"^TECHNIQUE\((\w+)", (ROOT / "src/search/techniques.def").read_text(encoding="utf-8"), re.M)


# --- what a row must hold ---

def rounds_to(value, text):
    """Whether `value`, rounded as `text` is, is `text`."""
    places = len(text.partition(".")[2])
    return abs(value - float(text)) <= 0.55 * 10 ** -places


def complaints_of_games(row):
    pairs, games = pairs_of(row), games_of(row)
    if games and int(row["games"]) != sum(games):
        yield f"{row['games']} games, but {sum(games)} wins, draws and losses"
    if pairs and int(row["games"]) != 2 * sum(pairs):
        yield f"{row['games']} games, but {sum(pairs)} pairs"
    if games and pairs and 2 * games[2] + games[1] != sum(i * n for i, n in enumerate(pairs)):
        yield "the pairs have other points than wins and draws"
    if not row["elo"] or not (pairs or games):
        return
    elo, error = estimate(pairs or games)
    if not rounds_to(elo, row["elo"]):
        yield f"Elo {row['elo']}, but the games say {elo:.2f}"
    if pairs and math.isfinite(error) and not rounds_to(error, row["error"]):
        yield f"error {row['error']}, but the pairs say {error:.2f}"
    if not pairs and row["error"] and float(row["error"]) > 1.25 * error:
        yield f"error {row['error']}, but the games say at most {error:.2f}"


def complaints_of_row(row):
    """What is wrong with a row on its own."""
    for column, text in row.items():
        if text and column in FORMS and re.fullmatch(FORMS[column], text) is None:
            yield f"'{text}' is no {column}"
    if "pentanomial" in row:
        yield from complaints_of_games(row)


def complaints():
    """What is wrong with the rows: one sentence each."""
    seen = set()
    for name in COLUMNS:
        for number, row in enumerate(load(name), 2):
            found = list(complaints_of_row(row))
            if row.get("id") in seen:
                found.append(f"the id '{row['id']}' stands there twice")
            seen.update({row["id"]} if row.get("id") else ())
            technique = row.get("technique") or row["subject"] if name in ("published", "ablation") else ""
            if any(word not in techniques() for word in technique.split(" and ") if word):
                found.append(f"no technique is called '{technique}'")
            yield from (f"results/{name}.tsv:{number}: {text}" for text in found)


# --- tables ---

def table(heads, aligns, rows):
    """In Markdown; a column without any value is left out."""
    lines = [heads, [{"l": "---", "r": "---:"}[a] for a in aligns]] + rows
    kept = [i for i in range(len(heads)) if any(row[i] for row in rows)]
    return "".join("| " + " | ".join(line[i] for i in kept) + " |\n" for line in lines)


def with_commas(text):
    return re.sub(r"(?<![\d.])\d{4,}", lambda found: f"{int(found.group()):,}", text)


def elo_of(row):
    """'-135 ± 22', computed where the row has games but no Elo."""
    if row["elo"] and row["error"]:
        return f"{row['elo']} ± {row['error']}"
    counts = pairs_of(row) or games_of(row) if "pentanomial" in row else []
    elo, error = estimate(counts) if counts else (math.inf, math.inf)
    return f"{elo:.0f} ± {error:.0f}" if math.isfinite(error) else ""


def is_resolved(row):
    return row["error"] != "" and abs(float(row["elo"])) > float(row["error"])


def result_of(row):
    return with_commas(f"+{row['wins']} -{row['losses']} ={row['draws']}") if row["wins"] else ""


def limit_of(row):
    return with_commas(re.sub(r"nodes=(\d+)", r"\1 nodes", row["limit"]).replace("/move", " s a move"))


def version_of(row):
    return ", ".join(with_commas(word) for word in (row["bench"], row["net"] and f"net {row['net']}") if word)


def rows_of(ids, *names):
    found = {row["id"]: row for name in names for row in load(name)}
    return [found[word] for word in ids]


def match_table(*ids):
    return table(["Luft", "opponent", "time", "conditions", "games", "result", "Elo", "version", "date"], "llllrrrll",
                 [[with_commas(row["subject"]), with_commas(row["opponent"]), limit_of(row), row["conditions"],
                   with_commas(row["games"]), result_of(row), elo_of(row), version_of(row), row["date"]]
                  for row in rows_of(ids, "matches", "experiments")])


def speed_table(*ids):
    return table(["figure", "Luft", "in comparison", "command or conditions", "version", "date"], "lrrlll",
                 [[row["subject"], with_commas(f"{row['value']} {row['unit']}"),
                   f"{row['reference']}: {with_commas(row['reference_value'])}" if row["reference"] else "",
                   with_commas(row["conditions"]), version_of(row), row["date"]]
                  for row in rows_of(ids, "speed")])


def millions(text):
    return f"{int(text) / 1e6:.1f}" if text else ""


def net_table():
    return table(["net", "parent", "games by", "plies, millions", "positions, millions", "units x buckets", "validation",
                  "Elo", "against", "kept"], "lllrrlrrll",
                 [[row["gen"], row["parent"], row["played_by"], millions(row["plies"]), millions(row["positions"]),
                   row["shape"], row["validation"], elo_of(row), row["against"],
                   "yes" if row["verdict"] == "taken" else "no"] for row in load("nets")])


def error_table(kind, *nets):
    rows = [row for row in load("errors") if row["set"] == kind and row["net"] in nets]
    groups = list(dict.fromkeys(row["group"] for row in rows))
    cell = {(row["group"], row["net"]): row["error"] for row in rows}
    count = {row["group"]: row["positions"] for row in rows}
    return table(["group", "positions"] + [f"net {net}" for net in nets], "lr" + "r" * len(nets),
                 [[group, with_commas(count[group])] + [cell.get((group, net), "") for net in nets] for group in groups])


def ablation_table():
    """Of each technique the rows of the version in which it was measured last."""
    rows = load("ablation")
    last = {row["subject"]: (row["bench"], row["net"]) for row in rows}
    rows = [row for row in rows if (row["bench"], row["net"]) == last[row["subject"]]]
    worth = {row["technique"]: row["worth"] for row in load("published")}
    missing = [name for name in techniques() if name not in last]
    rows.sort(key=lambda row: -float(row["elo"] or "-inf"))
    text = table(["technique", "Elo lost without it", "limit", "games", "bench nodes", "commit, net", "published elsewhere"],
                 "lrlrrll",
                 [[row["subject"], elo_of(row) + ("" if is_resolved(row) else ", not resolved"),
                   limit_of(row), row["games"], row["nodes_ratio"], f"{row['commit']}, net {row['net']}",
                   worth.get(row["subject"], "")] for row in rows])
    if missing:
        text += "\n" + textwrap.fill("Without a row: " + ", ".join(missing) + ".", 128) + "\n"
    return text


KINDS = {"matches": match_table, "speed": speed_table, "nets": net_table, "errors": error_table, "ablation": ablation_table}


def render(text):
    """A document with its tables made again."""
    def replace(found):
        kind, *words = found.group(2).split()
        return found.group(1) + KINDS[kind](*words) + found.group(3)
    return MARKER.sub(replace, text)


def main():
    found = list(complaints())
    for path in (ROOT / name for name in DOCUMENTS):
        path.write_text(render(path.read_text(encoding="utf-8")), encoding="utf-8")
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
