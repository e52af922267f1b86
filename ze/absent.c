/*
 * Entries of Level Zero that are not implemented. They exist so that libraries that refer to them
 * can be loaded. Each one fails with a message. None declares arguments, because it ignores them.
 */
#include "../plugins/base/error.h"

enum { UNSUPPORTED_FEATURE = 0x78000003 };

static int refuse(const char *name) {
  plugin_error(
      PI_ERROR_UNSUPPORTED_FEATURE,
      "%s: Level Zero's interface on NVIDIA has devices, modules, kernels, memory, events, "
      "command lists and queues, and not this function",
      name);
  return UNSUPPORTED_FEATURE;
}

#define ZE_ABSENT(name)                                                                            \
  __attribute__((visibility("default"))) int name(void);                                           \
  int name(void) { return refuse(#name); }
#include "absent.def"
