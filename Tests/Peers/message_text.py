"""Any message of Protos/ filled with values, and its fields as the text that our `FieldText` makes."""
from google.protobuf.descriptor import FieldDescriptor as F

from messages import POOL, message

WIDE = {F.TYPE_INT64, F.TYPE_SINT64, F.TYPE_SFIXED64, F.TYPE_UINT64, F.TYPE_FIXED64}
UNSIGNED = {F.TYPE_UINT32, F.TYPE_UINT64, F.TYPE_FIXED32, F.TYPE_FIXED64}


def names():
    """Every message type of the schema, nested ones and map entries aside."""
    found = set()
    for file in ("common.proto", "quote.proto", "trade.proto", "journal.proto"):
        found |= set(POOL.FindFileByName(file).message_types_by_name)
    return sorted(found)


def fill(target, scalar, depth=0, wanted=lambda: True):
    """Sets the fields `wanted` asks for; `scalar` makes one value for a field."""
    for field in target.DESCRIPTOR.fields:
        if not wanted(): continue
        if field.type == F.TYPE_MESSAGE:
            if depth >= 4: continue
            value = getattr(target, field.name)
            for each in ([value.add(), value.add()] if field.is_repeated else [value]):
                each.SetInParent()
                fill(each, scalar, depth + 1, wanted)
        elif field.is_repeated:
            getattr(target, field.name).extend([scalar(field), scalar(field)])
        else:
            setattr(target, field.name, scalar(field))
    return target


def fixed(field):
    """A value that tells a field from its neighbours, and has the length its type is used for."""
    if field.type == F.TYPE_STRING: return f"{field.name} é腾"
    if field.type == F.TYPE_BYTES: return bytes([field.number, 0, 255])
    if field.type == F.TYPE_BOOL: return True
    if field.type == F.TYPE_ENUM: return field.enum_type.values[1 + field.number % (len(field.enum_type.values) - 1)].number
    value = field.number * 1_000_000_007_000 + 1 if field.type in WIDE else field.number * 100_003 + 1
    return value if field.type in UNSIGNED or field.number % 3 else -value


def _value(field, value):
    if field.type == F.TYPE_MESSAGE: return text(value)
    if field.type == F.TYPE_BYTES: return value.hex()
    if field.type == F.TYPE_BOOL: return "true" if value else "0"
    return str(value)


def text(source):
    found = []
    for field in source.DESCRIPTOR.fields:
        value = getattr(source, field.name)
        if field.is_repeated:
            if not value: continue
            shown = "[" + ",".join(_value(field, each) or "0" for each in value) + "]"
        elif field.type == F.TYPE_MESSAGE:
            if not source.HasField(field.name): continue
            shown = text(value)
        elif not value: continue
        else: shown = _value(field, value)
        found.append((field.name.replace("_", "").lower(), shown))
    return "{" + ",".join(f"{name}:{shown}" for name, shown in sorted(found)) + "}"


def example(name):
    made = fill(message(name)(), fixed)
    return {"name": f"causeway.v1.{name}", "hex": made.SerializeToString(deterministic=True).hex(), "text": text(made)}
