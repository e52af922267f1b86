#define _POSIX_C_SOURCE 200809L /* openat */
#include "inspect.h"

#include "../plugins/base/write.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char *extension(specpi_image image) {
  char code[64];
  const char *ending;
  if (inspect_code(image, code, sizeof code, &ending))
    return ending;
  switch (specpiImageGetFormat(image)) {
  case PI_DEVICE_BINARY_TYPE_SPIRV:
    return "spv";
  case PI_DEVICE_BINARY_TYPE_LLVMIR_BITCODE:
    return "bc";
  default:
    return "bin";
  }
}

bool inspect_extract(int directory, const char *name, size_t index, specpi_image image) {
  char file_name[64];
  snprintf(file_name, sizeof file_name, "image-%04zu.%s", index, extension(image));
  /* O_EXCL, so that it overwrites neither a file nor the target of a link. */
  const int file = openat(directory, file_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) {
    tool_error("%s/%s: %s", name, file_name, strerror(errno));
    return false;
  }
  size_t size;
  const void *bytes = specpiImageGetBytes(image, &size);
  bool written = write_all(file, bytes, size);
  int reason = errno;
  if (close(file) != 0 && written) {
    written = false;
    reason = errno;
  }
  if (!written) {
    unlinkat(directory, file_name, 0);
    tool_error("%s/%s: %s", name, file_name, strerror(reason));
  }
  return written;
}
