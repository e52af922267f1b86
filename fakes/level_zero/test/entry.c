/* The tables of the fake Level Zero driver, and the behaviour that all functions share. */
#include "../entry.h"

#include "check.h"

/* All tables of the driver, read without the loader. */
typedef struct tables {
#define TABLE(Table, type, LIST) ze_##type##_dditable_t Table;
  FAKE_TABLES(TABLE)
#undef TABLE
} tables;

static tables all;

static int get_tables(void **state) {
  (void)state;
#define TABLE(Table, type, LIST) ok(fake_ze_get_##Table(ZE_API_VERSION_CURRENT, &all.Table));
  FAKE_TABLES(TABLE)
#undef TABLE
  return 0;
}

TEST(every_function_is_in_its_table) {
#define FUNCTION(Table, Object, Name) assert_non_null((void *)(uintptr_t)all.Table.pfn##Name);
#define TABLE(Table, type, LIST) LIST(FUNCTION, Table)
  FAKE_TABLES(TABLE)
#undef TABLE
#undef FUNCTION
}

TEST(tables_of_version_2_are_refused) {
  ze_driver_dditable_t table;
  expect(ZE_RESULT_ERROR_UNSUPPORTED_VERSION,
         fake_ze_get_Driver((ze_api_version_t)ZE_MAKE_VERSION(2, 0), &table));
  expect(ZE_RESULT_ERROR_INVALID_NULL_POINTER, fake_ze_get_Driver(ZE_API_VERSION_1_0, NULL));
  ok(fake_ze_get_Driver(ZE_API_VERSION_1_0, &table));
}

/* Must run first, before the loader has initialized anything. */
TEST(nothing_works_before_init) {
  uint32_t count = 0;
  expect(ZE_RESULT_ERROR_UNINITIALIZED, all.Driver.pfnGet(&count, NULL));
  assert_string_equal(fake_ze_reason(), "zeDriverGet: zeInit was not called");
  expect(ZE_RESULT_ERROR_INVALID_ENUMERATION, all.Global.pfnInit(4));
  expect(ZE_RESULT_ERROR_UNINITIALIZED, all.Global.pfnInit(ZE_INIT_FLAG_VPU_ONLY));
  ok(all.Global.pfnInit(ZE_INIT_FLAG_GPU_ONLY));
  ok(all.Driver.pfnGet(&count, NULL));
  assert_int_equal(count, 1);
}

TEST(missing_functions_are_refused_by_name) {
  size_t size = 0;
  expect(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
         all.VirtualMem.pfnQueryPageSize(NULL, NULL, 1, &size));
  assert_string_equal(fake_ze_reason(), "zeVirtualMemQueryPageSize is not there");
  expect(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, all.PhysicalMem.pfnDestroy(NULL, NULL));
  expect(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, all.FabricVertexExp.pfnGetExp(NULL, NULL, NULL));
  expect(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, all.Device.pfnReserveCacheExt(NULL, 0, 0));
}

CONTEXT_TEST(calls_are_counted) {
  uint32_t count = 0;
  fake_ze_reset();
  assert_int_equal(fake_ze_calls(NULL), 0);
  ok(zeDriverGet(&count, NULL));
  ok(zeDriverGet(&count, NULL));
  assert_int_equal(fake_ze_calls("zeDriverGet"), 2);
  assert_int_equal(fake_ze_calls("zeDriver"), 0);
  assert_int_equal(fake_ze_calls(NULL), 2);
}

static void count_name(const char *symbol, unsigned long calls, void *user) {
  (void)calls;
  size_t *names = user;
  assert_memory_equal(symbol, "ze", 2);
  (*names)++;
}

TEST(every_function_has_a_name) {
  size_t names = 0;
  size_t functions = 0;
  fake_ze_each_call(count_name, &names);
#define FUNCTION(Table, Object, Name) functions++;
#define TABLE(Table, type, LIST) LIST(FUNCTION, Table)
  FAKE_TABLES(TABLE)
#undef TABLE
#undef FUNCTION
#define FUNCTION(symbol, parameters) functions++;
  FAKE_OTHERS(FUNCTION)
#undef FUNCTION
  assert_int_equal(names, functions);
}

CONTEXT_TEST(calls_fail_on_demand) {
  uint32_t count = 0;
  fake_ze_fail("zeDriverGet", 2, ZE_RESULT_ERROR_DEVICE_LOST);
  ok(zeDriverGet(&count, NULL));
  refused(DEVICE_LOST, "zeDriverGet: fails on demand", zeDriverGet(&count, NULL));
  ok(zeDriverGet(&count, NULL));
  assert_string_equal(fake_ze_unfail(), "zeDriverGet");
  fake_ze_fail(NULL, 1, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  refused(OUT_OF_HOST_MEMORY, "on demand", zeDriverGet(&count, NULL));
  fake_ze_fail("zeDriverGet", 0, ZE_RESULT_ERROR_DEVICE_LOST);
  ok(zeDriverGet(&count, NULL));
  fake_ze_fail("zeDriverGet", 1, ZE_RESULT_ERROR_DEVICE_LOST);
  assert_null(fake_ze_unfail());
  ok(zeDriverGet(&count, NULL));
}

/* A failure of any call, on demand, spares functions that release something. */
CONTEXT_TEST(releasing_functions_do_not_fail_on_demand) {
  const check *test = *state;
  void *memory = new_memory(test, ZE_MEMORY_TYPE_HOST, 8);
  fake_ze_fail(NULL, 1, ZE_RESULT_ERROR_UNKNOWN);
  ok(zeMemFree(test->context, memory));
  assert_null(fake_ze_unfail());
}

CONTEXT_TEST(functions_beyond_the_tables_are_found) {
  const check *test = *state;
  ze_driver_handle_t driver = test->driver;
  void *function = NULL;
#define FUNCTION(symbol, parameters)                                                               \
  ok(zeDriverGetExtensionFunctionAddress(driver, #symbol, &function));                             \
  assert_non_null(function);                                                                       \
  function = NULL;
  FAKE_OTHERS(FUNCTION)
#undef FUNCTION
  refused(INVALID_ARGUMENT, "zexNothing",
          zeDriverGetExtensionFunctionAddress(driver, "zexNothing", &function));
  assert_null(function);
  refused(INVALID_NULL_POINTER, "NULL",
          zeDriverGetExtensionFunctionAddress(driver, NULL, &function));
}

CONTEXT_TEST(wrong_handles_are_refused) {
  const check *test = *state;
  int none = 0;
  ze_context_handle_t wrong[] = {(ze_context_handle_t)(void *)test->device,
                                 (ze_context_handle_t)(void *)&none,
                                 (ze_context_handle_t)((char *)test->context + 1)};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    refused(INVALID_ARGUMENT, "no live object of kind CONTEXT", zeContextGetStatus(wrong[i]));
  refused(INVALID_NULL_HANDLE, "NULL", zeContextGetStatus(NULL));
  ok(zeContextGetStatus(test->context));
}

CONTEXT_TEST(a_destroyed_handle_is_not_used_again) {
  const check *test = *state;
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t first;
  ze_context_handle_t second;
  ok(zeContextCreate(test->driver, &desc, &first));
  ok(zeContextDestroy(first));
  ok(zeContextCreate(test->driver, &desc, &second));
  assert_ptr_not_equal(first, second);
  refused(INVALID_ARGUMENT, "no live object", zeContextDestroy(first));
  ok(zeContextDestroy(second));
}

CONTEXT_TEST(objects_are_counted_and_listed) {
  const check *test = *state;
  char list[256];
  assert_int_equal(fake_ze_live(FAKE_CONTEXT), 1);
  assert_int_equal(fake_ze_live(FAKE_DRIVER), 1);
  assert_int_equal(fake_ze_live(FAKE_DEVICE), 3);
  assert_int_equal(fake_ze_live_all(), 1);
  void *memory = new_memory(test, ZE_MEMORY_TYPE_HOST, 8);
  assert_int_equal(fake_ze_live(FAKE_MEMORY), 1);
  assert_int_equal(fake_ze_list(list, sizeof list), 2);
  assert_non_null(strstr(list, "allocation "));
  refused(HANDLE_OBJECT_IN_USE, "1 objects of the context", zeContextDestroy(test->context));
  ok(zeMemFree(test->context, memory));
  assert_int_equal(fake_ze_live(FAKE_MEMORY), 0);
}

int main(void) {
  return tests_run(get_tables, NULL);
}
