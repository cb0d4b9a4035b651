"""The story at the wire, by foreign parts: register, log in to trade, buy, fill, kill -9, restart, the same books."""
import asyncio
import tempfile
import unittest

from harness import Program
from messages import message, number
from trading import TradeClient, call, device

PASSWORD = "correct horse battery"
OPEN = "2026-11-30T10:00:00+08:00"


class Trader(unittest.IsolatedAsyncioTestCase):
    """Its account and what it knows of instruments; `program` is the server."""
    name = "trader"

    def register(self):
        self.url = f"http://127.0.0.1:{self.program.port}"
        self.grant = call(self.url, "/auth/v1/register", {"name": self.name, "password": PASSWORD, "device": device("1")})
        symbols = call(self.url, "/gateway/v1/symbols", token=self.grant["access"])
        self.ids = {row["symbol"]: row["id"] for row in symbols["instruments"]}

    async def client(self, access=None, **options):
        client = TradeClient(self.url, access or self.grant["access"], **options)
        self.addAsyncCleanup(client.close)
        await client.connect()
        return client

    async def traded(self):
        client = await self.client()
        await client.login(PASSWORD)
        code, order = await client.place(self.ids["700.HK"], 100)
        self.assertEqual(code, "")
        while order.status != number("OrderStatus", "ORDER_STATUS_FILLED"):
            order = message("Order").FromString((await client.push("ORDER_PUSH")).payload)
        return client

    async def books(self, client):
        parts = [("ORDERS", "OrderList"), ("FILLS", "FillList"), ("POSITIONS", "PositionList"), ("FUNDS", "FundsReply")]
        return [(await client.query(name, reply)) for name, reply in parts]


class Killed(Trader):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory(prefix="causeway-peer-")
        self.addCleanup(self.home.cleanup)
        self.start()
        self.addCleanup(lambda: self.program.stop())
        self.register()

    def start(self, port=0, at=OPEN):
        self.program = Program("serve", "--port", str(port), *(["--at", at] if at else []), home=self.home.name)
        self.url = f"http://127.0.0.1:{self.program.port}"

    async def test_buy_fill_position_funds_add_up_and_survive_kill_9(self):
        client = await self.traded()
        orders, fills, positions, funds = await self.books(client)
        self.assertEqual(sum(fill.quantity for fill in fills.fills), 100 * 10**8)
        cost = sum(fill.price * fill.quantity // 10**11 for fill in fills.fills)
        fees = sum(item.amount for fill in fills.fills for item in fill.fees)
        self.assertEqual((positions.positions[0].quantity, positions.positions[0].cost), (100 * 10**8, cost))
        cash = {line.currency: line.cash for line in funds.lines}
        self.assertEqual(cash["HKD"], 1_000_000 * 10**6 - cost - fees)
        self.assertGreater(fees, 0)
        sequence = orders.sequence
        self.assertTrue(sequence == fills.sequence == positions.sequence == funds.sequence > 0)

        port = self.program.port
        self.program.kill()
        self.start(port, at=None)
        again = TradeClient(self.url, self.grant["access"])
        self.addAsyncCleanup(again.close)
        ready = await again.connect()
        self.assertEqual(ready.accounts[0].sequence, sequence)
        # The trading session survives too (D-4): no second login.
        again.session = client.session
        self.assertEqual(await self.books(again), [orders, fills, positions, funds])


class Trading(Trader):
    """One server, an account a test."""
    accounts = 0

    @classmethod
    def setUpClass(cls):
        cls.program = Program("serve", "--port", "0", "--at", OPEN)
        cls.addClassCleanup(cls.program.stop)

    def setUp(self):
        type(self).accounts += 1
        self.name = f"trader-{self.accounts}"
        self.register()

    async def test_the_same_command_id_is_executed_once(self):
        client = await self.client()
        await client.login(PASSWORD)
        command = bytes(range(16))
        first = await client.place(self.ids["700.HK"], 100, limit=300 * 10**9, command=command)
        self.assertEqual(first[0], "")
        second = await client.place(self.ids["700.HK"], 100, limit=300 * 10**9, command=command)
        self.assertEqual(second[1].order_id, first[1].order_id)
        self.assertEqual((await client.place(self.ids["700.HK"], 200, limit=300 * 10**9, command=command))[0], "order.duplicate-contents")
        self.assertEqual(len((await client.query("ORDERS", "OrderList")).orders), 1)

    async def test_bad_orders_are_refused_by_code(self):
        client = await self.client()
        await client.login(PASSWORD)
        tencent = self.ids["700.HK"]
        for expected, arguments in {
            "order.lot": (tencent, 50, 350 * 10**9),
            "order.tick": (tencent, 100, 350 * 10**9 + 10**8),
            "order.funds": (tencent, 100_000, 360 * 10**9),
            "market.closed": (self.ids["AAPL.US"], 1, 400 * 10**9),
            "symbol.unknown": (999_999, 1, 10**9),
            "symbol.not-tradable": (self.ids["HSI.INDX"], 1, 10**9),
        }.items():
            with self.subTest(expected):
                self.assertEqual((await client.place(*arguments))[0], expected)
        self.assertEqual((await client.place(tencent, 100, 350 * 10**9, side="SELL"))[0], "order.position")

    async def test_without_a_session_nothing_is_told_or_done(self):
        client = await self.client()
        self.assertEqual((await client.place(self.ids["700.HK"], 100))[0], "trade.not-logged-in")
        client.session = "made-up"
        self.assertEqual((await client.place(self.ids["700.HK"], 100))[0], "trade.session-invalid")

    async def test_wrong_password_counts_down(self):
        client = await self.client()
        # Both at once: on a busy machine the second would come late enough to be heard.
        first, reply = await asyncio.gather(client.login("wrong"), client.login(PASSWORD))
        self.assertEqual((first.code, first.tries_left), (number("TradeLoginCode", "TRADE_LOGIN_CODE_WRONG_PASSWORD"), 4))
        self.assertEqual(reply.code, number("TradeLoginCode", "TRADE_LOGIN_CODE_TOO_FREQUENT"))

    async def test_another_device_puts_the_first_out(self):
        first = await self.client()
        await first.login(PASSWORD)
        other = call(self.url, "/auth/v1/sign-in", {"name": self.name, "password": PASSWORD, "device": device("2")})
        second = await self.client(other["access"])
        # One login a second (D-3): tried until it is let through.
        too_frequent = number("TradeLoginCode", "TRADE_LOGIN_CODE_TOO_FREQUENT")
        while (await second.login(PASSWORD)).code == too_frequent:
            pass
        news = message("SessionNews").FromString((await first.push("DUPLICATE_LOGIN")).payload)
        self.assertEqual(news.device_id, "2" * 32)
        self.assertEqual((await first.place(self.ids["700.HK"], 100))[0], "trade.session-invalid")

    async def test_two_processes_of_one_device_share_the_session_and_the_pushes(self):
        first = await self.client()
        await first.login(PASSWORD)
        second = await self.client()
        second.session = first.session
        code, _ = await second.place(self.ids["700.HK"], 100, limit=300 * 10**9)
        self.assertEqual(code, "")
        for client in (first, second):
            push = await client.push("ORDER_PUSH")
            self.assertEqual(push.trading_account, first.account)

    async def test_a_wrong_token_is_told_by_the_auth_event_and_opens_no_counter(self):
        client = TradeClient(self.url, "nonsense")
        self.addAsyncCleanup(client.close)
        with self.assertRaisesRegex(PermissionError, "auth.invalid"):
            await client.connect()


if __name__ == "__main__":
    unittest.main()
