"""A raw attacker against `causeway serve`: the WebSocket vectors masked, broken handshakes and lengths, floods, and Socket.IO's forgeries.

After each the server must still serve the next client.
"""
import base64
import json
import os
import socket
import struct
import unittest
from pathlib import Path

from harness import ROOT, Program

VECTORS = json.loads((ROOT / "Tests/Fixtures/ws/ws_frames.json").read_text())["cases"]
QUOTES = ("/quotes", "Sec-WebSocket-Protocol: causeway.quotes.v1\r\n")
SOCKETIO = ("/socket.io/?EIO=4&transport=websocket", "")


def frame(opcode, payload, final=True, key=b"\x11\x22\x33\x44"):
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size) if size < 65_536 else b"\xff" + struct.pack(">Q", size)
    return bytes([(0x80 if final else 0) | opcode]) + length + key + bytes(b ^ key[i % 4] for i, b in enumerate(payload))


def text(message):
    return frame(1, message.encode())


def mirrored(stream, key=b"\x11\x22\x33\x44"):
    """Server frames as a client would send them: masked where they were not, unmasked where they were."""
    out, at = b"", 0
    while at < len(stream):
        head = stream[at:at + 2]
        if len(head) < 2:
            return out + head
        extended = {126: 2, 127: 8}.get(head[1] & 127, 0)
        more = stream[at + 2:at + 2 + extended]
        length = int.from_bytes(more, "big") if extended else head[1] & 127
        at += 2 + extended
        mask = stream[at:at + 4] if head[1] & 128 else key
        at += 4 if head[1] & 128 else 0
        body = stream[at:at + length]
        at += length
        out += bytes([head[0], head[1] ^ 128]) + more + (b"" if head[1] & 128 else key)
        out += bytes(b ^ mask[i % 4] for i, b in enumerate(body))
    return out


class Peer:
    """A TCP connection to one of the server's WebSockets."""

    def __init__(self, port, target, glued=b"", cut=None, extensions=None):
        path, extra = target
        self.socket = socket.create_connection(("127.0.0.1", port), 5)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        if extensions:
            extra += f"Sec-WebSocket-Extensions: {extensions}\r\n"
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        self.say((request + f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n{extra}\r\n").encode() + glued, cut)
        self.head = self.until(lambda: b"\r\n\r\n" in self.buffer).split(b"\r\n\r\n")[0]
        self.buffer = self.buffer[len(self.head) + 4:]

    def say(self, data, cut=None):
        """False: the server has hung up, as it may on what it refuses."""
        try:
            for start in range(0, len(data), cut or max(1, len(data))):
                self.socket.sendall(data[start:start + cut] if cut else data)
            return True
        except (BrokenPipeError, ConnectionResetError):
            return False

    def until(self, done):
        while not done():
            try:
                piece = self.socket.recv(65_536)
            except ConnectionResetError:
                piece = b""
            if not piece:
                break
            self.buffer += piece
        return self.buffer

    def frame(self):
        """The next (opcode, payload); None at the end."""
        def size():
            if len(self.buffer) < 2:
                return None
            extended = {126: 2, 127: 8}.get(self.buffer[1] & 127, 0)
            if len(self.buffer) < 2 + extended:
                return None
            return 2 + extended, int.from_bytes(self.buffer[2:2 + extended], "big") if extended else self.buffer[1] & 127

        self.until(lambda: size() and len(self.buffer) >= sum(size()))
        if not size() or len(self.buffer) < sum(size()):
            return None
        start, length = size()
        opcode, payload = self.buffer[0] & 15, self.buffer[start:start + length]
        self.buffer = self.buffer[start + length:]
        return opcode, payload

    def packet(self):
        """The next text frame that is no ping of Engine.IO's; None: closed."""
        while (got := self.frame()) and got[0] != 8:
            if got[0] == 1 and got[1] != b"2":
                return got[1].decode()
        return None

    def close_code(self):
        """Reads to the close frame; None: the server hung up without."""
        while got := self.frame():
            if got[0] == 8:
                return int.from_bytes(got[1][:2], "big") if got[1] else 1005
        return None

    def close(self):
        self.socket.close()


class Attack(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = Program("serve", "--port", "0", "--feed", "replay", "--at", "2026-11-30T10:00:00+08:00")
        cls.port = cls.program.port

    @classmethod
    def tearDownClass(cls):
        cls.program.stop()

    def peer(self, target, *arguments, **options):
        peer = Peer(self.port, target, *arguments, **options)
        self.addCleanup(peer.close)
        self.assertTrue(peer.head.startswith(b"HTTP/1.1 101 "), peer.head)
        return peer

    def tearDown(self):
        """The server serves on."""
        peer = self.joined()
        peer.say(text('42/auth,["unheard"]') + frame(9, b"on"))
        while (got := peer.frame())[0] != 10:
            self.assertNotEqual(got[0], 8)
        self.assertEqual(got[1], b"on")

    def joined(self):
        peer = self.peer(SOCKETIO)
        self.assertTrue(peer.packet().startswith('0{"sid":'))
        peer.say(text("40/auth,{}"))
        self.assertTrue(peer.packet().startswith('40/auth,{"sid":'))
        self.assertTrue(peer.packet().startswith('42/auth,["auth",'))
        return peer

    def memory(self):
        """Resident and virtual bytes of the server."""
        lines = Path(f"/proc/{self.program.process.pid}/status").read_text().splitlines()
        fields = dict(line.split(":", 1) for line in lines if ":" in line)
        return [int(fields[name].split()[0]) * 1024 for name in ("VmRSS", "VmSize")]

    def test_websocket_vectors_masked(self):
        for target in (QUOTES, SOCKETIO):
            for case in VECTORS:
                lines = case.get("server_bytes_hex") or []
                if any(line.startswith("LONG:") for line in lines):
                    continue  # Beyond the limit of a quote message; the size's own test is below.
                stream = b"".join(map(bytes.fromhex, lines)) or base64.b64decode(case["server_bytes_base64"])
                expect = case["expect"]
                codes = [expect["fail"]] if "fail" in expect else expect.get("fail_any")
                for glued, cut in ((False, None), (True, None), (False, 1)):
                    with self.subTest(target=target[0], id=case["id"], glued=glued, cut=cut):
                        data = mirrored(stream)
                        peer = self.peer(target, glued=data if glued else b"", extensions=case.get("negotiated") and "permessage-deflate")
                        if not glued:
                            peer.say(data, cut)
                        if codes and target is SOCKETIO or codes == [1002]:
                            self.assertIn(peer.close_code(), codes)
                        elif "close" in expect:
                            self.assertEqual(peer.close_code(), expect["close"])
                        elif "pongs" in expect:
                            while (got := peer.frame())[0] != 10:
                                pass
                            self.assertEqual(got[1].hex(), expect["pongs"][0])
                        elif case["id"] == "ws-01" and target is SOCKETIO:  # An event for a namespace that is not joined.
                            self.assertEqual(len(self.alive(peer)), 1)
                        else:  # No message of the vectors is one of ours: it ends with a code.
                            self.assertIn(peer.close_code(), [1002, 1003, 1007, 1009, *range(4000, 4100)])
                        peer.close()

    def test_every_prefix_of_a_good_frame_then_silence_or_the_end(self):
        good = text("40/auth,{}")
        for end in range(len(good)):
            peer = self.peer(SOCKETIO)
            peer.say(good[:end])
            peer.socket.shutdown(socket.SHUT_WR)
            peer.until(lambda: False)
            peer.close()

    def test_announced_sizes_reserve_nothing(self):
        before = self.memory()
        for size, code in ((1 << 31, 1009), ((1 << 63) - 1, 1009), (1 << 63, 1002), ((1 << 64) - 1, 1002)):
            for target in (QUOTES, SOCKETIO):
                peers = [self.peer(target) for _ in range(20)]
                for peer in peers:
                    peer.say(b"\x82\xff" + struct.pack(">Q", size) + b"\0" * 4)
                    self.assertEqual(peer.close_code(), code)
                    peer.close()
        # Attachments announced, none sent.
        for count in (11, 10**9, 10**30):
            peer = self.joined()
            peer.say(text(f'45{count}-/auth,["x",{{"_placeholder":true,"num":0}}]'))
            self.assertEqual(peer.close_code(), 1002)
        after = self.memory()
        self.assertLess(after[0] - before[0], 64 << 20)
        self.assertLess(after[1] - before[1], 1 << 30)

    def test_close_codes(self):
        for code in [0, 999, *range(1000, 1017), 1100, 2000, 2999, 3000, 3999, 4000, 4999, 5000, 65_535]:
            allowed = code in (1000, 1001, 1002, 1003, *range(1007, 1015)) or 3000 <= code < 5000
            for target in (QUOTES, SOCKETIO):
                peer = self.peer(target)
                peer.say(frame(8, struct.pack(">H", code) + b"why"))
                self.assertEqual(peer.close_code(), code if allowed else 1002, code)
                peer.close()

    def test_nothing_after_the_close_frame_counts(self):
        peer = self.peer(SOCKETIO)
        peer.say(frame(8, struct.pack(">H", 1000)) + text("40/auth,{}") + frame(9, b"x"))
        self.assertTrue(peer.packet().startswith("0{"))
        self.assertIsNone(peer.packet())

    def test_ping_flood_is_bounded_and_the_newest_is_answered(self):
        peer = self.peer(QUOTES)
        before = self.memory()[0]
        flood = b"".join(frame(9, b"%0100d" % number) for number in range(50_000))
        peer.say(flood)
        last = b"%0100d" % 49_999
        count = 0
        while (got := peer.frame())[1] != last:
            self.assertEqual(got[0], 10)
            count += 1
        self.assertLess(count, 50_000)
        self.assertLess(self.memory()[0] - before, 32 << 20)

    def test_text_where_binary_belongs_and_the_reverse(self):
        peer = self.peer(QUOTES)
        peer.say(text("hello"))
        self.assertIn(peer.close_code(), [1003, *range(4000, 4100)])
        peer = self.peer(SOCKETIO)
        peer.say(frame(2, b"hello"))
        self.assertEqual(peer.close_code(), 1002)

    def test_two_frames_in_one_segment_and_fragments_around_a_ping(self):
        peer = self.peer(SOCKETIO, glued=text("40/auth,{}") + text('42/auth,["unheard",1]') + frame(9, b"a"))
        self.assertTrue(peer.packet().startswith('0{"sid":'))
        peer = self.peer(SOCKETIO)
        peer.say(frame(1, b"40/au", False) + frame(9, b"a") + frame(0, b"th,", False) + frame(0, b"{}"))
        seen = [peer.frame() for _ in range(3)]
        self.assertIn((10, b"a"), seen)
        self.assertTrue(any(payload.startswith(b'40/auth,{"sid":') for _, payload in seen))

    def test_random_bytes(self):
        for seed in range(60):
            data = os.urandom(2000)
            peer = self.peer((QUOTES, SOCKETIO)[seed % 2])
            peer.say(data)
            peer.socket.shutdown(socket.SHUT_WR)
            peer.until(lambda: False)
            peer.close()

    def test_hostile_messages(self):
        """Protobuf that is none, or that says a thing twice, in whole frames of the quote connection."""
        heartbeat, login = b"\x08\x03", b"\x08\x01"
        megabyte = b"\xfa\x07\x80\x80\x40" + b"x" * (1 << 20)
        before = self.memory()[0]
        for envelope, code in (
            (b"\x93\x03" * 10_000, 1007), (b"\x93\x03" * 200 + b"\x94\x03" * 200, 1007), (b"\x94\x03", 1007), (b"\x0e\x01", 1007),
            (b"\x08", 1007), (b"\x08" + b"\xff" * 11, 1007), (b"\x00\x00", 1007), (b"\x1a\xff\xff\xff\xff\x0f", 1007),
            (b"\x1a" + b"\xff" * 9 + b"\x01", 1007), (login + b"\x1a\x02\x0a\x05", 4400), (login + b"\x1a\x03\x0a\x01\xff", 4400),
            (megabyte, 1009), (heartbeat + megabyte, 1009),
        ):
            with self.subTest(envelope=envelope[:12]):
                peer = self.peer(QUOTES)
                peer.say(frame(2, envelope))
                self.assertEqual(peer.close_code(), code)
                peer.close()
        self.assertLess(self.memory()[0] - before, 32 << 20)
        # Answered like any other: the last of two counts, a field of another wire type and 60 kB of unknown ones count for nothing.
        for envelope in (
            login + heartbeat + b"\x10\x05\x10\x07", heartbeat + b"\x10\x07\x0a\x01x\x15\0\0\0\0",
            heartbeat + b"\xfa\x07\xe0\xd4\x03" + b"x" * 60_000 + b"\x10\x07",
        ):
            with self.subTest(envelope=envelope[:12]):
                peer = self.peer(QUOTES)
                peer.say(frame(2, envelope))
                opcode, answer = peer.frame()
                self.assertEqual((opcode, answer[:4]), (2, b"\x08\x05\x10\x07"))
                self.assertIn(b"connection.not-connected", answer)
                peer.close()

    def test_forged_reserved_events(self):
        for name in ("connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener"):
            peer = self.joined()
            peer.say(text(f'42/auth,["{name}"]'))
            self.assertEqual(peer.close_code(), 1002, name)

    def test_wrong_attachment_counts(self):
        hole = '{"_placeholder":true,"num":%s}'
        for frames in (
            [text(f'451-/auth,["x",{hole % 0}]'), text('42/auth,["x"]')], [text(f'451-/auth,["x",{hole % 1}]'), frame(2, b"a")],
            [text(f'451-/auth,["x",{hole % -1}]'), frame(2, b"a")], [text(f'450-/auth,["x",{hole % 0}]')],
            [text(f'451-/auth,["x",{hole % 0}]'), frame(2, b"a"), frame(2, b"b")], [text('45-/auth,["x"]')], [text('45/auth,["x"]')],
            [text('451-/auth,["x",{"_placeholder":true,"num":0.5}]'), frame(2, b"a")], [text('45-1-/auth,["x"]')],
        ):
            with self.subTest(frames=frames):
                peer = self.joined()
                for piece in frames:
                    peer.say(piece)
                self.assertEqual(peer.close_code(), 1002)

    def alive(self, peer):
        """What came before the answer to a packet that is answered in line; None: closed."""
        peer.say(text("40/fence,"))
        packets = []
        while (got := peer.packet()) and not got.startswith("44/fence,"):
            packets.append(got)
        return packets if got else None

    def test_acknowledgements_that_nobody_awaits(self):
        peer = self.joined()
        for identifier in (0, 0, 7, 7, 2**53 + 1, 2**63 - 1):
            peer.say(text(f"43/auth,{identifier}[]"))
        self.assertEqual(self.alive(peer), [])
        for identifier in ("", 2**63, 10**40):
            peer = self.joined()
            peer.say(text(f"43/auth,{identifier}[]"))
            self.assertEqual(peer.close_code(), 1002)

    def test_namespaces_unknown_not_joined_and_joined_twice(self):
        peer = self.joined()
        peer.say(text("40/nowhere,") + text('42/nowhere,["x"]') + text('42/securities,["request",1]') + text("41/futures,"))
        self.assertEqual(self.alive(peer), ['44/nowhere,{"message":"Invalid namespace"}'])
        peer.say(text("40/auth,{}") + text("40/auth,{}"))
        self.assertEqual(self.alive(peer), [])
        before = self.memory()[0]
        for number in range(20_000):
            peer.say(text(f"40/n{number},"))
        self.assertEqual(len(self.alive(peer)), 20_000)
        self.assertLess(self.memory()[0] - before, 32 << 20)
        peer.say(text("40/" + "n" * 300 + ","))
        self.assertEqual(peer.close_code(), 1002)

    def test_a_session_id_from_yesterday(self):
        peer = Peer(self.port, (SOCKETIO[0] + "&sid=0123456789abcdef", ""))
        self.assertTrue(peer.head.startswith(b"HTTP/1.1 400 "))
        self.assertEqual(json.loads(peer.until(lambda: b"}" in peer.buffer))["code"], 1)
        peer.close()

    def test_recovery_of_the_library_is_not_offered(self):
        """What was missed is asked for by account sequence (C-9): an old session's private id and offset give a new session."""
        seen = set()
        for offer in ("{}", '{"pid":"0123456789abcdef","offset":"17"}', '{"pid":7,"offset":[]}'):
            peer = self.peer(SOCKETIO)
            self.assertTrue(peer.packet().startswith('0{"sid":'))
            peer.say(text(f"40/auth,{offer}"))
            answer = json.loads(peer.packet().removeprefix("40/auth,"))
            self.assertEqual(list(answer), ["sid"])
            seen.add(answer["sid"])
        self.assertEqual(len(seen), 3)

    def test_payload_limit(self):
        peer = self.joined()
        peer.say(text('42/auth,["x","' + "x" * 1_000_000 + '"]'))
        self.assertEqual(peer.close_code(), 1009)
        peer = self.joined()
        peer.say(text('451-/auth,["x",{"_placeholder":true,"num":0}]') + frame(2, b"x" * 1_000_001))
        self.assertEqual(peer.close_code(), 1009)


if __name__ == "__main__":
    unittest.main()
