/* Facts about devices of the fake Level Zero driver for its other files. */
#ifndef SPECPI_TEST_FAKE_ZE_DEVICE_H
#define SPECPI_TEST_FAKE_ZE_DEVICE_H

#include "fake.h"

/* Ticks of devices' clocks in a second; a tick is no whole number of nanoseconds. */
#define FAKE_TIMER UINT64_C(19200000)

uint64_t fake_ticks(uint64_t time);
/* Returns a device's clock at a time of fake_now: only its valid bits. */
uint64_t fake_timestamp(uint64_t time);
uint64_t fake_kernel_timestamp(uint64_t time);

/* Bytes of memory. */
uint64_t fake_device_memory(const fake_device *device);

/* A group of command queues, the same for all devices. */
typedef struct fake_group {
  ze_command_queue_group_property_flags_t flags;
  size_t pattern; /* the largest one to fill with */
  uint32_t queues;
} fake_group;

uint32_t fake_group_count(void);
/* NULL: there is none of this ordinal. */
const fake_group *fake_group_of(uint32_t ordinal);

/* Returns whether a device may access the memory of another one. */
bool fake_can_access_peer(const fake_device *device, const fake_device *peer);

#endif
