/*
 * The platform's facts about itself. Runtimes go by the backend that a platform reports, not by the
 * plugin's name. libsycl sets constants natively only on opencl and level_zero. It takes images of
 * format SPIR-V (PTX may go by that name, see docs/internals/ptx.md) only with COMPILER_AVAILABLE
 * and, except on OpenCL 2.1 or later, with cl_khr_il_program.
 */
#ifndef CUDA_BACKEND_H
#define CUDA_BACKEND_H

#include <pi/pi.h>

/*
 * X(word, BACKEND, name, version, extensions): a value of SPECPI_CUDA_BACKEND, the number that goes
 * with it, and the platform's texts. version is a format with the driver's major and minor number.
 * Native handles are CUDA's with each of them.
 *
 * libsycl drops a platform of backend opencl whose name contains "NVIDIA CUDA", so the name differs
 * there.
 */
#define CUDA_BACKENDS(X)                                                                           \
  X("cuda", CUDA, "NVIDIA CUDA BACKEND", "CUDA %d.%d", "")                                         \
  X("opencl", OPENCL, "CUDA by specpi", "OpenCL 3.0 CUDA %d.%d", "cl_khr_il_program")              \
  X("level_zero", LEVEL_ZERO, "CUDA by specpi", "1.3 CUDA %d.%d", "cl_khr_il_program")

typedef struct cuda_backend_entry {
  const char *word;
  pi_platform_backend backend;
  const char *name;
  const char *extensions; /* of the platform, and of each device on top of its own */
} cuda_backend_entry;

/* The entry with this word; NULL when there is none. word may be NULL: the default, cuda. */
const cuda_backend_entry *cuda_backend_find(const char *word);

/*
 * The entry that SPECPI_CUDA_BACKEND names, read once; the default when it names none. Without the
 * variable an adapter of Unified Runtime reports level_zero, or cuda where ONEAPI_DEVICE_SELECTOR
 * names it.
 */
const cuda_backend_entry *cuda_backend_chosen(void);

/*
 * Returns whether the plugin leaves SPIR-V images to other plugins: SPECPI_CUDA_BACKEND, or the
 * selector of an adapter, names cuda for a runtime that takes only PTX there, as libsycl does.
 * libspecpi goes by the file.
 */
bool cuda_backend_refuses_spirv(void);

/*
 * Warns once where an adapter reports cuda because ONEAPI_DEVICE_SELECTOR names it, and says what
 * to set: libsycl silently drops kernels in SPIR-V there, and then finds none of their name.
 */
void cuda_backend_warn(void);

/* The value of SPECPI_CUDA_BACKEND when it names no backend; NULL when all is well. */
const char *cuda_backend_refused(void);

/* The version text of the platform with a driver of CUDA version (12040 for 12.4). */
void cuda_backend_version(const cuda_backend_entry *entry, int version, char *text, size_t size);

#endif
