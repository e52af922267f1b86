/*
 * The members of kernels' function objects, in clang's layout for devices. Host compilers may
 * capture more in a lambda than clang, and in another order. With the members' names, the host can
 * convert its layout. Only debug information has the names of a lambda's members.
 */
#define _GNU_SOURCE /* asprintf */
#include "sycl_notes.h"
#include "sycl_unit.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Indices of operands in LLVM's debug metadata, the same since LLVM 5. */
enum { FILE_OPERAND = 0, BASE_OPERAND = 3, ELEMENTS_OPERAND = 4, TYPE_OPERAND = 4 };

/* A function object while its description is written. */
typedef struct object {
  const sycl_unit *unit;
  const sycl_kernel *kernel;
  FILE *to;
} object;

/* ---- Descriptions ---- */

/* Counts a node's operands; the node may be NULL. */
static unsigned operand_count(const sycl_unit *unit, LLVMMetadataRef node) {
  return node != NULL ? (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(unit->context, node))
                      : 0;
}

/* Returns a node's operand, or NULL if there is none. */
static LLVMMetadataRef operand(const sycl_unit *unit, LLVMMetadataRef node, unsigned index) {
  LLVMValueRef value = index < operand_count(unit, node)
                           ? LLVMGetOperand(LLVMMetadataAsValue(unit->context, node), index)
                           : NULL;
  return value != NULL ? LLVMValueAsMetadata(value) : NULL;
}

/* Returns whether a node has a tag. LLVM's C API shows tags only in the node's text. */
static bool has_tag(const sycl_unit *unit, LLVMMetadataRef node, const char *tag) {
  char *text = LLVMPrintValueToString(LLVMMetadataAsValue(unit->context, node));
  const char *at = strstr(text, "(tag: ");
  const size_t size = strlen(tag);
  const bool has = at != NULL && strncmp(at + 6, tag, size) == 0 && at[6 + size] == ',';
  LLVMDisposeMessage(text);
  return has;
}

static bool is_kind(LLVMMetadataRef node, LLVMMetadataKind kind) {
  return node != NULL && LLVMGetMetadataKind(node) == kind;
}

/* Returns a type without const, volatile and typedefs. */
static LLVMMetadataRef plain_type(const sycl_unit *unit, LLVMMetadataRef type) {
  while (is_kind(type, LLVMDIDerivedTypeMetadataKind) &&
         (has_tag(unit, type, "DW_TAG_const_type") || has_tag(unit, type, "DW_TAG_volatile_type") ||
          has_tag(unit, type, "DW_TAG_typedef")))
    type = operand(unit, type, BASE_OPERAND);
  return type;
}

static bool is_reference(const sycl_unit *unit, LLVMMetadataRef type) {
  return is_kind(type, LLVMDIDerivedTypeMetadataKind) &&
         (has_tag(unit, type, "DW_TAG_reference_type") ||
          has_tag(unit, type, "DW_TAG_rvalue_reference_type"));
}

/*
 * Returns whether a class has no name, so that it may be a lambda. Other unnamed classes look the
 * same.
 */
static bool may_be_lambda(const sycl_unit *unit, LLVMMetadataRef type) {
  size_t size = 0;
  return is_kind(type, LLVMDICompositeTypeMetadataKind) &&
         has_tag(unit, type, "DW_TAG_class_type") &&
         (LLVMDITypeGetName(type, &size) == NULL || size == 0);
}

/* Returns whether an element of a class is a base or a member that is not static. */
static bool is_part(const sycl_unit *unit, LLVMMetadataRef element) {
  return is_kind(element, LLVMDIDerivedTypeMetadataKind) &&
         (LLVMDITypeGetFlags(element) & LLVMDIFlagStaticMember) == 0 &&
         (has_tag(unit, element, "DW_TAG_member") || has_tag(unit, element, "DW_TAG_inheritance"));
}

/* Returns whether a type is a lambda, or contains one at any depth. */
static bool has_lambda(const sycl_unit *unit, LLVMMetadataRef type) {
  type = plain_type(unit, type);
  if (!is_kind(type, LLVMDICompositeTypeMetadataKind))
    return false;
  if (may_be_lambda(unit, type))
    return true;
  if (has_tag(unit, type, "DW_TAG_array_type"))
    return has_lambda(unit, operand(unit, type, BASE_OPERAND));
  LLVMMetadataRef elements = operand(unit, type, ELEMENTS_OPERAND);
  const unsigned count = operand_count(unit, elements);
  bool found = false;
  for (unsigned i = 0; i < count && !found; i++) {
    LLVMMetadataRef element = operand(unit, elements, i);
    found = is_part(unit, element) && has_lambda(unit, operand(unit, element, BASE_OPERAND));
  }
  return found;
}

/* ---- One function object ---- */

/* Returns a file's path; the unit's own file as it was passed to the compiler. */
static const char *file_of(const sycl_unit *unit, LLVMMetadataRef file, unsigned *size) {
  unsigned directory_size;
  if (file == NULL)
    return "";
  const char *directory = LLVMDIFileGetDirectory(file, &directory_size);
  const char *name = LLVMDIFileGetFilename(file, size);
  if (!sycl_is_own_file(unit, directory, directory_size, name, *size))
    return name;
  size_t own_size;
  const char *own = LLVMGetSourceFileName(unit->module, &own_size);
  *size = (unsigned)own_size;
  return own;
}

/* Refuses a member that is a reference, or this. */
static specpi_compiler_result refuse_member(const object *at, LLVMMetadataRef member,
                                            const char *name) {
  unsigned size = 0;
  const char *path = file_of(at->unit, operand(at->unit, member, FILE_OPERAND), &size);
  char *kernel = sycl_readable_kernel(at->kernel->name);
  if (kernel == NULL)
    return compiler_error_memory();
  if (strcmp(name, "this") == 0)
    compiler_error(SPECPI_COMPILER_ERROR_INVALID_KERNEL,
                   "kernel '%s' captures 'this' (%.*s:%u), a pointer to an object of the host; "
                   "capture '*this', or copies of the members that it uses",
                   kernel, (int)size, path, LLVMDITypeGetLine(member));
  else
    compiler_error(SPECPI_COMPILER_ERROR_INVALID_KERNEL,
                   "kernel '%s' captures '%s' by reference (%.*s:%u), which is memory of the host; "
                   "capture it by value",
                   kernel, name, (int)size, path, LLVMDITypeGetLine(member));
  free(kernel);
  return SPECPI_COMPILER_ERROR_INVALID_KERNEL;
}

static specpi_compiler_result describe_members(const object *at, LLVMMetadataRef lambda,
                                               const char *before, uint64_t offset);

/*
 * Writes a member's name, offset and size and, if it may be a lambda, the lambda's members. A class
 * that contains a lambda gets a mark, because the names of its members are not known.
 */
static specpi_compiler_result describe_member(const object *at, LLVMMetadataRef member,
                                              const char *before, uint64_t offset) {
  const sycl_unit *unit = at->unit;
  LLVMMetadataRef type = plain_type(unit, operand(unit, member, BASE_OPERAND));
  size_t size = 0;
  const char *name = LLVMDITypeGetName(member, &size);
  if (is_reference(unit, type) ||
      (size == 4 && memcmp(name, "this", 4) == 0 && is_kind(type, LLVMDIDerivedTypeMetadataKind)))
    return refuse_member(at, member, name);
  char *path = NULL;
  if (asprintf(&path, "%s%.*s", before, (int)size, name) < 0)
    return compiler_error_memory();
  offset += LLVMDITypeGetOffsetInBits(member) / 8;
  const bool is_lambda = may_be_lambda(unit, type);
  fprintf(at->to, " %s%s %llu %llu", path, !is_lambda && has_lambda(unit, type) ? "~" : "",
          (unsigned long long)offset, (unsigned long long)(LLVMDITypeGetSizeInBits(member) / 8));
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  char *inside = NULL;
  if (is_lambda && asprintf(&inside, "%s.", path) < 0)
    result = compiler_error_memory();
  else if (is_lambda)
    result = describe_members(at, type, inside, offset);
  free(inside);
  free(path);
  return result;
}

static specpi_compiler_result describe_members(const object *at, LLVMMetadataRef lambda,
                                               const char *before, uint64_t offset) {
  LLVMMetadataRef elements = operand(at->unit, lambda, ELEMENTS_OPERAND);
  const unsigned count = operand_count(at->unit, elements);
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (unsigned i = 0; i < count && result == SPECPI_COMPILER_SUCCESS; i++) {
    LLVMMetadataRef element = operand(at->unit, elements, i);
    if (is_part(at->unit, element))
      result = describe_member(at, element, before, offset);
  }
  return result;
}

/* Returns the class of a kernel's function object, which is the only member of the only argument;
 * NULL if it is unknown. */
static LLVMMetadataRef object_type(const sycl_unit *unit, LLVMValueRef kernel) {
  LLVMMetadataRef function = LLVMGetSubprogram(kernel);
  LLVMMetadataRef type = function != NULL ? operand(unit, function, TYPE_OPERAND) : NULL;
  LLVMMetadataRef types = type != NULL ? operand(unit, type, BASE_OPERAND) : NULL;
  LLVMMetadataRef argument = plain_type(unit, operand(unit, types, 1));
  if (!is_kind(argument, LLVMDICompositeTypeMetadataKind))
    return NULL;
  LLVMMetadataRef member = operand(unit, operand(unit, argument, ELEMENTS_OPERAND), 0);
  type = is_kind(member, LLVMDIDerivedTypeMetadataKind) && is_part(unit, member)
             ? plain_type(unit, operand(unit, member, BASE_OPERAND))
             : NULL;
  return is_kind(type, LLVMDICompositeTypeMetadataKind) ? type : NULL;
}

static specpi_compiler_result note_type(const object *at, LLVMMetadataRef type) {
  fprintf(at->to, "%llu", (unsigned long long)(LLVMDITypeGetSizeInBits(type) / 8));
  if (may_be_lambda(at->unit, type))
    return describe_members(at, type, "", 0);
  if (has_lambda(at->unit, type))
    fputs(" ~ 0 0", at->to);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result note_kernel(const sycl_unit *unit, const sycl_kernel *kernel) {
  LLVMMetadataRef type = object_type(unit, kernel->function);
  if (type == NULL)
    return SPECPI_COMPILER_SUCCESS;
  char *text = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&text, &size);
  if (to == NULL)
    return compiler_error_memory();
  const object at = {unit, kernel, to};
  specpi_compiler_result result = note_type(&at, type);
  if (fclose(to) != 0)
    result = compiler_error_memory();
  if (result == SPECPI_COMPILER_SUCCESS)
    sycl_notes_add(unit->module, SYCL_OBJECTS_METADATA, kernel->name, text);
  free(text);
  return result;
}

specpi_compiler_result sycl_objects_note(const sycl_unit *unit) {
  for (size_t i = 0; i < unit->kernels.count; i++)
    COMPILER_TRY(note_kernel(unit, &unit->kernels.items[i]));
  return SPECPI_COMPILER_SUCCESS;
}
