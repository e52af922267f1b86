#include "bindless.h"

#include "../base/error.h"
#include "driver.h"
#include "image.h"
#include "interop.h"

bool image_memory_find(pi_image_mem_handle handle, pi_context context, image_memory *ret) {
  return handle &&
         registry_read(REGISTRY_IMAGE_MEMORY, (uintptr_t)handle, context, ret, sizeof *ret);
}

/* Copies memory to a new entry, which list_memory takes. */
static pi_result copy_memory(pi_context context, const image_memory *memory, image_memory **ret) {
  registry_entry *entry;
  TRY(registry_new(REGISTRY_IMAGE_MEMORY, 0, context, sizeof *memory, &entry));
  *ret = (image_memory *)(void *)entry;
  const registry_entry made = *entry;
  **ret = *memory;
  (*ret)->entry = made;
  return PI_SUCCESS;
}

/* Lists memory in the registry; frees memory if it is a level that is listed already. */
static pi_image_mem_handle list_memory(image_memory *memory) {
  void *const handle = memory->image ? memory->image : memory->mipmap;
  memory->entry.link.number = (uintptr_t)handle;
  if (!registry_add(&memory->entry))
    registry_free(&memory->entry);
  return handle;
}

static pi_result find_import(pi_context context, pi_interop_mem_handle handle,
                             const image_form *form, external *ret) {
  REQUIRE(external_find(context, REGISTRY_EXTERNAL_MEMORY, handle, ret), PI_ERROR_INVALID_VALUE,
          "mem_handle is no imported memory of the context");
  REQUIRE(form->shape.size <= ret->size, PI_ERROR_INVALID_IMAGE_SIZE,
          "the image has %zu bytes, and the imported memory %zu", form->shape.size, ret->size);
  return PI_SUCCESS;
}

pi_result image_memory_create(pi_context context, pi_device device, const pi_image_format *format,
                              const pi_image_desc *desc, const pi_interop_mem_handle *import,
                              pi_image_mem_handle *ret) {
  image_memory asked = {.device = device->root, .is_external = import != NULL}, *made;
  external imported;
  TRY(driver_image_memory_form(device, format, desc, false, &asked.form));
  const unsigned limit = image_level_limit(&asked.form.shape);
  asked.levels = desc->num_mip_levels ? desc->num_mip_levels : 1;
  REQUIRE(asked.levels <= limit, PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
          "num_mip_levels is %u, and an image of this size has %u at most", asked.levels, limit);
  if (import)
    TRY(find_import(context, *import, &asked.form, &imported));
  TRY(copy_memory(context, &asked, &made));
  const pi_result result = driver_image_memory_create(made, import ? &imported : NULL);
  if (result == PI_SUCCESS)
    *ret = list_memory(made);
  else
    registry_free(&made->entry);
  return result;
}

pi_result image_memory_free(pi_context context, pi_image_mem_handle handle, bool has_levels) {
  image_memory found;
  REQUIRE(image_memory_find(handle, context, &found), PI_ERROR_INVALID_VALUE,
          "memory_handle is no image memory of the context");
  REQUIRE(found.entry.owner == 0, PI_ERROR_INVALID_VALUE,
          "memory_handle is a level, which is freed with its mip-map");
  REQUIRE(found.is_external || (found.levels > 1) == has_levels, PI_ERROR_INVALID_VALUE,
          "memory_handle has %u levels and is freed by %s", found.levels,
          has_levels ? "piextMemImageFree" : "piextMemMipmapFree");
  /* After this call other threads do not find the memory. */
  registry_entry *entry = registry_take(REGISTRY_IMAGE_MEMORY, found.entry.link.number, context);
  REQUIRE(entry, PI_ERROR_INVALID_VALUE, "another thread has freed memory_handle");
  const pi_result result = driver_image_memory_destroy((image_memory *)(void *)entry);
  if (result != PI_SUCCESS) {
    registry_add(entry);
    return result;
  }
  registry_entry *level;
  while ((level = registry_take_part(REGISTRY_IMAGE_MEMORY, found.entry.link.number)))
    registry_free(level);
  return PI_SUCCESS;
}

pi_result image_memory_level(pi_context context, pi_image_mem_handle handle, unsigned level,
                             pi_image_mem_handle *ret) {
  image_memory mipmap, *made;
  REQUIRE(image_memory_find(handle, context, &mipmap), PI_ERROR_INVALID_VALUE,
          "mip_mem is no image memory of the context");
  REQUIRE(mipmap.levels > 1, PI_ERROR_INVALID_VALUE, "mip_mem has one level only");
  REQUIRE(level < mipmap.levels, PI_ERROR_INVALID_VALUE, "level is %u, and mip_mem has %u levels",
          level, mipmap.levels);
  image_memory part = {.device = mipmap.device, .form = mipmap.form, .levels = 1};
  part.form.shape = image_shape_of_level(&mipmap.form.shape, level);
  TRY(driver_image_memory_level(&mipmap, level, &part.image));
  TRY(copy_memory(context, &part, &made));
  made->entry.owner = mipmap.entry.link.number;
  *ret = list_memory(made);
  return PI_SUCCESS;
}

pi_result image_memory_answer(pi_image_mem_handle handle, pi_image_info query,
                              const info_answer *answer) {
  image_memory memory;
  REQUIRE(image_memory_find(handle, NULL, &memory), PI_ERROR_INVALID_VALUE,
          "mem_handle is no image memory");
  TRY(answer_check(answer));
  /* PI has no query for the layers of an array. */
  if (query == PI_IMAGE_INFO_DEPTH && memory.form.shape.is_layered)
    return answer_size(answer, memory.form.shape.depth);
  return image_answer(answer, query, &memory.form);
}

/* Checks that the caller's format and image type match the memory's. Sizes come from the memory. */
static pi_result check_same(const image_source *source) {
  const image_form *said = &source->form, *form = &source->memory.form;
  REQUIRE(said->pixel.size == form->pixel.size && said->pixel.channels == form->pixel.channels,
          PI_ERROR_IMAGE_FORMAT_MISMATCH,
          "image_format has %u channels in %u bytes, img_mem %u in %u", said->pixel.channels,
          said->pixel.size, form->pixel.channels, form->pixel.size);
  REQUIRE(said->shape.type == form->shape.type, PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
          "image_type is 0x%x, and img_mem was made with 0x%x", (unsigned)said->shape.type,
          (unsigned)form->shape.type);
  REQUIRE(source->memory.device == source->device->root, PI_ERROR_INVALID_DEVICE,
          "img_mem is memory of device %u, not of device %u", source->memory.device->index,
          source->device->root->index);
  return PI_SUCCESS;
}

static pi_result read_source(pi_image_mem_handle memory, const pi_image_format *format,
                             const pi_image_desc *desc, image_source *source) {
  TRY(driver_image_memory_form(source->device, format, desc, !source->sampler, &source->form));
  source->row_pitch = desc->image_row_pitch;
  if (image_memory_find(memory, source->context, &source->memory)) {
    TRY(check_same(source));
    source->form.shape = source->memory.form.shape;
  }
  REQUIRE(!source->sampler || !source->sampler->state.is_linear ||
              image_kind_is_filtered(source->form.pixel.kind),
          PI_ERROR_INVALID_VALUE,
          "the sampler has a linear filter, and integers that are not normalised have none");
  return PI_SUCCESS;
}

static uint64_t number_of(pi_device device, pi_image_handle handle) {
  return (uint64_t)handle * UINT64_C(0x9e3779b97f4a7c15) ^ (uintptr_t)device->root;
}

static registry_kind kind_of(bool is_sampled) {
  return is_sampled ? REGISTRY_SAMPLED : REGISTRY_UNSAMPLED;
}

/* Makes the driver's part of a view and lists the view, or frees it after a failure. */
static pi_result make_view(const image_source *source, pi_mem mem, image_view *view) {
  const pi_result result = driver_image_view_create(source, mem, view);
  if (result != PI_SUCCESS) {
    registry_free(&view->entry);
    return result;
  }
  const pi_image_handle handle = view->handle;
  view->entry.link.number = number_of(source->device, handle);
  if (registry_add(&view->entry))
    return PI_SUCCESS;
  if (driver_image_view_destroy(view) != PI_SUCCESS)
    registry_free(&view->entry);
  return plugin_error(PI_ERROR_OUT_OF_RESOURCES, "the driver returned handle 0x%llx twice",
                      (unsigned long long)handle);
}

pi_result image_view_create(pi_context context, pi_device device, pi_image_mem_handle memory,
                            const pi_image_format *format, const pi_image_desc *desc,
                            pi_sampler sampler, pi_mem *ret_mem, pi_image_handle *ret_handle) {
  image_source source = {
      .context = context, .device = device, .pointer = memory, .sampler = sampler};
  TRY(read_source(memory, format, desc, &source));
  pi_mem mem;
  TRY(image_object_new(context, PI_MEM_FLAGS_ACCESS_RW, &source.form, &mem));
  registry_entry *entry;
  pi_result result = registry_new(kind_of(sampler != NULL), 0, context, sizeof(image_view), &entry);
  if (result == PI_SUCCESS)
    ((image_view *)(void *)entry)->device = device;
  if (result == PI_SUCCESS)
    result = make_view(&source, mem, (image_view *)(void *)entry);
  if (result != PI_SUCCESS) {
    memory_release(mem);
    return result;
  }
  *ret_mem = mem;
  *ret_handle = ((image_view *)(void *)entry)->handle;
  return PI_SUCCESS;
}

pi_result image_view_destroy(pi_context context, pi_device device, bool is_sampled,
                             pi_image_handle handle) {
  registry_entry *entry = registry_take(kind_of(is_sampled), number_of(device, handle), context);
  REQUIRE(entry, PI_ERROR_INVALID_VALUE, "handle 0x%llx is no %s image of the context",
          (unsigned long long)handle, is_sampled ? "sampled" : "unsampled");
  const pi_result result = driver_image_view_destroy((image_view *)(void *)entry);
  if (result != PI_SUCCESS)
    registry_add(entry);
  return result;
}
