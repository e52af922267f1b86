/* Finds the libraries that know a device image's structure, and the backends that run its code. */
#include "inspect.h"

#include <string.h>

/*
 * The version of the image structure that each library reads (docs/internals/compiler.md). It is
 * unknown which libraries read version 1.
 */
static const struct {
  unsigned version;
  const char *name;
} libraries[] = {
    {2, "libsycl.so.7 (PI)"},
    {2, "libsycl.so.8 (UR)"},
    {3, "libsycl.so.9 (UR)"},
    {2, "libspecpi"},
};

/* The backends whose plugins select images of each target. */
static const struct {
  const char *target;
  const char *backends[4];
} targets[] = {
    {PI_DEVICE_BINARY_TARGET_SPIRV64, {"opencl", "level_zero", "cuda (by specpi-codegen)"}},
    {PI_DEVICE_BINARY_TARGET_SPIRV64_X86_64, {"opencl"}},
    {PI_DEVICE_BINARY_TARGET_SPIRV64_GEN, {"opencl", "level_zero"}},
    {PI_DEVICE_BINARY_TARGET_SPIRV64_FPGA, {"opencl"}},
    {PI_DEVICE_BINARY_TARGET_NVPTX64, {"cuda"}},
};

void inspect_runtimes(unsigned versions, void (*visit)(void *context, const char *name),
                      void *context) {
  for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
    if (versions >> libraries[i].version & 1)
      visit(context, libraries[i].name);
}

void inspect_backends(specpi_image image, void (*visit)(void *context, const char *name),
                      void *context) {
  char code[64];
  const char *ending;
  /* PTX and cubins are for CUDA, even if the image's target names SPIR-V. */
  if (inspect_code(image, code, sizeof code, &ending)) {
    visit(context, "cuda");
    return;
  }
  for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
    for (const char *const *name = targets[i].backends;
         *name && strcmp(specpiImageGetTarget(image), targets[i].target) == 0; name++)
      visit(context, *name);
}
