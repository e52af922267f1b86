/*
 * The tables of the fake Level Zero driver. Names of their own: a program that links
 * libfake_ze.so to control the driver must not hide the functions of the same names that the real
 * loader has for itself.
 */
#ifndef SPECPI_TEST_FAKE_ZE_ENTRY_H
#define SPECPI_TEST_FAKE_ZE_ENTRY_H

#include "fake.h"

#include <level_zero/ze_ddi.h>

/* ZE_RESULT_ERROR_INVALID_NULL_POINTER, or ZE_RESULT_ERROR_UNSUPPORTED_VERSION: not 1.x. */
#define FAKE_TABLE(Table, type, LIST)                                                              \
  ze_result_t fake_ze_get_##Table(ze_api_version_t version, ze_##type##_dditable_t *table);
FAKE_TABLES(FAKE_TABLE)
#undef FAKE_TABLE

#endif
