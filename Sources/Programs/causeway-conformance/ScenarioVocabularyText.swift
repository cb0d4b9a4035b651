/// The names that scripts may use; the same text as `Tests/Fixtures/scenarios/vocabulary.json` (a test compares them).
let scenarioVocabularyText = #"""
    {
     "steps": ["at", "call", "peer", "event", "expect", "never", "use"],
     "parts": {
      "credentials": {
       "ops": {"sign-in": ["access", "refresh", "lifetime"], "load": ["access", "refresh", "left", "lifetime"], "sign-out": [],
        "request": ["id", "auth", "replayable", "credential"], "credential": ["id", "new"], "cancel": ["id"],
        "issue": ["id", "device"], "rotate": ["id", "with", "device"], "check": ["id", "with"], "revoke": ["with"]},
       "peer": {"reply": ["to", "n", "status", "error", "access", "refresh", "lifetime"], "fail": ["to", "n", "how"], "always": null},
       "events": {"page": false, "launch": false, "foreground": false, "network-back": false, "wall-clock": true},
       "sent": {"request": ["id", "with"], "refresh": ["with"]},
       "states": ["signed-in", "signed-out(user)", "signed-out(refused)", "signed-out(damaged)", "signed-out"],
       "expect": ["sent", "count", "times", "state", "result", "notices", "delivered", "stored", "same", "distinct"],
       "policy": ["renewDivisor", "renewFloor", "defaultLifetime", "renewTimeout", "retryAfter", "grace"]
      },
      "connection": {
       "ops": {"connect": [], "disconnect": [], "subscribe": ["topic", "by"], "unsubscribe": ["topic", "by"],
        "command": ["id", "type", "order", "counter"], "login": ["id", "counter", "silent"]},
       "peer": {"open": ["via", "pingInterval", "pingTimeout"], "refuse": ["via", "reason"], "drop": ["via"], "close": ["via", "code"], "ping": ["via"],
        "reply": ["to", "via", "code", "text", "session", "order", "counter", "items", "sequence"],
        "push": ["via", "type", "topic", "n", "counter", "epoch", "sequence", "seq", "session", "platform", "device"], "always": null},
       "events": {"foreground": false, "background": false, "network-changed": false, "network-lost": false, "network-back": false, "credential": true, "quote-credential": true},
       "sent": {"dial": ["via"], "auth": ["with", "via"], "renew-auth": ["with"], "need-credential": ["of"], "open": ["counter"], "login": ["with"], "trade-login": ["id", "counter"],
        "subscribe": ["topic"], "unsubscribe": ["topic"], "command": ["id", "type", "order", "counter"], "query": ["order", "counter"], "since": ["n", "counter"],
        "beat": ["counter"], "pong": [], "hang-up": ["via"]},
       "states": ["disconnected", "connecting", "authenticating", "ready", "waiting", "cooling", "suspended", "closed(user)", "closed(kicked)", "closed(signed-out)", "closed(unsupported)"],
       "expect": ["sent", "count", "times", "state", "result", "notices", "delivered", "session"],
       "policy": ["connectTimeout", "throttle", "check", "attempts", "beat", "beatsLost", "loginTimeout", "loginTries", "low", "high", "flat", "factor", "cap", "stable", "cool",
        "orderTimeout", "queryTimeout", "gate", "jitter", "counters", "platform", "device", "renewDivisor"]
      },
      "socketio-client": {
       "ops": {"connect": ["namespace", "payload"], "disconnect": ["namespace"], "emit": ["id", "namespace", "event", "timeout"]},
       "peer": {"open": [], "refuse": ["status", "code", "message"], "frame": null, "drop": []},
       "events": {},
       "sent": {"dial": ["EIO", "transport", "sid"], "hang-up": []},
       "states": ["disconnected", "connecting", "ready", "closed(ping-timeout)", "closed(parse-error)", "closed(unsupported)", "closed(refused)", "closed(server)", "closed(user)", "closed(lost)", "closed(too-large)"],
       "expect": ["sent", "count", "times", "state", "result", "delivered", "recovered", "pending"],
       "policy": ["ackTimeout", "maxPayload", "maxAttachments"]
      },
      "socketio-server": {
       "ops": {"emit": ["id", "namespace", "event", "timeout"]},
       "peer": {"dial": ["EIO", "transport", "sid"], "frame": null, "drop": []},
       "events": {},
       "sent": {"refuse": ["status", "code"], "hang-up": []},
       "states": ["disconnected", "connecting", "ready", "closed(ping-timeout)", "closed(parse-error)", "closed(connect-timeout)", "closed(too-large)", "closed(client)", "closed(lost)"],
       "expect": ["sent", "count", "times", "state", "result", "delivered", "namespaces", "pending"],
       "policy": ["pingInterval", "pingTimeout", "connectTimeout", "maxPayload", "maxAttachments", "namespaces"]
      }
     },
     "never": ["sent", "state", "notice", "delivered"]
    }
    """#
