"""A raw attacker against the shipped server (O-3): sections HTTP and Resources of "tried as an enemy". Loopback only, bounded loops."""
import json
import os
import resource
import shutil
import socket
import ssl
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

from harness import PROGRAM, ROOT, Program

UPGRADE = ("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")


class Peer:
    """A TCP end that says exactly the bytes it is told to."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=15)

    def say(self, data):
        self.socket.sendall(data.encode() if isinstance(data, str) else data)
        return self

    def hear_to_end(self):
        pieces = []
        try:
            while piece := self.socket.recv(65536):
                pieces.append(piece)
        except ConnectionResetError:
            pass
        return b"".join(pieces)

    def head(self):
        data = b""
        while not data.endswith(b"\r\n\r\n"):
            piece = self.socket.recv(1)
            if not piece:
                break
            data += piece
        return data.decode()

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def ask(port, method="GET", path="/healthz", body=None, host="127.0.0.1", **fields):
    """Status and body of one request on a connection of its own."""
    head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n"
    head += "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
    data = body.encode() if isinstance(body, str) else body
    if data is not None:
        head += f"Content-Length: {len(data)}\r\n"
    with Peer(port) as peer:
        peer.say(head.encode() + b"\r\n" + (data or b""))
        answer = peer.hear_to_end()
    first, _, rest = answer.partition(b"\r\n\r\n")
    return int(first.split(b" ")[1]) if first else 0, rest


def register(name, password="correct horse"):
    return json.dumps({"name": name, "password": password, "device": {"id": "a" * 32, "platform": "linux", "name": "desk"}})


def processor_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class EnemyOfHTTP(unittest.TestCase):
    """One server for all: each test ends with it still answering."""

    @classmethod
    def setUpClass(cls):
        cls.program = Program("serve", "--port", "0", "--speed", "0")
        cls.port = cls.program.port

    @classmethod
    def tearDownClass(cls):
        cls.program.stop()

    def tearDown(self):
        self.assertEqual(ask(self.port)[0], 200)

    def code(self, answer):
        return json.loads(answer[1])["error"]["code"]

    def test_a_hundred_thousand_headers(self):
        with Peer(self.port) as peer:
            try:
                peer.say("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n" + "X: y\r\n" * 100_000 + "\r\n")
            except (BrokenPipeError, ConnectionResetError):
                return
            answer = peer.hear_to_end()
        self.assertTrue(answer == b"" or answer.startswith(b"HTTP/1.1 431 "), answer[:80])

    def test_a_gigabyte_announced(self):
        before = Path(f"/proc/{self.program.process.pid}/statm").read_text().split()[1]
        with Peer(self.port) as peer:
            peer.say("POST /auth/v1/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n")
            self.assertTrue(peer.hear_to_end().startswith(b"HTTP/1.1 413 "))
        after = Path(f"/proc/{self.program.process.pid}/statm").read_text().split()[1]
        self.assertLess(int(after) - int(before), 4096)

    def test_a_hundred_slow_clients_and_a_good_one(self):
        slow = [Peer(self.port).say("GET /healthz HTTP/1.1\r\nHo") for _ in range(100)]
        self.addCleanup(lambda: [peer.close() for peer in slow])
        for _ in range(20):
            self.assertEqual(ask(self.port)[0], 200)
            for peer in slow:
                peer.say("s")

    def test_paths_that_climb(self):
        for path in ("/../etc/passwd", "/%2e%2e/etc/passwd", "/..%2fetc/passwd", "/a/../../b", "/%5c..%5cx", "//etc/passwd", "/%00", "/.%2e/x"):
            self.assertIn(ask(self.port, path=path)[0], (400, 404), path)

    def test_content_types_that_are_not_json(self):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=utf-16"):
            answer = ask(self.port, "POST", "/auth/v1/sign-in", register("mei"), Content_Type=kind)
            self.assertEqual((answer[0], self.code(answer)), (415, "request.media-type"))

    def test_json_that_is_none(self):
        good = register("mei")
        for body in ("[" * 10_000 + "]" * 10_000, '{"a":' * 10_000 + "1" + "}" * 10_000, good[:-1] + ',"name":"x"}', '{"name":1e400}',
                     '{"name":-1e400}', good.replace('"mei"', "1e400"), good + "x", "\ufeff" + good, '{"name":"\\ud800"}', "NaN", "", "null", "[]"):
            answer = ask(self.port, "POST", "/auth/v1/sign-in", body, Content_Type="application/json")
            self.assertEqual((answer[0], self.code(answer)), (400, "request.invalid"), body[:40])
        for body in (b'{"name":"\xff"}', b"\x00", b'{"name":"a\x00b"}'):
            self.assertEqual(ask(self.port, "POST", "/auth/v1/sign-in", body, Content_Type="application/json")[0], 400)

    def test_names_with_nothing_in_them_to_see(self):
        for name in ("a\u0000b", "abc\u202egnp", "abc\u200b", "a b c", "\u2066abc\u2069", "abc\ud83d", "x" * 65, "ab", "abc\n"):
            answer = ask(self.port, "POST", "/auth/v1/register", register(name), Content_Type="application/json")
            self.assertEqual(answer[0], 400, ascii(name))
            self.assertIn(self.code(answer), ("request.invalid", "auth.name-invalid"), ascii(name))

    def test_upgrades_of_a_foreign_page(self):
        for path, extra in (("/quotes", "Sec-WebSocket-Protocol: causeway.quotes.v1\r\n"), ("/socket.io/?EIO=4&transport=websocket", "")):
            for origin in ("https://evil.example", "null", "http://127.0.0.1:1", f"http://127.0.0.1:{self.port}@evil.example"):
                with Peer(self.port) as peer:
                    peer.say(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{UPGRADE}{extra}Origin: {origin}\r\n\r\n")
                    self.assertTrue(peer.head().startswith("HTTP/1.1 403 "), (path, origin))
            with Peer(self.port) as peer:
                peer.say(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{UPGRADE}{extra}Origin: http://127.0.0.1:{self.port}\r\n\r\n")
                self.assertTrue(peer.head().startswith("HTTP/1.1 101 "), path)

    def test_a_name_that_dns_pointed_here(self):
        for host in ("evil.example", f"evil.example:{self.port}", "127.0.0.1.evil.example"):
            answer = ask(self.port, host=host, Origin=f"http://{host}")
            self.assertEqual((answer[0], self.code(answer)), (421, "request.host"))
            for path in ("/quotes", "/socket.io/?EIO=4&transport=websocket"):
                with Peer(self.port) as peer:
                    peer.say(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{UPGRADE}Sec-WebSocket-Protocol: causeway.quotes.v1\r\nOrigin: http://{host}\r\n\r\n")
                    self.assertTrue(peer.head().startswith("HTTP/1.1 421 "), path)
        for host in ("localhost", f"localhost:{self.port}", "[::1]:1", "10.1.2.3"):
            self.assertEqual(ask(self.port, host=host)[0], 200, host)


class EnemyOfTLS(unittest.TestCase):
    def test_only_forward_secrecy_and_authenticated_encryption(self):
        folder = ROOT / "Tests/Fixtures/tls"
        with Program("serve", "--port", "0", "--speed", "0", "--tls-cert", str(folder / "server.pem"), "--tls-key", str(folder / "server.key")) as program:
            def agree(ciphers, newest=ssl.TLSVersion.TLSv1_2, oldest=ssl.TLSVersion.TLSv1_2):
                context = ssl.create_default_context(cafile=str(folder / "ca.pem"))
                context.minimum_version, context.maximum_version = oldest, newest
                context.set_ciphers(ciphers + ":@SECLEVEL=0")
                with socket.create_connection(("127.0.0.1", program.port), timeout=10) as plain:
                    with context.wrap_socket(plain, server_hostname="localhost") as secure:
                        return secure.version(), secure.cipher()[0]

            self.assertEqual(agree("ALL", newest=ssl.TLSVersion.TLSv1_3)[0], "TLSv1.3")
            for good in ("ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"):
                self.assertEqual(agree(good), ("TLSv1.2", good))
            for bad in ("ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384", "ECDHE-ECDSA-AES128-SHA256"):
                with self.assertRaises((ssl.SSLError, ConnectionError), msg=bad):
                    agree(bad)
            with warnings.catch_warnings(action="ignore"), self.assertRaises((ssl.SSLError, ConnectionError)):
                agree("ALL", newest=ssl.TLSVersion.TLSv1_1, oldest=ssl.TLSVersion.TLSv1)


class Operation(unittest.TestCase):
    """What an operator sees: ids, log, metrics, readiness, drain."""

    def log(self, program):
        program.errors.flush()
        program.errors.seek(0)
        return [json.loads(line) for line in program.errors.read().decode().splitlines() if line.startswith("{")]

    def head(self, port, path="/healthz", **fields):
        with Peer(port) as peer:
            peer.say(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                     + "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items()) + "\r\n")
            text = peer.head()
        return {line.split(":", 1)[0].lower(): line.split(":", 1)[1].strip() for line in text.splitlines()[1:] if ":" in line}

    def test_ids_log_and_metrics_without_a_secret(self):
        with Program("serve", "--port", "0", "--speed", "0") as program:
            port = program.port
            self.assertEqual(self.head(port, X_Request_Id="mine-1")["x-request-id"], "mine-1")
            self.assertRegex(self.head(port, X_Request_Id="a b")["x-request-id"], "^[0-9a-f]{16}$")
            with Peer(port) as peer:
                peer.say("GET /../x HTTP/1.1\r\nHost: localhost\r\n\r\n")
                self.assertIn("x-request-id: ", peer.hear_to_end().decode().lower())
            status, body = ask(port, "POST", "/auth/v1/register", register("mei", "hidden-word-1"), Content_Type="application/json")
            self.assertEqual(status, 200)
            grant = json.loads(body)
            ask(port, "POST", "/auth/v1/sign-in", register("mei", "hidden-word-2"), Content_Type="application/json", X_Request_Id="try-2")
            ask(port, path="/gateway/v1/account?secret=hidden-word-3", Authorization=f"Bearer {grant['access']}")
            ask(port, path="/hidden-word-4")
            ask(port, "POST", "/auth/v1/sign-out", "{}", Authorization=f"Bearer {grant['access']}", Content_Type="application/json")
            self.assertEqual(ask(port, path="/readyz"), (200, b"ready\n"))
            metrics = ask(port, path="/metrics")[1].decode()
            lines = self.log(program)
        text = json.dumps(lines)
        for secret in ("hidden-word", grant["access"], grant["refresh"], "mei"):
            self.assertNotIn(secret, text)
            self.assertNotIn(secret, metrics)
        events = [(line["event"], line.get("code")) for line in lines]
        for event in (("audit.register", "ok"), ("audit.sign-in", "auth.wrong-password"), ("audit.sign-out", None)):
            self.assertIn(event, events)
        self.assertTrue(any(line.get("id") == "try-2" and line["endpoint"] == "POST /auth/v1/sign-in" and line["status"] == "401" for line in lines))
        self.assertIn('causeway_http_requests_total{endpoint="POST /auth/v1/sign-in",status="4xx"} 1\n', metrics)
        self.assertIn('causeway_http_request_seconds_bucket{endpoint="POST /auth/v1/register",le="+Inf"} 1\n', metrics)
        for name in ("causeway_connections", "causeway_queued_bytes", "causeway_queued_bytes_largest", "causeway_order_command_seconds_count", "causeway_quote_conflated_total"):
            self.assertIn(f"\n{name}", metrics)

    def test_changes_are_limited_by_account(self):
        with Program("serve", "--port", "0", "--speed", "0") as program:
            grant = json.loads(ask(program.port, "POST", "/auth/v1/register", register("mei"), Content_Type="application/json")[1])
            with Peer(program.port) as peer:
                peer.say((f"DELETE /auth/v1/devices/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {grant['access']}\r\n\r\n") * 60
                         + "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                answers = peer.hear_to_end().decode()
            self.assertGreaterEqual(answers.count("HTTP/1.1 404 "), 40)
            self.assertGreaterEqual(answers.count("HTTP/1.1 429 "), 5)
            self.assertEqual(answers.lower().count("retry-after: "), answers.count("HTTP/1.1 429 "))
            self.assertIn("HTTP/1.1 200 ", answers)

    def test_not_ready_when_the_folder_is_gone(self):
        with Program("serve", "--port", "0", "--speed", "0", "--data", "/dev/shm/causeway-enemy-%d" % os.getpid()) as program:
            folder = Path("/dev/shm/causeway-enemy-%d" % os.getpid())
            self.assertEqual(ask(program.port, path="/readyz")[0], 200)
            folder.rename(str(folder) + ".away")
            try:
                self.assertEqual(ask(program.port, path="/readyz"), (503, b"store\n"))
                self.assertEqual(ask(program.port)[0], 200)
            finally:
                Path(str(folder) + ".away").rename(folder)
            self.assertEqual(ask(program.port, path="/readyz")[0], 200)
        shutil.rmtree(folder)

    def test_drain_closes_with_1001_and_ends_well(self):
        program = Program("serve", "--port", "0", "--speed", "0")
        with Peer(program.port) as peer:
            peer.say(f"GET /quotes HTTP/1.1\r\nHost: localhost\r\n{UPGRADE}Sec-WebSocket-Protocol: causeway.quotes.v1\r\n\r\n")
            self.assertIn(" 101 ", peer.head())
            program.process.terminate()
            rest = peer.hear_to_end()
        self.assertEqual((rest[0], rest[2:4]), (0x88, b"\x03\xe9"))
        self.assertEqual(program.process.wait(timeout=12), 0)
        program.stop()


class EnemyOfResources(unittest.TestCase):
    def scratch(self):
        folder = tempfile.TemporaryDirectory(prefix="causeway-enemy-")
        self.addCleanup(folder.cleanup)
        return folder.name

    def refused(self, *arguments, limits=(), data=None):
        """Ends by itself, with status 1, nothing on standard output, and one line."""
        data = data or self.scratch() + "/data"
        done = subprocess.run(
            [str(PROGRAM), "serve", *(() if "--port" in arguments else ("--port", "0")), "--data", data, *arguments], capture_output=True, text=True, timeout=30,
            env={**os.environ, "HOME": self.scratch()}, preexec_fn=lambda: [resource.setrlimit(kind, (value, value)) for kind, value in limits])
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr[-300:])
        lines = [line for line in done.stderr.splitlines() if line.startswith("causeway: ")]
        self.assertEqual(len(lines), 1, done.stderr[-300:])
        return lines[0]

    def test_too_few_descriptors_are_told_in_one_line(self):
        for count in (4, 5, *range(12, 28, 4), 60):
            self.assertIn("ulimit -n", self.refused(limits=[(resource.RLIMIT_NOFILE, count)]), count)

    def test_help_asks_for_no_more_descriptors_than_it_uses(self):
        for words in (["--help"], ["help", "serve"], ["version"], ["sevre"]):
            done = subprocess.run(
                [str(PROGRAM), *words], capture_output=True, text=True, timeout=30,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16)))
            self.assertEqual(done.returncode, 2 if words == ["sevre"] else 0, done.stderr[-300:])
            self.assertNotIn("ulimit", done.stderr)

    def test_descriptors_that_run_out_while_it_runs(self):
        with Program("serve", "--port", "0", "--speed", "0") as program:
            pid, port = program.process.pid, program.port
            with Peer(port) as good:
                good.say("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                self.assertIn(" 200 ", good.head())
                self.assertEqual(good.socket.recv(16), b"ok\n")
                soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
                resource.prlimit(pid, resource.RLIMIT_NOFILE, (len(os.listdir(f"/proc/{pid}/fd")) + 5, hard))
                crowd = [Peer(port) for _ in range(40)]
                before = processor_seconds(pid)
                # The crowd waits; who is connected is served, over and over.
                for _ in range(200):
                    good.say("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    self.assertIn(" 200 ", good.head())
                    good.socket.recv(16)
                good.socket.settimeout(2.5)
                with self.assertRaises(TimeoutError):
                    good.socket.recv(1)
                self.assertLess(processor_seconds(pid) - before, 1.5)
                resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
                for peer in crowd:
                    peer.say("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    self.assertIn(b" 200 ", peer.hear_to_end())
                    peer.close()
            program.errors.seek(0)
            log = program.errors.read().decode()
            self.assertEqual(log.count("descriptors-exhausted"), 1, log)
            self.assertEqual(log.count("accepting-again"), 1, log)

    def test_too_little_address_space_is_told_in_one_line(self):
        # With less the system's loader gives up first, in a line of its own.
        for mebibytes in (150, 200, 256):
            self.assertIn("ulimit -v", self.refused(limits=[(resource.RLIMIT_AS, mebibytes << 20)]), mebibytes)

    def test_connections_leave_room_for_files(self):
        home = tempfile.TemporaryDirectory(prefix="causeway-peer-")
        program = Program("serve", "--port", "0", "--speed", "0", home=home, before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200)))
        with program:
            crowd = [Peer(program.port) for _ in range(300)]
            self.addCleanup(lambda: [peer.close() for peer in crowd])
            # Those beyond the cap are closed at once; the journal and the accounts still find descriptors.
            crowd[0].say("POST /auth/v1/register HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
                         f"Content-Length: {len(register('mei'))}\r\n\r\n{register('mei')}")
            self.assertIn(b" 200 ", crowd[0].hear_to_end())
            program.errors.seek(0)
            self.assertNotIn("exhausted", program.errors.read().decode())

    def test_a_folder_that_cannot_be_written(self):
        data = self.scratch() + "/none"
        Path(data).write_text("a file where a folder should be")
        self.assertIn(data, self.refused(data=data))
        if os.geteuid() != 0:
            locked = self.scratch()
            os.chmod(locked, 0o500)
            self.assertIn(locked, self.refused(data=locked + "/data"))
        self.assertIn("/proc/causeway", self.refused(data="/proc/causeway"))

    def test_a_folder_of_a_newer_version_is_left_as_it_is(self):
        data = self.scratch()
        Path(data, "format").write_text("2\n")
        self.refused(data=data)
        self.assertEqual(os.listdir(data), ["format"])

    def test_a_port_that_is_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            self.assertIn(str(other.getsockname()[1]), self.refused("--port", str(other.getsockname()[1])))
