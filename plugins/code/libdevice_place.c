#define _GNU_SOURCE /* secure_getenv, because specpi-cc does not link base/os.c */
#include "libdevice_place.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

const char *libdevice_place(void) {
  static const char *const places[] = {"/usr/local/cuda/nvvm/libdevice/libdevice.10.bc",
                                       "/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc"};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    if (access(places[i], R_OK) == 0)
      return places[i];
  return "";
}

const char *libdevice_choice(const char **variable) {
  const char *chosen = secure_getenv("SPECPI_LIBDEVICE");
  if (variable)
    *variable = chosen;
  return chosen && (chosen[0] == '\0' || chosen[0] == '/') ? chosen : libdevice_place();
}
