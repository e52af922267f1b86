/* The members that the null driver adds to the objects of ../objects; see ../objects/driver.h. */
#ifndef NULL_DRIVER_PARTS_H
#define NULL_DRIVER_PARTS_H

#include "../checks/launch.h"

#include <pi/pi.h>

#include <stdbool.h>

/* Number and limits of the devices, whose memory is the process's. */
enum {
  NULL_DEVICES = 2,
  NULL_MAX_GROUP = 1024,
  NULL_MAX_GROUPS = 65536,
  NULL_LOCAL_MEMORY = 65536,
};
#define NULL_MAX_ALLOCATION ((pi_uint64)1 << 32)

/* Declares the driver's part of an object for which this driver keeps no data. */
#define NULL_NOTHING(part)                                                                         \
  struct part {                                                                                    \
    char nothing;                                                                                  \
  }
NULL_NOTHING(driver_platform);
NULL_NOTHING(driver_device);
NULL_NOTHING(driver_context);
NULL_NOTHING(driver_queue);
NULL_NOTHING(driver_memory);
NULL_NOTHING(driver_sampler);

/* The backend that the platform reports. PI has no backend for other drivers. */
enum { DRIVER_BACKEND = PI_EXT_PLATFORM_BACKEND_NATIVE_CPU };

enum { DRIVER_FILLS_2D = true, DRIVER_KEEPS_ARGUMENTS = true, DRIVER_UPDATES_LAUNCHES = true };
enum { DRIVER_MOVES_IMAGES = false };

struct driver_event {
  unsigned users; /* number of pending commands that wait for the event or complete it */
  bool is_left;   /* the application has released its last reference */
  pi_uint64 start, end;
};

struct driver_command_buffer {
  struct null_step *steps; /* of all commands in recording order, which respects sync points */
};

/* The result of piProgramCompile, for a link: code whose defaults are the constants' values. */
struct driver_compilation {
  struct spirv_code *code;
};
struct driver_build {
  struct spirv_code **codes;
  pi_uint32 count;
};

struct driver_kernel {
  kernel_limits limits;
};

/* A command between sink_begin and sink_end. */
struct driver_command {
  struct null_command *made;
};

#endif
