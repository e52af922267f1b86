/* Contexts. */
#include "fixture.h"

INFO_CALL(context_info, pi_context, pi_context_info, piContextGetInfo)

static pi_uint32 references(pi_context context) {
  pi_uint32 count = 0;
  expect_success(
      pi.piContextGetInfo(context, PI_CONTEXT_INFO_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

TEST(context, create) {
  const pi_device device = the_device();
  pi_context context = NULL;
  expect_success(pi.piContextCreate(NULL, 1, &device, NULL, NULL, &context));
  expect(context, "the context is NULL");
  expect_success(pi.piContextRelease(context));
}

TEST(context, create_with_platform_property) {
  const pi_device device = the_device();
  pi_context context = NULL;
  /* OpenCL's CL_CONTEXT_PLATFORM; PI passes the list on. */
  const pi_context_properties properties[] = {0x1084, (pi_context_properties)the_platform(), 0};
  if (is_supported(pi.piContextCreate(properties, 1, &device, NULL, NULL, &context)))
    expect_success(pi.piContextRelease(context));
}

TEST(context, create_refuses) {
  const pi_device device = the_device();
  const pi_device no_device = NULL;
  pi_context context;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, context,
                     pi.piContextCreate(NULL, 0, &device, NULL, NULL, &context));
  expect_error_keeps(PI_ERROR_INVALID_VALUE, context,
                     pi.piContextCreate(NULL, 1, NULL, NULL, NULL, &context));
  expect_error_keeps(PI_ERROR_INVALID_DEVICE, context,
                     pi.piContextCreate(NULL, 1, &no_device, NULL, NULL, &context));
}

TEST(context, create_refuses_null_output) {
  const pi_device device = the_device();
  expect_error(PI_ERROR_INVALID_VALUE, pi.piContextCreate(NULL, 1, &device, NULL, NULL, NULL));
}

static bool optional_query(pi_uint32 query) {
  return query != PI_CONTEXT_INFO_REFERENCE_COUNT && query != PI_CONTEXT_INFO_DEVICES &&
         query != PI_CONTEXT_INFO_NUM_DEVICES &&
         query < PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT;
}

QUERY_TESTS(context, query, pi_context_info, context_info, the_context(), optional_query,
            PI_ERROR_INVALID_CONTEXT)

TEST(context, queries_make_sense) {
  pi_uint32 count = 0, wanted;
  pi_device list[16] = {NULL};
  const pi_device *devices = the_devices(&wanted);
  const pi_context context = the_context();
  expect_success(
      pi.piContextGetInfo(context, PI_CONTEXT_INFO_NUM_DEVICES, sizeof count, &count, NULL));
  expect_equal(wanted, count);
  expect_success(
      pi.piContextGetInfo(context, PI_CONTEXT_INFO_DEVICES, wanted * sizeof list[0], list, NULL));
  for (pi_uint32 i = 0; i < wanted; i++)
    expect_same(devices[i], list[i]);
}

TEST(context, references) {
  const pi_context context = the_context();
  expect_equal(1, references(context));
  expect_success(pi.piContextRetain(context));
  expect_equal(2, references(context));
  expect_success(pi.piContextRelease(context));
  expect_equal(1, references(context));
}

TEST(context, references_refuse_null) {
  expect_error(PI_ERROR_INVALID_CONTEXT, pi.piContextRetain(NULL));
  expect_error(PI_ERROR_INVALID_CONTEXT, pi.piContextRelease(NULL));
}

static void count_call(void *user_data) {
  ++*(int *)user_data;
}

/* Called once, inside the release that gives up the last reference. */
TEST(context, extended_deleter) {
  const pi_device device = the_device();
  pi_context context = NULL;
  int calls[2] = {0, 0};
  expect_success(pi.piContextCreate(NULL, 1, &device, NULL, NULL, &context));
  expect_success(pi.piextContextSetExtendedDeleter(context, count_call, &calls[0]));
  expect_success(pi.piextContextSetExtendedDeleter(context, count_call, &calls[1]));
  expect_success(pi.piContextRetain(context));
  expect_success(pi.piContextRelease(context));
  expect_equal(0, calls[0] + calls[1]);
  expect_success(pi.piContextRelease(context));
  expect_equal(1, calls[0]);
  expect_equal(1, calls[1]);
}

TEST(context, extended_deleter_refuses_null) {
  int calls = 0;
  expect_error(PI_ERROR_INVALID_CONTEXT,
               pi.piextContextSetExtendedDeleter(NULL, count_call, &calls));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextContextSetExtendedDeleter(the_context(), NULL, &calls));
}

/* Not owned: the caller keeps the native context, and may go on using it. */
TEST(context, native_handle_not_owned) {
  const pi_context context = the_context();
  const pi_device device = the_device();
  pi_native_handle native = 0;
  if (!is_supported(pi.piextContextGetNativeHandle(context, &native)))
    return;
  pi_context second = NULL;
  expect_success(pi.piextContextCreateWithNativeHandle(native, 1, &device, false, &second));
  pi_uint32 count = 0, has = 0;
  pi_device of_second[16] = {NULL};
  expect_success(
      pi.piContextGetInfo(second, PI_CONTEXT_INFO_NUM_DEVICES, sizeof count, &count, NULL));
  expect_success(pi.piContextGetInfo(second, PI_CONTEXT_INFO_DEVICES, count * sizeof of_second[0],
                                     of_second, NULL));
  for (pi_uint32 i = 0; i < count; i++)
    has += of_second[i] == device;
  expect_equal(1, has);
  expect_success(pi.piContextRelease(second));
  expect_equal(1, references(context));
}

/* Owned: the plugin takes over the caller's reference. */
TEST(context, native_handle_owned) {
  const pi_context context = the_context();
  const pi_device device = the_device();
  pi_native_handle native = 0;
  pi_context second = NULL;
  expect_success(pi.piContextRetain(context));
  if (!is_supported(pi.piextContextGetNativeHandle(context, &native)))
    return;
  expect_success(pi.piextContextCreateWithNativeHandle(native, 1, &device, true, &second));
  expect_success(pi.piContextRelease(second));
  expect_equal(1, references(context));
}

TEST(context, native_handle_refuses_null) {
  pi_native_handle native;
  pi_context context;
  const pi_device device = the_device();
  expect_error_keeps(PI_ERROR_INVALID_CONTEXT, native,
                     pi.piextContextGetNativeHandle(NULL, &native));
  expect_refused_keeps(context,
                       pi.piextContextCreateWithNativeHandle(0, 1, &device, false, &context));
}

TEST(context, native_handle_refuses_null_output) {
  pi_native_handle native = 0;
  const pi_device device = the_device();
  expect_error(PI_ERROR_INVALID_VALUE, pi.piextContextGetNativeHandle(the_context(), NULL));
  expect_success(pi.piextContextGetNativeHandle(the_context(), &native));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextContextCreateWithNativeHandle(native, 1, &device, false, NULL));
}
