#define _XOPEN_SOURCE 700 /* read-write locks */
#include "program_table.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/*
 * Two indexes: the entries by their handle, and the aliases by their active cl_program. The
 * lock is written only where a program comes, goes or is
 * built again, so that retain and release never wait for each other.
 */
static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static void *by_handle;
static void *by_active;
static atomic_size_t aliases; /* in by_active */

static int compare_addresses(const void *a, const void *b) {
  return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

static int compare_handles(const void *a, const void *b) {
  return compare_addresses(((const opencl_program *)a)->handle,
                           ((const opencl_program *)b)->handle);
}

static int compare_actives(const void *a, const void *b) {
  return compare_addresses(((const opencl_program_alias *)a)->active,
                           ((const opencl_program_alias *)b)->active);
}

/* With the lock held, as the functions below it. */
static opencl_program *find(cl_program handle) {
  const opencl_program key = {.handle = handle};
  void *node = tfind(&key, &by_handle, compare_handles);
  return node ? *(opencl_program **)node : NULL;
}

static void remove_alias(const opencl_program_alias *alias) {
  if (!alias)
    return;
  tdelete(alias, &by_active, compare_actives);
  atomic_fetch_sub_explicit(&aliases, 1, memory_order_relaxed);
}

static opencl_program *take(cl_program handle) {
  opencl_program *program = find(handle);
  if (program) {
    remove_alias(program->alias);
    tdelete(program, &by_handle, compare_handles);
  }
  return program;
}

static void free_alias(opencl_program_alias *alias) {
  if (!alias)
    return;
  cl.ReleaseProgram(alias->active);
  free(alias);
}

pi_result opencl_program_new(const void *il, size_t length, opencl_program **ret) {
  opencl_program *program = calloc(1, sizeof *program);
  PI_REQUIRE(program, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the state of a program");
  pi_result result = opencl_program_copy_il(il, length, &program->il, &program->il_length);
  if (result == PI_SUCCESS)
    result = pi_constants_read(program->il, program->il_length, &program->constants);
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
  free_alias(program->alias);
  pthread_mutex_destroy(&program->build_lock);
  pi_constants_free(program->constants);
  free(program->il);
  free(program);
}

pi_result opencl_program_add(opencl_program *program, cl_program handle) {
  program->handle = handle;
  atomic_store(&program->references, 1);

  pthread_rwlock_wrlock(&table_lock);
  opencl_program *stale = take(handle);
  const bool added = tsearch(program, &by_handle, compare_handles) != NULL;
  pthread_rwlock_unlock(&table_lock);

  opencl_program_free(stale);
  PI_REQUIRE(added, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the state of a program");
  return PI_SUCCESS;
}

void opencl_program_forget(cl_program handle) {
  if (!opencl_program_find(handle))
    return;
  pthread_rwlock_wrlock(&table_lock);
  opencl_program *stale = take(handle);
  pthread_rwlock_unlock(&table_lock);
  opencl_program_free(stale);
}

opencl_program *opencl_program_find(cl_program handle) {
  pthread_rwlock_rdlock(&table_lock);
  opencl_program *program = find(handle);
  pthread_rwlock_unlock(&table_lock);
  return program;
}

opencl_program *opencl_program_share(cl_program handle, const void *il, size_t length) {
  pthread_rwlock_rdlock(&table_lock);
  opencl_program *program = find(handle);
  if (program && (program->il_length != length || memcmp(program->il, il, length) != 0))
    program = NULL;
  if (program)
    atomic_fetch_add_explicit(&program->references, 1, memory_order_relaxed);
  pthread_rwlock_unlock(&table_lock);
  return program;
}

void opencl_program_count_retain(cl_program handle) {
  pthread_rwlock_rdlock(&table_lock);
  opencl_program *program = find(handle);
  if (program)
    atomic_fetch_add_explicit(&program->references, 1, memory_order_relaxed);
  pthread_rwlock_unlock(&table_lock);
}

/* Whether the reference that is about to be given up is the driver's last one. */
static bool is_last_native(const opencl_program *program) {
  cl_uint count = 0;
  return atomic_load_explicit(&program->native_known, memory_order_relaxed) &&
         cl.GetProgramInfo(program->handle, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count,
                           NULL) == CL_SUCCESS &&
         count == 1;
}

/* The reference with which an entry may end; it is looked at again under the write lock. */
static pi_result release_last(cl_program handle) {
  pthread_rwlock_wrlock(&table_lock);
  opencl_program *program = find(handle);
  const bool ends = program && (atomic_load(&program->references) == 0 || is_last_native(program));
  /* Before the lock goes: afterwards another thread may be given the same address. */
  const cl_int code = cl.ReleaseProgram(handle);
  if (code == CL_SUCCESS && ends)
    take(handle);
  else if (code != CL_SUCCESS && program)
    atomic_fetch_add(&program->references, 1);
  pthread_rwlock_unlock(&table_lock);

  if (code == CL_SUCCESS && ends)
    opencl_program_free(program);
  return cl_result(code, "clReleaseProgram");
}

pi_result opencl_program_release(cl_program handle) {
  pthread_rwlock_rdlock(&table_lock);
  opencl_program *program = find(handle);
  const bool ends =
      program && (atomic_fetch_sub(&program->references, 1) == 1 || is_last_native(program));
  pthread_rwlock_unlock(&table_lock);
  if (ends)
    return release_last(handle);

  const cl_int code = cl.ReleaseProgram(handle);
  if (code != CL_SUCCESS && program)
    atomic_fetch_add(&program->references, 1);
  return cl_result(code, "clReleaseProgram");
}

pi_result opencl_program_set_active(opencl_program *program, cl_program active) {
  opencl_program_alias *alias = malloc(sizeof *alias);
  opencl_program_alias *former = NULL;
  bool added = false;
  if (alias) {
    *alias = (opencl_program_alias){.active = active, .handle = program->handle};
    pthread_rwlock_wrlock(&table_lock);
    added = tsearch(alias, &by_active, compare_actives) != NULL;
    if (added) {
      atomic_fetch_add_explicit(&aliases, 1, memory_order_relaxed);
      former = program->alias;
      remove_alias(former);
      program->alias = alias;
    }
    pthread_rwlock_unlock(&table_lock);
  }
  if (!added) {
    free(alias);
    return pi_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the state of a program");
  }
  free_alias(former);
  return PI_SUCCESS;
}

cl_program opencl_program_active(pi_program program) {
  const cl_program handle = cl_from_program(program);
  if (atomic_load_explicit(&aliases, memory_order_relaxed) == 0)
    return handle;
  pthread_rwlock_rdlock(&table_lock);
  const opencl_program *entry = find(handle);
  const cl_program active = entry && entry->alias ? entry->alias->active : handle;
  pthread_rwlock_unlock(&table_lock);
  return active;
}

pi_program opencl_program_owner(cl_program program) {
  if (atomic_load_explicit(&aliases, memory_order_relaxed) == 0)
    return pi_from_cl_program(program);
  const opencl_program_alias key = {.active = program};
  pthread_rwlock_rdlock(&table_lock);
  void *node = tfind(&key, &by_active, compare_actives);
  const cl_program owner = node ? (*(opencl_program_alias **)node)->handle : program;
  pthread_rwlock_unlock(&table_lock);
  return pi_from_cl_program(owner);
}

pi_result opencl_program_hold(pi_program program, cl_program *ret) {
  const cl_program handle = cl_from_program(program);
  *ret = handle;
  if (atomic_load_explicit(&aliases, memory_order_relaxed) == 0)
    return PI_SUCCESS;
  cl_int code = CL_SUCCESS;
  pthread_rwlock_rdlock(&table_lock);
  const opencl_program *entry = find(handle);
  if (entry && entry->alias) {
    *ret = entry->alias->active;
    code = cl.RetainProgram(*ret);
  }
  pthread_rwlock_unlock(&table_lock);
  return cl_result(code, "clRetainProgram");
}

void opencl_program_yield(pi_program program, cl_program active) {
  if (active != cl_from_program(program))
    cl.ReleaseProgram(active);
}
