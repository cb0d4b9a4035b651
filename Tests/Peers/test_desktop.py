"""Alerts on a desktop (F-5): `alert watch --notify` against a session bus and a notification server of another implementation."""
import json
import signal
import subprocess
import unittest

from desktop import Desktop, HostileBus, SessionBus, message
from harness import PROGRAM, SignedIn, SignedInTogether


class OnDesktop:
    def setUp(self):
        super().setUp()
        self.bus = SessionBus()
        self.addCleanup(self.bus.close)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus.address

    def desktop(self, **options):
        desktop = Desktop(self.bus.address, **options)
        self.addCleanup(desktop.close)
        return desktop

    def add(self, *words):
        done = self.causeway("alert", "add", "700.HK", *words)
        self.assertEqual(done.returncode, 0, done)
        return json.loads(done.stdout)["alert"]

    def watch(self, count, *options):
        watch = subprocess.Popen(
            [str(PROGRAM), "alert", "watch", "--notify", "--count", str(count), *options], env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(watch.communicate)
        self.addCleanup(watch.kill)
        return watch

    def end(self, watch, timeout=90):
        output, errors = watch.communicate(timeout=timeout)
        self.assertEqual(watch.returncode, 0, errors)
        return output.splitlines(), errors


class DesktopAlerts(OnDesktop, SignedInTogether):
    def test_a_firing_is_shown_with_its_source(self):
        desktop = self.desktop()
        self.add("above", "1")
        lines, errors = self.end(self.watch(1))
        self.assertEqual((len(lines), errors), (1, ""))
        note = desktop.note()
        self.assertEqual((note["name"], note["replaces"], note["icon"], note["urgency"], note["expiry"]), ("Causeway", 0, "", 1, -1))
        self.assertRegex(note["summary"], r"^700\.HK  \d+(\.\d+)?$")
        self.assertRegex(
            note["body"], r"^last at or above 1\n2026-11-30 10:\d\d:\d\d HKT  Derived from 2022-04-13 bars$")
        self.assertTrue(note["summary"].split()[1] in lines[0])

    def test_what_the_desktop_refuses_is_said_once_and_watching_goes_on(self):
        desktop = self.desktop(refusals=2)
        self.add("above", "1")
        self.add("below", "100000")
        self.add("volume", "1")
        lines, errors = self.end(self.watch(3))
        self.assertEqual(len(lines), 3)
        self.assertEqual(errors, "causeway: The desktop takes no notification (too many\\n\\u{1B}[2J); alerts are printed only\n")
        self.assertRegex(desktop.note()["summary"], r"^700\.HK  ")

    def test_a_bus_that_hangs_holds_up_no_line(self):
        desktop = self.desktop()
        watch = self.watch(3)
        self.add("above", "1")
        self.assertIn("above 1 ", watch.stdout.readline())
        first = desktop.note()
        self.bus.process.send_signal(signal.SIGSTOP)
        try:
            self.add("below", "100000")
            self.assertIn("below 100,000", watch.stdout.readline())
            self.assertEqual(watch.stderr.readline(), "causeway: The desktop takes no notification (no answer within 5 s); alerts are printed only\n")
        finally:
            self.bus.process.send_signal(signal.SIGCONT)
        # What waited in the bus may still come; the next one does.
        self.add("volume", "1")
        lines, errors = self.end(watch)
        self.assertEqual((len(lines), errors), (1, ""))
        notes = [desktop.note()]
        while "volume" not in notes[-1]["body"]:
            notes.append(desktop.note())
        self.assertTrue(all(note["replaces"] == 0 and note["id"] > first["id"] for note in notes))

    def test_without_a_desktop_the_lines_come(self):
        """Nobody owns the name; a bus that is gone; a desktop that never answers."""
        self.add("above", "1")
        lines, errors = self.end(self.watch(1))
        self.assertEqual(len(lines), 1)
        self.assertTrue(errors.startswith("causeway: The desktop takes no notification (") and errors.count("\n") == 1, errors)
        self.desktop(is_mute=True)
        self.add("below", "100000")
        lines, errors = self.end(self.watch(1))
        self.assertEqual((len(lines), errors), (1, "causeway: The desktop takes no notification (no answer within 5 s); alerts are printed only\n"))
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere/bus"
        self.add("volume", "1")
        lines, _ = self.end(self.watch(1, "--json"))
        firing, event = map(json.loads, lines)
        self.assertEqual((firing["firing"]["condition"], event), ("volume", {"event": "not-notified", "code": "desktop.no-bus"}))

    def test_a_hostile_bus_writes_nothing(self):  # B-10
        """One line of ours, whatever it sends; the alerts are printed."""
        attacks = {
            "bytes that are none": (lambda: [b"\xff" * 4_096], None),
            "more than a message may have": (lambda: [message(2, 2, [(5, 1)], "s", length=1 << 31)], None),
            "no greeting": (lambda: [], b"REJECTED DBUS_COOKIE_SHA1\r\n"),
            "an error with words": (
                lambda: [message(3, 2, [(4, "a.b.C"), (5, 1)], "s", b"\x06\0\0\0\x1b[2J\n\x07\0")], None),
        }
        for name, (attack, greeting) in attacks.items():
            with self.subTest(name):
                bus = HostileBus(attack, greeting) if greeting else HostileBus(attack)
                try:
                    self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
                    alert = self.add("below", "100000")
                    watch = self.watch(1)
                    output, errors = watch.communicate(timeout=90)
                    self.assertEqual((watch.returncode, output.count("\n")), (0, 1), errors)
                    self.assertRegex(
                        errors, r"^causeway: (No desktop session bus here|The desktop takes no notification) \([ -~]{1,250}\); alerts are printed only\n$")
                    self.causeway("alert", "remove", str(alert["id"]))
                finally:
                    bus.close()


class DesktopOfFastMarket(OnDesktop, SignedIn):
    def test_markup_in_an_expression_arrives_escaped_where_it_would_be_read(self):
        """The same alert takes the place of what it said before."""
        self.server.kill()
        self.start(self.server.port, "--speed", "120")
        text = "1<2 AND CLOSE > REF(CLOSE, 1)"
        for capabilities, shown in ((("body", "body-markup"), text.replace("<", "&lt;").replace(">", "&gt;")), (("body",), text)):
            with self.subTest(capabilities):
                desktop = Desktop(self.bus.address, capabilities=capabilities)
                try:
                    alert = self.add("--when", text, "--period", "1m", "--repeat")
                    self.end(self.watch(2))
                    first, second = desktop.note(), desktop.note()
                    self.assertTrue(first["body"].startswith(shown + " true at a bar's end".replace("'", "&#39;" if "&" in shown else "'")))
                    self.assertEqual((first["replaces"], second["replaces"], second["id"]), (0, first["id"], first["id"]))
                    self.causeway("alert", "remove", str(alert["id"]))
                finally:
                    desktop.close()


if __name__ == "__main__":
    unittest.main()
