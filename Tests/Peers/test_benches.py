"""The benches whose server and load are processes of their own, run short: that they work, not what they measure."""
import json
import unittest

from harness import run


class Benches(unittest.TestCase):
    def bench(self, name):
        result = run("bench", name, "--quick", "--json", timeout=60)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(report["bench"], name)
        return {figure["name"]: figure["value"] for figure in report["figures"]}, {row["name"]: row for row in report["targets"]}

    def test_fan_out_loses_nothing(self):
        figures, targets = self.bench("fanout")
        self.assertEqual(targets["lost_updates"]["value"], 0)
        self.assertEqual(figures["deliveries"], 50 * 10 * 500 // 50)
        self.assertEqual(figures["ended"], 0)

    def test_idle_connections_stand(self):
        figures, targets = self.bench("idle")
        self.assertEqual(figures["connections"], 200)
        self.assertTrue(targets["memory_10k"]["holds"], targets)


if __name__ == "__main__":
    unittest.main()
