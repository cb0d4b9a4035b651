"""O-3: trust on first use at the client, and a server's change of certificate, with the fingerprints that openssl tells."""
import hashlib
import json
import os
import pty
import select
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from harness import PASSWORD, PROGRAM, ROOT, clean_environment, run

TLS = ROOT / "Tests/Fixtures/tls"


def fingerprint(name):
    der = ssl.PEM_cert_to_DER_cert((TLS / name).read_text())
    return "sha256:" + ":".join(f"{byte:02X}" for byte in hashlib.sha256(der).digest())


SERVER, OTHER = fingerprint("server.pem"), fingerprint("self.pem")


class Trust(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="causeway-peer-")
        self.addCleanup(self.folder.cleanup)
        root = Path(self.folder.name)
        self.certificate, self.key, self.home = root / "cert.pem", root / "key.pem", root / "home"
        (root / "password").write_text(PASSWORD)
        self.environment = clean_environment(str(self.home))
        self.put("server")
        self.start(0, "--at", "2026-11-30T10:00:00+08:00")
        self.assertEqual(self.causeway("passphrase").returncode, 0)

    def put(self, name, key=None):
        shutil.copy(TLS / f"{name}.pem", self.certificate)
        shutil.copy(TLS / f"{key or name}.key", self.key)

    def start(self, port=0, *options):
        environment = {**self.environment, "HOME": self.folder.name + "/server"}
        self.server = subprocess.Popen(
            [str(PROGRAM), "serve", "--json", "--port", str(port), *options,
             "--tls-cert", str(self.certificate), "--tls-key", str(self.key)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True)
        self.listening = json.loads(self.server.stdout.readline())["listening"]
        self.port = self.listening["port"]
        self.url = f"https://127.0.0.1:{self.port}"
        self.addCleanup(self.end, self.server)

    def end(self, server):
        """Everything it logged that was not read yet."""
        if server.poll() is None:
            server.terminate()
        return "" if server.stderr.closed else server.communicate(timeout=20)[1]

    def causeway(self, *arguments, text=None):
        return run(*arguments, "--json", environment=self.environment, text=text)

    def register(self, *options):
        return self.causeway("sign-in", "--register", "--name", "mei", "--server", self.url, *options, text=PASSWORD)

    def assertRefused(self, ended, code, **arguments):
        self.assertEqual(ended.returncode, 6, ended)
        error = json.loads(ended.stdout)["error"]
        self.assertEqual(error["code"], "connection.certificate-" + code)
        self.assertEqual(error["args"], {"server": f"127.0.0.1:{self.port}", **arguments})
        for value in arguments.values():
            self.assertIn(value, error["text"])

    def known(self):
        return self.home / ".config/causeway/main/known-servers"

    def test_first_use_then_a_changed_certificate(self):
        self.assertEqual(self.listening["certificate"], SERVER)
        self.assertEqual(self.listening["url"], self.url)
        self.assertRefused(self.register(), "unknown", fingerprint=SERVER)
        self.assertRefused(self.register("--trust", OTHER), "other", fingerprint=SERVER, named=OTHER)
        self.assertFalse(self.known().exists())
        self.assertEqual(self.causeway("sign-in", "--name", "mei", "--trust", "sha256:00", text=PASSWORD).returncode, 2)
        # Nothing was asked of it, let alone said to it.
        first = self.end(self.server)
        self.assertIn("server.listening", first)
        self.assertNotIn("http.request", first)
        self.start(self.port)
        self.assertEqual(self.register("--trust", SERVER).returncode, 0)
        self.assertEqual(self.known().stat().st_mode & 0o777, 0o600)
        # From now on without a word: HTTP and both long connections.
        quote = self.causeway("quote", "700.HK")
        self.assertEqual(quote.returncode, 0, quote)
        self.assertIn("700.HK", quote.stdout)
        login = self.causeway("trade-login", "securities", text=PASSWORD)
        self.assertEqual(login.returncode, 0, login)
        # Another certificate behind the same address.
        self.end(self.server)
        self.put("self")
        self.start(self.port)
        for command in (["whoami"], ["quote", "700.HK"], ["sign-in", "--name", "mei", "--server", self.url]):
            self.assertRefused(self.causeway(*command, text=PASSWORD), "changed", fingerprint=OTHER, known=SERVER)
        said, status = self.at_terminal("whoami")
        self.assertEqual(status, 6)
        self.assertIn(OTHER, said)
        self.assertNotIn("[y/N]", said)
        self.assertEqual(self.causeway("whoami", "--trust", OTHER).returncode, 0)
        self.assertEqual(self.causeway("whoami").returncode, 0)
        self.assertEqual(self.known().read_text().count("\n"), 2)
        log = self.end(self.server)
        self.assertEqual(log.count('"http.request"'), 2, log)

    def test_an_authority_named_goes_first(self):
        self.assertEqual(self.register("--ca", str(TLS / "ca.pem")).returncode, 0)
        self.assertEqual(self.causeway("quote", "700.HK", "--ca", str(TLS / "ca.pem")).returncode, 0)
        self.assertFalse(self.known().exists())
        wrong = self.causeway("whoami", "--ca", str(TLS / "other-ca.pem"))
        self.assertEqual((wrong.returncode, json.loads(wrong.stdout)["error"]["code"]), (6, "connection.untrusted"))
        self.assertRefused(self.causeway("whoami"), "unknown", fingerprint=SERVER)
        self.assertEqual(self.causeway("whoami", "--trust", SERVER, "--ca", str(TLS / "ca.pem")).returncode, 2)

    def test_asked_on_a_terminal(self):
        arguments = ["sign-in", "--register", "--name", "mei", "--server", self.url, "--password-file", self.folder.name + "/password"]
        for answer in ("n", "", "yess"):
            said, status = self.at_terminal(*arguments, answer=answer)
            self.assertEqual(status, 6, said)
            self.assertIn(SERVER, said)
            self.assertFalse(self.known().exists())
        said, status = self.at_terminal(*arguments, answer="y")
        self.assertEqual(status, 0, said)
        self.assertIn(SERVER, self.known().read_text())
        said, status = self.at_terminal("whoami")
        self.assertEqual((status, "[y/N]" in said), (0, False), said)

    def at_terminal(self, *arguments, answer=None):
        """What it says on a terminal where the question is answered, and its exit status."""
        child, terminal = pty.fork()
        if child == 0:
            os.execve(str(PROGRAM), [str(PROGRAM), *arguments], self.environment)
        said, deadline = "", time.monotonic() + 60
        while time.monotonic() < deadline and select.select([terminal], [], [], 60)[0]:
            try:
                piece = os.read(terminal, 4096).decode(errors="replace")
            except OSError:  # The other end is closed.
                break
            if not piece:
                break
            said += piece
            if answer is not None and "[y/N]" in said:
                os.write(terminal, (answer + "\n").encode())
                answer = None
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.close(terminal)
        return said, status

    def shown(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as plain, context.wrap_socket(plain) as secure:
            return "sha256:" + ":".join(f"{byte:02X}" for byte in hashlib.sha256(secure.getpeercert(True)).digest())

    def hang_up(self):
        """The event that the server tells of it."""
        self.server.send_signal(signal.SIGHUP)
        for line in self.server.stderr:
            event = json.loads(line)
            if event["event"].startswith("server.certificate"):
                return event
        return None

    def test_a_certificate_is_read_anew_at_sighup(self):
        self.assertEqual(self.register("--trust", SERVER).returncode, 0)
        # The wrong key for it: the old pair stays.
        self.put("self", key="server")
        self.assertEqual(self.hang_up()["event"], "server.certificate-refused")
        self.assertEqual(self.shown(), SERVER)
        self.assertEqual(self.causeway("whoami").returncode, 0)
        self.put("self")
        event = self.hang_up()
        self.assertEqual((event["event"], event["certificate"]), ("server.certificate-reloaded", OTHER))
        self.assertEqual(self.shown(), OTHER)
        self.assertRefused(self.causeway("whoami"), "changed", fingerprint=OTHER, known=SERVER)
        self.assertIsNone(self.server.poll())
        self.end(self.server)
        self.assertEqual(self.server.returncode, 0)


if __name__ == "__main__":
    unittest.main()
