"""Files that commands of luft-lab wrote with --results: read and checked as the rows in results/."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import results  # noqa: E402


def read(path, kind):
    """The rows of a file with the columns of results/KIND.tsv, each of them sound."""
    rows = results.read_rows(path, kind)
    wrong = [text for row in rows for text in results.complaints_of_row(row)]
    if wrong:
        raise AssertionError(f"{path}: {wrong}")
    return rows
