/* Buffers and images of the fake OpenCL. */
#include "extension.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 1 << 28, MEMORY_ALIGNMENT = 128 };

static const cl_mem_flags access_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
static const cl_mem_flags host_flags =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
static const cl_mem_flags host_access_flags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

static bool one_at_most(cl_mem_flags flags) {
  return (flags & (flags - 1)) == 0;
}

static cl_int check_flags(cl_mem_flags flags, const void *host_ptr) {
  FAKE_REQUIRE(!(flags & ~(access_flags | host_flags | host_access_flags)) &&
                   one_at_most(flags & access_flags) && one_at_most(flags & host_access_flags) &&
                   !((flags & CL_MEM_USE_HOST_PTR) &&
                     (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))),
               CL_INVALID_VALUE);
  FAKE_REQUIRE(!(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) == !host_ptr,
               CL_INVALID_HOST_PTR);
  return CL_SUCCESS;
}

/* Creates an object with its bytes; NULL if memory is exhausted. */
static cl_mem new_mem(cl_context context, cl_mem_object_type type, cl_mem_flags flags, size_t size,
                      void *host_ptr) {
  unsigned char *bytes = host_ptr;
  if (!(flags & CL_MEM_USE_HOST_PTR)) {
    const size_t room = (size + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
    bytes = aligned_alloc(MEMORY_ALIGNMENT, room);
    if (!bytes)
      return NULL;
    memset(bytes, 0, room);
    if (flags & CL_MEM_COPY_HOST_PTR)
      memcpy(bytes, host_ptr, size);
  }
  cl_mem mem = fake_new(FAKE_MEM);
  if (!mem)
    return NULL;
  fake_pin(mem->context = context);
  mem->type = type;
  mem->flags = flags & access_flags ? flags : flags | CL_MEM_READ_WRITE;
  mem->host_ptr = flags & CL_MEM_USE_HOST_PTR ? host_ptr : NULL;
  mem->bytes = bytes;
  mem->owns_bytes = !(flags & CL_MEM_USE_HOST_PTR);
  mem->size = size;
  return mem;
}

static cl_mem create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                            cl_int *errcode_ret) {
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  const cl_int code = check_flags(flags, host_ptr);
  FAKE_REQUIRE_CREATE(code == CL_SUCCESS, code);
  FAKE_REQUIRE_CREATE(size != 0 && size <= MAX_SIZE, CL_INVALID_BUFFER_SIZE);
  cl_mem mem = new_mem(context, CL_MEM_OBJECT_BUFFER, flags, size, host_ptr);
  FAKE_REQUIRE_CREATE(mem, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  FAKE_CREATED(mem);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                      cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateBuffer);
  return create_buffer(context, flags, size, host_ptr, errcode_ret);
}

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                                    cl_mem_flags flags, size_t size, void *host_ptr,
                                    cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateBufferWithProperties);
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  FAKE_REQUIRE_CREATE(fake_version(context->platform) >= 300, CL_INVALID_OPERATION);
  FAKE_REQUIRE_CREATE(!properties || properties[0] == 0, CL_INVALID_PROPERTY);
  return create_buffer(context, flags, size, host_ptr, errcode_ret);
}

cl_mem fake_create_buffer_with_properties_intel(unsigned platform, cl_context context,
                                                const cl_mem_properties_intel *properties,
                                                cl_mem_flags flags, size_t size, void *host_ptr,
                                                cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(EXT_CreateBufferWithProperties);
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT) && context->platform->index == platform,
                      CL_INVALID_CONTEXT);
  FAKE_REQUIRE_CREATE(!properties || properties[0] == 0 ||
                          properties[0] == CL_MEM_ALLOC_BUFFER_LOCATION_INTEL,
                      CL_INVALID_PROPERTY);
  return create_buffer(context, flags, size, host_ptr, errcode_ret);
}

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type create_type,
                         const void *create_info, cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateSubBuffer);
  FAKE_REQUIRE_CREATE(fake_is(buffer, FAKE_MEM) && buffer->type == CL_MEM_OBJECT_BUFFER &&
                          !buffer->parent,
                      CL_INVALID_MEM_OBJECT);
  FAKE_REQUIRE_CREATE(create_type == CL_BUFFER_CREATE_TYPE_REGION && create_info &&
                          !(flags & host_flags),
                      CL_INVALID_VALUE);
  const cl_buffer_region *region = create_info;
  FAKE_REQUIRE_CREATE(region->size != 0, CL_INVALID_BUFFER_SIZE);
  FAKE_REQUIRE_CREATE(region->origin <= buffer->size &&
                          region->size <= buffer->size - region->origin,
                      CL_INVALID_VALUE);
  FAKE_REQUIRE_CREATE(region->origin % MEMORY_ALIGNMENT == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  cl_mem mem = fake_new(FAKE_MEM);
  FAKE_REQUIRE_CREATE(mem, CL_OUT_OF_RESOURCES);
  fake_pin(mem->context = buffer->context);
  fake_pin(mem->parent = buffer);
  mem->type = CL_MEM_OBJECT_BUFFER;
  mem->flags = (flags & access_flags ? flags : flags | (buffer->flags & access_flags)) |
               (buffer->flags & host_flags);
  mem->host_ptr = buffer->host_ptr ? (char *)buffer->host_ptr + region->origin : NULL;
  mem->bytes = buffer->bytes + region->origin;
  mem->offset = region->origin;
  mem->size = region->size;
  FAKE_CREATED(mem);
}

static size_t channel_count(cl_channel_order order) {
  switch (order) {
  case CL_R:
  case CL_A:
  case CL_INTENSITY:
  case CL_LUMINANCE:
    return 1;
  case CL_RG:
  case CL_RA:
    return 2;
  case CL_RGBA:
  case CL_BGRA:
  case CL_ARGB:
    return 4;
  default:
    return 0;
  }
}

static size_t channel_size(cl_channel_type type) {
  switch (type) {
  case CL_SNORM_INT8:
  case CL_UNORM_INT8:
  case CL_SIGNED_INT8:
  case CL_UNSIGNED_INT8:
    return 1;
  case CL_SNORM_INT16:
  case CL_UNORM_INT16:
  case CL_SIGNED_INT16:
  case CL_UNSIGNED_INT16:
  case CL_HALF_FLOAT:
    return 2;
  case CL_SIGNED_INT32:
  case CL_UNSIGNED_INT32:
  case CL_FLOAT:
    return 4;
  default:
    return 0;
  }
}

/* Returns all formats with a known size. Not in the plugin's lists, so its calls are not counted.
 */
cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                  cl_uint room, cl_image_format *formats, cl_uint *count_ret) {
  static const cl_channel_order orders[] = {CL_R,  CL_A,    CL_INTENSITY, CL_LUMINANCE, CL_RG,
                                            CL_RA, CL_RGBA, CL_BGRA,      CL_ARGB};
  (void)flags;
  (void)type;
  fake_enter_uncounted();
  FAKE_LOCKED;
  FAKE_REQUIRE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  FAKE_REQUIRE(!formats || room != 0, CL_INVALID_VALUE);
  cl_uint count = 0;
  for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
    for (cl_channel_type channels = CL_SNORM_INT8; channels <= CL_FLOAT; channels++)
      if (channel_size(channels) != 0) {
        if (formats && count < room)
          formats[count] = (cl_image_format){orders[i], channels};
        count++;
      }
  if (count_ret)
    *count_ret = count;
  return CL_SUCCESS;
}

/* Fills in sizes and pitches that a description may omit, and computes its rows and slices. */
static cl_int complete_image(cl_image_desc *desc, size_t element, size_t *rows, size_t *slices) {
  const cl_mem_object_type type = desc->image_type;
  const bool flat = type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const bool array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  const bool deep = type == CL_MEM_OBJECT_IMAGE3D;
  FAKE_REQUIRE(flat || array || deep || type == CL_MEM_OBJECT_IMAGE2D, CL_INVALID_IMAGE_DESCRIPTOR);
  *rows = flat ? 1 : desc->image_height;
  *slices = deep ? desc->image_depth : array ? desc->image_array_size : 1;
  FAKE_REQUIRE(desc->image_width != 0 && *rows != 0 && *slices != 0, CL_INVALID_IMAGE_SIZE);
  if (desc->image_row_pitch == 0)
    desc->image_row_pitch = desc->image_width * element;
  FAKE_REQUIRE(desc->image_row_pitch >= desc->image_width * element &&
                   desc->image_row_pitch % element == 0,
               CL_INVALID_IMAGE_DESCRIPTOR);
  if (desc->image_slice_pitch == 0)
    desc->image_slice_pitch = desc->image_row_pitch * *rows;
  FAKE_REQUIRE(desc->image_slice_pitch >= desc->image_row_pitch * *rows,
               CL_INVALID_IMAGE_DESCRIPTOR);
  return CL_SUCCESS;
}

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
                     const cl_image_desc *image_desc, void *host_ptr, cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateImage);
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  FAKE_REQUIRE_CREATE(image_format, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  FAKE_REQUIRE_CREATE(image_desc, CL_INVALID_IMAGE_DESCRIPTOR);
  cl_int code = check_flags(flags, host_ptr);
  FAKE_REQUIRE_CREATE(code == CL_SUCCESS, code);
  const size_t element = channel_count(image_format->image_channel_order) *
                         channel_size(image_format->image_channel_data_type);
  FAKE_REQUIRE_CREATE(element != 0, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  cl_image_desc desc = *image_desc;
  size_t rows;
  size_t slices;
  code = complete_image(&desc, element, &rows, &slices);
  FAKE_REQUIRE_CREATE(code == CL_SUCCESS, code);
  const size_t size = desc.image_slice_pitch * slices;
  FAKE_REQUIRE_CREATE(size <= MAX_SIZE, CL_INVALID_IMAGE_SIZE);
  cl_mem mem = new_mem(context, desc.image_type, flags, size, host_ptr);
  FAKE_REQUIRE_CREATE(mem, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  mem->format = *image_format;
  mem->desc = desc;
  mem->element = element;
  FAKE_CREATED(mem);
}

void fake_end_mem(cl_mem mem) {
  if (mem->owns_bytes)
    free(mem->bytes);
  if (mem->parent)
    fake_unpin(mem->parent);
  fake_unpin(mem->context);
}

cl_int clRetainMemObject(cl_mem mem) {
  FAKE_ENTER(RetainMemObject);
  FAKE_REQUIRE(fake_is(mem, FAKE_MEM), CL_INVALID_MEM_OBJECT);
  mem->object.references++;
  return CL_SUCCESS;
}

cl_int clReleaseMemObject(cl_mem mem) {
  FAKE_ENTER(ReleaseMemObject);
  FAKE_REQUIRE(fake_is(mem, FAKE_MEM), CL_INVALID_MEM_OBJECT);
  fake_release(mem);
  return CL_SUCCESS;
}

cl_int clGetMemObjectInfo(cl_mem mem, cl_mem_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret) {
  FAKE_ENTER(GetMemObjectInfo);
  FAKE_REQUIRE(fake_is(mem, FAKE_MEM), CL_INVALID_MEM_OBJECT);
  switch (param_name) {
  case CL_MEM_TYPE:
    return FAKE_ANSWER(mem->type);
  case CL_MEM_FLAGS:
    return FAKE_ANSWER(mem->flags);
  case CL_MEM_SIZE:
    return FAKE_ANSWER(mem->size);
  case CL_MEM_HOST_PTR:
    return FAKE_ANSWER(mem->host_ptr);
  case CL_MEM_MAP_COUNT:
    return FAKE_ANSWER(mem->maps);
  case CL_MEM_REFERENCE_COUNT:
    return FAKE_ANSWER(mem->object.references);
  case CL_MEM_CONTEXT:
    return FAKE_ANSWER(mem->context);
  case CL_MEM_ASSOCIATED_MEMOBJECT:
    return FAKE_ANSWER(mem->parent);
  case CL_MEM_OFFSET:
    return FAKE_ANSWER(mem->offset);
  case CL_MEM_USES_SVM_POINTER:
    return FAKE_ANSWER_AS(cl_bool, CL_FALSE);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                      void *param_value, size_t *param_value_size_ret) {
  FAKE_ENTER(GetImageInfo);
  FAKE_REQUIRE(fake_is(image, FAKE_MEM) && image->element != 0, CL_INVALID_MEM_OBJECT);
  switch (param_name) {
  case CL_IMAGE_FORMAT:
    return FAKE_ANSWER(image->format);
  case CL_IMAGE_ELEMENT_SIZE:
    return FAKE_ANSWER(image->element);
  case CL_IMAGE_ROW_PITCH:
    return FAKE_ANSWER(image->desc.image_row_pitch);
  case CL_IMAGE_SLICE_PITCH:
    return FAKE_ANSWER(image->desc.image_slice_pitch);
  case CL_IMAGE_WIDTH:
    return FAKE_ANSWER(image->desc.image_width);
  case CL_IMAGE_HEIGHT:
    return FAKE_ANSWER(image->desc.image_height);
  case CL_IMAGE_DEPTH:
    return FAKE_ANSWER(image->desc.image_depth);
  case CL_IMAGE_ARRAY_SIZE:
    return FAKE_ANSWER(image->desc.image_array_size);
  case CL_IMAGE_BUFFER:
    return FAKE_ANSWER_AS(cl_mem, NULL);
  case CL_IMAGE_NUM_MIP_LEVELS:
  case CL_IMAGE_NUM_SAMPLES:
    return FAKE_ANSWER_AS(cl_uint, 0);
  default:
    return CL_INVALID_VALUE;
  }
}
