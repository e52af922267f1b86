/* Reads required work-group sizes and names of device globals from device images' metadata. */
#include "program_code.h"

#include "../base/error.h"
#include "../base/vector.h"

#include <stdlib.h>
#include <string.h>

#define REQUIRED_SIZE_SUFFIX "@reqd_work_group_size"
#define GLOBAL_SUFFIX "@global_id_mapping"

/* Returns whether a name has the suffix. *length receives the length of the part before it. */
static bool ends_with(const char *name, const char *suffix, size_t *length) {
  const size_t all = strlen(name);
  const size_t end = strlen(suffix);
  if (all <= end || strcmp(name + all - end, suffix) != 0)
    return false;
  *length = all - end;
  return true;
}

/* Returns the bytes of a property after its prefix of 8 bytes, which holds their number of bits. */
static pi_result payload_of(const pi_device_binary_property_struct *property,
                            const unsigned char **bytes, size_t *size) {
  enum { PREFIX = 8 };
  REQUIRE(property->Type == PI_PROPERTY_TYPE_BYTE_ARRAY && property->ValAddr &&
              property->ValSize > PREFIX,
          PI_ERROR_INVALID_VALUE, "metadata \"%s\" is no list of bytes", property->Name);
  *bytes = (const unsigned char *)property->ValAddr + PREFIX;
  *size = (size_t)property->ValSize - PREFIX;
  return PI_SUCCESS;
}

static char *copy_text(const void *bytes, size_t size) {
  char *text = malloc(size + 1);
  if (text) {
    memcpy(text, bytes, size);
    text[size] = '\0';
  }
  return text;
}

static pi_result take_required(program_code *code, const pi_device_binary_property_struct *property,
                               size_t name_length) {
  const unsigned char *bytes;
  size_t size;
  pi_uint32 sizes[3] = {1, 1, 1};
  TRY(payload_of(property, &bytes, &size));
  REQUIRE(size <= sizeof sizes && size % sizeof sizes[0] == 0, PI_ERROR_INVALID_VALUE,
          "metadata \"%s\" has %zu bytes, not 1 to 3 times %zu", property->Name, size,
          sizeof sizes[0]);
  memcpy(sizes, bytes, size);
  REQUIRE(sizes[0] != 0 && sizes[1] != 0 && sizes[2] != 0, PI_ERROR_INVALID_VALUE,
          "metadata \"%s\" is %u x %u x %u, and no size of a work-group is 0", property->Name,
          sizes[0], sizes[1], sizes[2]);
  char *name = copy_text(property->Name, name_length);
  REQUIRE_MEMORY(name, "the name of a kernel");
  code_kernel *kernel = code_find(code->info, name);
  free(name);
  /* In such forms all kernels are known, so metadata about others is ignored. */
  if (!kernel && code->form->is_compiled)
    return PI_SUCCESS;
  if (!kernel)
    TRY(code_add_kernel(code->info, property->Name, name_length, &kernel));
  if (kernel->required[0] == 0)
    memcpy(kernel->required, sizes, sizeof sizes);
  code_sort(code->info);
  return PI_SUCCESS;
}

static pi_result take_global(program_code *code, const pi_device_binary_property_struct *property,
                             size_t name_length) {
  const unsigned char *bytes;
  size_t size;
  TRY(payload_of(property, &bytes, &size));
  REQUIRE_MEMORY(vector_resize(&code->globals, code->global_count + 1, sizeof *code->globals),
                 "a list of %zu variables", code->global_count + 1);
  program_global *global = &code->globals[code->global_count];
  *global = (program_global){copy_text(property->Name, name_length), copy_text(bytes, size)};
  if (!global->id || !global->name) {
    free(global->id);
    free(global->name);
    return plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the name of a variable");
  }
  code->global_count++;
  return PI_SUCCESS;
}

pi_result code_read_metadata(program_code *code, size_t count,
                             const pi_device_binary_property *metadata) {
  for (size_t i = 0; i < count; i++) {
    size_t length;
    REQUIRE(metadata[i] && metadata[i]->Name, PI_ERROR_INVALID_VALUE,
            "metadata entry %zu of %zu is NULL or has no name", i, count);
    if (ends_with(metadata[i]->Name, REQUIRED_SIZE_SUFFIX, &length))
      TRY(take_required(code, metadata[i], length));
    else if (ends_with(metadata[i]->Name, GLOBAL_SUFFIX, &length))
      TRY(take_global(code, metadata[i], length));
  }
  return PI_SUCCESS;
}

const char *code_global_name(const program_code *code, const char *id) {
  for (size_t i = 0; i < code->global_count; i++)
    if (strcmp(code->globals[i].id, id) == 0)
      return code->globals[i].name;
  return id;
}
