"""Explains many moves of Luft's own games, checks every claim (tests/e2e/support/explain_checker.py), and prints counts:

    python3 tests/tools/check_explanations.py ANSWERS.jsonl [--count N] [--nodes N] [--seed N] [--referee STOCKFISH] [--depth N]

Questions, answers and what the referee says are kept in files next to each other as they come: a run that was stopped goes on
where it was. LUFT and LUFT_LAB name the programs. What the network says of edited boards is compared with `luft eval`; changed
results and late claims are left to the referee, where one is given."""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e/support"))

import explain_checker  # noqa: E402
import own_games  # noqa: E402
from referee import Referee  # noqa: E402

LUFT = os.environ.get("LUFT", "./luft")
AT_ONCE = 10  # explanations of one process


def read_questions(path, count, seed):
    if not path.exists():
        with tempfile.TemporaryDirectory() as folder:
            games = own_games.play(folder, count + count // 5 + 10, seed)
        path.write_text("".join(f"{fen} {move}\n" for fen, move in own_games.questions(games, random.Random(seed))))
    return path.read_text().splitlines()[:count]


def explain(questions, nodes, path):
    """Appends the answers that are missing, and returns all."""
    answers = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    with open(path, "a") as out:
        for first in range(len(answers), len(questions), AT_ONCE):
            text = "".join(f"{question}\n" for question in questions[first:first + AT_ONCE])
            command = [LUFT, "explain", "-", "--json", "--nodes", nodes]
            result = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
            rows = [json.loads(line) for line in result.stdout.splitlines()]
            for row in rows:
                del row["search"]
            out.writelines(json.dumps(row) + "\n" for row in rows)
            out.flush()
            answers += rows
    return answers[:len(questions)]


def ask_referee(answers, path, engine, depth):
    """What the referee finds wrong with each answer; appended to a file."""
    found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    referee = Referee(engine)
    with open(path, "a") as out:
        for answer in answers[len(found):]:
            found.append([*explain_checker.unforced(answer, referee, own_games.fen_of, own_games.text_of),
                          *explain_checker.contradicted(answer, referee, depth)])
            print(json.dumps(found[-1]), file=out, flush=True)
    referee.close()
    return found


def wrong_values(answers):
    """Edited boards of proved facts of which `luft eval` says another value than the answer."""
    boards = [board for answer in answers for board in explain_checker.evals(answer)]
    commands = "".join(f"position fen {fen}\neval\n" for fen, _ in boards) + "quit\n"
    text = subprocess.run([LUFT], input=commands, capture_output=True, text=True, check=True).stdout
    values = [100 * float(value) for value in re.findall(r"network: (\S+) pawns for White", text)]
    return len(boards), [board for board, value in zip(boards, values, strict=True) if abs(board[1] - value) > 1.5]


def print_facts(answers):
    tests = {None: "reported", "chosen later": "D", "shown seldom": "D", "without an edit": "E", "worth little": "E"}
    counts = collections.defaultdict(collections.Counter)
    for answer in answers:
        for fact in answer.get("facts", []):
            counts[fact["kind"]][tests[fact["refused"]]] += 1
    print("fact: reported, refused by D (of those that last on one line and are not on the other), refused by E")
    for kind, row in sorted(counts.items()):
        print(f"   {kind}: {row['reported']}, {row['D']}, {row['E']}")


def next_to(path, what):
    return path.with_name(f"{path.name}.{what}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("answers", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--nodes", default="400k")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--referee")
    parser.add_argument("--depth", type=int, default=25)
    arguments = parser.parse_args()
    questions = read_questions(next_to(arguments.answers, "questions"), arguments.count, arguments.seed)
    answers = explain(questions, arguments.nodes, arguments.answers)
    print(f"{len(answers)} explanations:", dict(collections.Counter(answer["reason"] for answer in answers)))
    print("merits:", dict(collections.Counter(answer["merit"]["kind"] for answer in answers if "merit" in answer)))
    print_facts(answers)
    kinds = collections.Counter()
    for question, answer in zip(questions, answers):
        for text in explain_checker.check_safely(answer):
            kinds[re.sub(r"[(\[{0-9].*", "", text)] += 1
            print(f"FALSE {question}: {text}: {answer['words']}")
    print("false claims by kind:", dict(kinds))
    boards, wrong = wrong_values(answers)
    print(f"{len(wrong)} of {boards} edited boards have another value", *wrong)
    open_ones = [answer for answer in answers if explain_checker.late_replies(answer) or "result" in answer]
    print(f"{len(open_ones)} late claims and changed results need a referee")
    if arguments.referee is None:
        return
    wrong = ask_referee(open_ones, next_to(arguments.answers, "referee"), arguments.referee, arguments.depth)
    for answer, texts in zip(open_ones, wrong):
        if texts:
            print(f"REFEREE {answer['fen']} {answer['move']['san']}: {'; '.join(texts)}: {answer['words']}")
    print(f"the referee contradicts {sum(map(bool, wrong))} of them")


if __name__ == "__main__":
    main()
