/* Buffers, sub-buffers, and functions that buffers and images share. */
#include "checks.h"

#include "../base/names.h"

#include <stdio.h>

pi_result opencl_check_range(pi_mem buffer, size_t offset, size_t size) {
  size_t all;
  TRY(CL_GET(MemObject, cl_from_mem(buffer), CL_MEM_SIZE, &all));
  return check_buffer_range(offset, size, all);
}

/* A property list with space for each property once, and the 0 at the end. */
typedef struct buffer_properties {
  cl_mem_properties list[5];
  size_t count;
} buffer_properties;

/* Reads PI's properties for OpenCL, which has the same numbers. Refuses unknown keys, because a
 * driver may silently ignore them. */
static pi_result read_properties(const pi_mem_properties *properties, buffer_properties *read) {
  read->count = 0;
  bool seen[2] = {false, false};
  for (; properties && *properties != 0; properties += 2) {
    const bool is_channel = *properties == PI_MEM_PROPERTIES_CHANNEL;
    TRY(check_buffer_property(*properties));
    REQUIRE(!seen[is_channel], PI_ERROR_INVALID_VALUE, "property %s is given twice",
            enumerator_name("pi_mem_properties", (int64_t)*properties));
    seen[is_channel] = true;
    read->list[read->count++] = properties[0];
    read->list[read->count++] = properties[1];
  }
  read->list[read->count] = 0;
  return PI_SUCCESS;
}

/* Prefers Intel's function, which checks the properties: OpenCL 3.0's may silently ignore them. */
static cl_mem create_with_properties(cl_context context, const cl_mem_properties *properties,
                                     cl_mem_flags flags, size_t size, void *host_ptr,
                                     const char **call, cl_int *code) {
  const opencl_extensions *extensions = opencl_extensions_of_context(context);
  if (extensions->CreateBufferWithProperties) {
    *call = "clCreateBufferWithPropertiesINTEL";
    return extensions->CreateBufferWithProperties(context, properties, flags, size, host_ptr, code);
  }
  if (cl.CreateBufferWithProperties && extensions->version >= 300) {
    *call = "clCreateBufferWithProperties";
    return cl.CreateBufferWithProperties(context, properties, flags, size, host_ptr, code);
  }
  *call = NULL;
  return NULL;
}

pi_result piMemBufferCreate(pi_context context, pi_mem_flags flags, size_t size, void *host_ptr,
                            pi_mem *ret_mem, const pi_mem_properties *properties) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_mem);
  REQUIRE(size != 0, PI_ERROR_INVALID_BUFFER_SIZE, "size is 0");
  TRY(check_mem_flags(flags, host_ptr));
  buffer_properties read;
  TRY(read_properties(properties, &read));

  cl_int code = CL_SUCCESS;
  const char *call = "clCreateBuffer";
  cl_mem mem;
  if (read.count == 0)
    mem = cl.CreateBuffer(cl_from_context(context), flags, size, host_ptr, &code);
  else
    mem = create_with_properties(cl_from_context(context), read.list, flags, size, host_ptr, &call,
                                 &code);
  if (!call)
    return OPENCL_UNSUPPORTED("the OpenCL driver has no clCreateBufferWithProperties for %s",
                              enumerator_name("pi_mem_properties", (int64_t)read.list[0]));
  if (code != CL_SUCCESS) {
    char text[80];
    snprintf(text, sizeof text, "%s of %zu bytes", call, size);
    return cl_result(code, text);
  }
  *ret_mem = pi_from_cl_mem(mem);
  return PI_SUCCESS;
}

/* Makes the error of clCreateSubBuffer, with the reason that its code does not show. */
static pi_result explain_partition(cl_int code, pi_mem buffer,
                                   const pi_buffer_region_struct *region) {
  const pi_result result = cl_result(code, "clCreateSubBuffer");
  cl_mem parent = NULL;
  cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
  cl.GetMemObjectInfo(cl_from_mem(buffer), CL_MEM_TYPE, sizeof type, &type, NULL);
  cl.GetMemObjectInfo(cl_from_mem(buffer), CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent,
                      NULL);
  switch ((int)result) {
  case PI_ERROR_MISALIGNED_SUB_BUFFER_OFFSET:
    return plugin_error(
        result, "origin %zu is not a multiple of PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN (in bits)",
        region->origin);
  case PI_ERROR_INVALID_MEM_OBJECT:
    REQUIRE(type == CL_MEM_OBJECT_BUFFER && !parent, result,
            "buffer is %s, of which OpenCL makes no sub-buffer",
            parent ? "a sub-buffer" : "an image");
    return result;
  }
  return result;
}

pi_result piMemBufferPartition(pi_mem buffer, pi_mem_flags flags,
                               pi_buffer_create_type buffer_create_type, void *buffer_create_info,
                               pi_mem *ret_mem) {
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(buffer_create_info);
  REQUIRE_POINTER(ret_mem);
  TRY(check_sub_buffer(flags, buffer_create_type));

  const pi_buffer_region_struct *region = buffer_create_info;
  REQUIRE(region->size != 0, PI_ERROR_INVALID_BUFFER_SIZE, "the region's size is 0");
  /* NVIDIA's driver would make a sub-buffer that leaves its buffer. */
  TRY(opencl_check_range(buffer, region->origin, region->size));
  const cl_buffer_region cl_region = {.origin = region->origin, .size = region->size};
  cl_int code;
  const cl_mem sub = cl.CreateSubBuffer(cl_from_mem(buffer), flags, CL_BUFFER_CREATE_TYPE_REGION,
                                        &cl_region, &code);
  if (code != CL_SUCCESS)
    return explain_partition(code, buffer, region);
  *ret_mem = pi_from_cl_mem(sub);
  return PI_SUCCESS;
}

pi_result piMemGetInfo(pi_mem mem, pi_mem_info param_name, size_t param_value_size,
                       void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_MEM(mem);
  TRY(answer_check(&answer));
  size_t size;
  cl_context context;
  switch (param_name) {
  case PI_MEM_SIZE:
    TRY(CL_GET(MemObject, cl_from_mem(mem), CL_MEM_SIZE, &size));
    return answer_size(&answer, size);
  case PI_MEM_CONTEXT:
    TRY(CL_GET(MemObject, cl_from_mem(mem), CL_MEM_CONTEXT, &context));
    return answer_handle(&answer, context);
  }
  return answer_unknown("pi_mem_info", (pi_uint32)param_name);
}

/* Adds no reference: libsycl retains the object first if it wants to give a reference away. */
pi_result piextMemGetNativeHandle(pi_mem mem, pi_device device, pi_native_handle *native_handle) {
  (void)device; /* a cl_mem is the same on every device */
  REQUIRE_MEM(mem);
  REQUIRE_POINTER(native_handle);
  *native_handle = (pi_native_handle)mem;
  return PI_SUCCESS;
}

/* Without ownership the caller keeps its reference, so the pi_mem gets one of its own. */
pi_result piextMemCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                         bool own_native_handle, pi_mem *mem) {
  REQUIRE(native_handle, PI_ERROR_INVALID_MEM_OBJECT, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(mem);
  const cl_mem object = (cl_mem)native_handle;
  if (!own_native_handle)
    TRY(CL_CALL(RetainMemObject, object));
  *mem = pi_from_cl_mem(object);
  return PI_SUCCESS;
}
