/*
 * Copies of images in memory of their own: one block with an image's binary and all that it points
 * to. The original is in an object file, and disappears when the file is unloaded.
 */
#include "image.h"

#include "error.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A block that is filled from its start. A first pass with memory NULL measures its size. */
typedef struct copier {
  unsigned char *memory;
  size_t used;
  digest_state digest; /* of the content, without pointers */
} copier;

enum { ALIGNMENT = 16 };

/* Reserves size bytes; returns NULL while measuring. */
static void *room_for(copier *copier, size_t size) {
  copier->used = (copier->used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void *place = copier->memory ? copier->memory + copier->used : NULL;
  copier->used += size;
  return place;
}

/* Copies bytes, and adds them and their number to the digest. */
static void *copy_bytes(copier *copier, const void *bytes, size_t size) {
  void *place = room_for(copier, size);
  if (!place)
    return NULL;
  if (size)
    memcpy(place, bytes, size);
  const uint64_t length = size;
  digest_add(&copier->digest, &length, sizeof length);
  digest_add(&copier->digest, place, size);
  return place;
}

static char *copy_text(copier *copier, const char *text) {
  return copy_bytes(copier, text, strlen(text) + 1);
}

static char *copy_options(copier *copier, const char *options) {
  return copy_text(copier, options ? options : "");
}

static void copy_number(copier *copier, uint64_t number) {
  if (copier->memory)
    digest_add(&copier->digest, &number, sizeof number);
}

static void copy_property(copier *copier, const pi_device_binary_property_struct *from,
                          pi_device_binary_property_struct *to) {
  char *name = copy_text(copier, from->Name);
  copy_number(copier, from->Type);
  void *value = NULL;
  if (from->Type == PI_PROPERTY_TYPE_UINT32)
    copy_number(copier, from->ValSize);
  else
    value = copy_bytes(copier, from->ValAddr, (size_t)from->ValSize);
  if (to)
    *to = (pi_device_binary_property_struct){name, value, from->Type, from->ValSize};
}

static void copy_sets(copier *copier, const pi_device_binary_struct *from,
                      pi_device_binary_struct *to) {
  const size_t count = (size_t)(from->PropertySetsEnd - from->PropertySetsBegin);
  pi_device_binary_property_set_struct *sets = room_for(copier, count * sizeof *sets);
  for (size_t s = 0; s < count; s++) {
    const pi_device_binary_property_set_struct *set = &from->PropertySetsBegin[s];
    const size_t size = (size_t)(set->PropertiesEnd - set->PropertiesBegin);
    char *name = copy_text(copier, set->Name);
    copy_number(copier, size);
    pi_device_binary_property_struct *properties = room_for(copier, size * sizeof *properties);
    for (size_t p = 0; p < size; p++)
      copy_property(copier, &set->PropertiesBegin[p], properties ? &properties[p] : NULL);
    if (sets)
      sets[s] = (pi_device_binary_property_set_struct){name, properties, properties + size};
  }
  if (to) {
    to->PropertySetsBegin = sets;
    to->PropertySetsEnd = sets + count;
  }
}

static void copy_entries(copier *copier, const pi_device_binary_struct *from,
                         pi_device_binary_struct *to) {
  const size_t count = (size_t)(from->EntriesEnd - from->EntriesBegin);
  pi_offload_entry_struct *entries = room_for(copier, count * sizeof *entries);
  for (size_t i = 0; i < count; i++) {
    char *name = copy_text(copier, from->EntriesBegin[i].name);
    if (entries)
      entries[i] = (pi_offload_entry_struct){.name = name};
  }
  if (to) {
    to->EntriesBegin = entries;
    to->EntriesEnd = entries + count;
  }
}

/* Copies the binary and all that it points to, except for the manifest, which is never read. */
static pi_device_binary_struct *copy_binary(copier *copier, const pi_device_binary_struct *from,
                                            pi_device_binary_type format) {
  pi_device_binary_struct *to = room_for(copier, sizeof *to);
  const size_t size = (size_t)(from->BinaryEnd - from->BinaryStart);
  copy_number(copier, (uint64_t)format);
  const char *target = copy_text(copier, from->DeviceTargetSpec);
  const char *compile_options = copy_options(copier, from->CompileOptions);
  const char *link_options = copy_options(copier, from->LinkOptions);
  const unsigned char *code = copy_bytes(copier, from->BinaryStart, size);
  if (to)
    *to = (pi_device_binary_struct){.Version = from->Version,
                                    .Kind = from->Kind,
                                    .Format = from->Format,
                                    .DeviceTargetSpec = target,
                                    .CompileOptions = compile_options,
                                    .LinkOptions = link_options,
                                    .BinaryStart = code,
                                    .BinaryEnd = code + size};
  copy_entries(copier, from, to);
  copy_sets(copier, from, to);
  return to;
}

static specpi_result make_copy(const struct specpi_image_object *image,
                               struct specpi_image_object **ret) {
  copier copier = {0};
  copy_binary(&copier, image->binary, image->format);
  unsigned char *memory = malloc(copier.used);
  if (!memory)
    return error_memory();
  copier.memory = memory;
  copier.used = 0;
  digest_begin(&copier.digest);
  pi_device_binary_struct *binary = copy_binary(&copier, image->binary, image->format);
  specpi_image copy;
  const specpi_result result = specpiImageCreate(binary, &copy);
  if (result != SPECPI_SUCCESS) {
    free(memory);
    return result;
  }
  *ret = (struct specpi_image_object *)copy;
  (*ret)->memory = memory;
  (*ret)->digest = digest_end(&copier.digest);
  return SPECPI_SUCCESS;
}

specpi_result image_own(specpi_image image, specpi_image *ret) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  if (image->memory) {
    *ret = image_retain(image);
    return SPECPI_SUCCESS;
  }
  /* Images are constant to their users, but the copy is made later. */
  struct specpi_image_object *object = (struct specpi_image_object *)image;
  specpi_result result = SPECPI_SUCCESS;
  pthread_mutex_lock(&lock);
  if (!object->copy)
    result = make_copy(object, &object->copy);
  if (result == SPECPI_SUCCESS)
    *ret = image_retain(object->copy);
  pthread_mutex_unlock(&lock);
  return result;
}

specpi_image image_retain(specpi_image image) {
  references_add(&((struct specpi_image_object *)image)->references);
  return image;
}
