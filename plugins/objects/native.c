#include "native.h"

#include "../base/error.h"

#include <pthread.h>

static atomic_bool has_entries;

__attribute__((weak)) bool native_find_entries(void) {
  return false;
}

__attribute__((weak)) pi_result native_find_event(pi_native_handle native, bool is_owned,
                                                  pi_event *ret) {
  (void)native;
  (void)is_owned;
  *ret = NULL;
  return PI_SUCCESS;
}

void native_open(void) {
  const bool is_level_zero = driver_backend() == PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO;
  atomic_store_explicit(&has_entries, is_level_zero && native_find_entries(), memory_order_relaxed);
}

/* The interface whose objects applications expect from the backend that the platforms report. */
static const char *promised(void) {
  return driver_backend() == PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO ? "Level Zero" : "OpenCL";
}

pi_result native_refuse(const char *noun) {
  return plugin_error(PI_ERROR_UNSUPPORTED_FEATURE,
                      "a %s of %s, whose platform goes by the name of %s, has no handle that "
                      "functions of %s could take",
                      noun, driver_name, promised(), promised());
}

/* Prints the remedy, because runtimes show the application only the error's code. */
static void say_what_helps(void) {
  plugin_say("a library asks for objects of Level Zero, and the process has another "
             "libze_loader.so.1 than specpi's: start the program with specpi run");
}

static pi_result refuse_entries(const char *noun) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, say_what_helps);
  return plugin_error(PI_ERROR_UNSUPPORTED_FEATURE,
                      "a %s of %s, whose platform goes by the name of %s, has a handle only where "
                      "specpi's libze_loader.so.1 is the first of this name that the process "
                      "opens: start the program with specpi run",
                      noun, driver_name, promised());
}

pi_result native_check(const char *noun) {
  if (atomic_load_explicit(&has_entries, memory_order_relaxed))
    return PI_SUCCESS;
  return driver_backend() == PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO ? refuse_entries(noun)
                                                                : native_refuse(noun);
}

pi_result native_of_object(const char *noun, registry_link *link, object_head *object,
                           pi_native_handle *ret) {
  TRY(native_check(noun));
  registry_note(link, (pi_native_handle)object, object);
  *ret = (pi_native_handle)object;
  return PI_SUCCESS;
}

pi_result native_find(object_kind kind, const char *noun, pi_native_handle native, bool is_owned,
                      object_head **ret) {
  object_head *const found = registry_find(kind, native, is_owned);
  if (!found && native_is_foreign()) {
    TRY(native_check(noun));
    return plugin_error(PI_ERROR_INVALID_VALUE, "native_handle 0x%zx is no live %s of %s",
                        (size_t)native, noun, driver_name);
  }
  *ret = found;
  return PI_SUCCESS;
}
