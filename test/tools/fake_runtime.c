/*
 * Stands for a libsycl. specpi run looks for the bytes of FAKE_MARKS in the file.
 * fake_runtime_file() returns the path of the loaded file.
 */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stddef.h>

const char *fake_runtime_file(void);

/* Exported, so that the bytes are in the file. */
extern const char fake_runtime_marks[];
const char fake_runtime_marks[] = FAKE_MARKS;

const char *fake_runtime_file(void) {
  Dl_info info;
  return dladdr(fake_runtime_marks, &info) ? info.dli_fname : "";
}
