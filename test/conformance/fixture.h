/*
 * The objects that most tests need: a platform, a device, a context, a queue, buffers, programs,
 * kernels. Everything made here is released when the test ends. Each of these functions ends the
 * test when a call fails.
 */
#ifndef CONFORMANCE_FIXTURE_H
#define CONFORMANCE_FIXTURE_H

#include "check.h"
#include "modules.h"

/* The first platform and its first device; the test is skipped when there is none. */
pi_platform the_platform(void);
pi_device the_device(void);

/* A context with that device, and an in-order queue with profiling in it; one per test. */
pi_context the_context(void);

/* The devices of the context; the_device() is the last one. */
const pi_device *the_devices(pi_uint32 *count);
pi_queue the_queue(void);

/* The same context with a second device; must be called before any other use of the context. */
pi_context the_context_with(pi_device other);

/* Another queue with these PI_QUEUE_FLAG bits; skips the test when they are refused. */
pi_queue new_queue(uint64_t flags);

/* Returns whether the device's extension list has this word. */
bool device_has(const char *extension);

/* Queries the device; size is the size of the answer. */
void device_answer(pi_device_info query, size_t size, void *value);

/* A buffer of size bytes that kernels may read and write; filled from data, which may be NULL. */
pi_mem new_buffer(size_t size, const void *data);

/* A blocking read of the first bytes of a buffer. */
void read_buffer(pi_mem buffer, size_t size, void *data);

/* Kinds of USM. */
typedef enum usm_kind { USM_HOST, USM_DEVICE, USM_SHARED } usm_kind;

/* A USM allocation; skips the test when the device does not have that kind. */
void *new_usm(usm_kind kind, size_t size);

/*
 * Returns whether the device takes this run's form of code: SPIR-V if it reports so, PTX always,
 * because the user has chosen PTX for this device.
 */
bool device_takes_il(void);

/* The backend that the first platform reports. */
pi_platform_backend the_backend(void);

/* A program of a module, not built; skips the test when the device does not take its form of code.
 */
pi_program new_program(module code);

/*
 * binary_of returns a built program's executable for the device, which the caller frees. reload
 * makes a program from that executable, and does not build it.
 */
unsigned char *binary_of(pi_program program, size_t *size);
pi_program reload(pi_program program);

/* Builds for the device; options may be NULL. On failure the build log is shown. */
void build_program(pi_program program, const char *options);

/* A program of a module, built. */
pi_program new_built_program(module code);

pi_kernel new_kernel(pi_program program, const char *name);

/* The platform's build option that turns optimisation off; "" where there is none. */
const char *unoptimised_option(void);

/* Sets a memory object as an argument, read-write. */
void set_buffer(pi_kernel kernel, pi_uint32 index, pi_mem buffer);

/* Launches over n work-items in the_queue() and waits. */
void run_kernel(pi_kernel kernel, size_t n);

/*
 * With builds_only: creates the kernel, to show that the build has it, and returns true. The caller
 * then skips the checks of computed results.
 */
bool is_built_only(pi_program program, const char *kernel);

/*
 * Runs a kernel that has one argument, an output buffer, over n work-items, and reads the
 * first size bytes of that buffer, which was filled with 0xff.
 */
void run_for_output(pi_program program, const char *kernel, size_t n, size_t size, void *output);

/* Has the fixture give up one reference to an object when the test ends. */
void release_event_later(pi_event event);
void release_mem_later(pi_mem mem);
void release_program_later(pi_program program);
void release_kernel_later(pi_kernel kernel);
void release_sampler_later(pi_sampler sampler);

/* Releases everything that the test made through this fixture. For the runner. */
void fixture_release(void);

/* The form of an information query, for check_queries. */
typedef pi_result info_call(void *object, pi_uint32 query, size_t size, void *value,
                            size_t *size_ret);

/* INFO_CALL(name, handle type, query type, entry): an info_call of a plain piXGetInfo entry. */
#define INFO_CALL(name, handle, type, entry)                                                       \
  static pi_result name(void *object, pi_uint32 query, size_t size, void *value,                   \
                        size_t *size_ret) {                                                        \
    return pi.entry((handle)object, (type)query, size, value, size_ret);                           \
  }

/* Returns whether the object may refuse the query. */
typedef bool info_optional(pi_uint32 query);

/*
 * Calls every query of pi_enums.def with this type for the size alone, for the value alone, and for
 * both, and checks that the size fits the kind of answer. optional: the queries that may be
 * refused; NULL: all, as long as one is answered.
 */
void check_queries(const char *type, info_call *call, void *object, info_optional *optional);

/* The same queries with a buffer 16 bytes larger than the answer: success, those 16 bytes
 * untouched.
 */
void check_queries_with_more_room(const char *type, info_call *call, void *object);

/* The same with a buffer one byte too small: PI_ERROR_INVALID_VALUE, outputs untouched. */
void check_queries_with_less_room(const char *type, info_call *call, void *object);

/* A query that PI does not have: PI_ERROR_INVALID_VALUE, outputs untouched. */
void check_unknown_query(info_call *call, void *object);

/* The first query of the type without any output: PI_ERROR_INVALID_VALUE. */
void check_query_for_nothing(const char *type, info_call *call, void *object);

/* The first query of the type on NULL instead of an object: fails with code. */
void check_query_of_null(const char *type, info_call *call, pi_result code);

/*
 * Defines the tests of one information entry. what: prefix of their names; type: enumeration of the
 * queries; call: an info_call; optional: the optional queries (NULL: all); code: error for a NULL
 * object.
 */
#define QUERY_TESTS(group, what, type, call, object, optional, code)                               \
  TEST(group, what##_every) { check_queries(#type, call, object, optional); }                      \
  TEST(group, what##_with_more_room) { check_queries_with_more_room(#type, call, object); }        \
  TEST(group, what##_with_less_room) { check_queries_with_less_room(#type, call, object); }        \
  TEST(group, what##_refuses_unknown) { check_unknown_query(call, object); }                       \
  TEST(group, what##_refuses_no_output) { check_query_for_nothing(#type, call, object); }          \
  TEST(group, what##_refuses_null) { check_query_of_null(#type, call, code); }

#endif
