/* UR's entries for the adapter. The process has one. */
#include "adapter.h"

#include "handles.h"
#include "logger.h"
#include "reply.h"
#include "table.h"

#include "../plugins/objects/driver.h"

/* The adapter lives as long as the process, even when nobody has a reference. */
static object_head adapter = {.face = table_record, .kind = OBJECT_ADAPTER};

/*
 * The answer to UR_ADAPTER_INFO_VERSION. An incompatible version of the adapter has another number.
 */
enum { ADAPTER_VERSION = 1 };

ur_adapter_handle_t adapter_handle(void) {
  return (ur_adapter_handle_t)(void *)&adapter;
}

ur_result_t urAdapterGet(uint32_t NumEntries, ur_adapter_handle_t *phAdapters,
                         uint32_t *pNumAdapters) {
  UR_REQUIRE(phAdapters || pNumAdapters, UR_RESULT_ERROR_INVALID_NULL_POINTER,
             "phAdapters and pNumAdapters are NULL");
  UR_REQUIRE(!phAdapters || NumEntries, UR_RESULT_ERROR_INVALID_SIZE,
             "NumEntries is 0 and phAdapters is not NULL");
  UR_REQUIRE(table_release() != UR_RELEASE_COUNT, UR_RESULT_ERROR_UNSUPPORTED_VERSION,
             "the layout of the runtime's tables is not known");
  if (phAdapters) {
    /* The runtime may pass native handles before it asks for platforms. */
    driver_load();
    object_retain(&adapter);
    phAdapters[0] = adapter_handle();
  }
  if (pNumAdapters)
    *pNumAdapters = 1;
  return UR_RESULT_SUCCESS;
}

ur_result_t urAdapterRetain(ur_adapter_handle_t hAdapter) {
  UR_REQUIRE_ADAPTER(hAdapter);
  object_retain(&adapter);
  return UR_RESULT_SUCCESS;
}

ur_result_t urAdapterRelease(ur_adapter_handle_t hAdapter) {
  UR_REQUIRE_ADAPTER(hAdapter);
  unsigned references = atomic_load_explicit(&adapter.references, memory_order_relaxed);
  do
    UR_REQUIRE(references, UR_RESULT_ERROR_INVALID_ARGUMENT, "hAdapter has no reference left");
  while (!atomic_compare_exchange_weak_explicit(&adapter.references, &references, references - 1,
                                                memory_order_acq_rel, memory_order_relaxed));
  /* The runtime whose function receives messages may be unloaded now. */
  if (references == 1)
    logger_set(NULL, NULL, UR_LOGGER_LEVEL_QUIET);
  return UR_RESULT_SUCCESS;
}

ur_result_t urAdapterGetLastError(ur_adapter_handle_t hAdapter, const char **ppMessage,
                                  int32_t *pError) {
  UR_REQUIRE_ADAPTER(hAdapter);
  UR_REQUIRE_POINTER(ppMessage);
  UR_REQUIRE_POINTER(pError);
  *pError = plugin_error_last(ppMessage);
  return UR_RESULT_SUCCESS;
}

ur_result_t urAdapterGetInfo(ur_adapter_handle_t hAdapter, ur_adapter_info_t propName,
                             size_t propSize, void *pPropValue, size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  UR_REQUIRE_ADAPTER(hAdapter);
  UR_PASS(reply_check(&answer));
  switch (propName) {
  case UR_ADAPTER_INFO_BACKEND:
    return reply_uint32(&answer, driver_backend());
  case UR_ADAPTER_INFO_REFERENCE_COUNT:
    return reply_uint32(&answer, object_references(&adapter));
  case UR_ADAPTER_INFO_VERSION:
    return reply_uint32(&answer, ADAPTER_VERSION);
  }
  return reply_unknown("ur_adapter_info_t", propName);
}

static ur_result_t check_level(ur_logger_level_t level) {
  UR_REQUIRE((unsigned)level <= UR_LOGGER_LEVEL_QUIET, UR_RESULT_ERROR_INVALID_ENUMERATION,
             "level is %u, the last one is %u", (unsigned)level, (unsigned)UR_LOGGER_LEVEL_QUIET);
  return UR_RESULT_SUCCESS;
}

ur_result_t urAdapterSetLoggerCallback(ur_adapter_handle_t hAdapter,
                                       ur_logger_callback_t pfnLoggerCallback, void *pUserData,
                                       ur_logger_level_t level) {
  UR_REQUIRE_ADAPTER(hAdapter);
  UR_REQUIRE_POINTER(pfnLoggerCallback);
  UR_PASS(check_level(level));
  logger_set(pfnLoggerCallback, pUserData, level);
  return UR_RESULT_SUCCESS;
}

ur_result_t urAdapterSetLoggerCallbackLevel(ur_adapter_handle_t hAdapter, ur_logger_level_t level) {
  UR_REQUIRE_ADAPTER(hAdapter);
  UR_PASS(check_level(level));
  logger_set_level(level);
  return UR_RESULT_SUCCESS;
}
