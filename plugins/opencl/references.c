/* Operations that are the same for handles of every kind, which are the driver's own objects. */
#include "checks.h"

/* X(Handle, handle, HANDLE, Object): handles whose references the driver counts as they are. */
#define COUNTED_HANDLES(X)                                                                         \
  /* OpenCL counts the references of sub-devices only; a root device has none. */                  \
  X(Device, device, DEVICE, Device)                                                                \
  X(Event, event, EVENT, Event)                                                                    \
  X(Kernel, kernel, KERNEL, Kernel)                                                                \
  X(Mem, mem, MEM, MemObject)                                                                      \
  X(Queue, queue, QUEUE, CommandQueue)                                                             \
  X(Sampler, sampler, SAMPLER, Sampler)

#define RETAIN(Handle, handle, HANDLE, Object)                                                     \
  pi_result pi##Handle##Retain(pi_##handle handle) {                                               \
    REQUIRE_##HANDLE(handle);                                                                      \
    return CL_CALL(Retain##Object, cl_from_##handle(handle));                                      \
  }
COUNTED_HANDLES(RETAIN)
/* A context's release does more, see context.c. */
RETAIN(Context, context, CONTEXT, Context)

#define RELEASE(Handle, handle, HANDLE, Object)                                                    \
  pi_result pi##Handle##Release(pi_##handle handle) {                                              \
    REQUIRE_##HANDLE(handle);                                                                      \
    return CL_CALL(Release##Object, cl_from_##handle(handle));                                     \
  }
COUNTED_HANDLES(RELEASE)

/* It comes without a reference: libsycl retains first when it wants to give one away. */
#define GET_NATIVE(Handle, handle, HANDLE)                                                         \
  pi_result piext##Handle##GetNativeHandle(pi_##handle handle, pi_native_handle *native_handle) {  \
    REQUIRE_##HANDLE(handle);                                                                      \
    REQUIRE_POINTER(native_handle);                                                                \
    *native_handle = (pi_native_handle)handle;                                                     \
    return PI_SUCCESS;                                                                             \
  }
GET_NATIVE(Platform, platform, PLATFORM)
GET_NATIVE(Device, device, DEVICE)
GET_NATIVE(Context, context, CONTEXT)
GET_NATIVE(Event, event, EVENT)
GET_NATIVE(Kernel, kernel, KERNEL)
