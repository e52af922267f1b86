/* Devices of the fake CUDA driver, which are all alike. */
#define _POSIX_C_SOURCE 200809L /* strtoul's friends, strnlen */
#include "attributes.h"
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>

/* The PCI bus number of device 0. */
enum { FIRST_BUS = 0x17 };

CUresult fake_check_device(CUdevice device) {
  FAKE_REQUIRE(device >= 0 && device < fake_environment.devices, INVALID_DEVICE,
               "there is no device %d of %d", device, fake_environment.devices);
  return CUDA_SUCCESS;
}

static const struct {
  CUdevice_attribute attribute;
  int value;
} attributes[] = {
#define FAKE_ATTRIBUTE(NAME, value) {CU_DEVICE_ATTRIBUTE_##NAME, value},
    FAKE_ATTRIBUTES(FAKE_ATTRIBUTE)
#undef FAKE_ATTRIBUTE
};

static const int *find_attribute(CUdevice_attribute attribute) {
  for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
    if (attributes[i].attribute == attribute)
      return &attributes[i].value;
  return NULL;
}

int fake_attribute(CUdevice_attribute attribute) {
  const int *value = find_attribute(attribute);
  if (!value)
    abort();
  return attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT ? fake_environment.multiprocessors
                                                               : *value;
}

CUresult cuDeviceGetCount(int *count) {
  FAKE_ENTER(cuDeviceGetCount, INIT);
  FAKE_REQUIRE(count, INVALID_VALUE, "cuDeviceGetCount: count is NULL");
  *count = fake_environment.devices;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  FAKE_ENTER(cuDeviceGet, INIT);
  FAKE_REQUIRE(device, INVALID_VALUE, "cuDeviceGet: device is NULL");
  FAKE_TRY(fake_check_device(ordinal));
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  FAKE_ENTER(cuDeviceGetName, INIT);
  FAKE_REQUIRE(name && length > 0, INVALID_VALUE, "cuDeviceGetName: no space for the name");
  FAKE_TRY(fake_check_device(device));
  snprintf(name, (size_t)length, "CUDA for tests, device %d", device);
  return CUDA_SUCCESS;
}

static CUresult get_uuid(CUuuid *uuid, CUdevice device) {
  FAKE_REQUIRE(uuid, INVALID_VALUE, "cuDeviceGetUuid: uuid is NULL");
  FAKE_TRY(fake_check_device(device));
  static const unsigned char bytes[16] = {0x73, 0x70, 0x65, 0x63, 0x70, 0x69, 0x40, 0x00,
                                          0x80, 0x00, 0x74, 0x65, 0x73, 0x74, 0x00, 0x00};
  memcpy(uuid->bytes, bytes, sizeof bytes);
  uuid->bytes[15] = (char)device;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev) {
  FAKE_ENTER(cuDeviceGetUuid, INIT);
  return get_uuid(uuid, dev);
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev) {
  FAKE_ENTER(cuDeviceGetUuid_v2, INIT);
  return get_uuid(uuid, dev);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  FAKE_ENTER(cuDeviceTotalMem, INIT);
  FAKE_REQUIRE(bytes, INVALID_VALUE, "cuDeviceTotalMem: bytes is NULL");
  FAKE_TRY(fake_check_device(device));
  *bytes = fake_environment.memory;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  FAKE_ENTER(cuDeviceGetAttribute, INIT);
  FAKE_REQUIRE(value, INVALID_VALUE, "cuDeviceGetAttribute: value is NULL");
  FAKE_TRY(fake_check_device(device));
  /* The attribute of the PCI device and vendor ids, new in CUDA 12.8. */
  if ((int)attribute == 139 && fake_environment.version >= 12080) {
    *value = 0x233010de;
    return CUDA_SUCCESS;
  }
  FAKE_REQUIRE(find_attribute(attribute), INVALID_VALUE, "cuDeviceGetAttribute: no attribute is %d",
               (int)attribute);
  *value =
      attribute == CU_DEVICE_ATTRIBUTE_PCI_BUS_ID ? FIRST_BUS + device : fake_attribute(attribute);
  if (attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED)
    *value = fake_environment.has_virtual_memory;
  if (attribute == CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)
    *value = fake_environment.has_pools;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device) {
  FAKE_ENTER(cuDeviceGetPCIBusId, INIT);
  FAKE_REQUIRE(id && length > 0, INVALID_VALUE, "cuDeviceGetPCIBusId: no space for the id");
  FAKE_TRY(fake_check_device(device));
  char text[32];
  snprintf(text, sizeof text, "0000:%02X:00.0", FIRST_BUS + device);
  FAKE_REQUIRE((size_t)length > strlen(text), INVALID_VALUE,
               "cuDeviceGetPCIBusId: %d bytes are too few", length);
  memcpy(id, text, strlen(text) + 1);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
  FAKE_ENTER(cuDeviceGetByPCIBusId, INIT);
  FAKE_REQUIRE(device && id, INVALID_VALUE, "cuDeviceGetByPCIBusId: NULL");
  /* The format is [domain:]bus:device[.function]. */
  char *end;
  unsigned long part = strtoul(id, &end, 16);
  if (*end == ':' && strchr(end + 1, ':'))
    part = strtoul(end + 1, &end, 16);
  for (int i = 0; *end == ':' && i < fake_environment.devices; i++)
    if (part == FIRST_BUS + (unsigned long)i) {
      *device = i;
      return CUDA_SUCCESS;
    }
  return fake_deny(CUDA_ERROR_INVALID_DEVICE, "no device is at %s", id);
}

bool fake_can_access_peer(CUdevice device, CUdevice peer) {
  return device != peer;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  FAKE_ENTER(cuDeviceCanAccessPeer, INIT);
  FAKE_REQUIRE(can, INVALID_VALUE, "cuDeviceCanAccessPeer: the place for the answer is NULL");
  FAKE_TRY(fake_check_device(device));
  FAKE_TRY(fake_check_device(peer));
  *can = fake_can_access_peer(device, peer);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice source,
                                 CUdevice destination) {
  FAKE_ENTER(cuDeviceGetP2PAttribute, INIT);
  FAKE_REQUIRE(value, INVALID_VALUE, "cuDeviceGetP2PAttribute: value is NULL");
  FAKE_TRY(fake_check_device(source));
  FAKE_TRY(fake_check_device(destination));
  FAKE_REQUIRE(source != destination, INVALID_DEVICE,
               "cuDeviceGetP2PAttribute: device %d has no link to itself", source);
  switch (attribute) {
  case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
    *value = 0;
    return CUDA_SUCCESS;
  case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
  case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
  case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
    *value = 1;
    return CUDA_SUCCESS;
  default:
    return fake_refuse(CUDA_ERROR_INVALID_VALUE, "cuDeviceGetP2PAttribute: no attribute is %d",
                       (int)attribute);
  }
}
