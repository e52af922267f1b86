/* Properties of the fake Level Zero driver's devices. */
#ifndef SPECPI_TEST_FAKE_ZE_DEVICE_H
#define SPECPI_TEST_FAKE_ZE_DEVICE_H

#include "fake.h"

/* Ticks per second of devices' clocks. A tick is not a whole number of nanoseconds. */
#define FAKE_TIMER UINT64_C(19200000)

uint64_t fake_ticks(uint64_t time);
/* Returns a device's clock at a time of fake_now, cut to its valid bits. */
uint64_t fake_timestamp(uint64_t time);
uint64_t fake_kernel_timestamp(uint64_t time);

/* Returns the size of a device's memory in bytes. */
uint64_t fake_device_memory(const fake_device *device);

/* A command queue group. All devices have the same groups. */
typedef struct fake_group {
  ze_command_queue_group_property_flags_t flags;
  size_t pattern; /* maximum size of a fill pattern */
  uint32_t queues;
} fake_group;

uint32_t fake_group_count(void);
/* Returns the group with this ordinal; NULL if there is none. */
const fake_group *fake_group_of(uint32_t ordinal);

/* Returns whether a device may access the memory of another one. */
bool fake_can_access_peer(const fake_device *device, const fake_device *peer);

#endif
