"""The message classes of Protos/, made by protoc's descriptors and Python's own protobuf runtime."""
import subprocess
import tempfile

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from harness import ROOT


def _load():
    with tempfile.NamedTemporaryFile() as file:
        names = sorted(path.name for path in (ROOT / "Protos").glob("*.proto"))
        subprocess.run(
            ["protoc", f"--proto_path={ROOT / 'Protos'}", "--include_imports", f"--descriptor_set_out={file.name}", *names], check=True)
        files = descriptor_pb2.FileDescriptorSet.FromString(file.read())
    pool = descriptor_pool.DescriptorPool()
    for each in files.file:
        pool.Add(each)
    return pool


POOL = _load()


def message(name):
    return message_factory.GetMessageClass(POOL.FindMessageTypeByName(f"causeway.v1.{name}"))


def number(enum, name):
    return POOL.FindEnumTypeByName(f"causeway.v1.{enum}").values_by_name[name].number
