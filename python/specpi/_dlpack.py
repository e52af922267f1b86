"""Reads other libraries' tensors by DLPack (https://dmlc.github.io/dlpack)."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p
from typing import Any

from ._device import Device
from ._elements import element_of_dlpack

# The device types of tensors, with dlpack.h's numbers.
CPU, CUDA, CUDA_HOST, CUDA_MANAGED, ONE_API = 1, 2, 3, 13, 14
_HOST = (CPU, CUDA_HOST, CUDA_MANAGED)
_OF_CUDA = (CUDA, CUDA_HOST, CUDA_MANAGED)
_NAMES = {CPU: "the CPU", CUDA: "CUDA", CUDA_HOST: "CUDA's host", CUDA_MANAGED: "CUDA, managed", ONE_API: "oneAPI"}


class _Tensor(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("dimensions", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


_api = ctypes.pythonapi
_pointer = ctypes.PYFUNCTYPE(c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))


class Tensor:
    """A tensor of another library. It stays valid, because this object keeps its capsule."""

    def __init__(self, capsule: Any, what: str) -> None:
        # The capsule is not renamed to "used_dltensor", so it releases the tensor when it is freed.
        address = _pointer(capsule, b"dltensor")
        tensor = ctypes.cast(address, POINTER(_Tensor)).contents
        self._capsule = capsule
        self.device_type: int = tensor.device_type
        self.device_id: int = tensor.device_id
        self.address: int = (tensor.data or 0) + tensor.byte_offset
        self.readonly = False  # a capsule of version 0 has no flag for it
        self.element = element_of_dlpack(tensor.code, tensor.bits, tensor.lanes, what)
        self.size = self.element.size
        self.shape = tuple(tensor.shape[: tensor.dimensions])
        step = 1
        for i in reversed(range(tensor.dimensions)):
            if tensor.strides and tensor.shape[i] > 1 and tensor.strides[i] != step:
                raise ValueError(f"{what} has strides: make it contiguous first")
            step *= tensor.shape[i]
        self.size *= step

    @property
    def on_host(self) -> bool:
        return self.device_type in _HOST

    @property
    def where(self) -> str:
        return f"{_NAMES.get(self.device_type, f'DLPack device type {self.device_type}')}, device {self.device_id}"


def unpack(given: Any, what: str) -> Tensor:
    """Returns the tensor of an object with __dlpack__."""
    return Tensor(given.__dlpack__(), what)


def is_reached(tensor: Tensor, device: Device) -> bool:
    """Returns whether kernels on a device can use a tensor in place.

    DLPack numbers CUDA's GPUs as libspecpi does. It does not identify oneAPI's devices to libspecpi,
    so the device's driver is asked whether it knows the memory.
    """
    if tensor.device_type == ONE_API:
        from ._sycl import kind_of_memory

        return kind_of_memory(device, tensor.address) is not None
    return tensor.device_type in _OF_CUDA and device.selector == f"cuda:{tensor.device_id}"
