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

/* The devices that the context has, the_device() as the last one. */
const pi_device *the_devices(pi_uint32 *count);
pi_queue the_queue(void);

/* That context with a second device; before any other use of it. */
pi_context the_context_with(pi_device other);

/* Another queue with these PI_QUEUE_FLAG bits; skips the test when they are refused. */
pi_queue new_queue(uint64_t flags);

/* Returns whether the device's extension list has this word. */
bool device_has(const char *extension);

/* One answer of the device; size is what the query has. */
void device_answer(pi_device_info query, size_t size, void *value);

/* A buffer of size bytes that the kernel may read and write; filled from data unless NULL. */
pi_mem new_buffer(size_t size, const void *data);

/* A blocking read of the first bytes of a buffer. */
void read_buffer(pi_mem buffer, size_t size, void *data);

/* Kinds of USM. */
typedef enum usm_kind { USM_HOST, USM_DEVICE, USM_SHARED } usm_kind;

/* An allocation; skips the test when the device does not have that kind. */
void *new_usm(usm_kind kind, size_t size);

/*
 * Returns whether the device takes the form of code that this run is about: SPIR-V when it says so,
 * PTX in any case, because who asks for PTX knows that.
 */
bool device_takes_il(void);

/* The backend that the first platform reports. */
pi_platform_backend the_backend(void);

/* A program of a module, not built; skips the test when the device takes no such code. */
pi_program new_program(module code);

/*
 * The executable of a built program for the device, to be freed; and a program made of it, which is
 * not built.
 */
unsigned char *binary_of(pi_program program, size_t *size);
pi_program reload(pi_program program);

/* Builds for the device; options may be NULL. On failure the build log is shown. */
void build_program(pi_program program, const char *options);

/* A program of a module, built. */
pi_program new_built_program(module code);

pi_kernel new_kernel(pi_program program, const char *name);

/* The option that means "do not optimise" on the platform; "" where there is none. */
const char *unoptimised_option(void);

/* Sets a memory object as an argument, read-write. */
void set_buffer(pi_kernel kernel, pi_uint32 index, pi_mem buffer);

/* Launches over n work-items in the_queue() and waits. */
void run_kernel(pi_kernel kernel, size_t n);

/*
 * With builds_only: makes the kernel, so that the build is known to have it, and true. The caller
 * goes on without what the kernel would have computed.
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

/* Releases all of the above. For the runner. */
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

/* A query that need not be answered. */
typedef bool info_optional(pi_uint32 query);

/*
 * Asks every query of pi_enums.def that has this type: the size alone, the value alone, then
 * both, and checks the size against the kind of the answer. optional says which queries may be
 * refused; NULL: all of them, as long as one is answered.
 */
void check_queries(const char *type, info_call *call, void *object, info_optional *optional);

/* The same queries with 16 bytes more than the answer needs: a success, nothing after it. */
void check_queries_with_more_room(const char *type, info_call *call, void *object);

/* The same with one byte too little: PI_ERROR_INVALID_VALUE, outputs untouched. */
void check_queries_with_less_room(const char *type, info_call *call, void *object);

/* A query that PI does not have: PI_ERROR_INVALID_VALUE, outputs untouched. */
void check_unknown_query(info_call *call, void *object);

/* The first query of the type without any output: PI_ERROR_INVALID_VALUE. */
void check_query_for_nothing(const char *type, info_call *call, void *object);

/* The first query of the type asked of NULL: code. */
void check_query_of_null(const char *type, info_call *call, pi_result code);

/*
 * The tests of one information entry: what (a prefix of their names), the enumeration of the
 * queries, the info_call, the object, which queries are optional (NULL: all), the code for a
 * NULL object.
 */
#define QUERY_TESTS(group, what, type, call, object, optional, code)                               \
  TEST(group, what##_every) { check_queries(#type, call, object, optional); }                      \
  TEST(group, what##_with_more_room) { check_queries_with_more_room(#type, call, object); }        \
  TEST(group, what##_with_less_room) { check_queries_with_less_room(#type, call, object); }        \
  TEST(group, what##_refuses_unknown) { check_unknown_query(call, object); }                       \
  TEST(group, what##_refuses_no_output) { check_query_for_nothing(#type, call, object); }          \
  TEST(group, what##_refuses_null) { check_query_of_null(#type, call, code); }

#endif
