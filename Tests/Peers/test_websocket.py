"""Python's `websockets` as client of our server and server for our client, with and without permessage-deflate."""
import asyncio
import random
import subprocess
import unittest

import websockets
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory, ServerPerMessageDeflateFactory

from harness import PROGRAM

# Sizes around every length form, what is packed (256 and more) and windows of every size.
SIZES = [0, 1, 125, 126, 255, 256, 4000, 65_535, 65_536, 300_000]


def messages(seed):
    """Texts and bytes of a small alphabet with repeats far apart, so that a window that is too large shows."""
    source = random.Random(seed)
    for size in SIZES:
        words = [source.randbytes(40) for _ in range(50)]
        data = b"".join(source.choice(words) for _ in range(size // 40 + 1))[:size]
        yield data
        yield data.hex()[:size] or "腾讯 €"


class OurServer(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.program = subprocess.Popen([str(PROGRAM), "serve", "websocket", "--port", "0"], stdout=subprocess.PIPE)
        self.port = int(self.program.stdout.readline().rsplit(b":", 1)[1])

    def tearDown(self):
        self.program.terminate()
        self.program.wait(10)
        self.program.stdout.close()

    async def echoes(self, negotiated, **options):
        async with websockets.connect(f"ws://127.0.0.1:{self.port}/", max_size=None, **options) as socket:
            self.assertEqual(socket.response.headers.get("Sec-WebSocket-Extensions"), negotiated)
            for sent in messages(7):
                await socket.send(sent)
                self.assertEqual(await asyncio.wait_for(socket.recv(), 5), sent)
            fragments = ["腾", "讯", "x" * 300]
            await socket.send(fragments)
            self.assertEqual(await asyncio.wait_for(socket.recv(), 5), "".join(fragments))

    async def test_without_deflate(self):
        await self.echoes(None, compression=None)

    async def test_deflate_in_every_window(self):
        ours = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
        await self.echoes(ours)
        for bits in range(9, 16):
            with self.subTest(bits=bits):
                await self.echoes(
                    f"{ours}; server_max_window_bits={bits}", compression=None,
                    extensions=[ClientPerMessageDeflateFactory(server_max_window_bits=bits, client_max_window_bits=True)])
        # zlib makes no raw stream of 8: declined, so no deflate.
        await self.echoes(None, compression=None, extensions=[ClientPerMessageDeflateFactory(server_max_window_bits=8)])


class OurClient(unittest.IsolatedAsyncioTestCase):
    async def hears(self, **options):
        sent = list(messages(11))

        async def greet(socket):
            for message in sent:
                await socket.send(message)
            await socket.close(4001, "bye")

        async with websockets.serve(greet, "127.0.0.1", 0, **options) as server:
            port = server.sockets[0].getsockname()[1]
            program = await asyncio.create_subprocess_exec(
                str(PROGRAM), "connect", "websocket", f"ws://127.0.0.1:{port}", stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE)
            try:
                output = await asyncio.wait_for(program.stdout.read(), 20)
            finally:
                if program.returncode is None:
                    program.terminate()
                await program.wait()
        lines = [f"hex:{message.hex()}" if isinstance(message, bytes) else message for message in sent]
        self.assertEqual(output.decode().split("\n"), [*lines, "closed 4001 bye", ""])

    async def test_without_deflate(self):
        await self.hears(compression=None)

    async def test_deflate_with_and_without_context_takeover(self):
        await self.hears()
        for takeover in (True, False):
            for bits in (9, 15):
                with self.subTest(takeover=takeover, bits=bits):
                    factory = ServerPerMessageDeflateFactory(server_no_context_takeover=takeover, server_max_window_bits=bits)
                    await self.hears(compression=None, extensions=[factory])


if __name__ == "__main__":
    unittest.main()
