/*
 * Stands for a libsycl: FAKE_MARKS is what specpi run looks for in one. It can say from which
 * file it runs.
 */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stddef.h>

const char *fake_runtime_file(void);

/* Kept by its visibility, so that the bytes are in the file. */
extern const char fake_runtime_marks[];
const char fake_runtime_marks[] = FAKE_MARKS;

const char *fake_runtime_file(void) {
  Dl_info info;
  return dladdr(fake_runtime_marks, &info) ? info.dli_fname : "";
}
