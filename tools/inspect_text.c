/* A device image as lines of text. */
#include "inspect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a value that are shown at most; --json shows all. */
enum { SHOWN = 64 };

void inspect_put_text(FILE *out, const char *text, size_t size) {
  for (size_t i = 0; i < size; i++)
    putc((unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i], out);
}

static void put_hex(FILE *out, const void *bytes, size_t size) {
  for (size_t i = 0; i < size && i < SHOWN; i++)
    fprintf(out, "%02x", ((const unsigned char *)bytes)[i]);
  if (size > SHOWN)
    fputs("...", out);
}

/* Prints a scalar's value as its type has it. Returns false for an unknown type. */
static bool put_scalar(FILE *out, const char *type, const void *bytes, size_t size) {
  if (!type || size > 8)
    return false;
  uint64_t word = 0;
  memcpy(&word, bytes, size);
  if (strcmp(type, "bool") == 0 && size == 1) {
    fputs(word ? "true" : "false", out);
  } else if (type[0] == 'i' && (size == 1 || size == 2 || size == 4 || size == 8)) {
    /* Sign-extends by two shifts. */
    const unsigned shift = (unsigned)(64 - 8 * size);
    fprintf(out, "%" PRId64, (int64_t)(word << shift) >> shift);
  } else if (strcmp(type, "f32") == 0 && size == sizeof(float)) {
    float value;
    memcpy(&value, bytes, sizeof value);
    fprintf(out, "%.9g", (double)value);
  } else if (strcmp(type, "f64") == 0 && size == sizeof(double)) {
    double value;
    memcpy(&value, bytes, sizeof value);
    fprintf(out, "%.17g", value);
  } else {
    return false;
  }
  return true;
}

static void put_constant(FILE *out, const specpi_constant *constant, const scalar_types *types) {
  char *type = inspect_type(constant, types);
  fputs("  constant ", out);
  inspect_put_text(out, constant->name, strlen(constant->name));
  fprintf(out, ": %s%s%zu byte%s, ", type ? type : "", type ? ", " : "", constant->size,
          constant->size == 1 ? "" : "s");
  if (constant->default_value) {
    fputs("default ", out);
    if (put_scalar(out, type, constant->default_value, constant->size))
      fputs(", hex ", out);
    put_hex(out, constant->default_value, constant->size);
    putc('\n', out);
  } else {
    fputs("no default\n", out);
  }
  free(type);
  for (size_t i = 0; i < constant->leaf_count; i++) {
    const specpi_leaf *leaf = &constant->leaves[i];
    if (leaf->id == PI_SPEC_ID_PADDING)
      fputs("    padding", out);
    else
      fprintf(out, "    id %" PRIu32, leaf->id);
    fprintf(out, ": bytes %" PRIu32 " to %" PRIu64 "\n", leaf->offset,
            (uint64_t)leaf->offset + leaf->size);
  }
}

static void put_argument(void *out, uint64_t number, const specpi_parameter *argument) {
  fprintf(out, "    argument %" PRIu64 ": %s\n", number, argument->type);
}

/* Prints a kernel, the arguments that the compiler removed, and the others with their types. */
static void put_kernel(FILE *out, const char *kernel, const inspect_lists *lists) {
  const specpi_property *arguments = inspect_arguments_of(lists, kernel);
  fputs("  kernel ", out);
  inspect_put_text(out, kernel, strlen(kernel));
  if (arguments) {
    fprintf(out, ", %" PRIu64 " arguments", arguments->bits);
    const char *before = ", without ";
    for (uint64_t i = 0; i < arguments->bits; i++)
      if (inspect_is_removed(arguments, i)) {
        fprintf(out, "%s%" PRIu64, before, i);
        before = ", ";
      }
  }
  putc('\n', out);
  inspect_signature(lists, kernel, arguments, put_argument, out);
}

static void put_property(FILE *out, const specpi_property *property) {
  fputs("  property ", out);
  inspect_put_text(out, property->set, strlen(property->set));
  fputs(", ", out);
  inspect_put_text(out, property->name, strlen(property->name));
  fputs(": ", out);
  switch (property->type) {
  case PI_PROPERTY_TYPE_UINT32:
    fprintf(out, "%" PRIu32, property->number);
    break;
  case PI_PROPERTY_TYPE_STRING:
    putc('"', out);
    inspect_put_text(out, property->bytes, property->size);
    putc('"', out);
    break;
  default: /* BYTE_ARRAY: specpiImageCreate accepts no other type */
    fprintf(out, "%" PRIu64 " bits, hex ", property->bits);
    put_hex(out, property->bytes, property->size);
    break;
  }
  putc('\n', out);
}

static void put_options(FILE *out, const char *what, const char *options) {
  if (!*options)
    return;
  fprintf(out, "  %s options: ", what);
  inspect_put_text(out, options, strlen(options));
  putc('\n', out);
}

/* A list of words being printed: before is the text that goes before the next word. */
typedef struct words {
  FILE *out;
  const char *before;
} words;

static void put_word(void *context, const char *name) {
  words *to = context;
  fprintf(to->out, "%s%s", to->before, name);
  to->before = ", ";
}

static void put_takers(FILE *out, specpi_image image, unsigned versions) {
  words runtimes = {out, "  runs with: "};
  inspect_runtimes(versions, put_word, &runtimes);
  words backends = {out, strcmp(runtimes.before, ", ") == 0 ? "; on " : "  runs on: "};
  inspect_backends(image, put_word, &backends);
  if (strcmp(runtimes.before, ", ") == 0 || strcmp(backends.before, ", ") == 0)
    putc('\n', out);
}

void inspect_print(FILE *out, size_t index, specpi_image image, unsigned versions) {
  inspect_lists lists = inspect_lists_of(image);
  size_t size;
  specpiImageGetBytes(image, &size);
  fprintf(out, "image %zu: ", index);
  inspect_put_text(out, specpiImageGetTarget(image), strlen(specpiImageGetTarget(image)));
  fprintf(out, ", %s%s, %zu bytes\n", specpiImageGetFormatName(image),
          specpiImageGetFormat(image) == PI_DEVICE_BINARY_TYPE_NONE ? " format" : "", size);
  char code[64];
  const char *ending;
  if (inspect_code(image, code, sizeof code, &ending))
    fprintf(out, "  code %s\n", code);
  put_takers(out, image, versions);
  put_options(out, "compile", specpiImageGetCompileOptions(image));
  put_options(out, "link", specpiImageGetLinkOptions(image));
  for (size_t i = 0; i < lists.kernel_count; i++)
    put_kernel(out, lists.kernels[i], &lists);
  for (size_t i = 0; i < lists.constant_count; i++)
    put_constant(out, &lists.constants[i], lists.types);
  for (size_t i = 0; i < lists.property_count; i++)
    if (!inspect_is_of_constants(&lists.properties[i]) &&
        strcmp(lists.properties[i].set, PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO) != 0)
      put_property(out, &lists.properties[i]);
  inspect_lists_free(&lists);
}
