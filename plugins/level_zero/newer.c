#include "newer.h"

/* Checks the layouts that the structures have in later headers; Level Zero is 64-bit only. */
_Static_assert(sizeof(newer_bindless_desc) == 24 && offsetof(newer_bindless_desc, flags) == 16, "");
_Static_assert(sizeof(newer_pitched_desc) == 24 && offsetof(newer_pitched_desc, pointer) == 16, "");
_Static_assert(sizeof(newer_pitched_properties) == 32, "");
_Static_assert(sizeof(newer_semaphore_desc) == 24 && sizeof(newer_semaphore_fd_desc) == 24, "");
_Static_assert(sizeof(newer_semaphore_params) == 24, "");

void *newer_handle(newer_handle_kind kind, void *handle) {
  void *own = NULL;
  if (!ze.lLoaderTranslateHandle ||
      ze.lLoaderTranslateHandle((int)kind, handle, &own) != ZE_RESULT_SUCCESS || !own)
    return handle;
  return own;
}
