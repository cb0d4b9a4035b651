"""python-socketio as client of our Socket.IO server (`causeway serve socketio`)."""
import asyncio
import unittest
import urllib.error
import urllib.request

import aiohttp
import socketio

from harness import Program


class SocketIOServer(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.program = Program("serve", "socketio", "--port", "0", "--ping-interval", "300", "--ping-timeout", "200")
        self.url = f"http://127.0.0.1:{self.program.port}"

    def tearDown(self):
        self.program.stop()

    async def connected(self, namespaces, auth=None):
        client = socketio.AsyncClient(reconnection=False)
        answers = {name: asyncio.get_running_loop().create_future() for name in namespaces}
        for name in namespaces:
            client.on("auth", lambda data, name=name: answers[name].set_result(data), namespace=name)
        await client.connect(self.url, transports=["websocket"], namespaces=namespaces, auth=auth)
        self.addAsyncCleanup(client.disconnect)
        return client, [await asyncio.wait_for(answers[name], 5) for name in namespaces]

    async def test_auth_payload_comes_back_on_both_namespaces(self):
        _, answers = await self.connected(["/", "/custom"], auth={"token": "t-1"})
        self.assertEqual(answers, [{"token": "t-1"}, {"token": "t-1"}])

    async def test_message_comes_back_with_text_and_binary(self):
        client, _ = await self.connected(["/"])
        back = asyncio.get_running_loop().create_future()
        client.on("message-back", lambda *args: back.set_result(args))
        await client.emit("message", (1, "腾讯", b"\x01\x02\x03", {"deep": [b"\xff", None, True]}))
        self.assertEqual(await asyncio.wait_for(back, 5), (1, "腾讯", b"\x01\x02\x03", {"deep": [b"\xff", None, True]}))

    async def test_acknowledgement_returns_the_arguments(self):
        client, _ = await self.connected(["/custom"])
        answer = await client.call("message-with-ack", ("a", b"\x00", 2), namespace="/custom", timeout=5)
        self.assertEqual(answer, ("a", b"\x00", 2))

    async def test_stays_through_several_pings(self):
        client, _ = await self.connected(["/"])
        gone = asyncio.get_running_loop().create_future()
        client.on("disconnect", lambda *args: gone.done() or gone.set_result(args))
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(gone, 1.5)
        self.assertTrue(client.connected)

    async def test_unknown_namespace_is_refused_with_a_message(self):
        client = socketio.AsyncClient(reconnection=False)
        refused = asyncio.get_running_loop().create_future()
        client.on("connect_error", lambda data: refused.set_result(data), namespace="/nowhere")
        with self.assertRaises(socketio.exceptions.ConnectionError):
            await client.connect(self.url, transports=["websocket"], namespaces=["/nowhere"])
        self.assertEqual((await asyncio.wait_for(refused, 5))["message"], "Invalid namespace")
        await client.disconnect()

    async def test_silent_client_is_dropped_after_interval_and_timeout(self):
        async with aiohttp.ClientSession() as session:
            async with session.ws_connect(f"{self.url}/socket.io/?EIO=4&transport=websocket") as socket:
                self.assertTrue((await socket.receive_str()).startswith("0{"))
                await socket.send_str("40")
                started = asyncio.get_running_loop().time()
                while (await asyncio.wait_for(socket.receive(), 5)).type == aiohttp.WSMsgType.TEXT:
                    pass
                self.assertLess(asyncio.get_running_loop().time() - started, 2)

    def test_long_polling_is_refused_with_a_clear_answer(self):
        with self.assertRaises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(f"{self.url}/socket.io/?EIO=4&transport=polling", timeout=5)
        self.assertEqual(caught.exception.code, 400)
        self.assertIn(b"message", caught.exception.read())
        caught.exception.close()


if __name__ == "__main__":
    unittest.main()
