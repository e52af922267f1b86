#include "metadata.h"

#include "handles.h"

#include <stdlib.h>

/* X(UR's type, PI's, the member with the value). BYTE_ARRAY starts with its length in bits. */
#define METADATA_TYPES(X)                                                                          \
  X(BYTE_ARRAY, BYTE_ARRAY, pData)                                                                 \
  X(STRING, STRING, pString)

/* Converts one entry. PI stores a 32-bit value in the place of the size. */
static ur_result_t read_entry(const ur_program_metadata_t *from, uint32_t index,
                              pi_device_binary_property_struct *ret) {
  char *const name = (char *)(uintptr_t)from->pName;
  UR_REQUIRE(name, UR_RESULT_ERROR_INVALID_NULL_POINTER, "metadata entry %u has no name", index);
  switch ((int)from->type) {
  case UR_PROGRAM_METADATA_TYPE_UINT32:
    *ret =
        (pi_device_binary_property_struct){name, NULL, PI_PROPERTY_TYPE_UINT32, from->value.data32};
    return UR_RESULT_SUCCESS;
  case UR_PROGRAM_METADATA_TYPE_UINT64: /* PI lacks the type, and no known property has it */
    *ret = (pi_device_binary_property_struct){name, NULL, PI_PROPERTY_TYPE_UNKNOWN, 0};
    return UR_RESULT_SUCCESS;
#define METADATA_TYPE(ur, pi, member)                                                              \
  case UR_PROGRAM_METADATA_TYPE_##ur:                                                              \
    *ret = (pi_device_binary_property_struct){name, from->value.member, PI_PROPERTY_TYPE_##pi,     \
                                              from->size};                                         \
    return UR_RESULT_SUCCESS;
    METADATA_TYPES(METADATA_TYPE)
#undef METADATA_TYPE
  }
  return face_error(UR_RESULT_ERROR_INVALID_ENUMERATION,
                    "metadata entry %u, \"%s\", has type 0x%x, which UR has not", index, name,
                    (unsigned)from->type);
}

static ur_result_t read_entries(const ur_program_properties_t *properties, metadata *metadata) {
  for (uint32_t i = 0; i < metadata->count; i++) {
    UR_PASS(read_entry(&properties->pMetadatas[i], i, &metadata->entries[i]));
    metadata->list[i] = &metadata->entries[i];
  }
  return UR_RESULT_SUCCESS;
}

ur_result_t metadata_read(const ur_program_properties_t *properties, metadata *ret) {
  metadata metadata = {0};
  if (properties) {
    UR_REQUIRE(properties->pMetadatas || properties->count == 0,
               UR_RESULT_ERROR_INVALID_NULL_POINTER, "pMetadatas is NULL, and count is %u",
               properties->count);
    UR_REQUIRE(!properties->pMetadatas || properties->count != 0, UR_RESULT_ERROR_INVALID_SIZE,
               "count is 0, and pMetadatas is not NULL");
    metadata.count = properties->count;
  }
  if (metadata.count != 0) {
    metadata.entries = calloc(metadata.count, sizeof *metadata.entries);
    metadata.list = calloc(metadata.count, sizeof(pi_device_binary_property));
    const ur_result_t result = metadata.entries && metadata.list
                                   ? read_entries(properties, &metadata)
                                   : UR_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    if (result != UR_RESULT_SUCCESS)
      metadata_free(&metadata);
    UR_REQUIRE(result != UR_RESULT_ERROR_OUT_OF_HOST_MEMORY, UR_RESULT_ERROR_OUT_OF_HOST_MEMORY,
               "no memory for %u entries of metadata", properties->count);
    UR_PASS(result);
  }
  *ret = metadata;
  return UR_RESULT_SUCCESS;
}

void metadata_free(metadata *metadata) {
  free(metadata->entries);
  free(metadata->list);
}
