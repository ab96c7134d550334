"""`luft mcp`: conversations of the Model Context Protocol, hostile ones too."""

import json
import queue
import subprocess
import threading
import unittest

from patience import HANG
from uci_engine import LUFT, Engine

VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
TOOLS = ["legal_moves", "analyse", "explain_move", "explain_position", "judge_game"]
FORK = "2kr3r/ppp3pp/6q1/3Pnp2/1PP1p3/7P/P2QNPP1/R4RK1 w - - 1 17"
GAME = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0"
ENDLESS = {"nodes": 1000000000}  # far more than any test waits for
ALPHABET = {"string": str, "object": dict, "array": list, "boolean": bool, "number": (int, float), "integer": int}


def is_part(found, whole):
    """Whether an answer says nothing but what a longer one says: lists may be shorter, and members missing."""
    if isinstance(found, dict):
        return all(name in whole and is_part(value, whole[name]) for name, value in found.items())
    if isinstance(found, list):
        return len(found) <= len(whole) and all(map(is_part, found, whole))
    return found == whole


class Client:
    """A client at the other end; messages are read by a thread of their own."""

    def __init__(self, *options, begin=True):
        self.process = subprocess.Popen([LUFT, "mcp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.lines = queue.Queue()
        self.last_id = 0
        self.others = []  # messages that nobody waited for
        threading.Thread(target=self._read, daemon=True).start()
        if begin:
            self.ask("initialize", protocolVersion=VERSIONS[0], capabilities={}, clientInfo={"name": "test", "version": "1"})
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *messages):
        self.send_bytes(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def read(self):
        """The next message; None at the end. Each is one line of JSON."""
        line = self.lines.get(timeout=HANG)
        if line is None:
            return None
        message = json.loads(line)
        assert line.endswith(b"\n") and message["jsonrpc"] == "2.0", line
        return message

    def request(self, method, **params):
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        return self.last_id

    def answer(self, number):
        """The answer to a request; what comes before it goes to `others`."""
        while True:
            message = self.read()
            assert message is not None, f"no answer to {number}"
            if message.get("id") == number and "method" not in message:
                return message
            self.others.append(message)

    def ask(self, method, **params):
        return self.answer(self.request(method, **params))

    def call(self, tool, **arguments):
        """The result of a tool."""
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]

    def begin_endless(self, **meta):
        return self.request("tools/call", name="analyse", arguments=ENDLESS, **({"_meta": meta} if meta else {}))

    def cancel(self, number):
        self.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number, "reason": "a test"}})

    def close(self):
        """Ends the input; returns all messages that come after, and the exit status."""
        self.process.stdin.close()
        rest = []
        while (message := self.read()) is not None:
            rest.append(message)
        status = self.process.wait(HANG)
        self.process.stdout.close()
        self.process.stderr.close()
        return rest, status


class Conversation(unittest.TestCase):
    OPTIONS = []

    def setUp(self):
        self.client = Client(*self.OPTIONS)

    def tearDown(self):
        rest, status = self.client.close()
        self.assertEqual((rest, status), ([], 0))

    def refused(self, reason, tool, **arguments):
        """A tool says in one sentence what is wrong, and has no other result."""
        result = self.client.call(tool, **arguments)
        self.assertEqual((result["isError"], "structuredContent" in result, len(result["content"])), (True, False, 1))
        text = result["content"][0]["text"]
        self.assertIn(reason, text)
        self.assertNotIn("\n", text)
        self.assertEqual(text.rstrip("."), text)
        return text

    def text_of(self, result):
        self.assertNotIn("isError", result)
        self.assertEqual([item["type"] for item in result["content"]], ["text"])
        return result["content"][0]["text"]


class Protocol(Conversation):
    def test_the_version_is_the_client_s_where_it_is_known(self):
        for version in VERSIONS:
            self.assertEqual(self.client.ask("initialize", protocolVersion=version)["result"]["protocolVersion"], version)
        for version in ("2099-01-01", 7, None):
            self.assertEqual(self.client.ask("initialize", protocolVersion=version)["result"]["protocolVersion"], VERSIONS[0])
        result = self.client.ask("initialize", protocolVersion=VERSIONS[0])["result"]
        self.assertEqual((result["capabilities"], result["serverInfo"]["name"]), ({"tools": {}}, "luft"))
        self.assertIn("Luft", result["instructions"])

    def test_initialize_comes_first(self):
        client = Client(begin=False)
        self.assertEqual(client.ask("ping")["result"], {})
        for method in ("tools/list", "tools/call"):
            error = client.ask(method)["error"]
            self.assertEqual((error["code"], error["message"]), (-32600, f"initialize comes before {method}"))
        client.ask("initialize", protocolVersion=VERSIONS[0])
        self.assertIn("result", client.ask("tools/list"))
        self.assertEqual(client.close(), ([], 0))

    def test_every_tool_has_its_schemas(self):
        tools = self.client.ask("tools/list")["result"]["tools"]
        self.assertEqual([tool["name"] for tool in tools], TOOLS)
        for tool in tools:
            self.assertTrue(tool["title"] and tool["description"].endswith("."))
            self.assertEqual(tool["annotations"], {"readOnlyHint": True, "openWorldHint": False})
            for schema in (tool["inputSchema"], tool["outputSchema"]):
                self.assertEqual(schema["type"], "object")
                self.assertLessEqual(set(schema["required"]), set(schema["properties"]))
                for row in schema["properties"].values():
                    self.assertIn(row["type"], ALPHABET)
                    self.assertTrue(row["description"])
            self.assertFalse(tool["inputSchema"]["additionalProperties"])
            for row in tool["inputSchema"]["properties"].values():
                if "default" in row and row["type"] == "integer":
                    self.assertTrue(row["minimum"] <= row["default"] <= row["maximum"])
                if "enum" in row:
                    self.assertIn(row["default"], row["enum"])

    def test_results_have_what_their_schemas_promise(self):
        arguments = {"legal_moves": {}, "analyse": {"nodes": 2000}, "explain_move": {"move": "a4", "nodes": 2000},
                     "explain_position": {"nodes": 2000}, "judge_game": {"pgn": GAME, "nodes": 500}}
        for tool in self.client.ask("tools/list")["result"]["tools"]:
            found = self.client.call(tool["name"], **arguments[tool["name"]])["structuredContent"]
            for name in tool["outputSchema"]["required"]:
                self.assertIsInstance(found[name], ALPHABET[tool["outputSchema"]["properties"][name]["type"]])

    def test_ids_come_back_as_they_were(self):
        for number in (0, -7, 9007199254740993, "x", "", "é\u202e\u0007\U000e0041\"\\"):
            self.client.send({"jsonrpc": "2.0", "id": number, "method": "ping"})
            self.assertEqual(self.client.answer(number)["result"], {})

    def test_unknown_methods_and_tools_are_named(self):
        error = self.client.ask("resources/list")["error"]
        self.assertEqual(error["code"], -32601)
        self.assertIn("'resources/list'", error["message"])
        error = self.client.ask("tools/call", name="analyze", arguments={})["error"]
        self.assertEqual((error["code"], error["message"]), (-32602, "unknown tool 'analyze'; did you mean analyse?"))
        for params, reason in (({}, "params.name"), ({"name": 5}, "params.name"),
                               ({"name": "analyse", "arguments": [1]}, "params.arguments must be an object")):
            error = self.client.ask("tools/call", **params)["error"]
            self.assertEqual(error["code"], -32602)
            self.assertIn(reason, error["message"])

    def test_notifications_and_answers_get_no_answer(self):
        self.client.send({"jsonrpc": "2.0", "method": "notifications/unknown"}, {"jsonrpc": "2.0", "method": "ping"},
                         {"jsonrpc": "2.0", "id": 5, "result": {}}, {"jsonrpc": "2.0", "id": 5, "error": {}},
                         {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 77}},
                         {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {}}},
                         {"jsonrpc": "2.0", "method": "notifications/cancelled"})
        self.client.send_bytes(b"\n  \r\n")
        self.client.ask("ping")
        self.assertEqual(self.client.others, [])


class Tools(Conversation):
    def test_legal_moves(self):
        result = self.client.call("legal_moves", moves="1. e4 e5 2. Nf3 Nc6 3. Bb5 a6")
        found = result["structuredContent"]
        self.assertEqual(found["fen"], "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4")
        self.assertEqual((found["side"], found["check"], found["end"]), ("white", False, ""))
        with Engine() as engine:
            self.assertEqual(sorted(move["uci"] for move in found["moves"]), sorted(engine.legal_moves(f"fen {found['fen']}")))
        self.assertIn({"uci": "b5c6", "san": "Bxc6"}, found["moves"])
        self.assertTrue(self.text_of(result).startswith(f"White to move; legal moves: {len(found['moves'])}: "))

    def test_the_end_of_a_game(self):
        result = self.client.call("legal_moves", moves="f2f3 e7e5 g2g4 d8h4")
        found = result["structuredContent"]
        self.assertEqual((found["end"], found["moves"], found["check"]), ("Checkmate: Black has won.", [], True))
        self.assertTrue(self.text_of(result).startswith("Checkmate: Black has won.\n"))
        shuffle = "Nf3 Nf6 Ng1 Ng8 " * 2
        self.assertIn("threefold", self.client.call("legal_moves", moves=shuffle)["structuredContent"]["end"])
        for tool in ("analyse", "explain_move"):
            self.refused("the game is over", tool, moves="f3 e5 g4 Qh4#", **({"move": "a3"} if tool == "explain_move" else {}))

    def test_analyse(self):
        first, second = (self.client.call("analyse", fen=FORK, lines=3, nodes=20000) for _ in range(2))
        found = first["structuredContent"]
        self.assertEqual([line["rank"] for line in found["lines"]], [1, 2, 3])
        self.assertEqual((found["fen"], found["best"]), (FORK, found["lines"][0]["pv"][0]))
        text = self.text_of(first)
        self.assertTrue(text.startswith("White to move; scores are in pawns, as White sees them.\ndepth "), text)
        self.assertEqual(len(text.splitlines()), 5)
        self.assertEqual(text, self.text_of(second))

    def test_explain_move_is_what_the_engine_explains(self):
        with Engine() as engine:
            answer = engine.ask(f"position fen {FORK}", "explain Qd4 nodes 20000 json", until="info string explain end")
        expected = json.loads(answer[-2].removeprefix("info string "))
        result = self.client.call("explain_move", fen=FORK, move="Qd4", nodes=20000)
        found = result["structuredContent"]
        self.assertTrue(is_part(found, expected), (found, expected))
        self.assertEqual((found["words"], found["motif"]["kind"]), (expected["words"], "fork"))
        self.assertEqual([len(found[line]) for line in ("line", "better")], list(expected["shown"].values()))
        self.assertLess(len(json.dumps(found)), len(json.dumps(expected)) / 4)
        text = self.text_of(result)
        self.assertTrue(" ".join(text.split()).startswith(" ".join(found["words"][:2])), text)
        self.assertIn("\nplayed ", text)

    def test_explain_position_is_what_explain_says(self):
        result = self.client.call("explain_position", fen=FORK, moves="17. Qd4", nodes=20000)
        found = result["structuredContent"]
        command = [LUFT, "explain", found["fen"], "--json", "--nodes", "20000"]
        output = subprocess.run(command, capture_output=True, text=True, timeout=HANG).stdout
        self.assertTrue(is_part(found, json.loads(output)), (found, output))
        self.assertTrue(" ".join(self.text_of(result).split()).startswith(found["words"][0]))

    def test_explain_move_in_german(self):
        result = self.client.call("explain_move", fen=FORK, move="d2d4", nodes=20000, language="de")
        self.assertIn("Dame", self.text_of(result))

    def test_judge_game_is_what_analyse_says(self):
        result = self.client.call("judge_game", pgn=GAME, nodes=2000)
        found = result["structuredContent"]
        command = [LUFT, "analyse", "-", "--json", "--nodes", "2000", "--threads", "1", "--hash", "16"]
        lines = subprocess.run(command, input=GAME, capture_output=True, text=True, timeout=HANG).stdout.splitlines()
        expected = [json.loads(line) for line in lines]
        self.assertEqual(found["game"], expected[-1])
        self.assertEqual(found["moves"], [move for move in expected[:-1] if move["verdict"]])
        self.assertEqual((found["game"]["judged"], found["moves"][-1]["verdict"]), (5, "blunder"))
        text = self.text_of(result)
        self.assertIn("accuracy", text)
        self.assertIn("Ke7", text)

    def test_what_is_odd_is_noted(self):
        result = self.client.call("legal_moves", fen="4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1")
        self.assertTrue(self.text_of(result).startswith("Note: "))
        self.assertEqual(result["structuredContent"]["fen"], "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
        result = self.client.call("judge_game", pgn=f"{GAME}\n\n{GAME}", nodes=500)
        self.assertIn("Note: there is more than one game, and the first one is judged", self.text_of(result))

    def test_missing_arguments_are_as_null(self):
        self.assertEqual(self.client.call("legal_moves", fen=None, moves=None), self.client.call("legal_moves"))
        self.assertEqual(self.client.ask("tools/call", name="legal_moves")["result"], self.client.call("legal_moves"))

    def test_wrong_arguments_get_one_sentence(self):
        self.refused("fen: ", "legal_moves", fen="nonsense")
        self.refused("fen: ", "legal_moves", fen="8/8/8/8/8/8/8/8 w - - 0 1")
        self.refused("moves have an argument", "legal_moves", fen=FORK + " Qd4")
        self.refused("fen must be a string, not 5", "legal_moves", fen=5)
        self.refused("moves must be a string", "legal_moves", moves=["e4"])
        self.refused("moves: at move 2 of White: illegal move 'Nd5'", "legal_moves", moves="1. e4 e5 2. Nd5")
        self.refused("moves: ", "legal_moves", moves="hello")
        self.refused("unknown argument 'fenn'; did you mean fen?", "legal_moves", fenn=FORK)
        self.refused("unknown argument", "legal_moves", **{"\u202e\n": 1})
        self.refused("lines must be a whole number from 1 to 10, not '11'", "analyse", lines=11)
        self.refused("nodes must be a whole number", "analyse", nodes={"a": 1})
        self.refused("nodes must be a whole number", "analyse", nodes=1e300)
        self.refused("the argument move is missing", "explain_move", fen=FORK)
        self.refused("unreadable move 'Qd9'; legal moves", "explain_move", fen=FORK, move="Qd9")
        self.refused("language must be en or de, not 'fr'", "explain_move", move="e4", language="fr")
        self.refused("the argument pgn is missing", "judge_game")
        self.refused("pgn: ", "judge_game", pgn="/etc/passwd")
        self.refused("pgn: ", "judge_game", pgn="")
        self.refused("1024 can be judged", "judge_game", pgn="1. Nf3 Nf6 2. Ng1 Ng8 " * 300)


class Work(Conversation):
    """Calls that take long."""

    def test_other_requests_are_answered_meanwhile(self):
        number = self.client.begin_endless()
        self.assertEqual(self.client.ask("ping")["result"], {})
        self.assertIn("tools", self.client.ask("tools/list")["result"])
        self.client.cancel(number)
        self.assertEqual(self.client.others, [])

    def test_a_cancelled_call_gets_no_answer(self):
        for _ in range(3):
            self.client.cancel(self.client.begin_endless())
        self.assertIn("structuredContent", self.client.call("legal_moves"))
        self.assertEqual(self.client.others, [])

    def test_every_tool_can_be_cancelled_in_the_middle(self):
        for tool, arguments in (("analyse", ENDLESS), ("explain_move", {"move": "a4", "nodes": 10000000}),
                                ("explain_position", {"nodes": 10000000}),
                                ("judge_game", {"pgn": GAME, "nodes": 10000000})):
            number = self.client.request("tools/call", name=tool, arguments=arguments, _meta={"progressToken": tool})
            if tool == "analyse":
                self.assertEqual(self.client.read()["params"]["progressToken"], tool)  # it searches
            self.client.cancel(number)
            self.assertIn("structuredContent", self.client.call("legal_moves"))
        self.assertEqual([message for message in self.client.others if "id" in message], [])

    def test_a_waiting_call_can_be_cancelled(self):
        running = self.client.begin_endless()
        waiting = [self.client.begin_endless() for _ in range(3)]
        last = self.client.request("tools/call", name="legal_moves", arguments={})
        for number in waiting + [running]:
            self.client.cancel(number)
        self.assertIn("result", self.client.answer(last))
        self.assertEqual(self.client.others, [])

    def test_too_many_calls_are_refused(self):
        numbers = [self.client.begin_endless() for _ in range(17)]
        error = self.client.answer(numbers.pop())["error"]
        self.assertEqual((error["code"], error["message"]), (-32000, "16 calls wait; send more when one is answered"))
        for number in numbers[::-1]:
            self.client.cancel(number)
        self.assertIn("structuredContent", self.client.call("legal_moves"))

    def test_an_id_in_use_is_refused(self):
        number = self.client.begin_endless()
        self.client.last_id -= 1
        error = self.client.answer(self.client.begin_endless())["error"]
        self.assertEqual((error["code"], error["message"]), (-32600, "a call with this id has no answer yet"))
        self.client.cancel(number)

    def test_progress_goes_to_who_asks_for_it(self):
        for token in ("a token", 12):
            number = self.client.begin_endless(progressToken=token)
            seen = []
            while len(seen) < 2:
                message = self.client.read()
                self.assertEqual((message["method"], message["params"]["progressToken"]), ("notifications/progress", token))
                seen.append(message["params"]["progress"])
            self.assertLess(seen[0], seen[1])
            self.assertLessEqual(seen[1], message["params"]["total"])
            self.client.cancel(number)
        self.client.call("legal_moves")


class Limits(Conversation):
    OPTIONS = ["--time", "0.5"]

    def test_a_call_that_takes_too_long_is_stopped(self):
        found = self.client.call("analyse", **ENDLESS)["structuredContent"]
        self.assertGreater(found["lines"][0]["depth"], 0)  # what it has found by then
        self.refused("no answer within 0.5 seconds; ask with fewer nodes", "explain_move", move="a4", nodes=10000000)
        self.assertIn("structuredContent", self.client.call("legal_moves"))


class End(unittest.TestCase):
    def test_the_end_of_the_input_ends_what_runs(self):
        client = Client()
        running, waiting = client.begin_endless(progressToken=1), client.begin_endless()
        client.read()  # it searches
        rest, status = client.close()
        self.assertEqual(status, 0)
        answers = {message["id"]: message for message in rest if "id" in message}
        self.assertEqual(sorted(answers), [running, waiting])
        self.assertIn("the input ended", answers[waiting]["error"]["message"])

    def test_the_end_of_the_input_in_the_middle_of_a_message(self):
        client = Client()
        client.send_bytes(b'{"jsonrpc":"2.0","id":9,"meth')
        rest, status = client.close()
        self.assertEqual((status, len(rest), rest[0]["error"]["code"]), (0, 1, -32700))

    def test_no_input_at_all(self):
        self.assertEqual(Client(begin=False).close(), ([], 0))

    def test_a_client_that_reads_no_more(self):
        process = subprocess.Popen([LUFT, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 100)
        process.stdin.close()
        self.assertEqual(process.wait(HANG), 1)
        self.assertIn(b"standard output could not be written", process.stderr.read())
        process.stderr.close()


class Hostile(Conversation):
    def fails(self, data, code, reason, number=None):
        """Sends bytes as they are; the one answer is an error."""
        self.client.send_bytes(data + b"\n")
        message = self.client.read()
        self.assertEqual((message["id"], message["error"]["code"]), (number, code))
        self.assertIn(reason, message["error"]["message"])

    def test_what_is_no_json(self):
        for data in (b"quit", b"{", b'{"jsonrpc":"2.0","id":1,"method":"ping"', b'{"jsonrpc":"2.0","id":1,"method":"ping"}}',
                     b"\xff\xfe", b'{"jsonrpc":"2.0","id":"\xc3","method":"ping"}', b'{"a":"\x1b"}', b"[1,]", b"Content-Length: 5"):
            self.fails(data, -32700, "expected")
        self.fails(b'{"jsonrpc":"2.0",\0"id":1,"method":"ping"}', -32700, "zero bytes")
        self.fails(b"[" * 100000, -32700, "inside each other")
        self.fails(b'{"a":' * 100000, -32700, "inside each other")

    def test_what_is_too_long(self):
        self.fails(b" " * (1 << 20) + b"{}", -32700, "1 MiB")
        self.fails(b'{"x":"' + b"x" * (5 << 20) + b'"}', -32700, "1 MiB")
        almost = b'{"jsonrpc":"2.0","id":3,"method":"ping","params":{"x":"' + b"x" * ((1 << 20) - 100) + b'"}}'
        self.client.send_bytes(almost + b"\n")
        self.assertEqual(self.client.answer(3)["result"], {})

    def test_what_is_no_message(self):
        self.fails(b"5", -32600, "object")
        self.fails(b'{"id":1,"method":"ping"}', -32600, "jsonrpc", 1)
        self.fails(b'{"jsonrpc":2.0,"id":1,"method":"ping"}', -32600, "jsonrpc", 1)
        self.fails(b'{"jsonrpc":"2.0","id":1}', -32600, "method", 1)
        self.fails(b'{"jsonrpc":"2.0","id":1,"method":5}', -32600, "method", 1)
        for wrong in (b"null", b"1.5", b"[]", b"{}", b"true", b"1e400", b"99999999999999999999"):
            self.fails(b'{"jsonrpc":"2.0","id":' + wrong + b',"method":"ping"}', -32600, "id must be")
        self.fails(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}', -32600, "params", 1)

    def test_a_batch_is_answered_message_by_message(self):
        self.client.send([{"jsonrpc": "2.0", "id": 91, "method": "ping"}, {"jsonrpc": "2.0", "method": "x"}, 5, [],
                          {"jsonrpc": "2.0", "id": 92, "method": "ping"}])
        self.assertEqual([self.client.read().get("id") for _ in range(4)], [91, None, None, 92])

    def test_many_messages_at_once(self):
        self.client.send_bytes(b'{"jsonrpc":"2.0","id":"p","method":"ping"}\n' * 5000)
        for _ in range(5000):
            self.assertEqual(self.client.read()["result"], {})


if __name__ == "__main__":
    unittest.main()
