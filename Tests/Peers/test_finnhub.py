"""Our live feed against a stand-in for Finnhub (F-7): `causeway serve --feed finnhub`, seen by a foreign client of our quote server."""
import asyncio
import queue
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from datetime import datetime
from pathlib import Path

import websockets

from finnhub import KEY, StandIn
from harness import Program, run
from messages import message, number
from trading import call, device

Envelope, Login, Subscription = message("QuoteEnvelope"), message("QuoteLogin"), message("SubscriptionRequest")
QuoteBatch, TickBatch = message("QuoteBatch"), message("TickBatch")
OPEN = "2026-11-30T10:00:00-05:00"
CLOSED = "2026-11-28T10:00:00-05:00"
SYMBOLS = ["AAPL", "MSFT", "IBM", "GOOG", "SPY"]


def kind(name):
    return number("QuoteMessageType", f"QUOTE_MESSAGE_TYPE_{name}")


class Finnhub(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="causeway-finnhub-")
        self.addCleanup(self.folder.cleanup)
        self.key = Path(self.folder.name) / "key"
        self.key.write_text(KEY + "\n")
        self.peer = StandIn()
        self.addCleanup(self.peer.stop)

    async def asyncSetUp(self):
        # The stand-in has a loop of its own; this one may wait for it.
        asyncio.get_running_loop().slow_callback_duration = 60

    def arguments(self, at):
        return ["serve", "--port", "0", "--feed", "finnhub", "--finnhub-key-file", str(self.key), "--finnhub-url", self.peer.url,
                "--at", at, "--data", self.folder.name + "/data"]

    def start(self, at=OPEN):
        seconds = int(datetime.fromisoformat(at).timestamp())
        for symbol in SYMBOLS:
            self.peer.quotes.setdefault(
                symbol, {"c": 150.25, "d": 1.25, "dp": 0.8, "h": 151, "l": 149.5, "o": 150, "pc": 149, "t": seconds - 60})
        program = Program(*self.arguments(at))
        self.began, self.market = time.monotonic(), datetime.fromisoformat(program.listening["marketTime"])
        self.addCleanup(self.end, program)
        self.url = f"http://127.0.0.1:{program.port}"
        return program

    def end(self, program):
        metrics = urllib.request.urlopen(self.url + "/metrics", timeout=10).read().decode()
        program.process.terminate()
        program.process.wait(timeout=10)
        log = self.log(program)
        program.stop()
        # O-3: the key is nowhere.
        self.assertNotIn(KEY, log + metrics)

    def log(self, program):
        program.errors.seek(0)
        return program.errors.read().decode()

    def now(self):
        """Market time in milliseconds."""
        return int((self.market.timestamp() + time.monotonic() - self.began) * 1000)

    def last(self, symbol="AAPL.US"):
        return call(self.url, f"/gateway/v1/last-price?symbol={symbol}", token=self.session["access"])

    def sign_in(self):
        self.session = call(
            self.url, "/auth/v1/register", {"name": "peer", "password": "correct horse battery", "device": device("1")})

    async def client(self, *symbols):
        """A foreign client that is told the quotes and ticks of these."""
        self.sign_in()
        account = call(self.url, "/gateway/v1/account", token=self.session["access"])
        rows = call(self.url, "/gateway/v1/symbols", token=self.session["access"])["instruments"]
        self.ids = {row["symbol"]: row["id"] for row in rows}
        socket = await websockets.connect(self.url.replace("http", "ws") + "/quotes", subprotocols=["causeway.quotes.v1"])
        self.addAsyncCleanup(socket.close)
        login = Login(credential=account["quote"]["credential"], device_id="1" * 32, platform="linux")
        login.protocol.minimum = login.protocol.maximum = 1
        await self.send(socket, "LOGIN", login, 1)
        await self.answered(socket, "LOGIN_REPLY")
        request = Subscription()
        for symbol in symbols:
            for name in ("SNAPSHOT", "TICKS"):
                topic = request.topics.add()
                topic.instrument, topic.kind = self.ids[symbol], number("QuoteKind", f"QUOTE_KIND_{name}")
        await self.send(socket, "SUBSCRIBE", request, 2)
        await self.answered(socket, "SUBSCRIPTION_REPLY")
        return socket

    async def answered(self, socket, name):
        while Envelope.FromString(await asyncio.wait_for(socket.recv(), 10)).type != kind(name):
            pass

    async def send(self, socket, name, payload, sequence):
        await socket.send(Envelope(type=kind(name), sequence=sequence, payload=payload.SerializeToString(), version=1).SerializeToString())

    async def told(self, socket, wanted, timeout=10):
        """Quotes and ticks in order, until `wanted` holds of them."""
        quotes, ticks = [], []
        while not wanted(quotes, ticks):
            envelope = Envelope.FromString(await asyncio.wait_for(socket.recv(), timeout))
            if envelope.type in (kind("SNAPSHOT_PUSH"), kind("QUOTE_PUSH")):
                quotes += QuoteBatch.FromString(envelope.payload).quotes
            elif envelope.type == kind("TICK_PUSH"):
                ticks += TickBatch.FromString(envelope.payload).ticks
        return quotes, ticks

    async def test_many_trades_zero_volume_late_and_unknown(self):
        program = self.start()
        self.peer.until("open", 1)
        for symbol in SYMBOLS:
            self.assertEqual(self.peer.until("subscribe")[2], symbol)
        socket = await self.client("AAPL.US", "MSFT.US")
        moment = self.now()
        self.peer.trades(
            ("AAPL", "150.10", moment - 40, "100"), ("MSFT", "1.5055e2", moment - 39, "7"), ("NOPE", "1", moment, "1"),
            ("AAPL", "150.12", moment - 30, "0"), ("AAPL", "150.11", moment - 30, "3"), ("AAPL", "150.1234", moment - 29, "9"))
        self.peer.trades(("AAPL", "150.19", moment - 35, "5"))
        self.peer.trades(("MSFT", "150.56", moment - 28, "1"))
        quotes, ticks = await self.told(socket, lambda quotes, ticks: any(tick.price == 150560000000 for tick in ticks))
        apple = [(tick.price, tick.size) for tick in ticks if tick.instrument == self.ids["AAPL.US"]]
        # The price between ticks is quarantined (F-8); the late trade is a tick of its own time.
        self.assertEqual(apple, [(150100000000, 10000000000), (150110000000, 300000000), (150190000000, 500000000)])
        late = [tick for tick in ticks if tick.price == 150190000000][0]
        self.assertEqual(late.time_ns, (moment - 35) * 10**6)
        self.assertTrue(all(tick.provenance == number("Provenance", "PROVENANCE_LIVE") for tick in ticks))
        live = [quote for quote in quotes if quote.HasField("last")]
        self.assertTrue(live)
        self.assertTrue(all(quote.level == number("FeedLevel", "FEED_LEVEL_LAST") for quote in live))
        self.assertTrue(all(quote.provenance == number("Provenance", "PROVENANCE_LIVE") for quote in live))
        self.assertEqual((self.last()["price"], self.last()["provenance"]), ("150.11", "live"))
        self.assertEqual(self.last("MSFT.US")["price"], "150.56")
        self.assertRegex(self.log(program), '"feeds.quarantined","off-tick":"1"')

    async def test_garbage_pings_and_objections_leave_the_line(self):
        program = self.start()
        self.peer.until("subscribe", 1, "SPY")
        socket = await self.client("AAPL.US")
        self.peer.say("", "{", b"\x00\xff", {"type": "ping"}, {"type": "news", "data": []}, {"type": "trade", "data": None},
                      {"type": "error", "msg": "Subscribing to too many symbols " + KEY}, "[" * 10000)
        self.peer.trades(("AAPL", "150.42", self.now(), "2"))
        await self.told(socket, lambda quotes, ticks: any(tick.price == 150420000000 for tick in ticks))
        self.assertEqual(self.peer.count, 1)
        self.assertRegex(self.log(program), "finnhub.unreadable.*\n(.*\n)*.*finnhub.objected.*too many symbols …")

    async def test_a_line_that_breaks_is_opened_and_subscribed_anew(self):
        self.start()
        self.peer.until("subscribe", 1, "SPY")
        socket = await self.client("AAPL.US")
        self.peer.close(1001)
        self.peer.until("open", 2)
        self.peer.until("subscribe", 2, "SPY")
        self.peer.trades(("AAPL", "150.43", self.now(), "2"))
        await self.told(socket, lambda quotes, ticks: any(tick.price == 150430000000 for tick in ticks))

    def test_without_a_pong_the_line_is_opened_anew(self):
        self.start()
        self.peer.until("subscribe", 1, "SPY")
        self.peer.silence()
        began = time.monotonic()
        self.peer.until("open", 2, timeout=40)
        # A ping within 15 s of the last one, its pong within 10 s, a second and a half until the next dial, and their grain.
        self.assertLess(time.monotonic() - began, 30)
        self.peer.until("subscribe", 2, "SPY")

    async def test_a_second_connection_is_not_fought_over(self):
        program = self.start()
        self.peer.until("subscribe", 1, "SPY")
        socket = await self.client("AAPL.US")
        self.peer.quotes["AAPL"] = {"c": 150.77, "h": 151, "l": 149.5, "o": 150, "pc": 149, "t": self.now() // 1000}
        self.peer.close(1008)
        self.peer.until("closed", 1)
        # Prices are asked for instead.
        await self.told(socket, lambda quotes, ticks: any(quote.last == 150770000000 for quote in quotes), timeout=30)
        self.assertEqual(self.peer.count, 1)
        self.assertIn("finnhub.in-use-elsewhere", self.log(program))

    def test_a_closed_market_is_asked_for(self):
        self.peer.quotes["AAPL"] = {
            "c": 271.5, "h": 272, "l": 270.25, "o": 271, "pc": 270, "t": int(datetime.fromisoformat("2026-11-27T13:00:00-05:00").timestamp())}
        self.peer.quotes["MSFT"] = 500
        program = self.start(CLOSED)
        for symbol in SYMBOLS[:3]:
            self.peer.until("ask", symbol, timeout=30)
        self.sign_in()
        told = self.last()
        self.assertEqual((told["price"], told["provenance"]), ("271.5", "live"))
        self.assertEqual(datetime.fromisoformat(told["time"]), datetime.fromisoformat("2026-11-27T13:00:00-05:00"))
        self.assertEqual(self.peer.count, 0)
        self.assertIn("finnhub.asking", self.log(program))

    def test_the_stream_opens_with_the_market(self):
        self.start("2026-11-30T09:29:57-05:00")
        self.peer.until("open", 1)
        opened = datetime.fromisoformat("2026-11-30T09:30:00-05:00").timestamp() * 1000
        # K-4: within a second; never before. The time that was told is cut to whole seconds.
        self.assertTrue(opened - 1_000 <= self.now() <= opened + 1_000, self.now() - opened)

    def test_a_refused_key(self):
        self.key.write_text("another-key")
        ended = run(*self.arguments(OPEN))
        self.assertEqual(ended.returncode, 1)
        self.assertIn("does not accept this key", ended.stderr)
        self.assertEqual(len(ended.stderr.splitlines()), 1)
        self.assertNotIn("another-key", ended.stdout + ended.stderr)

    def test_a_key_that_is_refused_later_stops_the_feed(self):
        self.peer.refusal = 401
        program = self.start()
        self.peer.until("refused", 401)
        with self.assertRaises(urllib.error.HTTPError) as caught:
            for _ in range(1000):
                urllib.request.urlopen(self.url + "/readyz", timeout=10)
        self.assertEqual((caught.exception.code, caught.exception.read()), (503, b"feed\n"))
        self.assertIn("finnhub.key-refused", self.log(program))
        # A question may have been under way; one more than those that were is a feed that goes on.
        with self.assertRaises(queue.Empty):
            for _ in range(10):
                self.peer.events.get(timeout=3)

    def test_keys_and_options_that_do_not_do(self):
        base = ["serve", "--port", "0", "--feed", "finnhub", "--data", self.folder.name + "/data"]
        self.assertIn("--finnhub-key-file", run(*base).stderr)
        self.key.write_text("two words")
        self.assertIn(str(self.key), run(*base, "--finnhub-key-file", str(self.key)).stderr)
        self.key.write_text(KEY)
        for other in (["--finnhub-url", "http://example.com:80"], ["--speed", "2"], ["--at", OPEN], ["--seed", "1"]):
            ended = run(*base, "--finnhub-key-file", str(self.key), *other)
            self.assertEqual((ended.returncode, len(ended.stderr.splitlines())), (2, 1), other)


if __name__ == "__main__":
    unittest.main()
