/*
 * SYCL's kernel attributes. They are calls in functions that kernels reach, and become metadata of
 * the kernels. SYCL writes the fastest dimension last; in the metadata it is first.
 */
#include "sycl_unit.h"

#include "../note.h"
#include "../pointer.h"

#include <stdlib.h>
#include <string.h>

/* X(name, metadata, least, most): attributes, with the least and most numbers that they take. */
#define SYCL_ATTRIBUTES(X)                                                                         \
  X("reqd_work_group_size", "reqd_work_group_size", 1, SIZES)                                      \
  X("work_group_size_hint", "work_group_size_hint", 1, SIZES)                                      \
  X("reqd_sub_group_size", "intel_reqd_sub_group_size", 1, 1)                                      \
  X("device_has", ASPECTS, 0, NUMBERS)

#define ASPECTS "sycl_used_aspects"
enum { SIZES = 3, NUMBERS = 8 };

typedef struct kind {
  const char *name;
  const char *metadata;
  unsigned least;
  unsigned most;
} kind;

static const kind kinds[] = {
#define SYCL_ATTRIBUTE(name, metadata, least, most) {name, metadata, least, most},
    SYCL_ATTRIBUTES(SYCL_ATTRIBUTE)
#undef SYCL_ATTRIBUTE
};

/* An attribute with its numbers, in the order of the metadata. */
typedef struct attribute {
  const kind *kind;
  unsigned count;
  uint32_t numbers[NUMBERS];
} attribute;

/* Refuses an attribute. The message names the function that calls the attribute's function (the
 * call's caller), if there is one. */
static specpi_compiler_result refuse_call(const sycl_unit *unit, LLVMValueRef call,
                                          const char *name, const char *why) {
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMUseRef use = LLVMGetFirstUse(caller);
  LLVMValueRef from = use != NULL ? LLVMIsACallInst(LLVMGetUser(use)) : NULL;
  if (from != NULL) {
    call = from;
    caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  }
  return sycl_refuse(&(sycl_place){unit, caller, call}, SPECPI_COMPILER_ERROR_INVALID_KERNEL, "",
                     " has the attribute %s %s", name, why);
}

static const kind *find_kind(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, name, length) == 0)
      return &kinds[i];
  return NULL;
}

/* Finds the attribute that the call's first argument names. */
static specpi_compiler_result read_kind(const sycl_unit *unit, LLVMValueRef call,
                                        const kind **ret) {
  LLVMValueRef global = pointer_global(LLVMGetOperand(call, 0), unit->data_layout);
  LLVMValueRef string = global != NULL ? LLVMGetInitializer(global) : NULL;
  size_t length = 0;
  const char *name = pointer_is_text(string) ? LLVMGetAsString(string, &length) : "";
  *ret = find_kind(name, length > 0 ? length - 1 : 0);
  return *ret != NULL ? SPECPI_COMPILER_SUCCESS
                      : refuse_call(unit, call, SYCL_UNIT_ATTRIBUTE, "whose name is not known");
}

static specpi_compiler_result read_numbers(const sycl_unit *unit, LLVMValueRef call,
                                           attribute *ret) {
  unsigned long long numbers[1 + NUMBERS];
  for (unsigned i = 0; i < 1 + NUMBERS; i++) {
    LLVMValueRef number = LLVMIsAConstantInt(LLVMGetOperand(call, 1 + i));
    if (number == NULL)
      return refuse_call(unit, call, ret->kind->name, "whose arguments are no constants");
    numbers[i] = LLVMConstIntGetZExtValue(number);
  }
  if (numbers[0] < ret->kind->least || numbers[0] > ret->kind->most)
    return refuse_call(unit, call, ret->kind->name, "with a wrong number of arguments");
  ret->count = (unsigned)numbers[0];
  const bool sizes = strcmp(ret->kind->metadata, ASPECTS) != 0;
  for (unsigned i = 0; i < ret->count; i++) {
    if ((sizes && numbers[1 + i] == 0) || numbers[1 + i] > INT32_MAX)
      return refuse_call(unit, call, ret->kind->name,
                         "with a size that is 0, negative or too large");
    ret->numbers[sizes ? ret->count - 1 - i : i] = (uint32_t)numbers[1 + i];
  }
  for (; ret->kind->most == SIZES && ret->count < SIZES; ret->count++)
    ret->numbers[ret->count] = 1;
  return SPECPI_COMPILER_SUCCESS;
}

static void set_note(const sycl_unit *unit, LLVMValueRef kernel, const attribute *of) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(unit->context);
  LLVMMetadataRef operands[NUMBERS];
  for (unsigned i = 0; i < of->count; i++)
    operands[i] = LLVMValueAsMetadata(LLVMConstInt(i32, of->numbers[i], 0));
  LLVMGlobalSetMetadata(kernel,
                        LLVMGetMDKindIDInContext(unit->context, of->kind->metadata,
                                                 (unsigned)strlen(of->kind->metadata)),
                        LLVMMDNodeInContext2(unit->context, operands, of->count));
}

/*
 * Adds an attribute to a kernel. If the kernel has the attribute already, the numbers have to be
 * the same; aspects are merged.
 */
static specpi_compiler_result add_note(const sycl_unit *unit, LLVMValueRef call,
                                       LLVMValueRef kernel, attribute of) {
  note has;
  COMPILER_TRY(note_read(kernel, of.kind->metadata, &has));
  const bool aspects = strcmp(of.kind->metadata, ASPECTS) == 0;
  bool same = has.count == 0 || aspects || has.count == of.count;
  for (unsigned i = 0; i < has.count && same; i++) {
    const uint32_t number = (uint32_t)LLVMConstIntGetZExtValue(has.operands[i]);
    if (!aspects)
      same = number == of.numbers[i];
    else if (of.count < NUMBERS)
      of.numbers[of.count++] = number;
    else
      same = false;
  }
  note_free(&has);
  if (!same)
    return refuse_call(unit, call, of.kind->name,
                       aspects ? "with too many aspects for one kernel"
                               : "with other sizes than another function of the same kernel");
  set_note(unit, kernel, &of);
  return SPECPI_COMPILER_SUCCESS;
}

/* Applies an attribute to all kernels that reach it; reached[i] is the set that kernel i reaches.
 */
static specpi_compiler_result apply_call(const sycl_unit *unit, LLVMValueRef call,
                                         const value_set *reached) {
  attribute of = {0};
  COMPILER_TRY(read_kind(unit, call, &of.kind));
  COMPILER_TRY(read_numbers(unit, call, &of));
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  for (size_t i = 0; i < unit->kernels.count && of.count > 0; i++)
    if (value_set_has(&reached[i], caller))
      COMPILER_TRY(add_note(unit, call, unit->kernels.items[i].function, of));
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result apply_all(const sycl_unit *unit, LLVMValueRef mark,
                                        const value_set *reached) {
  LLVMUseRef use;
  while ((use = LLVMGetFirstUse(mark)) != NULL) {
    LLVMValueRef call = LLVMGetUser(use);
    COMPILER_REQUIRE(LLVMIsACallInst(call) != NULL && LLVMGetCalledValue(call) == mark &&
                         LLVMGetNumArgOperands(call) == 2 + NUMBERS,
                     SPECPI_COMPILER_ERROR_INVALID_KERNEL,
                     SYCL_UNIT_ATTRIBUTE " is used otherwise than by calls with %d arguments",
                     2 + NUMBERS);
    COMPILER_TRY(apply_call(unit, call, reached));
    LLVMInstructionEraseFromParent(call);
  }
  LLVMDeleteFunction(mark);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result sycl_attributes_apply(sycl_unit *unit) {
  LLVMValueRef mark = LLVMGetNamedFunction(unit->module, SYCL_UNIT_ATTRIBUTE);
  if (mark == NULL)
    return SPECPI_COMPILER_SUCCESS;
  value_set *reached = calloc(unit->kernels.count + 1, sizeof *reached);
  if (reached == NULL)
    return compiler_error_memory();
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (size_t i = 0; i < unit->kernels.count && result == SPECPI_COMPILER_SUCCESS; i++)
    result = sycl_reach(unit->kernels.items[i].function, &reached[i]);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = apply_all(unit, mark, reached);
  for (size_t i = 0; i < unit->kernels.count; i++)
    value_set_free(&reached[i]);
  free(reached);
  return result;
}
