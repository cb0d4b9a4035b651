"""`causeway run` without a terminal, from outside."""
import os
import tempfile
import unittest

from harness import run


class RunAgain(unittest.TestCase):
    def test_a_second_run_over_the_same_folders_trades_too(self):
        """D-4, A-8: a trading session kept from the first run has ended with that sign-in; the second run logs in anew."""
        with tempfile.TemporaryDirectory(prefix="causeway-peer-") as root:
            names = {"CONFIG": "config", "DATA": "data", "STATE": "state", "CACHE": "cache"}
            environment = {**os.environ, **{f"XDG_{name}_HOME": f"{root}/{folder}" for name, folder in names.items()}}
            for number in range(2):
                ended = run("run", environment=environment)
                self.assertEqual(ended.returncode, 0, ended.stderr)
                self.assertIn("700.HK", ended.stdout)
                # the day begins anew in a new folder, so that no order is dated after now; the old folder stays and is named.
                kept = f"{root}/data/causeway/main/run-1"
                self.assertEqual(f"causeway serve --data {kept}" in ended.stdout, number == 1)
                self.assertEqual(os.path.isdir(kept + "/journal"), number == 1)
                self.assertEqual(ended.stdout.count("2026-11-30 10:0"), 1, ended.stdout)


if __name__ == "__main__":
    unittest.main()
