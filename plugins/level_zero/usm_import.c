/* Application memory that is imported into the driver. */
#include "../objects/driver.h"
#include "context.h"
#include "newer.h"

pi_result driver_usm_require_import(pi_context context) {
  const level_zero_extensions *extensions = &context->platform->driver.extensions;
  if (!extensions->ImportExternalPointer || !extensions->ReleaseImportedPointer)
    return LEVEL_ZERO_UNSUPPORTED(
        "the driver has no zexDriverImportExternalPointer, by which memory is imported");
  return PI_SUCCESS;
}

static ze_driver_handle_t driver_of(pi_context context) {
  return newer_handle(NEWER_HANDLE_DRIVER, context->platform->driver.driver);
}

pi_result driver_usm_import(pi_context context, void *pointer, size_t size) {
  return ze_result(
      context->platform->driver.extensions.ImportExternalPointer(driver_of(context), pointer, size),
      "zexDriverImportExternalPointer");
}

pi_result driver_usm_release(pi_context context, void *pointer) {
  return ze_result(
      context->platform->driver.extensions.ReleaseImportedPointer(driver_of(context), pointer),
      "zexDriverReleaseImportedPointer");
}
