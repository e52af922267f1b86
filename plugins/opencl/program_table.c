#include "program_table.h"

#include "../base/side_table.h"
#include "../code/spirv_copy.h"

#include <stdlib.h>
#include <string.h>

/*
 * Guards changes of the table: a new program, the end of one, a further build. A look-up takes no
 * lock, because retain and release are part of every launch.
 */
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static side_table by_handle; /* pi_program (its cl_program) -> opencl_program */
static side_table by_active; /* active cl_program -> pi_program (its cl_program) */

/* Takes an entry out of the table. The caller holds the lock, and frees the entry. */
static opencl_program *take_entry(cl_program handle) {
  opencl_program *program = opencl_program_find(handle);
  if (program) {
    side_table_remove(&by_active, program->active);
    side_table_remove(&by_handle, handle);
  }
  return program;
}

pi_result opencl_program_new(const void *il, size_t length, opencl_program **ret) {
  opencl_program *program = calloc(1, sizeof *program);
  REQUIRE_MEMORY(program, "the state of a program");
  pi_result result = spirv_copy(il, length, &program->il, &program->il_length);
  if (result == PI_SUCCESS)
    result = code_constants_read(program->il, program->il_length, &program->constants);
  if (result != PI_SUCCESS) {
    free(program->il);
    free(program);
    return result;
  }
  pthread_mutex_init(&program->build_lock, NULL);
  *ret = program;
  return PI_SUCCESS;
}

void opencl_program_free(opencl_program *program) {
  if (!program)
    return;
  if (program->active)
    cl.ReleaseProgram(program->active);
  pthread_mutex_destroy(&program->build_lock);
  code_constants_free(program->constants);
  free(program->il);
  free(program);
}

pi_result opencl_program_add(opencl_program *program, cl_program handle) {
  program->handle = handle;
  atomic_store(&program->references, 1);

  pthread_mutex_lock(&table_lock);
  opencl_program *stale = take_entry(handle);
  const bool added = side_table_put(&by_handle, handle, program);
  pthread_mutex_unlock(&table_lock);

  opencl_program_free(stale);
  REQUIRE_MEMORY(added, "the state of a program");
  return PI_SUCCESS;
}

void opencl_program_forget(cl_program handle) {
  if (!opencl_program_find(handle))
    return;
  pthread_mutex_lock(&table_lock);
  opencl_program *stale = take_entry(handle);
  pthread_mutex_unlock(&table_lock);
  opencl_program_free(stale);
}

opencl_program *opencl_program_find(cl_program handle) {
  return side_table_find(&by_handle, handle);
}

opencl_program *opencl_program_share(cl_program handle, const void *il, size_t length) {
  /* Needs the lock, because a native reference may keep handle alive but not the entry. */
  pthread_mutex_lock(&table_lock);
  opencl_program *program = opencl_program_find(handle);
  if (program && (program->il_length != length || memcmp(program->il, il, length) != 0))
    program = NULL;
  if (program)
    atomic_fetch_add(&program->references, 1);
  pthread_mutex_unlock(&table_lock);
  return program;
}

void opencl_program_count_retain(cl_program handle) {
  opencl_program *program = opencl_program_find(handle);
  if (program)
    atomic_fetch_add(&program->references, 1);
}

/* Returns whether the driver has only one reference left, which is about to be released. */
static bool is_last_native(cl_program handle) {
  cl_uint count = 0;
  return cl.GetProgramInfo(handle, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count, NULL) ==
             CL_SUCCESS &&
         count == 1;
}

/* Takes the entry out of the table if the last reference is being released, which this checks again
 * under the lock. */
static opencl_program *take_last(cl_program handle) {
  pthread_mutex_lock(&table_lock);
  opencl_program *program = opencl_program_find(handle);
  const bool ends = program && (atomic_load(&program->references) == 0 ||
                                (atomic_load(&program->native_known) && is_last_native(handle)));
  if (ends)
    take_entry(handle);
  pthread_mutex_unlock(&table_lock);
  return ends ? program : NULL;
}

/* Undoes a release that the driver refused. taken is the entry, or NULL if it is still in the
 * table. */
static void restore_entry(cl_program handle, opencl_program *taken) {
  pthread_mutex_lock(&table_lock);
  opencl_program *program = opencl_program_find(handle);
  if (!program && taken && side_table_put(&by_handle, handle, taken)) {
    program = taken;
    const cl_program active = atomic_load(&taken->active);
    if (active)
      side_table_put(&by_active, active, handle);
  }
  if (program)
    atomic_fetch_add(&program->references, 1);
  pthread_mutex_unlock(&table_lock);
  if (taken != program)
    opencl_program_free(taken);
}

pi_result opencl_program_release(cl_program handle) {
  opencl_program *program = opencl_program_find(handle);
  opencl_program *taken = NULL;
  if (program) {
    /* Must be read first: after the decrement another thread may free the entry. */
    const bool native_known = atomic_load(&program->native_known);
    if (atomic_fetch_sub(&program->references, 1) == 1 || (native_known && is_last_native(handle)))
      taken = take_last(handle);
  }
  /* The entry must be out of the table by now, because another program may get the address after
   * this. */
  const cl_int code = cl.ReleaseProgram(handle);
  if (code == CL_SUCCESS)
    opencl_program_free(taken);
  else if (program)
    restore_entry(handle, taken);
  return cl_result(code, "clReleaseProgram");
}

pi_result opencl_program_set_active(opencl_program *program, cl_program active) {
  cl_program former = NULL;
  pthread_mutex_lock(&table_lock);
  const bool added = side_table_put(&by_active, active, program->handle);
  if (added) {
    former = atomic_exchange(&program->active, active);
    side_table_remove(&by_active, former);
  }
  pthread_mutex_unlock(&table_lock);
  REQUIRE_MEMORY(added, "the state of a program");
  if (former)
    cl.ReleaseProgram(former);
  return PI_SUCCESS;
}

pi_program opencl_program_owner(cl_program program) {
  const cl_program owner = side_table_find(&by_active, program);
  return pi_from_cl_program(owner ? owner : program);
}

pi_result opencl_program_hold(pi_program program, cl_program *ret) {
  const cl_program handle = cl_from_program(program);
  opencl_program *entry = opencl_program_find(handle);
  cl_int code = CL_SUCCESS;
  *ret = handle;
  if (entry && atomic_load(&entry->active)) {
    /* The lock keeps another build from releasing the active cl_program before it is retained. */
    pthread_mutex_lock(&table_lock);
    *ret = entry->active;
    code = cl.RetainProgram(*ret);
    pthread_mutex_unlock(&table_lock);
  }
  return cl_result(code, "clRetainProgram");
}

void opencl_program_yield(pi_program program, cl_program active) {
  if (active != cl_from_program(program))
    cl.ReleaseProgram(active);
}
