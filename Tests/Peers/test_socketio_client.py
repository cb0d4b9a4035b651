"""python-socketio as server for our Socket.IO client (`causeway connect socketio URL`).

Our program reads a JSON array a line ([name, args…]) and emits it; it prints one JSON line for all that happens.
"""
import asyncio
import json
import unittest

import socketio
from aiohttp import web

from harness import PROGRAM


class SocketIOClient(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.server = socketio.AsyncServer(async_mode="aiohttp", ping_interval=0.3, ping_timeout=0.2, transports=["websocket"])
        self.received = asyncio.Queue()

        @self.server.on("connect", namespace="/securities")
        async def connect(sid, environ, auth):
            await self.received.put(("connect", auth))
            self.sid = sid

        @self.server.on("echo", namespace="/securities")
        async def echo(sid, *args):
            await self.received.put(("echo", args))
            await self.server.emit("push", args, to=sid, namespace="/securities")
            return args

        application = web.Application()
        self.server.attach(application)
        self.runner = web.AppRunner(application)
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", 0)
        await site.start()
        port = self.runner.addresses[0][1]
        self.program = await asyncio.create_subprocess_exec(
            str(PROGRAM), "connect", "socketio", f"ws://127.0.0.1:{port}", "--namespace", "/securities", "--json",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)

    async def asyncTearDown(self):
        if self.program.returncode is None:
            self.program.terminate()
            await self.program.wait()
        await self.runner.cleanup()

    async def line(self):
        return json.loads(await asyncio.wait_for(self.program.stdout.readline(), 5))

    async def test_connects_emits_and_gets_pushes_and_pings(self):
        self.assertEqual((await self.line())["connected"], "/securities")
        self.assertEqual((await asyncio.wait_for(self.received.get(), 5))[0], "connect")
        self.program.stdin.write('["echo", 1, "腾讯", {"a": [null, true]}]\n'.encode())
        await self.program.stdin.drain()
        self.assertEqual(await asyncio.wait_for(self.received.get(), 5), ("echo", (1, "腾讯", {"a": [None, True]})))
        self.assertEqual((await self.line())["event"], ["push", 1, "腾讯", {"a": [None, True]}])
        # Four pings later it is still there: the server drops a client that misses one.
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(self.program.wait(), 2)
        await self.server.emit("push", b"\x01\x02", to=self.sid, namespace="/securities")
        self.assertEqual((await self.line())["event"], ["push", {"hex": "0102"}])

    async def test_server_disconnect_ends_it_with_a_reason(self):
        await self.line()
        await asyncio.wait_for(self.received.get(), 5)
        await self.server.disconnect(self.sid, namespace="/securities")
        self.assertEqual((await self.line())["disconnected"], "/securities")
        self.program.stdin.close()
        self.assertIsNotNone(await asyncio.wait_for(self.program.wait(), 5))


if __name__ == "__main__":
    unittest.main()
