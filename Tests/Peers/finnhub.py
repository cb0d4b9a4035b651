"""A stand-in for Finnhub on this machine, by its public description: the stream and `/api/v1/quote` at one port, with the faults a test asks for."""
import asyncio
import json
import queue
import threading
import urllib.parse

from websockets.asyncio.server import serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response

KEY = "c0ffee-Not_A_Real_Key_42"
REASONS = {200: "OK", 401: "Unauthorized", 403: "Forbidden", 429: "Too Many Requests", 500: "Internal Server Error"}


class StandIn:
    """Runs on a thread of its own; `events` tells what the program did, in order."""

    def __init__(self):
        self.events = queue.Queue()
        # Answers of /quote by symbol; a number is a status. What is not here is unknown, which the service says with zeros.
        self.quotes = {}
        # The status with which the stream is refused; 0: it opens.
        self.refusal = 0
        self.lines = []
        self.count = 0
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait(10)

    def _run(self):
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self):
        self._end = asyncio.Event()
        async with serve(self._stream, "127.0.0.1", 0, process_request=self._request, ping_interval=None, compression=None) as server:
            self.port = server.sockets[0].getsockname()[1]
            self._ready.set()
            await self._end.wait()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def stop(self):
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(10)

    # What the program asks.

    def _request(self, connection, request):
        address = urllib.parse.urlsplit(request.path)
        values = urllib.parse.parse_qs(address.query)
        if address.path == "/api/v1/quote":
            return self._quote(request.headers.get("X-Finnhub-Token"), values)
        if values.get("token") != [KEY]:
            return self._answer(401, {"error": "Invalid API key"})
        if self.refusal:
            self.events.put(("refused", self.refusal))
            # A service may well repeat what it was given.
            return self._answer(self.refusal, {"error": f"no: {request.path}"})
        return None

    def _quote(self, key, values):
        if key != KEY:
            return self._answer(401, {"error": "Invalid API key"})
        symbol = values["symbol"][0]
        self.events.put(("ask", symbol))
        found = self.quotes.get(symbol, {"c": 0, "d": None, "dp": None, "h": 0, "l": 0, "o": 0, "pc": 0, "t": 0})
        return self._answer(found, {"error": "no"}) if isinstance(found, int) else self._answer(200, found)

    @staticmethod
    def _answer(status, value):
        body = json.dumps(value).encode()
        headers = Headers({"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"})
        return Response(status, REASONS[status], headers, body)

    async def _stream(self, connection):
        self.count += 1
        number = self.count
        self.lines.append(connection)
        self.events.put(("open", number))
        try:
            async for text in connection:
                said = json.loads(text)
                self.events.put((said["type"], number, said["symbol"]))
        except ConnectionClosed:
            pass
        finally:
            self.lines.remove(connection)
            self.events.put(("closed", number))

    # What the test makes it do, on every open line.

    def _do(self, make):
        async def every():
            for line in list(self.lines):
                await make(line)

        asyncio.run_coroutine_threadsafe(every(), self._loop).result(10)

    def say(self, *messages):
        for each in messages:
            text = each if isinstance(each, (str, bytes)) else json.dumps(each)
            self._do(lambda line: line.send(text))

    def trades(self, *trades):
        """(symbol, price as text, milliseconds, size as text) each, in one message; numbers stay as they are written."""
        rows = [f'{{"c":["1"],"p":{price},"s":"{symbol}","t":{time},"v":{size}}}' for symbol, price, time, size in trades]
        self.say('{"data":[' + ",".join(rows) + '],"type":"trade"}')

    def close(self, code):
        self._do(lambda line: line.close(code))

    def silence(self):
        """Nothing is read or answered any more, and nothing closes."""

        async def pause(line):
            line.transport.pause_reading()

        self._do(pause)

    def until(self, *wanted, timeout=15):
        """The next event that begins like that; those before it are dropped."""
        while True:
            event = self.events.get(timeout=timeout)
            if event[: len(wanted)] == wanted:
                return event
