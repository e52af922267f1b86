/* Native handles of memory objects: device pointers, of buffers. Images are in image.c. */
#include "checks.h"
#include "memory.h"
#include "native.h"

/* A CUdeviceptr; of an image what image_native_handle gives. */
pi_result piextMemGetNativeHandle(pi_mem mem, pi_device device, pi_native_handle *native_handle) {
  REQUIRE_MEM(mem);
  REQUIRE_POINTER(native_handle);
  if (device) {
    REQUIRE_DEVICE(device);
    PI_REQUIRE(device == mem->context->devices[0], PI_ERROR_INVALID_DEVICE,
               "device is not the one of the memory object's context");
  }
  if (mem->kind == MEMORY_IMAGE)
    return image_native_handle(mem, native_handle);
  PI_TRY(native_remember((const void *)(uintptr_t)mem->pointer, &mem->handle));
  *native_handle = (pi_native_handle)mem->pointer;
  return PI_SUCCESS;
}

/* How many bytes the driver knows of from a pointer on. */
static pi_result size_behind(pi_context context, CUdeviceptr pointer, size_t *size) {
  PI_TRY(cuda_enter(context));
  CUdeviceptr base;
  size_t all;
  const CUresult code = cu.MemGetAddressRange(&base, &all, pointer);
  PI_REQUIRE(code == CUDA_SUCCESS, PI_ERROR_INVALID_MEM_OBJECT,
             "native_handle 0x%llx is no device pointer of the context",
             (unsigned long long)pointer);
  *size = all - (size_t)(pointer - base);
  return PI_SUCCESS;
}

/*
 * A device pointer; the buffer reaches to the end of its allocation. With own_native_handle that is
 * freed with the buffer, so the pointer is its start. A pointer that piextMemGetNativeHandle gave
 * stays that object's: then the reference to that object is what is handed over, or taken.
 */
pi_result piextMemCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                         bool own_native_handle, pi_mem *mem) {
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_MEM_OBJECT, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(mem);
  const CUdeviceptr pointer = (CUdeviceptr)native_handle;
  size_t size;
  PI_TRY(size_behind(context, pointer, &size));
  pi_mem made;
  PI_TRY(memory_create(context, MEMORY_BUFFER, PI_MEM_FLAGS_ACCESS_RW, size, &made));
  made->pointer = pointer;
  made->origin_of_native =
      native_find((const void *)(uintptr_t)pointer, PI_HANDLE_MEM, own_native_handle);
  made->is_owned = own_native_handle && !made->origin_of_native;
  if (made->origin_of_native)
    made->size = ((pi_mem)(void *)made->origin_of_native)->size;
  *mem = made;
  return PI_SUCCESS;
}
