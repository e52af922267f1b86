/*
 * Prints the files that a plugin depends on: the loader, and the drivers that the environment
 * names. The functions return whether they printed advice about one of these files. They print
 * nothing if this process has not loaded the loader.
 */
#ifndef SPECPI_DRIVERS_H
#define SPECPI_DRIVERS_H

#include <stdbool.h>

/*
 * Prints where libOpenCL.so.1 was loaded from, and each driver that OCL_ICD_FILENAMES,
 * OCL_ICD_VENDORS or /etc/OpenCL/vendors names. Loads the drivers, and prints the reason if one
 * cannot be used, because loaders skip it silently. is_idle: none of them has a device.
 */
bool drivers_print_opencl(bool is_idle);

/*
 * Prints where libze_loader.so.1 was loaded from, and its drivers: the ones in
 * ZE_ENABLE_ALT_DRIVERS if it is set, else the ones of the loader's own list that are loaded. Loads
 * no driver, because a driver may end the process.
 */
bool drivers_print_level_zero(bool is_idle);

/* Prints where libcuda.so.1 was loaded from. */
bool drivers_print_cuda(bool is_idle);

#endif
