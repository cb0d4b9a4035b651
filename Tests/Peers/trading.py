"""A trading client made of foreign parts: python-socketio and Python's protobuf against `causeway serve`."""
import asyncio
import json
import secrets
import urllib.request

import socketio

from messages import message, number

Envelope, Ready = message("TradeEnvelope"), message("Ready")


def kind(name):
    return number("TradeMessageType", f"TRADE_MESSAGE_TYPE_{name}")


def call(url, path, body=None, token=None):
    request = urllib.request.Request(url + path, data=json.dumps(body).encode() if body is not None else None)
    request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def device(digit):
    return {"id": digit * 32, "platform": "linux", "name": f"peer {digit}"}


class TradeClient:
    """One connection on one counter."""

    def __init__(self, url, access, counter="securities", process=None):
        self.url, self.access, self.namespace = url, access, f"/{counter}"
        self.process = process or secrets.token_hex(8)
        self.client = socketio.AsyncClient(reconnection=False)
        self.auth, self.pushes, self.replies = asyncio.Queue(), asyncio.Queue(), {}
        self.session = self.account = ""
        self.client.on("auth", self.auth.put, namespace="/auth")
        self.client.on("push", self._push, namespace=self.namespace)
        self.client.on("reply", self._reply, namespace=self.namespace)

    async def _push(self, data):
        await self.pushes.put(Envelope.FromString(data))

    async def _reply(self, data):
        envelope = Envelope.FromString(data)
        self.replies.pop(envelope.request_id).set_result(envelope)

    async def connect(self):
        """Joins /auth, then the counter; returns its ready message."""
        await self.client.connect(
            self.url, transports=["websocket"], namespaces=["/auth"],
            auth={"token": self.access, "process": self.process})
        answer = await asyncio.wait_for(self.auth.get(), 5)
        if answer["code"] != "ok":
            raise PermissionError(answer["code"])
        # python-socketio joins all namespaces at once; ours come one after the other, as the articles say.
        self.client.namespaces = {**self.client.namespaces}
        await self.client._send_packet(self.client.packet_class(socketio.packet.CONNECT, namespace=self.namespace))
        envelope = await self.push("READY")
        ready = Ready.FromString(envelope.payload)
        self.account = ready.accounts[0].trading_account
        return ready

    async def push(self, name):
        while True:
            envelope = await asyncio.wait_for(self.pushes.get(), 10)
            if envelope.type == kind(name):
                return envelope

    async def request(self, name, payload):
        identifier = secrets.token_hex(8)
        self.replies[identifier] = asyncio.get_running_loop().create_future()
        envelope = Envelope(
            request_id=identifier, type=kind(name), payload=payload.SerializeToString(), platform="linux", session_id=self.session)
        await self.client.emit("request", envelope.SerializeToString(), namespace=self.namespace)
        return await asyncio.wait_for(self.replies_of(identifier), 10)

    async def replies_of(self, identifier):
        return await self.replies[identifier]

    async def login(self, password):
        envelope = await self.request("LOGIN", message("TradeLogin")(trading_account=self.account, password=password))
        reply = message("TradeLoginReply").FromString(envelope.payload)
        if reply.code == number("TradeLoginCode", "TRADE_LOGIN_CODE_OK"):
            self.session = reply.session_id
        return reply

    async def place(self, instrument, quantity, limit=None, side="BUY", command=None):
        order = message("PlaceOrder")(
            trading_account=self.account, command_id=command or secrets.token_bytes(16), instrument=instrument,
            side=number("OrderSide", f"ORDER_SIDE_{side}"), quantity=quantity * 10**8,
            time_in_force=number("TimeInForce", "TIME_IN_FORCE_DAY"),
            type=number("OrderType", "ORDER_TYPE_LIMIT" if limit is not None else "ORDER_TYPE_MARKET"))
        if limit is not None:
            order.limit = limit
        envelope = await self.request("PLACE", order)
        if envelope.return_code:
            return envelope.return_code, {each.name: each.value for each in envelope.arguments}
        return "", message("CommandReply").FromString(envelope.payload).order

    async def query(self, name, reply):
        payload = {"ORDERS": "OrdersQuery", "FILLS": "FillsQuery"}.get(name, "AccountQuery")
        envelope = await self.request(name, message(payload)(trading_account=self.account))
        assert not envelope.return_code, envelope.return_code
        return message(reply).FromString(envelope.payload)

    async def close(self):
        await self.client.disconnect()
