/* Programs, kernels, events. */
#include "scenarios.h"

CALL(piProgramCreate) {
  return piProgramCreate(w->context, backend_code(), backend_code_size(), &w->out.program);
}

CALL(piProgramCreateWithBinary) {
  const unsigned char *binary = w->binary;
  return piProgramCreateWithBinary(w->context, 1, &w->device, &w->binary_size, &binary, 0, NULL,
                                   &w->out.status, &w->out.program);
}

CALL(piProgramCompile) {
  return piProgramCompile(w->compiled, 1, &w->device, "", 0, NULL, NULL, NULL, NULL);
}

/* The third build of this program. In OpenCL it needs a new cl_program. */
CALL(piProgramBuild) {
  return piProgramBuild(w->rebuilt, 1, &w->device, "", NULL, NULL);
}

CALL(piProgramLink) {
  return piProgramLink(w->context, 1, &w->device, "", 1, &w->compiled, NULL, NULL, &w->out.program);
}

CALL(piProgramRetain) {
  const pi_result result = piProgramRetain(w->rebuilt);
  if (result == PI_SUCCESS)
    w->out.program = w->rebuilt;
  return result;
}

CALL(piProgramRelease) {
  const pi_result result = piProgramRelease(w->spare.program);
  if (result == PI_SUCCESS)
    w->spare.program = NULL;
  return result;
}

CALL(piextProgramSetSpecializationConstant) {
  const pi_uint32 value = WORLD_CONSTANT + 1;
  return piextProgramSetSpecializationConstant(w->program, 0, sizeof value, &value);
}

/* In OpenCL a program that was never built is only its cl_program. */
static pi_program with_native(world *w) {
  return backend.native_unbuilt_programs ? w->program : w->rebuilt;
}

CALL(piextProgramGetNativeHandle) {
  return piextProgramGetNativeHandle(with_native(w), &w->out.native);
}

CALL(piextProgramCreateWithNativeHandle) {
  pi_native_handle native;
  pi_result result = piextProgramGetNativeHandle(with_native(w), &native);
  if (result == PI_SUCCESS)
    result = piextProgramCreateWithNativeHandle(native, w->context, false, &w->out.program);
  return result;
}

CALL(piKernelCreate) {
  return piKernelCreate(w->rebuilt, "probe", &w->out.kernel);
}

CALL(piKernelSetArg) {
  const pi_uint32 six = 6;
  return piKernelSetArg(w->kernel, 1, sizeof six, &six);
}

CALL(piKernelRetain) {
  const pi_result result = piKernelRetain(w->kernel);
  if (result == PI_SUCCESS)
    w->out.kernel = w->kernel;
  return result;
}

CALL(piKernelRelease) {
  const pi_result result = piKernelRelease(w->spare.kernel);
  if (result == PI_SUCCESS)
    w->spare.kernel = NULL;
  return result;
}

CALL(piextKernelSetArgPointer) {
  return piextKernelSetArgPointer(w->kernel, 0, sizeof w->usm, &w->usm);
}

CALL(piKernelSetExecInfo) {
  const pi_bool yes = PI_TRUE;
  return piKernelSetExecInfo(w->kernel, PI_USM_INDIRECT_ACCESS, sizeof yes, &yes);
}

CALL(piextKernelCreateWithNativeHandle) {
  return piextKernelCreateWithNativeHandle(w->native.kernel, w->context, w->rebuilt, false,
                                           &w->out.kernel);
}

CALL(piextKernelGetNativeHandle) {
  return piextKernelGetNativeHandle(w->kernel, &w->out.native);
}

CALL(piextKernelSuggestMaxCooperativeGroupCount) {
  return piextKernelSuggestMaxCooperativeGroupCount(w->kernel, 64, 0, &w->out.count);
}

CALL(piextKernelSetArgMemObj) {
  const pi_mem_obj_property access = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL, PI_ACCESS_READ_WRITE};
  return piextKernelSetArgMemObj(w->kernel, 0, &access, &w->mapped);
}

CALL(piextKernelSetArgSampler) {
  return piextKernelSetArgSampler(w->other, 3, &w->sampler);
}

CALL(piEventCreate) {
  return piEventCreate(w->context, &w->out.event);
}

CALL(piEventsWait) {
  const pi_result result = piEventsWait(1, &w->event);
  if (result != PI_SUCCESS)
    world_change_event(w);
  return result;
}

static void do_nothing(pi_event event, pi_int32 status, void *user_data) {
  (void)event;
  (void)status;
  (void)user_data;
}

CALL(piEventSetCallback) {
  return piEventSetCallback(w->event, PI_EVENT_COMPLETE, do_nothing, NULL);
}

CALL(piEventSetStatus) {
  return piEventSetStatus(w->spare.user_event, PI_EVENT_COMPLETE);
}

CALL(piEventRetain) {
  const pi_result result = piEventRetain(w->event);
  if (result == PI_SUCCESS)
    w->out.event = w->event;
  return result;
}

CALL(piEventRelease) {
  const pi_result result = piEventRelease(w->spare.event);
  if (result == PI_SUCCESS)
    w->spare.event = NULL;
  return result;
}

CALL(piextEventGetNativeHandle) {
  return piextEventGetNativeHandle(w->event, &w->out.native);
}

CALL(piextEventCreateWithNativeHandle) {
  return piextEventCreateWithNativeHandle(w->native.event, w->context, false, &w->out.event);
}
