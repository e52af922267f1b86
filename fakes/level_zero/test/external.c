/* Shared memory of the fake Level Zero driver. */
#define _GNU_SOURCE /* memfd_create */
#include "check.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void copy(const check *test, void *to, const void *from, size_t size) {
  ze_command_list_handle_t list = new_immediate(test, 0);
  ze_event_pool_handle_t pool = new_pool(test, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t event = new_event(pool, 0);
  ok(zeCommandListAppendMemoryCopy(list, to, from, size, event, 0, NULL));
  ok(zeEventHostSynchronize(event, UINT64_MAX));
  ok(zeEventDestroy(event));
  ok(zeEventPoolDestroy(pool));
  ok(zeCommandListDestroy(list));
}

static void *allocate(const check *test, const void *chain, size_t size) {
  const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
                                           .pNext = chain};
  void *memory = NULL;
  ok(zeMemAllocDevice(test->context, &desc, size, 8, test->device, &memory));
  return memory;
}

static int export(const check *test, void *memory) {
  ze_external_memory_export_fd_t file = {.stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD,
                                         .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD,
                                         .fd = -1};
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES, .pNext = &file};
  ok(zeMemGetAllocProperties(test->context, memory, &properties, NULL));
  assert_true(file.fd >= 0);
  return file.fd;
}

CONTEXT_TEST(memory_is_exported_and_imported) {
  const check *test = *state;
  const ze_external_memory_export_desc_t out = {.stype =
                                                    ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC,
                                                .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD};
  void *memory = allocate(test, &out, 5000);
  const int file = export(test, memory);
  const ze_external_memory_import_fd_t in = {.stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD,
                                             .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD,
                                             .fd = file};
  void *imported = allocate(test, &in, 5000);
  assert_ptr_not_equal(imported, memory);
  close(file);
  char text[5000] = "both are the same";
  char back[5000] = "";
  copy(test, memory, text, sizeof text);
  copy(test, back, imported, sizeof back);
  assert_memory_equal(back, text, sizeof back);
  ok(zeMemFree(test->context, memory));
  memset(back, 0, sizeof back);
  copy(test, back, imported, sizeof back);
  assert_memory_equal(back, text, sizeof back);
  ok(zeMemFree(test->context, imported));
}

CONTEXT_TEST(wrong_files_are_refused) {
  const check *test = *state;
  ze_external_memory_import_fd_t in = {.stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD,
                                       .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF,
                                       .fd = -1};
  ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
                                     .pNext = &in};
  void *memory = NULL;
  refused(INVALID_ARGUMENT, "no descriptor of memory",
          zeMemAllocDevice(test->context, &desc, 8, 8, test->device, &memory));
  in.fd = memfd_create("test", 0);
  refused(INVALID_SIZE, "8 bytes of memory that has 0",
          zeMemAllocDevice(test->context, &desc, 8, 8, test->device, &memory));
  in.flags = 0;
  refused(UNSUPPORTED_ENUMERATION, "import",
          zeMemAllocDevice(test->context, &desc, 8, 8, test->device, &memory));
  close(in.fd);
  ze_external_memory_export_desc_t out = {.stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC,
                                          .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_WIN32};
  desc.pNext = &out;
  refused(UNSUPPORTED_ENUMERATION, "export",
          zeMemAllocDevice(test->context, &desc, 8, 8, test->device, &memory));
  assert_null(memory);
}

CONTEXT_TEST(only_exportable_memory_is_exported) {
  const check *test = *state;
  void *memory = allocate(test, NULL, 8);
  ze_external_memory_export_fd_t file = {.stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD,
                                         .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD,
                                         .fd = -1};
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES, .pNext = &file};
  refused(INVALID_ARGUMENT, "not made to be exported",
          zeMemGetAllocProperties(test->context, memory, &properties, NULL));
  assert_int_equal(file.fd, -1);
  ok(zeMemFree(test->context, memory));
}

CONTEXT_TEST(an_opened_ipc_handle_is_the_same_memory) {
  const check *test = *state;
  void *memory = allocate(test, NULL, 100);
  ze_ipc_mem_handle_t handle;
  ok(zeMemGetIpcHandle(test->context, memory, &handle));
  void *opened = NULL;
  ok(zeMemOpenIpcHandle(test->context, test->device, handle, 0, &opened));
  assert_ptr_not_equal(opened, memory);
  char text[100] = "seen by both";
  char back[100] = "";
  copy(test, memory, text, sizeof text);
  copy(test, back, opened, sizeof back);
  assert_string_equal(back, text);
  refused(INVALID_ARGUMENT, "zeMemCloseIpcHandle", zeMemFree(test->context, opened));
  refused(INVALID_ARGUMENT, "has not given", zeMemCloseIpcHandle(test->context, memory));
  ok(zeMemCloseIpcHandle(test->context, opened));
  ok(zeMemFree(test->context, memory));
  memset(&handle, 0, sizeof handle);
  refused(INVALID_ARGUMENT, "no IPC handle",
          zeMemOpenIpcHandle(test->context, test->device, handle, 0, &opened));
  void *host = new_memory(test, ZE_MEMORY_TYPE_HOST, 8);
  refused(INVALID_ARGUMENT, "no device memory", zeMemGetIpcHandle(test->context, host, &handle));
  ok(zeMemFree(test->context, host));
}

static const char *program;
static const char *handle_text; /* in the second process */
static const char shared_text[] = "seen by another process";

/* Writes the handle's bytes as hexadecimal digits. */
static void write_handle(const ze_ipc_mem_handle_t *handle, char *text) {
  for (size_t i = 0; i < sizeof handle->data; i++)
    snprintf(text + 2 * i, 3, "%02x", (unsigned)(unsigned char)handle->data[i]);
}

static void read_handle(const char *text, ze_ipc_mem_handle_t *handle) {
  assert_int_equal(strlen(text), 2 * sizeof handle->data);
  for (size_t i = 0; i < sizeof handle->data; i++) {
    const char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};
    handle->data[i] = (char)strtoul(digits, NULL, 16);
  }
}

static void a_process_opens_a_handle(void **state) {
  const check *test = *state;
  ze_ipc_mem_handle_t handle;
  void *opened = NULL;
  char back[sizeof shared_text] = "";
  read_handle(handle_text, &handle);
  ok(zeMemOpenIpcHandle(test->context, test->device, handle, 0, &opened));
  copy(test, back, opened, sizeof back);
  assert_string_equal(back, shared_text);
  copy(test, opened, "answer", sizeof "answer");
  ok(zeMemCloseIpcHandle(test->context, opened));
}

CONTEXT_TEST(processes_share_memory) {
  const check *test = *state;
  void *memory = allocate(test, NULL, 100);
  copy(test, memory, shared_text, sizeof shared_text);
  ze_ipc_mem_handle_t handle;
  char text[2 * sizeof handle.data + 1];
  ok(zeMemGetIpcHandle(test->context, memory, &handle));
  write_handle(&handle, text);
  char name[4096];
  assert_in_range(snprintf(name, sizeof name, "%s", program), 1, sizeof name - 1);
  char *const arguments[] = {name, text, NULL};
  pid_t child;
  int status = -1;
  assert_int_equal(posix_spawn(&child, program, NULL, NULL, arguments, environ), 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  char back[sizeof "answer"] = "";
  copy(test, back, memory, sizeof back);
  assert_string_equal(back, "answer");
  ok(zeMemFree(test->context, memory));
}

typedef ze_result_t import_function(ze_driver_handle_t driver, void *address, size_t size);
typedef ze_result_t release_function(ze_driver_handle_t driver, void *address);

CONTEXT_TEST(host_memory_is_imported_and_released) {
  const check *test = *state;
  import_function *import;
  release_function *release;
  void *found;
  ok(zeDriverGetExtensionFunctionAddress(test->driver, "zexDriverImportExternalPointer", &found));
  memcpy(&import, &found, sizeof import);
  ok(zeDriverGetExtensionFunctionAddress(test->driver, "zexDriverReleaseImportedPointer", &found));
  memcpy(&release, &found, sizeof release);
  static char memory[256];
  ok(import(test->driver, memory, 128));
  assert_int_equal(fake_ze_live(FAKE_IMPORT), 1);
  refused(INVALID_ARGUMENT, "known already", import(test->driver, memory + 64, 128));
  refused(INVALID_SIZE, "0 bytes", import(test->driver, memory + 128, 0));
  /* Queries still report the memory's original type. */
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  ok(zeMemGetAllocProperties(test->context, memory, &properties, NULL));
  assert_int_equal(properties.type, ZE_MEMORY_TYPE_UNKNOWN);
  copy(test, memory, "text", 5);
  assert_string_equal(memory, "text");
  refused(INVALID_ARGUMENT, "does not begin", release(test->driver, memory + 1));
  ok(release(test->driver, memory));
  refused(INVALID_ARGUMENT, "nothing that was imported", release(test->driver, memory));
}

CONTEXT_TEST(host_memory_is_not_exported) {
  const check *test = *state;
  ze_device_external_memory_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES};
  ok(zeDeviceGetExternalMemoryProperties(test->device, &properties));
  assert_int_equal(properties.memoryAllocationExportTypes,
                   ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD | ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF);
  assert_int_equal(properties.imageImportTypes, ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD);
  const ze_external_memory_export_desc_t out = {.stype =
                                                    ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC,
                                                .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD};
  const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC,
                                         .pNext = &out};
  void *memory = NULL;
  refused(UNSUPPORTED_ENUMERATION, "only device memory",
          zeMemAllocHost(test->context, &desc, 8, 8, &memory));
}

int main(int argc, char **argv) {
  program = argv[0];
  if (argc > 1) {
    const struct CMUnitTest second[] = {
        cmocka_unit_test_setup_teardown(a_process_opens_a_handle, make_context, end_context)};
    handle_text = argv[1];
    return cmocka_run_group_tests(second, NULL, NULL);
  }
  return tests_run(NULL, NULL);
}
