"""smoke.py ADAPTER BACKEND COUNT NAME: checks that dpctl finds each device of an adapter once, and can copy.

The runtime is this Python's; its settings are in the environment.
"""

import sys

import dpctl
import dpctl.memory

SIZE = 100_000


def loaded():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return {line[line.find("/") :].strip() for line in maps if "/" in line}


def check(is_so, what):
    if not is_so:
        sys.exit(f"{what}\ndevices: {dpctl.get_devices()}\nlibraries: {sorted(loaded())}")


def check_copies(device):
    """Copies bytes to the device, to another allocation there, and back."""
    queue = dpctl.SyclQueue(device)
    data = bytes(i * 7 % 251 for i in range(SIZE))
    source = dpctl.memory.MemoryUSMDevice(SIZE, queue=queue)
    target = dpctl.memory.MemoryUSMDevice(SIZE, queue=queue)
    source.copy_from_host(data)
    target.copy_from_device(source)
    check(bytes(target.copy_to_host()) == data, "a copy through the device has other bytes")
    shared = dpctl.memory.MemoryUSMShared(SIZE, queue=queue)
    queue.memcpy(shared, target, SIZE)
    queue.wait()
    check(bytes(shared) == data, "a copy to shared memory has other bytes")


def main():
    adapter, backend, count, name = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    devices = dpctl.get_devices()
    check(adapter in loaded(), f"{adapter} is not loaded")
    check(len(devices) == count, f"{len(devices)} devices, not {count}")
    for device in devices:
        check(device.backend.name == backend, f"a device of {device.backend.name}, not {backend}")
        check(name in device.sycl_platform.name, f"the platform's name does not say {name}")
        check(device.max_work_group_size > 0, "a work-group may have no item")
        check_copies(device)


main()
