#include "memory_effects.h"

#include "../attributes.h"

#include <stdlib.h>
#include <string.h>

/* Bits of the attribute "memory" that allow reads of each of LLVM's three kinds of memory. */
#define MAY_READ 0x15

/* X(name): attributes that a function, or a parameter, must not have if it reads memory. */
#define FUNCTION_ATTRIBUTES(X)                                                                     \
  X(readnone)                                                                                      \
  X(writeonly)                                                                                     \
  X(argmemonly)                                                                                    \
  X(inaccessiblememonly)                                                                           \
  X(inaccessiblemem_or_argmemonly)                                                                 \
  X(speculatable)
#define PARAMETER_ATTRIBUTES(X)                                                                    \
  X(readnone)                                                                                      \
  X(writeonly)

#define NAME(name) #name,
static const char *const function_attributes[] = {FUNCTION_ATTRIBUTES(NAME)};
static const char *const parameter_attributes[] = {PARAMETER_ATTRIBUTES(NAME)};
#undef NAME

/* LLVM's functions for the attributes of either functions or calls. */
typedef struct access {
  LLVMAttributeRef (*get)(LLVMValueRef of, LLVMAttributeIndex at, unsigned kind);
  void (*remove)(LLVMValueRef of, LLVMAttributeIndex at, unsigned kind);
  void (*add)(LLVMValueRef of, LLVMAttributeIndex at, LLVMAttributeRef attribute);
} access;

static const access of_function = {LLVMGetEnumAttributeAtIndex, LLVMRemoveEnumAttributeAtIndex,
                                   LLVMAddAttributeAtIndex};
static const access of_call = {LLVMGetCallSiteEnumAttribute, LLVMRemoveCallSiteEnumAttribute,
                               LLVMAddCallSiteAttribute};

typedef struct marking {
  pass *p;
  name_map seen;
  VECTOR(LLVMValueRef) work;
} marking;

/* Removes an attribute, and returns whether it was there. Not all versions of LLVM have each
 * attribute. */
static bool take_attribute(const access *face, LLVMValueRef of, LLVMAttributeIndex at,
                           const char *name) {
  const unsigned kind = attributes_kind(name);
  if (kind == 0 || face->get(of, at, kind) == NULL)
    return false;
  face->remove(of, at, kind);
  return true;
}

static void put_attribute(const pass *p, const access *face, LLVMValueRef of, LLVMAttributeIndex at,
                          const char *name, uint64_t value) {
  const unsigned kind = attributes_kind(name);
  face->add(of, at, LLVMCreateEnumAttribute(p->context, kind, value));
}

static void allow(const pass *p, const access *face, LLVMValueRef of, unsigned parameters) {
  const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  bool had_none = false;
  for (size_t i = 0; i < sizeof function_attributes / sizeof function_attributes[0]; i++)
    if (take_attribute(face, of, whole, function_attributes[i]) && i == 0)
      had_none = true;
  if (had_none)
    put_attribute(p, face, of, whole, "readonly", 0);
  /* From LLVM 16 on, "memory" replaces the function attributes above. */
  const unsigned memory = attributes_kind("memory");
  LLVMAttributeRef effects = memory != 0 ? face->get(of, whole, memory) : NULL;
  if (effects != NULL) {
    const uint64_t value = LLVMGetEnumAttributeValue(effects);
    face->remove(of, whole, memory);
    put_attribute(p, face, of, whole, "memory", value | MAY_READ);
  }
  for (unsigned i = 1; i <= parameters; i++)
    for (size_t j = 0; j < sizeof parameter_attributes / sizeof parameter_attributes[0]; j++)
      take_attribute(face, of, i, parameter_attributes[j]);
}

static specpi_compiler_result add_function(marking *m, LLVMValueRef function) {
  size_t length;
  LLVMGetValueName2(function, &length);
  if (length == 0) /* names it, because functions are listed by name */
    LLVMSetValueName2(function, "unnamed", strlen("unnamed"));
  const char *name = LLVMGetValueName2(function, &length);
  size_t index;
  if (name_map_find(&m->seen, name, &index))
    return SPECPI_COMPILER_SUCCESS;
  if (!name_map_add(&m->seen, name, 0) || !VECTOR_RESERVE(&m->work))
    return compiler_error_memory();
  m->work.items[m->work.count++] = function;
  return SPECPI_COMPILER_SUCCESS;
}

/* Adds the callers of a function, or of a cast of it, which typed pointers may need. */
static specpi_compiler_result add_callers(marking *m, LLVMValueRef callee) {
  for (LLVMUseRef use = LLVMGetFirstUse(callee); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAConstantExpr(user) != NULL) {
      COMPILER_TRY(add_callers(m, user));
      continue;
    }
    if (LLVMIsACallInst(user) == NULL || LLVMGetCalledValue(user) != callee)
      continue;
    allow(m->p, &of_call, user, LLVMGetNumArgOperands(user));
    COMPILER_TRY(add_function(m, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))));
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result mark_effects(marking *m) {
  for (size_t i = 0; i < m->p->uses.count; i++)
    if (m->p->uses.items[i].call.kind == USE_GET)
      COMPILER_TRY(add_function(m, m->p->uses.items[i].call.caller));
  while (m->work.count > 0) {
    LLVMValueRef function = m->work.items[--m->work.count];
    allow(m->p, &of_function, function, LLVMCountParams(function));
    COMPILER_TRY(add_callers(m, function));
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result memory_effects_allow_reads(pass *p) {
  marking m = {.p = p};
  const specpi_compiler_result result = mark_effects(&m);
  name_map_free(&m.seen);
  free(m.work.items);
  return result;
}
