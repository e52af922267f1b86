// interop.cpp MODULE: uses handles of a SYCL runtime's objects with Level Zero's functions, as
// interop programs do: a kernel of MODULE is launched in a SYCL queue's handle, between commands of
// SYCL, with events of both.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <level_zero/ze_api.h>
#include <vector>

#include <sycl/sycl.hpp>

#include <sycl/ext/oneapi/backend/level_zero.hpp>

static constexpr auto level_zero = sycl::backend::ext_oneapi_level_zero;
static constexpr auto keep = sycl::ext::oneapi::level_zero::ownership::keep;
static constexpr int count = 64;

#define ZE(name)                                                                                   \
  reinterpret_cast<decltype(name) *>(dlsym(dlopen("libze_loader.so.1", RTLD_NOW), #name))
#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%d: not so: %s\n", __LINE__, #condition);                              \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

static ze_module_handle_t make_module(const sycl::queue &queue, const char *path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> code{std::istreambuf_iterator<char>(file), {}};
  ze_module_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = code.size();
  desc.pInputModule = reinterpret_cast<const std::uint8_t *>(code.data());
  ze_module_handle_t module = nullptr;
  EXPECT(ZE(zeModuleCreate)(sycl::get_native<level_zero>(queue.get_context()),
                            sycl::get_native<level_zero>(queue.get_device()), &desc, &module,
                            nullptr) == ZE_RESULT_SUCCESS);
  return module;
}

// Makes kernel add, which writes a + a to out.
static ze_kernel_handle_t make_kernel(ze_module_handle_t module, const int *a, int *out) {
  ze_kernel_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  desc.pKernelName = "add";
  ze_kernel_handle_t kernel = nullptr;
  EXPECT(ZE(zeKernelCreate)(module, &desc, &kernel) == ZE_RESULT_SUCCESS);
  const void *arguments[] = {a, a, out};
  for (std::uint32_t i = 0; i < 3; i++)
    EXPECT(ZE(zeKernelSetArgumentValue)(kernel, i, sizeof(void *), &arguments[i]) ==
           ZE_RESULT_SUCCESS);
  EXPECT(ZE(zeKernelSetGroupSize)(kernel, 16, 1, 1) == ZE_RESULT_SUCCESS);
  return kernel;
}

// An event of Level Zero with its pool.
struct own_event {
  ze_event_pool_handle_t pool = nullptr;
  ze_event_handle_t event = nullptr;
  explicit own_event(const sycl::queue &queue) {
    ze_event_pool_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
    desc.count = 1;
    ze_event_desc_t event_desc{};
    event_desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
    EXPECT(ZE(zeEventPoolCreate)(sycl::get_native<level_zero>(queue.get_context()), &desc, 0,
                                 nullptr, &pool) == ZE_RESULT_SUCCESS);
    EXPECT(ZE(zeEventCreate)(pool, &event_desc, &event) == ZE_RESULT_SUCCESS);
  }
  ~own_event() {
    ZE(zeEventDestroy)(event);
    ZE(zeEventPoolDestroy)(pool);
  }
  own_event(const own_event &) = delete;
  own_event &operator=(const own_event &) = delete;
};

static void use(sycl::queue queue, const char *path) {
  const auto native = sycl::get_native<level_zero>(queue);
  EXPECT(std::holds_alternative<ze_command_list_handle_t>(native));
  int *const a = sycl::malloc_shared<int>(count, queue);
  int *const out = sycl::malloc_shared<int>(count, queue);
  const ze_module_handle_t module = make_module(queue, path);
  const ze_kernel_handle_t kernel = make_kernel(module, a, out);
  {
    const own_event own(queue);
    const sycl::event before = queue.memset(a, 1, count * sizeof *a);
    ze_event_handle_t wait = sycl::get_native<level_zero>(before);
    const ze_group_count_t groups{count / 16, 1, 1};
    EXPECT(ZE(zeCommandListAppendLaunchKernel)(std::get<ze_command_list_handle_t>(native), kernel,
                                               &groups, own.event, 1, &wait) == ZE_RESULT_SUCCESS);
    const sycl::event launched =
        sycl::make_event<level_zero>({own.event, keep}, queue.get_context());
    queue.memcpy(a, out, count * sizeof *a, launched).wait();
  }
  EXPECT(out[0] == 0x02020202 && a[count - 1] == 0x02020202);
  sycl::queue again =
      sycl::make_queue<level_zero>({native, queue.get_device(), keep}, queue.get_context());
  again.memset(a, 7, sizeof *a).wait();
  EXPECT(a[0] == 0x07070707);
  ZE(zeKernelDestroy)(kernel);
  ZE(zeModuleDestroy)(module);
  sycl::free(a, queue);
  sycl::free(out, queue);
}

int main(int argc, char **argv) {
  EXPECT(argc == 2);
  use(sycl::queue{}, argv[1]);
  use(sycl::queue{sycl::property::queue::in_order{}}, argv[1]);
  std::puts("both queues took the kernel");
}
