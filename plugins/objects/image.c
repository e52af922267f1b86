#include "image.h"

#include "../base/error.h"
#include "driver.h"
#include "native.h"
#include "usm.h"

pi_result image_check(pi_mem mem, pi_device device, const char *name) {
  REQUIRE(mem->kind == MEMORY_IMAGE && mem->pointer, PI_ERROR_INVALID_MEM_OBJECT,
          "%s is %s, not an image with memory of its own", name,
          mem->kind == MEMORY_IMAGE ? "a bindless image's description" : "a buffer");
  const pi_device own = mem->context->roots[0];
  REQUIRE(DRIVER_MOVES_IMAGES || own == device->root, PI_ERROR_INVALID_DEVICE,
          "%s is an image of device %u, and the command is for device %u; images are those of the "
          "first device of their context",
          name, own->index, device->root->index);
  return PI_SUCCESS;
}

pi_result image_check_memory(pi_context context, const char *name, pi_result code,
                             const image_extent *extent, image_pitched *memory) {
  usm_range range;
  TRY(image_pitches(code, extent, &memory->row_pitch, &memory->slice_pitch, &memory->size));
  TRY(usm_check(context, name, (const void *)memory->start, memory->size, &range));
  memory->is_usm = range.type != PI_MEM_TYPE_UNKNOWN;
  return PI_SUCCESS;
}

/* Finds the host memory with an image's initial pixels, in the description's pitches. */
static pi_result read_host_side(pi_context context, const pi_image_desc *desc,
                                const image_form *form, const void *host_ptr, image_pitched *ret) {
  const image_shape *shape = &form->shape;
  REQUIRE(host_ptr || (desc->image_row_pitch == 0 && desc->image_slice_pitch == 0),
          PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
          "image_row_pitch is %zu and image_slice_pitch %zu without host_ptr, both have to be 0",
          desc->image_row_pitch, desc->image_slice_pitch);
  if (!host_ptr)
    return PI_SUCCESS;
  const image_box whole = {0, 0, 0, shape->width, shape->height, shape->depth};
  const image_extent extent = image_extent_of(form, &whole);
  *ret = (image_pitched){.start = (uintptr_t)host_ptr,
                         .row_pitch = desc->image_row_pitch,
                         .slice_pitch =
                             shape->has_depth || shape->is_layered ? desc->image_slice_pitch : 0};
  return image_check_memory(context, "host_ptr", PI_ERROR_INVALID_IMAGE_DESCRIPTOR, &extent, ret);
}

pi_result image_object_new(pi_context context, pi_mem_flags flags, const image_form *form,
                           pi_mem *ret) {
  TRY(memory_create(context, MEMORY_IMAGE, flags, form->shape.size, ret));
  (*ret)->form = *form;
  return PI_SUCCESS;
}

pi_result image_create(pi_context context, pi_mem_flags flags, const pi_image_format *format,
                       const pi_image_desc *desc, void *host_ptr, pi_mem *ret) {
  image_form form;
  image_pitched host;
  TRY(driver_image_form(context, format, desc, (flags & PI_MEM_ACCESS_READ_ONLY) == 0, &form));
  REQUIRE(desc->num_mip_levels <= 1, PI_ERROR_UNSUPPORTED_FEATURE,
          "num_mip_levels is %u, and only bindless images have more than one",
          desc->num_mip_levels);
  TRY(read_host_side(context, desc, &form, host_ptr, &host));
  pi_mem mem;
  TRY(image_object_new(context, flags, &form, &mem));
  const pi_result result = driver_image_create(mem, host_ptr ? &host : NULL);
  mem->is_owned = result == PI_SUCCESS;
  if (result == PI_SUCCESS)
    *ret = mem;
  else
    memory_release(mem);
  return result;
}

pi_result image_adopt(pi_context context, pi_native_handle native, bool is_owned,
                      const pi_image_format *format, const pi_image_desc *desc, pi_mem *ret) {
  if (native_is_foreign())
    return native_refuse("image");
  image_form form;
  TRY(driver_image_describe(context, native, format, desc, &form));
  pi_mem mem;
  TRY(image_object_new(context, PI_MEM_FLAGS_ACCESS_RW, &form, &mem));
  const pi_result result = driver_image_adopt(mem, native);
  if (result != PI_SUCCESS) {
    memory_release(mem);
    return result;
  }
  memory_adopt_pointer(mem, is_owned);
  *ret = mem;
  return PI_SUCCESS;
}
