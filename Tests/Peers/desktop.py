"""A session bus of its own and a notification server on it, made with dbus-fast: what a program says to a desktop, type by type. And a bus
that means harm."""
import asyncio
import queue
import socket
import struct
import subprocess
import tempfile
import threading
from pathlib import Path

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"


# No folders of services: on a machine with a desktop the daemon would start one of its own.
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


class SessionBus:
    """A private dbus-daemon; `address` is its own."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="causeway-bus-")
        configuration = Path(self.folder.name, "bus.conf")
        configuration.write_text(CONFIGURATION.format(folder=self.folder.name))
        self.process = subprocess.Popen(
            ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", "--print-address"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().strip()
        assert self.address, "dbus-daemon does not start"

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=10)
        self.process.stdout.close()
        self.folder.cleanup()


class Desktop:
    """Owns the name of the notification server. `refusals`: so many are refused first; `is_mute`: takes a note and never answers."""

    def __init__(self, address, capabilities=("body", "body-markup"), refusals=0, is_mute=False):
        self.notes = queue.Queue()
        self.faults = queue.Queue()
        self.capabilities, self.refusals, self.is_mute = list(capabilities), refusals, is_mute
        self.next = 41
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.bus = asyncio.run_coroutine_threadsafe(self.begin(address), self.loop).result(timeout=20)

    async def begin(self, address):
        bus = await MessageBus(bus_address=address).connect()
        bus.add_message_handler(self.handle)
        await bus.request_name(NAME)
        return bus

    def handle(self, message):
        if message.message_type != MessageType.METHOD_CALL or message.interface != NAME:
            return None
        try:
            assert message.path == PATH, message.path
            if message.member == "GetCapabilities":
                assert message.signature == "", message.signature
                return Message.new_method_return(message, "as", [self.capabilities])
            assert message.member == "Notify", message.member
            # As the specification has it.
            assert message.signature == "susssasa{sv}i", message.signature
            name, replaces, icon, summary, body, actions, hints, expiry = message.body
            assert actions == [] and set(hints) == {"urgency"} and hints["urgency"].signature == "y", (actions, hints)
            if self.refusals > 0:
                self.refusals -= 1
                return Message.new_error(message, NAME + ".Error.ExcessNotificationGeneration", "too many\n\x1b[2J")
            self.next += 0 if replaces else 1
            number = replaces or self.next
            self.notes.put(
                {"name": name, "replaces": replaces, "id": number, "icon": icon, "summary": summary, "body": body,
                 "urgency": hints["urgency"].value, "expiry": expiry})
            return True if self.is_mute else Message.new_method_return(message, "u", [number])
        except AssertionError as fault:
            self.faults.put(str(fault))
            return Message.new_error(message, NAME + ".Error.Fault", str(fault))

    def note(self):
        return self.notes.get(timeout=60)

    def close(self):
        def end():
            self.bus.disconnect()
            self.loop.call_soon(self.loop.stop)

        self.loop.call_soon_threadsafe(end)
        self.thread.join(timeout=10)
        self.loop.close()
        assert self.faults.empty(), self.faults.get_nowait()


def message(kind, serial, fields, signature="", body=b"", length=None):
    """A D-Bus message, little endian; `length`: what it says its body has."""
    def padded(data, size):
        return data + bytes(-len(data) % size)

    def text(value):
        return struct.pack("<I", len(value)) + value.encode() + b"\0"

    header = b""
    for code, value in fields:
        header = padded(header, 8)
        if isinstance(value, int):
            header += bytes([code]) + b"\x01u\0" + struct.pack("<I", value)
        else:
            form = b"\x01o\0" if code == 1 else b"\x01s\0"
            header += bytes([code]) + form + text(value)
    if signature:
        header = padded(header, 8) + bytes([8]) + b"\x01g\0" + bytes([len(signature)]) + signature.encode() + b"\0"
    length = len(body) if length is None else length
    return padded(struct.pack("<BBBBIII", ord("l"), kind, 1, 1, length, serial, len(header)) + header, 8) + body


class HostileBus:
    """Lets anyone in, as a bus does, then answers the first call with what `attack` writes to the socket until the peer is gone."""

    def __init__(self, attack, greeting=b"OK 0123456789abcdef0123456789abcdef\r\n"):
        self.folder = tempfile.TemporaryDirectory(prefix="causeway-bus-")
        self.address = f"unix:path={self.folder.name}/bus"
        self.attack, self.greeting = attack, greeting
        self.sent = 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.folder.name + "/bus")
        self.listener.listen(8)
        self.threads = [threading.Thread(target=self.accept, daemon=True)]
        self.threads[0].start()

    def accept(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self.serve, args=(peer,), daemon=True)
            self.threads.append(thread)
            thread.start()

    def serve(self, peer):
        with peer:
            try:
                read = peer.recv(4096)
                while not read.endswith(b"\r\n"):
                    read += peer.recv(4096)
                peer.sendall(self.greeting)
                while b"BEGIN\r\n" not in read:
                    piece = peer.recv(4096)
                    if not piece:
                        return
                    read += piece
                while not read.split(b"BEGIN\r\n", 1)[1]:
                    read += peer.recv(4096)
                for piece in self.attack():
                    peer.sendall(piece)
                    self.sent += len(piece)
                while peer.recv(4096):
                    pass
            except OSError:
                pass

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for thread in self.threads:
            thread.join(timeout=10)
        self.folder.cleanup()
