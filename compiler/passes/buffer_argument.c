#include "buffer_argument.h"

#include "../calls.h"
#include "../kernels.h"
#include "added_argument.h"
#include "sycl_unit.h"

#include <stdlib.h>
#include <string.h>

#define ARGUMENT_NAME "_arg__specialization_constants_buffer"
/* Address space of global memory, for SPIR and for NVPTX. */
#define GLOBAL_SPACE 1

/* A function of the module. */
typedef struct function_state {
  char *name; /* copy of the name, which the replacement gets at the end */
  LLVMValueRef function;
  LLVMValueRef replacement; /* the function with one more argument, or NULL */
  LLVMValueRef buffer;      /* the buffer's argument, once there is one */
  bool kernel;
  size_t kernel_index; /* a kernel's index in the output */
  bool wants;          /* uses a constant without a buffer, directly or indirectly */
  bool reached;        /* wants a buffer, and a kernel reaches it through such functions */
} function_state;

typedef struct threading {
  pass *p;
  VECTOR(function_state) functions;
  name_map index; /* name of function -> index */
  VECTOR(size_t) work;
} threading;

static function_state *state_of(const threading *t, LLVMValueRef function) {
  size_t length;
  size_t index;
  return name_map_find(&t->index, LLVMGetValueName2(function, &length), &index)
             ? &t->functions.items[index]
             : NULL;
}

static bool is_wanting(const spec_use *use) {
  return use->call.kind == USE_GET && LLVMIsNull(use->call.buffer);
}

/* ---- Functions that need a buffer ---- */

static specpi_compiler_result list_functions(threading *t) {
  for (LLVMValueRef value = LLVMGetFirstFunction(t->p->module); value != NULL;
       value = LLVMGetNextFunction(value)) {
    if (LLVMIsDeclaration(value))
      continue;
    size_t length;
    LLVMGetValueName2(value, &length);
    if (length == 0) /* names it, because functions are looked up by name */
      LLVMSetValueName2(value, "unnamed", strlen("unnamed"));
    char *name = strdup(LLVMGetValueName2(value, &length));
    if (name == NULL || !VECTOR_RESERVE(&t->functions) ||
        !name_map_add(&t->index, name, t->functions.count)) {
      free(name);
      return compiler_error_memory();
    }
    function_state *made = &t->functions.items[t->functions.count++];
    *made = (function_state){.name = name, .function = value};
    made->kernel = name_map_find(&t->p->kernels, name, &made->kernel_index);
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result add_work(threading *t, const function_state *state) {
  if (!VECTOR_RESERVE(&t->work))
    return compiler_error_memory();
  t->work.items[t->work.count++] = (size_t)(state - t->functions.items);
  return SPECPI_COMPILER_SUCCESS;
}

/* Marks the functions that want a buffer, from the uses up to their callers. */
static specpi_compiler_result mark_wants(threading *t) {
  for (size_t i = 0; i < t->p->uses.count; i++) {
    function_state *state = state_of(t, t->p->uses.items[i].call.caller);
    if (!is_wanting(&t->p->uses.items[i]) || state->wants)
      continue;
    state->wants = true;
    COMPILER_TRY(add_work(t, state));
  }
  while (t->work.count > 0) {
    LLVMValueRef function = t->functions.items[t->work.items[--t->work.count]].function;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (called_function(user) != function)
        continue;
      function_state *caller = state_of(t, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
      if (caller->wants)
        continue;
      caller->wants = true;
      COMPILER_TRY(add_work(t, caller));
    }
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Marks the functions that get a buffer: from kernels down, through functions that want one. */
static specpi_compiler_result mark_reached(threading *t) {
  for (size_t i = 0; i < t->functions.count; i++) {
    function_state *state = &t->functions.items[i];
    if (!state->kernel || !state->wants)
      continue;
    state->reached = true;
    COMPILER_TRY(add_work(t, state));
  }
  while (t->work.count > 0) {
    LLVMValueRef function = t->functions.items[t->work.items[--t->work.count]].function;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
           at = LLVMGetNextInstruction(at)) {
        LLVMValueRef callee = called_function(at);
        function_state *state = callee != NULL ? state_of(t, callee) : NULL;
        if (state == NULL || !state->wants || state->reached)
          continue;
        state->reached = true;
        COMPILER_TRY(add_work(t, state));
      }
  }
  return SPECPI_COMPILER_SUCCESS;
}

/*
 * Refuses exported functions that want a buffer. Kernels of other units have other buffers, and
 * cannot pass them to functions of this unit.
 */
static specpi_compiler_result check_exported(const threading *t) {
  for (size_t i = 0; i < t->functions.count; i++) {
    const function_state *state = &t->functions.items[i];
    if (!state->wants || state->kernel || !output_has(&t->p->output->exported, state->name))
      continue;
    char *name = sycl_readable_name(state->function);
    if (name == NULL)
      return compiler_error_memory();
    compiler_error(SPECPI_COMPILER_ERROR_INVALID_KERNEL,
                   "function '%s' is declared SYCL_EXTERNAL and reads a constant, which in mode "
                   "emulate is in a buffer that kernels of other units do not hand it",
                   name);
    free(name);
    return SPECPI_COMPILER_ERROR_INVALID_KERNEL;
  }
  return SPECPI_COMPILER_SUCCESS;
}

/*
 * Returns whether all uses of a function are direct calls. Uses by unused constants do not count.
 */
static bool is_only_called(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAConstantExpr(user) != NULL && LLVMGetFirstUse(user) == NULL)
      continue;
    if (called_function(user) != function)
      return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
      if (LLVMGetOperand(user, i) == function)
        return false;
  }
  return true;
}

/* ---- Functions with one more argument ---- */

/* Returns the added argument's entry in one of OpenCL's and SYCL's metadata lists, which have one
 * entry for each argument of a kernel. */
static LLVMMetadataRef note_entry(const pass *p, const char *kind) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(p->context);
  if (strcmp(kind, "kernel_arg_addr_space") == 0)
    return LLVMValueAsMetadata(LLVMConstInt(i32, GLOBAL_SPACE, 0));
  if (strcmp(kind, "sycl_kernel_omit_args") == 0)
    return LLVMValueAsMetadata(LLVMConstNull(LLVMInt1TypeInContext(p->context)));
  const char *text =
      strcmp(kind, "kernel_arg_access_qual") == 0                                         ? "none"
      : strcmp(kind, "kernel_arg_type") == 0 || strcmp(kind, "kernel_arg_base_type") == 0 ? "char*"
      : strcmp(kind, "kernel_arg_name") == 0      ? ARGUMENT_NAME
      : strcmp(kind, "kernel_arg_type_qual") == 0 ? ""
                                                  : NULL;
  return text != NULL ? LLVMMDStringInContext2(p->context, text, strlen(text)) : NULL;
}

static specpi_compiler_result extend_notes(const pass *p, LLVMValueRef from, LLVMValueRef to) {
  static const char *const kinds[] = {"kernel_arg_addr_space", "kernel_arg_access_qual",
                                      "kernel_arg_type",       "kernel_arg_base_type",
                                      "kernel_arg_type_qual",  "kernel_arg_name",
                                      "sycl_kernel_omit_args"};
  size_t count;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &count);
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (unsigned i = 0; i < count && result == SPECPI_COMPILER_SUCCESS; i++) {
    const unsigned kind = LLVMValueMetadataEntriesGetKind(entries, i);
    LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
    LLVMMetadataRef entry = NULL;
    for (size_t j = 0; j < sizeof kinds / sizeof kinds[0] && entry == NULL; j++)
      if (kind == LLVMGetMDKindIDInContext(p->context, kinds[j], (unsigned)strlen(kinds[j])))
        entry = note_entry(p, kinds[j]);
    if (entry == NULL) {
      LLVMGlobalSetMetadata(to, kind, node);
      continue;
    }
    LLVMValueRef value = LLVMMetadataAsValue(p->context, node);
    const unsigned length = LLVMGetMDNodeNumOperands(value);
    LLVMValueRef *operands = calloc(length + 1u, sizeof *operands);
    LLVMMetadataRef *list = calloc(length + 1u, sizeof *list);
    if (operands == NULL || list == NULL) {
      result = compiler_error_memory();
    } else {
      LLVMGetMDNodeOperands(value, operands);
      for (unsigned j = 0; j < length; j++)
        list[j] = operands[j] != NULL ? LLVMValueAsMetadata(operands[j]) : NULL;
      list[length] = entry;
      LLVMGlobalSetMetadata(to, kind, LLVMMDNodeInContext2(p->context, list, length + 1u));
    }
    free(operands);
    free(list);
  }
  LLVMDisposeValueMetadataEntries(entries);
  return result;
}

static LLVMTypeRef buffer_type(const pass *p) {
  return LLVMPointerType(LLVMInt8TypeInContext(p->context), GLOBAL_SPACE);
}

/* Makes a function's replacement, with its body and metadata. */
static specpi_compiler_result extend_function(threading *t, function_state *state) {
  COMPILER_TRY(added_argument_make(t->p->module, state->function, buffer_type(t->p), ARGUMENT_NAME,
                                   "for the buffer of the constants", &state->replacement));
  state->buffer = LLVMGetParam(state->replacement, LLVMCountParams(state->function));
  return extend_notes(t->p, state->function, state->replacement);
}

/* Returns the argument in which the runtime passes a kernel the buffer, or NULL. */
static LLVMValueRef runtime_argument(LLVMValueRef kernel) {
  for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
    LLVMValueRef value = LLVMGetParam(kernel, i);
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    if (strcmp(name, ARGUMENT_NAME) == 0 &&
        LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
      return value;
  }
  return NULL;
}

/* Calls the replacement in place of the function, with the caller's buffer. */
static specpi_compiler_result extend_call(const threading *t, LLVMValueRef call,
                                          const function_state *callee,
                                          const function_state *caller) {
  LLVMPositionBuilderBefore(t->p->builder, call);
  LLVMValueRef buffer =
      caller->buffer != NULL
          ? LLVMBuildPointerCast(t->p->builder, caller->buffer, buffer_type(t->p), "")
          : LLVMConstNull(buffer_type(t->p)); /* no kernel reaches the caller */
  return added_argument_call(t->p->builder, call, callee->replacement, buffer);
}

/* ---- The whole ---- */

/* Records the index of a kernel's buffer argument. */
static void record_argument(const threading *t, const function_state *state) {
  LLVMValueRef kernel = state->replacement != NULL ? state->replacement : state->function;
  for (unsigned i = 0; i < LLVMCountParams(kernel); i++)
    if (LLVMGetParam(kernel, i) == state->buffer)
      t->p->output->kernels.items[state->kernel_index].buffer_argument = i;
}

static specpi_compiler_result extend_functions(threading *t) {
  for (size_t i = 0; i < t->functions.count; i++) {
    function_state *state = &t->functions.items[i];
    if (state->kernel)
      state->buffer = runtime_argument(state->function);
    COMPILER_REQUIRE(!state->reached || state->kernel || is_only_called(state->function),
                     SPECPI_COMPILER_ERROR_INVALID_CALL,
                     "function '%s' uses constants and is not only called, so that it cannot be "
                     "given their buffer",
                     state->name);
    if (state->reached && state->buffer == NULL)
      COMPILER_TRY(extend_function(t, state));
    if (state->kernel && state->buffer != NULL)
      record_argument(t, state);
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result extend_calls(const threading *t, const function_state *caller) {
  LLVMValueRef body = caller->replacement != NULL ? caller->replacement : caller->function;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(body); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
      next = LLVMGetNextInstruction(at);
      LLVMValueRef callee = called_function(at);
      const function_state *state = callee != NULL ? state_of(t, callee) : NULL;
      if (state != NULL && state->replacement != NULL)
        COMPILER_TRY(extend_call(t, at, state, caller));
    }
  }
  return SPECPI_COMPILER_SUCCESS;
}

/*
 * Rewrites the annotations of kernels. With typed pointers, an annotation of a replaced function
 * would refer to a cast of its replacement, which NVPTX does not understand.
 */
static specpi_compiler_result repeat_annotations(const threading *t) {
  const unsigned count = LLVMGetNamedMetadataNumOperands(t->p->module, KERNELS_ANNOTATIONS);
  LLVMValueRef *nodes = malloc((count + 1u) * sizeof *nodes);
  if (nodes == NULL)
    return compiler_error_memory();
  if (count > 0)
    LLVMGetNamedMetadataOperands(t->p->module, KERNELS_ANNOTATIONS, nodes);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef operands[16] = {NULL};
    LLVMMetadataRef list[16];
    const unsigned length = LLVMGetMDNodeNumOperands(nodes[i]);
    if (length == 0 || length > 16)
      continue;
    LLVMGetMDNodeOperands(nodes[i], operands);
    const function_state *state = operands[0] != NULL && LLVMIsAFunction(operands[0]) != NULL
                                      ? state_of(t, operands[0])
                                      : NULL;
    if (state == NULL || state->replacement == NULL ||
        LLVMTypeOf(state->replacement) == LLVMTypeOf(state->function))
      continue;
    operands[0] = state->replacement;
    for (unsigned j = 0; j < length; j++)
      list[j] = operands[j] != NULL ? LLVMValueAsMetadata(operands[j]) : NULL;
    LLVMAddNamedMetadataOperand(
        t->p->module, KERNELS_ANNOTATIONS,
        LLVMMetadataAsValue(t->p->context, LLVMMDNodeInContext2(t->p->context, list, length)));
  }
  free(nodes);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result rewire(threading *t) {
  for (size_t i = 0; i < t->functions.count; i++)
    COMPILER_TRY(extend_calls(t, &t->functions.items[i]));
  for (size_t i = 0; i < t->p->uses.count; i++) {
    spec_use *use = &t->p->uses.items[i];
    const function_state *state = state_of(t, use->call.caller);
    const bool wanting = is_wanting(use);
    use_read_again(&use->call); /* its operands may have been arguments of a replaced function */
    if (wanting && state->reached)
      use->call.buffer = state->buffer;
    if (state->replacement != NULL)
      use->call.caller = state->replacement;
  }
  for (size_t i = 0; i < t->functions.count; i++) {
    function_state *state = &t->functions.items[i];
    if (state->replacement == NULL)
      continue;
    LLVMReplaceAllUsesWith(state->function,
                           LLVMConstBitCast(state->replacement, LLVMTypeOf(state->function)));
    LLVMDeleteFunction(state->function);
    LLVMSetValueName2(state->replacement, state->name, strlen(state->name));
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result thread_buffer(threading *t) {
  COMPILER_TRY(list_functions(t));
  COMPILER_TRY(mark_wants(t));
  COMPILER_TRY(check_exported(t));
  COMPILER_TRY(mark_reached(t));
  COMPILER_TRY(extend_functions(t));
  COMPILER_TRY(repeat_annotations(t));
  return rewire(t);
}

specpi_compiler_result buffer_argument_thread(pass *p) {
  threading t = {.p = p};
  const specpi_compiler_result result = thread_buffer(&t);
  for (size_t i = 0; i < t.functions.count; i++)
    free(t.functions.items[i].name);
  free(t.functions.items);
  free(t.work.items);
  name_map_free(&t.index);
  return result;
}
