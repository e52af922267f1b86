"""dpctl finds the adapter's device, and copies through it."""

import dpctl
import dpctl.memory

cuda = [one for one in dpctl.get_devices() if "NVIDIA" in one.vendor or "cuda" in str(one.backend)]
assert cuda, dpctl.get_devices()
queue = dpctl.SyclQueue(cuda[0])
memory = dpctl.memory.MemoryUSMShared(16, queue=queue)
memory.copy_from_host(b"0123456789abcdef")
assert bytes(memory.copy_to_host()) == b"0123456789abcdef"
print(f"dpctl {dpctl.__version__}: {cuda[0]}, right")
