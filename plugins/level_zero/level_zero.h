/*
 * Declarations shared by the files of the Level Zero plugin.
 *
 * Every PI handle of this plugin is an object of its own with a count of references
 * (../objects/handle.h); each has its structure in <object>.h. Objects hold references to those
 * that they need: a queue to its context, a kernel to its program, an event to its context. Level
 * Zero counts no references; the objects around its handles make releasing safe.
 */
#ifndef LEVEL_ZERO_LEVEL_ZERO_H
#define LEVEL_ZERO_LEVEL_ZERO_H

#include "driver.h"

#include "../base/error.h"
#include "../base/info.h"
#include "../base/level_zero_results.h"
#include "../objects/handle.h"

/* The slow path of ze_result: records "<call> failed: <name> (<code>)", and maps the code. */
pi_result ze_error(ze_result_t code, const char *call) __attribute__((cold));

/* The PI result of a driver call; call is the function's name in Level Zero. */
static inline pi_result ze_result(ze_result_t code, const char *call) {
  if (__builtin_expect(code == ZE_RESULT_SUCCESS, 1))
    return PI_SUCCESS;
  const pi_result error = ze_error(code, call);
  /* Lets compilers see that what a driver call fills in is there when TRY goes on. */
  if (error == PI_SUCCESS)
    __builtin_unreachable();
  return error;
}

/* Calls zeNAME: the PI result, or a return from the calling function with it if that failed. */
#define ZE_CALL(name, ...) ze_result(ze.name(__VA_ARGS__), "ze" #name)
#define ZE_TRY(name, ...) TRY(ZE_CALL(name, __VA_ARGS__))

/*
 * The failure of an entry which Level Zero, or this loader, driver or device, has nothing for:
 * PI_ERROR_UNSUPPORTED_FEATURE with the reason.
 */
#define LEVEL_ZERO_UNSUPPORTED(...) plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, __VA_ARGS__)

#endif
