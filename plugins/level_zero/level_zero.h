/*
 * Declarations shared by the files of the Level Zero plugin.
 *
 * Every PI handle of this plugin is an object of its own with a count of references
 * (../objects/handle.h), and has its structure in <object>.h. An object holds references to the
 * objects that it needs: a queue to its context, a kernel to its program, an event to its context.
 * Level Zero counts no references, so a handle of the driver is destroyed with the object around
 * it.
 */
#ifndef LEVEL_ZERO_LEVEL_ZERO_H
#define LEVEL_ZERO_LEVEL_ZERO_H

#include "driver.h"

#include "../base/error.h"
#include "../base/info.h"
#include "../base/level_zero_results.h"
#include "../objects/handle.h"

/* The slow path of ze_result: records "<call> failed: <name> (<code>)" and maps the code to PI. */
pi_result ze_error(ze_result_t code, const char *call) __attribute__((cold));

/* Returns the PI result of a driver call. call is the function's name in Level Zero. */
static inline pi_result ze_result(ze_result_t code, const char *call) {
  if (__builtin_expect(code == ZE_RESULT_SUCCESS, 1))
    return PI_SUCCESS;
  const pi_result error = ze_error(code, call);
  /* Shows compilers that TRY goes on only after a successful call, which has set its outputs. */
  if (error == PI_SUCCESS)
    __builtin_unreachable();
  return error;
}

/* ZE_CALL calls zeNAME and gives the PI result. ZE_TRY also returns from the calling function if
 * the call failed. */
#define ZE_CALL(name, ...) ze_result(ze.name(__VA_ARGS__), "ze" #name)
#define ZE_TRY(name, ...) TRY(ZE_CALL(name, __VA_ARGS__))

/*
 * Returns PI_ERROR_UNSUPPORTED_FEATURE with a message, for functions that Level Zero, the loader,
 * the driver or the device does not support.
 */
#define LEVEL_ZERO_UNSUPPORTED(...) plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, __VA_ARGS__)

#endif
