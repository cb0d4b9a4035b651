"""Whole frames against our Socket.IO server (`causeway serve socketio`): socket.io-protocol 5 to the letter."""
import asyncio
import json
import unittest

import aiohttp

from harness import Program


class SocketIOFrames(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.program = Program("serve", "socketio", "--port", "0", "--ping-interval", "300", "--ping-timeout", "200")
        self.url = f"http://127.0.0.1:{self.program.port}/socket.io/?EIO=4&transport=websocket"

    def tearDown(self):
        self.program.stop()

    async def asyncSetUp(self):
        self.http = aiohttp.ClientSession()
        self.addAsyncCleanup(self.http.close)
        self.socket = await self.http.ws_connect(self.url)
        self.handshake = json.loads((await self.frame())[1:])

    async def frame(self):
        """The next frame that is no ping; None: closed."""
        while True:
            message = await asyncio.wait_for(self.socket.receive(), 5)
            if message.type == aiohttp.WSMsgType.TEXT and message.data == "2":
                await self.socket.send_str("3")
                continue
            return message.data if message.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY) else None

    async def joined(self, connect="40"):
        await self.socket.send_str(connect)
        return await self.frame(), await self.frame()

    async def test_handshake_says_the_times_and_the_limit(self):
        self.assertEqual(set(self.handshake), {"sid", "upgrades", "pingInterval", "pingTimeout", "maxPayload"})
        self.assertEqual((self.handshake["upgrades"], self.handshake["pingInterval"], self.handshake["pingTimeout"]), ([], 300, 200))
        self.assertEqual(self.handshake["maxPayload"], 1000000)

    async def test_namespaces_with_and_without_payload(self):
        connected, auth = await self.joined()
        self.assertNotEqual(json.loads(connected[2:])["sid"], self.handshake["sid"])
        self.assertEqual(auth, '42["auth",{}]')
        connected, auth = await self.joined('40/custom,{"token":"abc"}')
        self.assertTrue(connected.startswith('40/custom,{"sid":"'))
        self.assertEqual(auth, '42/custom,["auth",{"token":"abc"}]')
        await self.socket.send_str("40/random")
        self.assertEqual(await self.frame(), '44/random,{"message":"Invalid namespace"}')

    async def test_leaving_one_namespace_leaves_the_other(self):
        await self.joined()
        await self.joined("40/custom,")
        await self.socket.send_str("41/custom,")
        await self.socket.send_str('42/custom,["message","lost"]')
        await self.socket.send_str('42["message","kept"]')
        self.assertEqual(await self.frame(), '42["message-back","kept"]')

    async def test_plain_and_binary_events_and_acknowledgements(self):
        await self.joined()
        await self.socket.send_str('42["message",1,"2",{"3":[true]}]')
        self.assertEqual(await self.frame(), '42["message-back",1,"2",{"3":[true]}]')
        await self.socket.send_str('42456["message-with-ack",1,"2",{"3":[false]}]')
        self.assertEqual(await self.frame(), '43456[1,"2",{"3":[false]}]')
        parts = '{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}'
        for sent, answer in (("452-", f'452-["message-back",{parts}]'), ("452-789", f"462-789[{parts}]")):
            name = "message" if sent == "452-" else "message-with-ack"
            await self.socket.send_str(f'{sent}["{name}",{parts}]')
            await self.socket.send_bytes(b"\x01\x02\x03")
            await self.socket.send_bytes(b"\x04\x05\x06")
            self.assertEqual([await self.frame() for _ in range(3)], [answer, b"\x01\x02\x03", b"\x04\x05\x06"])

    async def closes(self, *frames):
        await self.joined()
        for frame in frames:
            await (self.socket.send_bytes(frame) if isinstance(frame, bytes) else self.socket.send_str(frame))
        self.assertIsNone(await self.frame())
        return self.socket.close_code

    async def test_what_is_no_packet_ends_the_connection(self):
        for frames in (
            ["4abc"], ["42{}"], ["42[]"], ['42abc["message-with-ack",1]'], ['42["disconnect"]'], ["4"], ["abc"], [""], [b"\x01"],
            ['451-["message",{"_placeholder":true,"num":0}]', '42["message"]'], ["2"], ["4" + "[" * 100_000],
        ):
            with self.subTest(frames=str(frames)[:60]):
                self.socket = await self.http.ws_connect(self.url)
                await self.frame()
                self.assertEqual(await self.closes(*frames), 1002)

    async def test_close_packet_size_limit_and_no_namespace(self):
        self.assertEqual(await self.closes("1"), 1000)
        self.socket = await self.http.ws_connect(self.url)
        await self.frame()
        self.assertEqual(await self.closes('42["message","' + "x" * 1_000_000 + '"]'), 1009)
        self.socket = await self.http.ws_connect(self.url)
        await self.frame()
        started = asyncio.get_running_loop().time()
        self.assertIsNone(await self.frame())
        self.assertLess(asyncio.get_running_loop().time() - started, 2)

    async def test_other_versions_and_transports_are_refused(self):
        for query, code in (("EIO=3&transport=websocket", 5), ("EIO=abc&transport=websocket", 5), ("EIO=4&transport=abc", 0), ("EIO=4", 0),
                            ("EIO=4&transport=websocket&sid=x", 1)):
            url = self.url.split("?")[0] + "?" + query
            async with self.http.get(url) as answer:
                self.assertEqual((answer.status, (await answer.json())["code"]), (400, code))
            with self.assertRaises(aiohttp.WSServerHandshakeError) as caught:
                await self.http.ws_connect(url)
            self.assertEqual(caught.exception.status, 400)
        await self.socket.close()


if __name__ == "__main__":
    unittest.main()
