/*
 * Memory of the application that the driver is told of, so that copies need no other memory on
 * their way. It is no USM for all that: what a pointer into it is, piextUSMGetMemAllocInfo answers
 * as the driver does.
 */
#include "../objects/registry.h"
#include "checks.h"
#include "newer.h"
#include "usm.h"

#include "../objects/driver.h"
#include "../objects/usm_arguments.h"

#include <stdlib.h>

static pi_result require_import(pi_context context) {
  const level_zero_extensions *extensions = &context->platform->driver.extensions;
  if (!extensions->ImportExternalPointer || !extensions->ReleaseImportedPointer)
    return LEVEL_ZERO_UNSUPPORTED(
        "the driver has no zexDriverImportExternalPointer, by which memory is imported");
  return PI_SUCCESS;
}

static ze_driver_handle_t driver_of(pi_context context) {
  return newer_handle(NEWER_HANDLE_DRIVER, context->platform->driver.driver);
}

/* The driver takes no const pointer; it does not write. */
static void *without_const(const void *pointer) {
  union {
    const void *from;
    void *to;
  } both = {pointer};
  return both.to;
}

pi_result piextUSMImport(const void *ptr, size_t size, pi_context context) {
  REQUIRE_POINTER(ptr);
  REQUIRE_CONTEXT(context);
  PI_REQUIRE(size != 0, PI_ERROR_INVALID_VALUE, "size is 0");
  PI_TRY(pi_check_bytes("ptr", ptr, size));
  PI_TRY(require_import(context));
  usm_range range;
  PI_TRY(driver_usm_describe(context, ptr, &range));
  PI_REQUIRE(range.type == PI_MEM_TYPE_UNKNOWN, PI_ERROR_INVALID_VALUE, "ptr is a USM allocation");
  registry_entry *entry;
  PI_TRY(registry_new(REGISTRY_IMPORT, (uintptr_t)ptr, context, sizeof *entry, &entry));
  /* Listed first, so that of two threads which import the same one is refused here. */
  if (!registry_add(entry)) {
    registry_free(entry);
    return pi_error(PI_ERROR_INVALID_VALUE, "ptr is imported already");
  }
  const pi_result result = ze_result(context->platform->driver.extensions.ImportExternalPointer(
                                         driver_of(context), without_const(ptr), size),
                                     "zexDriverImportExternalPointer");
  if (result != PI_SUCCESS) {
    registry_take(REGISTRY_IMPORT, (uintptr_t)ptr, context);
    registry_free(entry);
  }
  return result;
}

pi_result piextUSMRelease(const void *ptr, pi_context context) {
  REQUIRE_POINTER(ptr);
  REQUIRE_CONTEXT(context);
  PI_TRY(require_import(context));
  registry_entry *entry = registry_take(REGISTRY_IMPORT, (uintptr_t)ptr, context);
  PI_REQUIRE(entry, PI_ERROR_INVALID_VALUE, "ptr is not what piextUSMImport took in this context");
  const pi_result result = ze_result(context->platform->driver.extensions.ReleaseImportedPointer(
                                         driver_of(context), without_const(ptr)),
                                     "zexDriverReleaseImportedPointer");
  return registry_end(entry, result);
}
