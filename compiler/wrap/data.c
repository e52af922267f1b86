/* Device images as constants: builds the structures of pi/pi.h field by field. */
#include "wrap.h"

#include <pi/pi.h>
#include <stdlib.h>
#include <string.h>

/*
 * Versions of the image's structure. Version 2 is written by DPC++ 2024.2 and 2025, and read by
 * libsycl.so.7 and .8. Version 3, since DPC++ 2026 and for libsycl.so.9, lacks the two pointers to
 * a manifest.
 */
enum { IMAGE_VERSION = 2, IMAGE_VERSION_2026 = 3 };

typedef struct builder {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTypeRef pointer;
  LLVMTypeRef byte;
  LLVMTypeRef half_word;
  LLVMTypeRef word;
  LLVMTypeRef quad;
  LLVMTypeRef entry;
  LLVMTypeRef property;
  LLVMTypeRef set;
  LLVMTypeRef image;
  LLVMTypeRef image_2026;
  LLVMTypeRef binaries;
} builder;

/* An image in both versions of the structure. */
typedef struct image_pair {
  LLVMValueRef version_2, version_3;
} image_pair;

/* Start and end of a table or a text. */
typedef struct range {
  LLVMValueRef begin;
  LLVMValueRef end;
} range;

static LLVMTypeRef structure(const builder *b, LLVMTypeRef *members, unsigned count) {
  return LLVMStructTypeInContext(b->context, members, count, 0);
}

#define STRUCTURE(b, ...)                                                                          \
  structure(b, (LLVMTypeRef[]){__VA_ARGS__},                                                       \
            (unsigned)(sizeof((LLVMTypeRef[]){__VA_ARGS__}) / sizeof(LLVMTypeRef)))
#define CONSTANT(type, ...)                                                                        \
  LLVMConstNamedStruct(type, (LLVMValueRef[]){__VA_ARGS__},                                        \
                       (unsigned)(sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef)))

static void make_types(builder *b) {
  LLVMTypeRef p = b->pointer = LLVMPointerTypeInContext(b->context, 0);
  b->byte = LLVMInt8TypeInContext(b->context);
  b->half_word = LLVMInt16TypeInContext(b->context);
  b->word = LLVMInt32TypeInContext(b->context);
  b->quad = LLVMInt64TypeInContext(b->context);
  b->entry = STRUCTURE(b, p, p, b->quad, b->word, b->word);
  b->property = STRUCTURE(b, p, p, b->word, b->quad);
  b->set = STRUCTURE(b, p, p, p);
  b->image = STRUCTURE(b, b->half_word, b->byte, b->byte, p, p, p, p, p, p, p, p, p, p, p);
  b->image_2026 = STRUCTURE(b, b->half_word, b->byte, b->byte, p, p, p, p, p, p, p, p, p);
  b->binaries = STRUCTURE(b, b->half_word, b->half_word, p, p, p);
}

/* Returns whether LLVM lays out the types as the host's compiler does. */
static bool types_match(const builder *b) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(b->module);
  return LLVMABISizeOfType(layout, b->entry) == sizeof(pi_offload_entry_struct) &&
         LLVMABISizeOfType(layout, b->property) == sizeof(pi_device_binary_property_struct) &&
         LLVMABISizeOfType(layout, b->set) == sizeof(pi_device_binary_property_set_struct) &&
         LLVMABISizeOfType(layout, b->image) == sizeof(pi_device_binary_struct) &&
         LLVMABISizeOfType(layout, b->binaries) == sizeof(pi_device_binaries_struct);
}

static LLVMValueRef null_pointer(const builder *b) {
  return LLVMConstNull(b->pointer);
}

static LLVMValueRef constant_number(LLVMTypeRef type, uint64_t value) {
  return LLVMConstInt(type, value, 0);
}

static LLVMValueRef add_global(const builder *b, LLVMValueRef value) {
  LLVMValueRef global = LLVMAddGlobal(b->module, LLVMTypeOf(value), "");
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  return global;
}

/* Returns the address after count elements of a type. */
static LLVMValueRef after(const builder *b, LLVMTypeRef type, LLVMValueRef begin, size_t count) {
  LLVMValueRef index = constant_number(b->quad, count);
  return LLVMConstInBoundsGEP2(type, begin, &index, 1);
}

static LLVMValueRef text(const builder *b, const char *text) {
  const char *bytes = text != NULL ? text : "";
  return add_global(
      b, LLVMConstStringInContext(b->context, bytes, (unsigned)strlen(bytes), /* with a NUL */ 0));
}

/* Adds bytes with the alignment that their readers expect. */
static range bytes(const builder *b, const void *data, size_t size, unsigned alignment) {
  LLVMValueRef global =
      add_global(b, LLVMConstStringInContext(b->context, data, (unsigned)size, /* no NUL */ 1));
  LLVMSetAlignment(global, alignment);
  return (range){.begin = global, .end = after(b, b->byte, global, size)};
}

static range table(const builder *b, LLVMTypeRef type, LLVMValueRef *elements, size_t count) {
  if (count == 0)
    return (range){.begin = null_pointer(b), .end = null_pointer(b)};
  LLVMValueRef global = add_global(b, LLVMConstArray(type, elements, (unsigned)count));
  return (range){.begin = global, .end = after(b, type, global, count)};
}

static LLVMValueRef *new_list(size_t count) {
  return calloc(count + 1, sizeof(LLVMValueRef));
}

/* ---- The parts of an image ---- */

static LLVMValueRef one_property(const builder *b, const specpi_compiler_property *property) {
  LLVMValueRef name = text(b, property->name);
  if (property->type == SPECPI_COMPILER_PROPERTY_NUMBER)
    return CONSTANT(b->property, name, null_pointer(b),
                    constant_number(b->word, PI_PROPERTY_TYPE_UINT32),
                    constant_number(b->quad, property->number));
  return CONSTANT(b->property, name, bytes(b, property->data, property->size, 8).begin,
                  constant_number(b->word, PI_PROPERTY_TYPE_BYTE_ARRAY),
                  constant_number(b->quad, property->size));
}

static specpi_compiler_result one_set(const builder *b, specpi_compiler_properties from,
                                      size_t index, LLVMValueRef *ret) {
  const specpi_compiler_property *list;
  size_t count;
  const char *name = specpiCompilerPropertiesGetSet(from, index, &list, &count);
  LLVMValueRef *elements = new_list(count);
  if (elements == NULL)
    return compiler_error_memory();
  for (size_t i = 0; i < count; i++)
    elements[i] = one_property(b, &list[i]);
  const range properties = table(b, b->property, elements, count);
  free(elements);
  *ret = CONSTANT(b->set, text(b, name), properties.begin, properties.end);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result property_sets(const builder *b, specpi_compiler_properties from,
                                            range *ret) {
  const size_t count = specpiCompilerPropertiesGetSetCount(from);
  LLVMValueRef *elements = new_list(count);
  if (elements == NULL)
    return compiler_error_memory();
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (size_t i = 0; i < count && result == SPECPI_COMPILER_SUCCESS; i++)
    result = one_set(b, from, i, &elements[i]);
  if (result == SPECPI_COMPILER_SUCCESS)
    *ret = table(b, b->set, elements, count);
  free(elements);
  return result;
}

static specpi_compiler_result entries(const builder *b, const specpi_compiler_image *from,
                                      range *ret) {
  LLVMValueRef *elements = new_list(from->kernel_count);
  if (elements == NULL)
    return compiler_error_memory();
  for (size_t i = 0; i < from->kernel_count; i++)
    elements[i] =
        CONSTANT(b->entry, null_pointer(b), text(b, from->kernels[i]), constant_number(b->quad, 0),
                 constant_number(b->word, 0), constant_number(b->word, 0));
  *ret = table(b, b->entry, elements, from->kernel_count);
  free(elements);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result one_image(const builder *b, const specpi_compiler_image *from,
                                        image_pair *ret) {
  range kernels = {NULL, NULL};
  range sets = {NULL, NULL};
  COMPILER_TRY(entries(b, from, &kernels));
  COMPILER_TRY(property_sets(b, from->properties, &sets));
  const range data = bytes(b, from->data, from->size, 16);
  LLVMValueRef kind = constant_number(b->byte, PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL);
  LLVMValueRef format = constant_number(b->byte, (unsigned)from->format);
  LLVMValueRef target = text(b, from->target), compile = text(b, from->compile_options),
               link = text(b, from->link_options);
  ret->version_2 = CONSTANT(b->image, constant_number(b->half_word, IMAGE_VERSION), kind, format,
                            target, compile, link, null_pointer(b), null_pointer(b), data.begin,
                            data.end, kernels.begin, kernels.end, sets.begin, sets.end);
  ret->version_3 = CONSTANT(b->image_2026, constant_number(b->half_word, IMAGE_VERSION_2026), kind,
                            format, target, compile, link, data.begin, data.end, kernels.begin,
                            kernels.end, sets.begin, sets.end);
  return SPECPI_COMPILER_SUCCESS;
}

/* Adds the structure that contains all images; type is the type of an image. */
static LLVMValueRef all_images(const builder *b, LLVMTypeRef type, LLVMValueRef *elements,
                               size_t count) {
  const range all = table(b, type, elements, count);
  return add_global(b,
                    CONSTANT(b->binaries, constant_number(b->half_word, PI_DEVICE_BINARIES_VERSION),
                             constant_number(b->half_word, count), all.begin, null_pointer(b),
                             null_pointer(b)));
}

specpi_compiler_result wrap_data(LLVMModuleRef module, size_t count,
                                 const specpi_compiler_image *images, bool with_version_3,
                                 wrapped_images *ret) {
  builder b = {.context = LLVMGetModuleContext(module), .module = module};
  make_types(&b);
  COMPILER_REQUIRE(types_match(&b), SPECPI_COMPILER_ERROR_INTERNAL,
                   "LLVM's target is not the host that this library was compiled for");
  LLVMValueRef *elements = new_list(2 * count);
  if (elements == NULL)
    return compiler_error_memory();
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (size_t i = 0; i < count && result == SPECPI_COMPILER_SUCCESS; i++) {
    image_pair made;
    result = one_image(&b, &images[i], &made);
    if (result == SPECPI_COMPILER_SUCCESS) {
      elements[i] = made.version_2;
      elements[count + i] = made.version_3;
    }
  }
  if (result == SPECPI_COMPILER_SUCCESS) {
    ret->version_2 = all_images(&b, b.image, elements, count);
    if (with_version_3)
      ret->version_3 = all_images(&b, b.image_2026, elements + count, count);
  }
  free(elements);
  return result;
}
