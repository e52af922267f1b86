/* Build logs of the fake Level Zero driver. */
#include "module.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void fake_text_add(fake_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length > 0) {
    text->text = fake_grow(text->text, text->length + (size_t)length + 1);
    vsnprintf(text->text + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void fake_text_end(fake_text *text) {
  free(text->text);
  *text = (fake_text){0};
}

void fake_log_give(fake_context *context, fake_text *text, ze_module_build_log_handle_t *ret) {
  if (!ret) {
    fake_text_end(text);
    return;
  }
  fake_log *log = fake_new(FAKE_BUILD_LOG, sizeof *log, context, false);
  log->text = *text;
  *text = (fake_text){0};
  *ret = FAKE_HANDLE(ze_module_build_log_handle_t, log);
}

ze_result_t zeModuleBuildLogDestroy(ze_module_build_log_handle_t handle) {
  FAKE_ENTER_ALONE(zeModuleBuildLogDestroy, handle);
  FAKE_FIND(fake_log, log, handle, BUILD_LOG);
  fake_text_end(&log->text);
  fake_delete(log);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleBuildLogGetString(ze_module_build_log_handle_t handle, size_t *size,
                                      char *string) {
  FAKE_ENTER(zeModuleBuildLogGetString);
  FAKE_FIND(fake_log, log, handle, BUILD_LOG);
  FAKE_REQUIRE(size, INVALID_NULL_POINTER, "zeModuleBuildLogGetString: size is NULL");
  const size_t whole = log->text.length + 1;
  if (string) {
    FAKE_REQUIRE(*size >= whole, INVALID_SIZE,
                 "zeModuleBuildLogGetString: space for %zu bytes, and the log has %zu", *size,
                 whole);
    memcpy(string, log->text.text ? log->text.text : "", whole);
  }
  *size = whole;
  return ZE_RESULT_SUCCESS;
}
