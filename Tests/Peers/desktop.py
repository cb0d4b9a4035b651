"""A session bus of its own and a notification server on it, made with dbus-fast: what a program says to a desktop, type by type."""
import asyncio
import queue
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
