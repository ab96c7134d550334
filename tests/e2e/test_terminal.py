"""`luft analyse` redraws its lines in place, correctly at every size of the window and when the size changes."""

import re
import signal
import tempfile
import unittest

from terminal import Screen, Session
from uci_engine import LUFT

LINES = 3
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
DEEP = r"^depth +([5-9]|\d\d) "   # deep enough for several lines
RANK = r" [1-8] ( +[♟♞♝♜♛♚]| {2})*"


class TheTerminalItself(unittest.TestCase):
    """Tests of the simulated terminal."""

    def test_a_full_row_wraps_at_the_next_character(self):
        screen = Screen(4, 3)
        screen.feed("abcd\r\nefghi")
        self.assertEqual(screen.visible(), ["abcd", "efgh", "i"])

    def test_the_cursor_does_not_go_above_the_window(self):
        screen = Screen(9, 2)
        screen.feed("a\r\nb\r\nc\r\n\x1b[9A\rX")
        self.assertEqual((screen.everything(), screen.visible()), (["a", "b", "X", ""], ["X", ""]))

    def test_a_window_that_becomes_narrow_breaks_or_cuts_its_lines(self):
        for reflows, rows in ((True, ["abc", "def", ""]), (False, ["abc", ""])):
            screen = Screen(6, 4, reflows)
            screen.feed("abcdef\r\n")
            screen.resize(3, 4)
            self.assertEqual(screen.visible(), rows)

    def test_an_unknown_sequence_is_a_fault(self):
        for text in ("\x1b[5n", "\x1bc", "\x01", "\x1b[3B"):
            with self.assertRaises(ValueError):
                Screen(80, 24).feed(text)


class Redraw(unittest.TestCase):
    def expect(self, session, rows_of_screen):
        """Expects the position, the lines, the speed and the answer once each, in this order, each on its row."""
        rows = [row for row in rows_of_screen if row]
        kinds = ["line" if re.match(r"depth +\d+ ", row) else "speed" if re.match(r"\d+\.\d s", row) else
                 "best" if row.startswith("Best move: ") else "other" for row in rows]
        text = "\n".join(rows_of_screen)
        self.assertEqual(kinds.count("line"), LINES, text)
        self.assertEqual(kinds.count("speed"), 1, text)
        self.assertEqual(kinds.count("best"), 1, text)
        first = kinds.index("line")
        self.assertEqual(kinds[first:first + LINES + 1], ["line"] * LINES + ["speed"], text)
        self.assertLessEqual(max(len(row) for row in rows[first:first + LINES + 1]), session.screen.columns - 1, text)
        depths = [int(row.split()[1]) for row in rows[first:first + LINES]]
        self.assertLessEqual(max(depths) - min(depths), 1, text)

    def analyse(self, columns, rows, *arguments, seconds=0.4, **options):
        return Session([LUFT, "analyse", "--lines", str(LINES), "--time", str(seconds), *arguments], columns, rows, **options)

    def test_every_width(self):
        for columns in (30, 40, 60, 79, 80, 81, 110, 200):
            with self.subTest(columns=columns), self.analyse(columns, 30, KIWIPETE) as session:
                self.assertEqual(session.end(), 0)
                self.expect(session, session.screen.everything())
                self.assertEqual(len([row for row in session.screen.visible() if re.fullmatch(RANK, row)]), 8)

    def test_fewer_rows_than_lines(self):
        for rows in (1, 2, 3, 4, 6):
            with self.subTest(rows=rows), self.analyse(80, rows) as session:
                self.assertEqual(session.end(), 0)
                self.expect(session, session.screen.everything())

    def test_a_window_that_changes_its_size(self):
        for (columns, rows), (new_columns, new_rows) in (((110, 30), (60, 30)), ((60, 30), (110, 30)), ((80, 30), (40, 20)),
                                                         ((80, 12), (100, 30)), ((200, 40), (30, 30))):
            for reflows in (False, True):
                with self.subTest(before=(columns, rows), after=(new_columns, new_rows), reflows=reflows), \
                     self.analyse(columns, rows, seconds=200, reflows=reflows) as session:
                    session.read_until(DEEP)
                    session.resize(new_columns, new_rows)
                    session.read(0.3)
                    session.signal()
                    self.assertEqual(session.end(), 0)
                    self.expect(session, session.screen.visible())

    def test_ctrl_c_ends_a_position_with_its_answer(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.analyse(80, 30, seconds=200) as session:
                session.read_until(DEEP)
                session.signal(number)
                self.assertEqual(session.end(), 0)
                self.expect(session, session.screen.visible())

    def test_ctrl_c_ends_a_list_of_positions(self):
        with tempfile.NamedTemporaryFile("w", suffix=".fens") as fens:
            fens.write(f"{KIWIPETE}\n{KIWIPETE}\n")
            fens.flush()
            with self.analyse(80, 30, fens.name, seconds=200) as session:
                session.read_until(DEEP)
                session.signal()
                self.assertEqual(session.end(), 1)
                rows = session.screen.everything()
        self.assertEqual(len([row for row in rows if row.startswith("Best move: ")]), 1)
        self.assertIn("luft analyse: stopped: the positions from line 2 on are not analysed", rows)


if __name__ == "__main__":
    unittest.main()
