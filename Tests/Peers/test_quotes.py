"""Python's `websockets` and `protobuf` as client of our quote server and gateway (`causeway serve`)."""
import asyncio
import json
import unittest
import urllib.error
import urllib.request

import websockets

from harness import Program
from messages import message, number

Envelope, Login, LoginReply = message("QuoteEnvelope"), message("QuoteLogin"), message("QuoteLoginReply")
Subscription, Reply, Batch = message("SubscriptionRequest"), message("SubscriptionReply"), message("QuoteBatch")


def kind(name):
    return number("QuoteMessageType", f"QUOTE_MESSAGE_TYPE_{name}")


class QuoteServer(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = Program("serve", "--port", "0", "--feed", "replay", "--at", "2026-11-30T10:00:00+08:00")
        cls.url = f"http://127.0.0.1:{cls.program.port}"
        device = {"id": "0" * 32, "platform": "linux", "name": "peer"}
        cls.session = cls.call("/auth/v1/register", {"name": "peer", "password": "correct horse battery", "device": device})
        cls.account = cls.call("/gateway/v1/account", token=cls.session["access"])
        symbols = cls.call("/gateway/v1/symbols", token=cls.session["access"])
        cls.ids = {row["symbol"]: row["id"] for row in symbols["instruments"]}

    @classmethod
    def tearDownClass(cls):
        cls.program.stop()

    @classmethod
    def call(cls, path, body=None, token=None):
        request = urllib.request.Request(cls.url + path, data=json.dumps(body).encode() if body is not None else None)
        request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    async def open(self):
        socket = await websockets.connect(f"ws://127.0.0.1:{self.program.port}/quotes", subprotocols=["causeway.quotes.v1"])
        self.addAsyncCleanup(socket.close)
        return socket

    async def send(self, socket, name, payload, sequence):
        await socket.send(Envelope(type=kind(name), sequence=sequence, payload=payload.SerializeToString(), version=1).SerializeToString())

    async def receive(self, socket, name):
        while True:
            envelope = Envelope.FromString(await asyncio.wait_for(socket.recv(), 5))
            if envelope.type == kind(name):
                return envelope

    async def login(self, socket, credential):
        login = Login(credential=credential, device_id="0" * 32, platform="linux")
        login.protocol.minimum = login.protocol.maximum = 1
        await self.send(socket, "LOGIN", login, 1)
        return LoginReply.FromString((await self.receive(socket, "LOGIN_REPLY")).payload)

    async def test_login_subscribe_snapshot_and_moving_quotes(self):
        socket = await self.open()
        reply = await self.login(socket, self.account["quote"]["credential"])
        self.assertEqual(reply.code, number("LoginCode", "LOGIN_CODE_OK"))
        self.assertEqual(reply.market_date, 20261130)
        request = Subscription()
        topic = request.topics.add()
        topic.instrument, topic.kind = self.ids["700.HK"], number("QuoteKind", "QUOTE_KIND_SNAPSHOT")
        await self.send(socket, "SUBSCRIBE", request, 2)
        snapshot = Batch.FromString((await self.receive(socket, "SNAPSHOT_PUSH")).payload).quotes[0]
        self.assertEqual(snapshot.instrument, self.ids["700.HK"])
        self.assertTrue(snapshot.HasField("last") and snapshot.HasField("previous_close"))
        # The recorded day's range, on the HKD 0.20 grid of that price band.
        self.assertTrue(300 * 10**9 < snapshot.last < 400 * 10**9)
        self.assertEqual(snapshot.last % (2 * 10**8), 0)
        self.assertEqual(snapshot.recorded_on // 10000, 2022)
        self.assertNotEqual(snapshot.provenance, number("Provenance", "PROVENANCE_LIVE"))
        moved = Batch.FromString((await self.receive(socket, "QUOTE_PUSH")).payload).quotes[0]
        self.assertEqual(moved.instrument, self.ids["700.HK"])
        self.assertGreaterEqual(moved.time_ns, snapshot.time_ns)

    async def test_wrong_credential_is_told_by_code(self):
        reply = await self.login(await self.open(), "not-a-credential")
        self.assertEqual(reply.code, number("LoginCode", "LOGIN_CODE_CREDENTIAL_INVALID"))

    async def test_user_credential_does_not_open_quotes(self):
        reply = await self.login(await self.open(), self.session["access"])
        self.assertEqual(reply.code, number("LoginCode", "LOGIN_CODE_CREDENTIAL_INVALID"))

    async def test_garbage_closes_this_connection_only(self):
        other = await self.open()
        bad = await self.open()
        await bad.send(b"\xff" * 40)
        with self.assertRaises(websockets.ConnectionClosed):
            while True:
                await asyncio.wait_for(bad.recv(), 5)
        reply = await self.login(other, self.account["quote"]["credential"])
        self.assertEqual(reply.code, number("LoginCode", "LOGIN_CODE_OK"))

    def test_errors_are_codes_with_text(self):
        with self.assertRaises(urllib.error.HTTPError) as caught:
            self.call("/gateway/v1/account", token="nonsense")
        self.assertEqual(caught.exception.code, 401)
        error = json.load(caught.exception)["error"]
        self.assertEqual(error["code"], "auth.invalid")
        self.assertTrue(error["text"])
        caught.exception.close()


if __name__ == "__main__":
    unittest.main()
