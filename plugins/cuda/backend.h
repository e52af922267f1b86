/*
 * The name, backend and extensions that the platform reports. Runtimes look at the backend, not at
 * the plugin's name. libsycl sets constants natively only on opencl and level_zero. It loads images
 * of format SPIR-V (PTX images may declare that format, see docs/internals/ptx.md) only if the
 * device reports COMPILER_AVAILABLE and the platform reports cl_khr_il_program or OpenCL 2.1.
 */
#ifndef CUDA_BACKEND_H
#define CUDA_BACKEND_H

#include <pi/pi.h>

/*
 * X(word, BACKEND, name, version, extensions): a value of SPECPI_CUDA_BACKEND, its backend's
 * number, and the platform's texts. version is a format for the driver's major and minor version.
 * The PI plugin's native handles are CUDA's whatever the backend.
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
  const char *extensions; /* the platform's; devices report them after their own */
} cuda_backend_entry;

/* Returns the entry of a word, or NULL if there is none. word may be NULL for the default, cuda. */
const cuda_backend_entry *cuda_backend_find(const char *word);

/*
 * Returns the entry that SPECPI_CUDA_BACKEND names, or cuda's if the value names none. The variable
 * is read once. If it is not set, a PI plugin reports cuda; a UR adapter reports cuda if
 * ONEAPI_DEVICE_SELECTOR names cuda, and level_zero otherwise.
 */
const cuda_backend_entry *cuda_backend_chosen(void);

/*
 * Returns whether the plugin leaves SPIR-V images to other plugins. It does so if the user chose
 * cuda by SPECPI_CUDA_BACKEND or, in an adapter, by ONEAPI_DEVICE_SELECTOR: libsycl and similar
 * runtimes load only PTX on cuda. libspecpi makes no use of it, as it looks at the plugin's file.
 */
bool cuda_backend_refuses_spirv(void);

/*
 * Warns once, and says what to set, if an adapter reports cuda because of ONEAPI_DEVICE_SELECTOR.
 * On cuda libsycl silently drops SPIR-V kernels, and later reports that they do not exist.
 */
void cuda_backend_warn(void);

/* Returns the value of SPECPI_CUDA_BACKEND if it names no backend; NULL otherwise. */
const char *cuda_backend_refused(void);

/* Writes the platform's version text; version is the driver's CUDA version, 12040 for 12.4. */
void cuda_backend_version(const cuda_backend_entry *entry, int version, char *text, size_t size);

#endif
