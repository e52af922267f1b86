/* Bindless images: image memory, and the surfaces and textures by which kernels use it. */
#include "../objects/bindless.h"

#include "../checks/usm_arguments.h"
#include "../objects/driver.h"
#include "../objects/interop.h"
#include "../objects/usm.h"
#include "context.h"
#include "image.h"
#include "sampler.h"

pi_result driver_image_memory_form(pi_device device, const pi_image_format *format,
                                   const pi_image_desc *desc, bool is_written, image_form *ret) {
  (void)device;
  (void)is_written;
  TRY(image_pixel_read(format, &ret->pixel));
  TRY(image_shape_read(NULL, desc, &ret->pixel, &ret->shape));
  ret->format = *format;
  return PI_SUCCESS;
}

/* CUDA maps imported memory only as a mip-map. An image with one level uses that level's array. */
static pi_result map_import(image_memory *memory, const CUDA_ARRAY3D_DESCRIPTOR *descriptor,
                            const external *import) {
  const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC description = {
      .arrayDesc = *descriptor,
      .numLevels = memory->levels,
  };
  CUmipmappedArray mipmap = NULL;
  CUarray array = NULL;
  CU_TRY(ExternalMemoryGetMappedMipmappedArray, &mipmap, import->handle, &description);
  if (memory->levels == 1) {
    const pi_result result = CU_CALL(MipmappedArrayGetLevel, &array, mipmap, 0);
    if (result != PI_SUCCESS) {
      cu.MipmappedArrayDestroy(mipmap);
      return result;
    }
  }
  memory->mipmap = mipmap;
  memory->image = array;
  return PI_SUCCESS;
}

pi_result driver_image_memory_create(image_memory *memory, const external *import) {
  const CUDA_ARRAY3D_DESCRIPTOR descriptor = image_array_descriptor(&memory->form);
  TRY(image_shape_check(memory->device, &memory->form.shape));
  TRY(cuda_enter_device(memory->entry.context, memory->device));
  if (import)
    return map_import(memory, &descriptor, import);
  CUmipmappedArray mipmap = NULL;
  CUarray array = NULL;
  if (memory->levels > 1)
    CU_TRY(MipmappedArrayCreate, &mipmap, &descriptor, memory->levels);
  else
    CU_TRY(Array3DCreate, &array, &descriptor);
  memory->mipmap = mipmap;
  memory->image = array;
  return PI_SUCCESS;
}

pi_result driver_image_memory_level(const image_memory *mipmap, unsigned level, void **ret) {
  TRY(cuda_enter_device(mipmap->entry.context, mipmap->device));
  CUarray array = NULL;
  CU_TRY(MipmappedArrayGetLevel, &array, mipmap->mipmap, level);
  *ret = array;
  return PI_SUCCESS;
}

pi_result driver_image_memory_destroy(image_memory *memory) {
  TRY(cuda_enter_device(memory->entry.context, memory->device));
  if (memory->mipmap)
    CU_TRY(MipmappedArrayDestroy, memory->mipmap);
  else
    CU_TRY(ArrayDestroy, memory->image);
  registry_free(&memory->entry);
  return PI_SUCCESS;
}

/* ---- Surfaces and textures ---- */

/* Compares channel types only: the texture, not the array, decides about normalised integers. */
static pi_result check_format(const image_source *source) {
  const CUarray_format said = image_array_format(&source->form.pixel);
  const CUarray_format format = image_array_format(&source->memory.form.pixel);
  REQUIRE(said == format, PI_ERROR_IMAGE_FORMAT_MISMATCH,
          "image_format has channels of CUDA's format %d, img_mem of format %d", (int)said,
          (int)format);
  return PI_SUCCESS;
}

static pi_result check_multiple(pi_device device, const char *name, uint64_t value,
                                CUdevice_attribute attribute) {
  const int alignment = cuda_attribute(device, attribute, 1);
  REQUIRE(alignment <= 1 || value % (unsigned)alignment == 0, PI_ERROR_INVALID_VALUE,
          "%s is 0x%llx, and the device's textures need a multiple of %d", name,
          (unsigned long long)value, alignment);
  return PI_SUCCESS;
}

static pi_result check_most(pi_device device, const char *name, size_t value,
                            CUdevice_attribute attribute) {
  const int limit = cuda_attribute(device, attribute, 0);
  REQUIRE(limit > 0 && value <= (size_t)limit, PI_ERROR_INVALID_IMAGE_SIZE,
          "%s is %zu, and the device's images in plain memory have at most %d", name, value, limit);
  return PI_SUCCESS;
}

static size_t row_pitch(const image_source *source) {
  return source->row_pitch ? source->row_pitch : source->form.shape.width * source->form.pixel.size;
}

/* Checks an image in plain memory, which is one row, or rows with a pitch. */
static pi_result check_plain(const image_source *source) {
  const pi_device device = source->device;
  const image_shape *shape = &source->form.shape;
  const size_t pitch = row_pitch(source);
  if (shape->type != PI_MEM_TYPE_IMAGE1D && shape->type != PI_MEM_TYPE_IMAGE2D)
    return CUDA_UNSUPPORTED("img_mem is plain memory, of which CUDA makes 1D and 2D images only");
  size_t size;
  usm_range range;
  TRY(rows_size("image_row_pitch", source->pointer, pitch, shape->width * source->form.pixel.size,
                shape->height, &size));
  TRY(usm_check_reached(source->context, device, "img_mem", source->pointer, size, &range));
  REQUIRE(range.type != PI_MEM_TYPE_HOST, PI_ERROR_INVALID_VALUE,
          "img_mem is memory of the host, and textures need the device's");
  TRY(check_multiple(device, "img_mem", cu_pointer(source->pointer),
                     CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT));
  if (shape->type == PI_MEM_TYPE_IMAGE1D)
    return check_most(device, "image_width", shape->width,
                      CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
  TRY(check_multiple(device, "image_row_pitch", pitch,
                     CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT));
  TRY(check_most(device, "image_width", shape->width,
                 CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH));
  TRY(check_most(device, "image_height", shape->height,
                 CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT));
  return check_most(device, "image_row_pitch", pitch,
                    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH);
}

static pi_result make_surface(const image_source *source, pi_image_handle *ret) {
  const image_memory *memory = &source->memory;
  if (memory->levels == 0)
    return CUDA_UNSUPPORTED("img_mem is plain memory, and CUDA makes unsampled images of image "
                            "memory only");
  REQUIRE(memory->image, PI_ERROR_INVALID_VALUE,
          "img_mem has %u levels; an unsampled image is one of them, of piextMemMipmapGetLevel",
          memory->levels);
  return image_make_surface(memory->image, ret);
}

static CUDA_RESOURCE_DESC texture_resource(const image_source *source) {
  CUDA_RESOURCE_DESC resource = {0};
  const image_pixel *pixel = &source->form.pixel;
  if (source->memory.image) {
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = source->memory.image;
  } else if (source->memory.mipmap) {
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    resource.res.mipmap.hMipmappedArray = source->memory.mipmap;
  } else if (source->form.shape.has_height) {
    resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D.devPtr = cu_pointer(source->pointer);
    resource.res.pitch2D.format = image_array_format(pixel);
    resource.res.pitch2D.numChannels = pixel->channels;
    resource.res.pitch2D.width = source->form.shape.width;
    resource.res.pitch2D.height = source->form.shape.height;
    resource.res.pitch2D.pitchInBytes = row_pitch(source);
  } else {
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = cu_pointer(source->pointer);
    resource.res.linear.format = image_array_format(pixel);
    resource.res.linear.numChannels = pixel->channels;
    resource.res.linear.sizeInBytes = source->form.shape.width * pixel->size;
  }
  return resource;
}

/* Refuses combinations that the driver would ignore, or refuse without naming the reason. */
static pi_result check_filter(const image_source *source) {
  const pi_sampler sampler = source->sampler;
  REQUIRE(sampler->state.is_normalized || source->memory.levels <= 1, PI_ERROR_INVALID_VALUE,
          "img_mem has %u levels, and CUDA finds the place in each by normalised coordinates only",
          source->memory.levels);
  if (sampler->state.is_linear && source->memory.levels == 0 && !source->form.shape.has_height)
    return CUDA_UNSUPPORTED("the sampler has a linear filter, and CUDA has none for one row of "
                            "plain memory");
  return PI_SUCCESS;
}

static pi_result make_texture(const image_source *source, pi_image_handle *ret) {
  const image_form *form = &source->form;
  TRY(check_filter(source));
  const CUDA_RESOURCE_DESC resource = texture_resource(source);
  const CUDA_TEXTURE_DESC description =
      sampler_texture(source->sampler, form->shape.has_height, form->shape.has_depth,
                      !image_kind_is_filtered(form->pixel.kind));
  CUtexObject texture = 0;
  CU_TRY(TexObjectCreate, &texture, &resource, &description, NULL);
  *ret = texture;
  return PI_SUCCESS;
}

pi_result driver_image_view_create(const image_source *source, pi_mem mem, image_view *view) {
  TRY(cuda_enter_device(source->context, source->device));
  TRY(source->memory.levels ? check_format(source) : check_plain(source));
  TRY(source->sampler ? make_texture(source, &view->handle) : make_surface(source, &view->handle));
  mem->driver.surface = view->handle;
  return PI_SUCCESS;
}

pi_result driver_image_view_destroy(image_view *view) {
  TRY(cuda_enter_device(view->entry.context, view->device));
  if (view->entry.kind == REGISTRY_SAMPLED)
    CU_TRY(TexObjectDestroy, view->handle);
  else
    CU_TRY(SurfObjectDestroy, view->handle);
  registry_free(&view->entry);
  return PI_SUCCESS;
}
