/* The part of specpi doctor about adapters of Unified Runtime. */
#ifndef SPECPI_DOCTOR_ADAPTERS_H
#define SPECPI_DOCTOR_ADAPTERS_H

#include <stdbool.h>

/*
 * Loads each adapter in the directories where specpi looks. Prints whether that works and which
 * environment variables keep runtimes from loading it, because runtimes skip adapters silently.
 * Calls doctor_print_runtimes at the end.
 */
void doctor_print_adapters(void);

/*
 * Prints each runtime that programs find through the environment: whether it loads plugins or
 * adapters, its release, and the file that it takes for each backend.
 */
void doctor_print_runtimes(void);

/* The name that NVIDIA's GPUs have in SYCL programs: "BACKEND:gpu" selects them. */
typedef struct doctor_sycl_name {
  const char *backend;
  const char *platform;
  bool takes_ptx_alone; /* takes kernels in PTX only, none in SPIR-V */
  bool needs_run;       /* programs find the adapter only if specpi run starts them */
} doctor_sycl_name;

/* Finds the name for this environment. Returns false without a CUDA adapter or a runtime. */
bool doctor_find_sycl_name(doctor_sycl_name *ret);

#endif
