/* Operations that are the same for all kinds of handles, which are the driver's own objects. */
#include "checks.h"

/* X(Handle, handle, HANDLE, Object): handles that the driver alone retains and releases. */
#define COUNTED_HANDLES(X)                                                                         \
  /* OpenCL counts references of sub-devices only; calls for root devices have no effect. */       \
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
/* piContextRelease is in context.c, because it does more. */
RETAIN(Context, context, CONTEXT, Context)

#define RELEASE(Handle, handle, HANDLE, Object)                                                    \
  pi_result pi##Handle##Release(pi_##handle handle) {                                              \
    REQUIRE_##HANDLE(handle);                                                                      \
    return CL_CALL(Release##Object, cl_from_##handle(handle));                                     \
  }
COUNTED_HANDLES(RELEASE)

/* Adds no reference: libsycl retains the object first if it wants to give a reference away. */
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
