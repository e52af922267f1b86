/* Source positions of code, from debug information. */
#define _GNU_SOURCE /* asprintf */
#include "sycl_unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function that a root reaches by calls; call is in the function of the step with the index from.
 */
typedef struct step {
  LLVMValueRef function;
  LLVMValueRef call;
  size_t from;
} step;

typedef VECTOR(step) step_list;

typedef struct position {
  const char *file;
  int size;
  unsigned line;
  bool in_unit; /* file is the unit's own source file */
} position;

/* A file below the working directory has a relative name; directory is then the working directory.
 */
bool sycl_is_own_file(const sycl_unit *unit, const char *directory, size_t directory_size,
                      const char *file, size_t size) {
  size_t own_size;
  const char *own = LLVMGetSourceFileName(unit->module, &own_size);
  if (own_size == size && memcmp(own, file, size) == 0)
    return true;
  return directory != NULL && own_size == directory_size + 1 + size &&
         memcmp(own, directory, directory_size) == 0 && own[directory_size] == '/' &&
         memcmp(own + directory_size + 1, file, size) == 0;
}

/* Finds the source position of a value; false if the module has none. */
static bool find_position(const sycl_unit *unit, LLVMValueRef value, position *ret) {
  unsigned count = 0;
  const char *file = LLVMGetDebugLocFilename(value, &count);
  *ret = (position){file, (int)count, LLVMGetDebugLocLine(value), false};
  if (file == NULL || count == 0 || ret->line == 0)
    return false;
  unsigned directory_size = 0;
  const char *directory = LLVMGetDebugLocDirectory(value, &directory_size);
  ret->in_unit = sycl_is_own_file(unit, directory, directory_size, file, count);
  if (ret->in_unit) { /* the path as it was passed to the compiler */
    size_t size;
    ret->file = LLVMGetSourceFileName(unit->module, &size);
    ret->size = (int)size;
  }
  return true;
}

/* Adds steps for the functions that a step's function calls; false when memory is exhausted. */
static bool add_called(step_list *steps, size_t from, value_set *seen) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(steps->items[from].function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      LLVMValueRef called =
          LLVMIsACallInst(at) != NULL ? LLVMIsAFunction(LLVMGetCalledValue(at)) : NULL;
      bool added = false;
      if (called == NULL)
        continue;
      if (!value_set_add(seen, called, &added) || !VECTOR_RESERVE(steps))
        return false;
      if (added)
        steps->items[steps->count++] = (step){called, at, from};
    }
  return true;
}

/* Finds the last call in the unit's own file on the shortest path from root to the function; false
 * if there is none. */
static bool find_call(const sycl_unit *unit, LLVMValueRef root, LLVMValueRef function,
                      position *ret) {
  step_list steps = {0};
  value_set seen = {0};
  bool found = false;
  if (VECTOR_RESERVE(&steps) && value_set_add(&seen, root, NULL)) {
    steps.items[steps.count++] = (step){root, NULL, 0};
    size_t at = 0;
    while (at < steps.count && steps.items[at].function != function &&
           add_called(&steps, at, &seen))
      at++;
    if (at < steps.count && steps.items[at].function == function)
      for (; steps.items[at].call != NULL && !found; at = steps.items[at].from)
        found = find_position(unit, steps.items[at].call, ret) && ret->in_unit;
  }
  value_set_free(&seen);
  free(steps.items);
  return found;
}

char *sycl_readable_place(const sycl_unit *unit, LLVMValueRef root, LLVMValueRef function,
                          LLVMValueRef instruction) {
  position where;
  position call;
  char *text = NULL;
  int size = 0;
  if (!(instruction != NULL && find_position(unit, instruction, &where)) &&
      !find_position(unit, function, &where))
    return strdup("");
  if (root != NULL && !where.in_unit && find_call(unit, root, function, &call))
    size = asprintf(&text, " (%.*s:%u, called at %.*s:%u)", where.size, where.file, where.line,
                    call.size, call.file, call.line);
  else
    size = asprintf(&text, " (%.*s:%u)", where.size, where.file, where.line);
  return size < 0 ? NULL : text;
}

/* Finds the first function in the unit's own file that root reaches by calls; false if there is
 * none. */
static bool find_own(const sycl_unit *unit, LLVMValueRef root, position *ret) {
  step_list steps = {0};
  value_set seen = {0};
  bool found = false;
  if (VECTOR_RESERVE(&steps) && value_set_add(&seen, root, NULL)) {
    steps.items[steps.count++] = (step){root, NULL, 0};
    for (size_t at = 0; at < steps.count && !found; at++)
      found = (find_position(unit, steps.items[at].function, ret) && ret->in_unit) ||
              !add_called(&steps, at, &seen);
  }
  value_set_free(&seen);
  free(steps.items);
  return found && ret->in_unit;
}

char *sycl_readable_kernel_place(const sycl_unit *unit, LLVMValueRef kernel) {
  position where;
  char *text = NULL;
  if (!find_own(unit, kernel, &where))
    return sycl_readable_place(unit, NULL, kernel, NULL);
  return asprintf(&text, " (%.*s:%u)", where.size, where.file, where.line) < 0 ? NULL : text;
}
