/*
 * The tables of the fake Level Zero driver. They have names of their own, because a program that
 * links to libfake_ze.so must not replace the real loader's functions.
 */
#ifndef SPECPI_TEST_FAKE_ZE_ENTRY_H
#define SPECPI_TEST_FAKE_ZE_ENTRY_H

#include "fake.h"

#include <level_zero/ze_ddi.h>

/* Fill in a table. Fail with INVALID_NULL_POINTER, or with UNSUPPORTED_VERSION if not 1.x. */
#define FAKE_TABLE(Table, type, LIST)                                                              \
  ze_result_t fake_ze_get_##Table(ze_api_version_t version, ze_##type##_dditable_t *table);
FAKE_TABLES(FAKE_TABLE)
#undef FAKE_TABLE

#endif
