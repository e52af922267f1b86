/*
 * The files after a plugin: the library that it uses, and each driver that is named to it. All are
 * true when they have said what to do about one of them, and print nothing when this process has no
 * such library.
 */
#ifndef SPECPI_DRIVERS_H
#define SPECPI_DRIVERS_H

#include <stdbool.h>

/*
 * Prints where libOpenCL.so.1 was loaded from, and each driver that OCL_ICD_FILENAMES,
 * OCL_ICD_VENDORS or /etc/OpenCL/vendors names, with the reason when it cannot be used: loaders
 * pass over such a driver without a word. Loads the drivers. is_idle: none of them has a device.
 */
bool drivers_print_opencl(bool is_idle);

/*
 * Prints where libze_loader.so.1 was loaded from, and its drivers: those that ZE_ENABLE_ALT_DRIVERS
 * names, or else those of the loader's own list that are loaded. Loads none: a driver may end the
 * process.
 */
bool drivers_print_level_zero(bool is_idle);

/* Prints where libcuda.so.1 was loaded from. */
bool drivers_print_cuda(bool is_idle);

#endif
