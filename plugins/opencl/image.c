/*
 * Images. OpenCL's images are memory objects that a kernel receives as arguments. OpenCL has no
 * counterpart of PI's bindless images, which a kernel receives as numbers.
 */
#include "checks.h"

#include "../checks/image_shape.h"

/* Both structures have the same layout, so a pointer to one can be passed as the other. */
_Static_assert(sizeof(pi_image_format) == sizeof(cl_image_format) &&
                   offsetof(pi_image_format, image_channel_order) ==
                       offsetof(cl_image_format, image_channel_order) &&
                   offsetof(pi_image_format, image_channel_data_type) ==
                       offsetof(cl_image_format, image_channel_data_type),
               "pi_image_format is cl_image_format");

static pi_result check_image_type(pi_mem_type type) {
  switch (type) {
  case PI_MEM_TYPE_IMAGE2D:
  case PI_MEM_TYPE_IMAGE3D:
  case PI_MEM_TYPE_IMAGE2D_ARRAY:
  case PI_MEM_TYPE_IMAGE1D:
  case PI_MEM_TYPE_IMAGE1D_ARRAY:
  case PI_MEM_TYPE_IMAGE1D_BUFFER:
    return PI_SUCCESS;
  case PI_MEM_TYPE_IMAGE_CUBEMAP: /* in OpenCL this number means a pipe */
    return OPENCL_UNSUPPORTED("OpenCL has no cube maps");
  default:
    return image_refuse_type(type, "OpenCL");
  }
}

pi_result piMemImageCreate(pi_context context, pi_mem_flags flags,
                           const pi_image_format *image_format, const pi_image_desc *image_desc,
                           void *host_ptr, pi_mem *ret_mem) {
  REQUIRE_CONTEXT(context);
  REQUIRE(image_format, PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_format is NULL");
  REQUIRE(image_desc, PI_ERROR_INVALID_IMAGE_DESCRIPTOR, "image_desc is NULL");
  REQUIRE_POINTER(ret_mem);
  TRY(check_mem_flags(flags, host_ptr));
  TRY(check_image_type(image_desc->image_type));

  const cl_image_desc desc = {
      .image_type = (cl_mem_object_type)image_desc->image_type,
      .image_width = image_desc->image_width,
      .image_height = image_desc->image_height,
      .image_depth = image_desc->image_depth,
      .image_array_size = image_desc->image_array_size,
      .image_row_pitch = image_desc->image_row_pitch,
      .image_slice_pitch = image_desc->image_slice_pitch,
      .num_mip_levels = image_desc->num_mip_levels,
      .num_samples = image_desc->num_samples,
      .mem_object = cl_from_mem(image_desc->buffer),
  };
  cl_int code;
  const cl_mem image =
      cl.CreateImage(cl_from_context(context), flags,
                     (const cl_image_format *)(const void *)image_format, &desc, host_ptr, &code);
  TRY(cl_result(code, "clCreateImage"));
  *ret_mem = pi_from_cl_mem(image);
  return PI_SUCCESS;
}

pi_result piMemImageGetInfo(pi_mem image, pi_image_info param_name, size_t param_value_size,
                            void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_MEM(image);
  TRY(answer_check(&answer));
  switch (param_name) {
  case PI_IMAGE_INFO_FORMAT: {
    cl_image_format format;
    TRY(CL_GET(Image, cl_from_mem(image), CL_IMAGE_FORMAT, &format));
    return answer_bytes(&answer, &format, sizeof format);
  }
  case PI_IMAGE_INFO_ELEMENT_SIZE:
  case PI_IMAGE_INFO_ROW_PITCH:
  case PI_IMAGE_INFO_SLICE_PITCH:
  case PI_IMAGE_INFO_WIDTH:
  case PI_IMAGE_INFO_HEIGHT:
  case PI_IMAGE_INFO_DEPTH: {
    size_t value; /* PI's queries have the same numbers as OpenCL's */
    TRY(CL_GET(Image, cl_from_mem(image), (cl_image_info)param_name, &value));
    return answer_size(&answer, value);
  }
  }
  return answer_unknown("pi_image_info", (pi_uint32)param_name);
}

/* Ignores the caller's format and sizes, because the native object knows its own. */
pi_result piextMemImageCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                              bool own_native_handle,
                                              const pi_image_format *image_format,
                                              const pi_image_desc *image_desc, pi_mem *img) {
  (void)image_format;
  (void)image_desc;
  REQUIRE(native_handle, PI_ERROR_INVALID_MEM_OBJECT, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(img);
  const cl_mem object = (cl_mem)native_handle;
  cl_mem_object_type type;
  TRY(CL_GET(MemObject, object, CL_MEM_TYPE, &type));
  REQUIRE(type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER,
          PI_ERROR_INVALID_MEM_OBJECT,
          "the native handle is an OpenCL memory object of type 0x%x, not an image", type);
  if (!own_native_handle)
    TRY(CL_CALL(RetainMemObject, object));
  *img = pi_from_cl_mem(object);
  return PI_SUCCESS;
}

/*
 * Entries without a counterpart in OpenCL. They always fail, so they do not check their arguments.
 */
// NOLINTBEGIN(misc-unused-parameters)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define UNSUPPORTED(name, parameters, reason)                                                      \
  pi_result name parameters { return OPENCL_UNSUPPORTED(reason); }

UNSUPPORTED(piextMemImageAllocate,
            (pi_context context, pi_device device, pi_image_format *image_format,
             pi_image_desc *image_desc, pi_image_mem_handle *ret_mem),
            "OpenCL has no image memory apart from image objects")

UNSUPPORTED(piextMemImageFree,
            (pi_context context, pi_device device, pi_image_mem_handle memory_handle),
            "OpenCL has no image memory apart from image objects, so there is none to free")

UNSUPPORTED(piextMemUnsampledImageCreate,
            (pi_context context, pi_device device, pi_image_mem_handle img_mem,
             pi_image_format *image_format, pi_image_desc *image_desc, pi_mem *ret_mem,
             pi_image_handle *ret_handle),
            "OpenCL has no bindless images: an unsampled image is an argument, not a number")

UNSUPPORTED(piextMemSampledImageCreate,
            (pi_context context, pi_device device, pi_image_mem_handle img_mem,
             pi_image_format *image_format, pi_image_desc *image_desc, pi_sampler sampler,
             pi_mem *ret_mem, pi_image_handle *ret_handle),
            "OpenCL has no bindless images: image and sampler are separate arguments")

UNSUPPORTED(piextMemUnsampledImageHandleDestroy,
            (pi_context context, pi_device device, pi_image_handle handle),
            "OpenCL has no handles of unsampled images, so there is none to destroy")

UNSUPPORTED(piextMemSampledImageHandleDestroy,
            (pi_context context, pi_device device, pi_image_handle handle),
            "OpenCL has no handles of sampled images, so there is none to destroy")

UNSUPPORTED(piextBindlessImageSamplerCreate,
            (pi_context context, const pi_sampler_properties *sampler_properties,
             float min_mipmap_level_clamp, float max_mipmap_level_clamp, float max_anisotropy,
             pi_sampler *result_sampler),
            "OpenCL has no bindless images and no samplers with mipmaps or anisotropy")

UNSUPPORTED(piextMemImageCopy,
            (pi_queue queue, void *dst_ptr, void *src_ptr, const pi_image_format *image_format,
             const pi_image_desc *image_desc, const pi_image_copy_flags flags,
             pi_image_offset src_offset, pi_image_offset dst_offset, pi_image_region copy_extent,
             pi_image_region host_extent, pi_uint32 num_events_in_wait_list,
             const pi_event *event_wait_list, pi_event *event),
            "OpenCL copies image objects, not image memory: see piEnqueueMemImageCopy")

UNSUPPORTED(piextMemImageGetInfo,
            (const pi_image_mem_handle mem_handle, pi_image_info param_name, void *param_value,
             size_t *param_value_size_ret),
            "OpenCL describes image objects, not image memory: see piMemImageGetInfo")

UNSUPPORTED(piextMemMipmapGetLevel,
            (pi_context context, pi_device device, pi_image_mem_handle mip_mem, unsigned int level,
             pi_image_mem_handle *ret_mem),
            "OpenCL has no mipmaps in image memory, so there is no level to get")

UNSUPPORTED(piextMemMipmapFree,
            (pi_context context, pi_device device, pi_image_mem_handle memory_handle),
            "OpenCL has no mipmaps in image memory, so there is none to free")

UNSUPPORTED(piextMemImportOpaqueFD,
            (pi_context context, pi_device device, size_t size, int file_descriptor,
             pi_interop_mem_handle *ret_handle),
            "this plugin imports no memory of other interfaces by file descriptor")

UNSUPPORTED(piextMemReleaseInterop,
            (pi_context context, pi_device device, pi_interop_mem_handle memory_handle),
            "this plugin imports no memory of other interfaces, so there is none to release")

UNSUPPORTED(piextMemMapExternalArray,
            (pi_context context, pi_device device, pi_image_format *image_format,
             pi_image_desc *image_desc, pi_interop_mem_handle mem_handle,
             pi_image_mem_handle *ret_mem),
            "this plugin imports no memory of other interfaces, so there is none to map")

UNSUPPORTED(piextImportExternalSemaphoreOpaqueFD,
            (pi_context context, pi_device device, int file_descriptor,
             pi_interop_semaphore_handle *ret_handle),
            "this plugin imports no semaphores of other interfaces by file descriptor")

UNSUPPORTED(piextDestroyExternalSemaphore,
            (pi_context context, pi_device device, pi_interop_semaphore_handle sem_handle),
            "this plugin imports no semaphores, so there is none to destroy")

UNSUPPORTED(piextWaitExternalSemaphore,
            (pi_queue queue, pi_interop_semaphore_handle sem_handle,
             pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list, pi_event *event),
            "this plugin imports no semaphores, so there is none to wait for")

UNSUPPORTED(piextSignalExternalSemaphore,
            (pi_queue queue, pi_interop_semaphore_handle sem_handle,
             pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list, pi_event *event),
            "this plugin imports no semaphores, so there is none to signal")

// NOLINTEND(misc-unused-parameters)
