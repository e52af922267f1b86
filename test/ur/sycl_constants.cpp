/*
 * One program for all SYCL runtimes, of PI and of Unified Runtime: it sets constants of several
 * types through libsycl and checks its kernel's output. Usage: LIBSYCL LIBDPCTL VERSION [IMAGES].
 * VERSION is the version of device images in this libsycl: 2, or 3 since libsycl.so.9. IMAGES is a
 * library from specpi-cc, which registers the kernel itself. With UR_LAUNCHES=N in the environment
 * the program also prints the time per launch of N launches in an in-order queue.
 *
 * It looks up libsycl's functions by name instead of using a SYCL compiler. All but one of them
 * have the same ABI in every libsycl. dpctl's library creates queues and memory. Its references
 * point to SYCL objects, which are shared pointers, except that a device of libsycl.so.9 is a plain
 * pointer.
 */
#include "../support/embed.h"
#include "../sycl/support/device_library.h"

#include <pi/pi.h>

#include <dlfcn.h>

#include <algorithm>
#include <bitset>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

SPECPI_EMBED(scalars, "scalars.spv")

namespace {

using object = std::shared_ptr<void>;
using objects = std::vector<object>;

[[noreturn]] void fail(const char *what, const char *why) {
  std::fprintf(stderr, "%s: %s\n", what, why ? why : "failed");
  std::exit(1);
}

void *libsycl, *libdpctl;
long image_version;

void *open_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  return library ? library : (fail(path, dlerror()), nullptr);
}

void *symbol(void *library, const char *name) {
  void *found = dlsym(library, name);
  return found ? found : (fail(name, dlerror()), nullptr);
}

template <class Function> Function *sycl_function(const char *name) {
  return reinterpret_cast<Function *>(symbol(libsycl, name));
}

template <class Function> Function *dpctl_function(const char *name) {
  return reinterpret_cast<Function *>(symbol(libdpctl, name));
}

/* ---- libsycl ---- */

/* sycl::string_view, which has a length in some releases only. Others ignore that register. */
struct text_view {
  const char *text;
  size_t length;
};

object kernel_id(const char *name) {
  if (dlsym(libsycl, "_ZN4sycl3_V16detail18get_kernel_id_implENS1_11string_viewE"))
    return sycl_function<object(text_view)>(
        "_ZN4sycl3_V16detail18get_kernel_id_implENS1_11string_viewE")({name, std::strlen(name)});
  return sycl_function<object(std::string)>(
      "_ZN4sycl3_V16detail18get_kernel_id_implENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"
      "E")(name);
}

struct property_list {
  std::bitset<32> without_data;
  objects with_data;
};

auto &get_bundle() {
  return *sycl_function<object(const object &, const void *, const objects &, char)>(
      "_ZN4sycl3_V16detail22get_kernel_bundle_implERKNS0_7contextERKSt6vectorINS0_6deviceESaIS6_EE"
      "RKS5_INS0_9kernel_idESaISB_EENS0_12bundle_stateE");
}

auto &build_bundle() {
  return *sycl_function<object(const object &, const void *, const property_list &)>(
      "_ZN4sycl3_V16detail10build_implERKNS0_13kernel_bundleILNS0_12bundle_stateE0EEERKSt6vectorIN"
      "S0_6deviceESaIS8_EERKNS0_13property_listE");
}

auto &get_kernel() {
  return *sycl_function<object(const object *, const object &)>(
      "_ZNK4sycl3_V16detail19kernel_bundle_plain10get_kernelERKNS0_9kernel_idE");
}

auto &set_constant() {
  return *sycl_function<void(object *, const char *, void *, size_t)>(
      "_ZN4sycl3_V16detail19kernel_bundle_plain32set_specialization_constant_implEPKcPvm");
}

auto &is_native() {
  return *sycl_function<bool(const object *)>(
      "_ZNK4sycl3_V16detail19kernel_bundle_plain30native_specialization_constantEv");
}

/* ---- The kernel's bundle, which extract_arguments adds to commands of libsycl.so.7 ---- */

#define EXTRACT_ARGUMENTS "_ZN4sycl3_V17handler18extractArgsAndReqsEv"
#define SET_BUNDLE                                                                                 \
  "_ZN4sycl3_V17handler22setHandlerKernelBundleERKSt10shared_ptrINS0_6detail18kernel_bundle_"      \
  "implEE"
const object *current_bundle;

/* ---- The constants: X(name, id, type, default, value), as in scalars.spvasm ---- */

#define CONSTANTS(X)                                                                               \
  X(yes, 101, uint8_t, 1, 0)                                                                       \
  X(no, 102, uint8_t, 0, 1)                                                                        \
  X(c8, 103, uint8_t, 43, 201)                                                                     \
  X(c16, 104, uint16_t, 3000, 54321)                                                               \
  X(c32, 105, uint32_t, 43, 0xcafef00d)                                                            \
  X(c64, 106, uint64_t, 200, 0x0123456789abcdef)                                                   \
  X(f32, 107, float, 3.7f, -0.5f)

template <class T> uint64_t number(T value) {
  return value;
}
template <> uint64_t number(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

const uint64_t defaults[] = {
#define DEFAULT(name, id, type, initial, value) number<type>(initial),
    CONSTANTS(DEFAULT)
#undef DEFAULT
};
const uint64_t values[] = {
#define VALUE(name, id, type, initial, value) number<type>(value),
    CONSTANTS(VALUE)
#undef VALUE
};
enum { COUNT = sizeof values / sizeof values[0] };

void set_all(object &bundle) {
#define SET(name, id, type, initial, value)                                                        \
  {                                                                                                \
    type it = value;                                                                               \
    set_constant()(&bundle, #name, &it, sizeof it);                                                \
  }
  CONSTANTS(SET)
#undef SET
}

/* ---- A run ---- */

struct place {
  void *device, *context, *queue;
  objects shared_devices;
  std::vector<void *> plain_devices;

  /* Returns the std::vector<sycl::device>, whose elements depend on this libsycl. */
  const void *devices() const {
    return image_version == 3 ? static_cast<const void *>(&plain_devices) : &shared_devices;
  }
};

place make_place() {
  place made = {};
  made.device = dpctl_function<void *()>("DPCTLDevice_Create")();
  if (!made.device)
    fail("DPCTLDevice_Create", nullptr);
  made.context =
      dpctl_function<void *(void *, void *, int)>("DPCTLContext_Create")(made.device, nullptr, 0);
  made.queue = dpctl_function<void *(void *, void *, void *, int)>("DPCTLQueue_Create")(
      made.context, made.device, nullptr, 0);
  if (!made.context || !made.queue)
    fail("DPCTLQueue_Create", nullptr);
  if (image_version == 3)
    made.plain_devices.push_back(*static_cast<void **>(made.device));
  else
    made.shared_devices.push_back(*static_cast<object *>(made.device));
  return made;
}

void wait_for(void *queue) {
  static const auto wait = dpctl_function<void(void *)>("DPCTLQueue_Wait");
  wait(queue);
}

/* Launches the kernel for one work-item. */
void launch(object &kernel, void *queue, void *out) {
  enum { VOID_POINTER = 10 }; /* DPCTL_VOID_PTR in every release of dpctl */
  static const auto submit =
      dpctl_function<void *(void *, void *, void **, const int *, size_t, const size_t *, size_t,
                            void *, size_t)>("DPCTLQueue_SubmitRange");
  static const auto release = dpctl_function<void(void *)>("DPCTLEvent_Delete");
  void *arguments[] = {out};
  const int types[] = {VOID_POINTER};
  const size_t range[] = {1, 1, 1};
  void *event = submit(&kernel, queue, arguments, types, 1, range, 1, nullptr, 0);
  if (!event)
    fail("DPCTLQueue_SubmitRange", nullptr);
  release(event);
}

/* Prints the time of a launch in the fastest round; each round ends with a wait of the host. */
void measure_launches(const place &at, object &kernel, void *out, long count) {
  using clock = std::chrono::steady_clock;
  enum { ROUNDS = 20, IN_ORDER = 2 };
  void *queue = dpctl_function<void *(void *, void *, void *, int)>("DPCTLQueue_Create")(
      at.context, at.device, nullptr, IN_ORDER);
  double fastest = HUGE_VAL;
  for (int round = 0; round < ROUNDS; round++) {
    const auto start = clock::now();
    for (long i = 0; i < count; i++)
      launch(kernel, queue, out);
    wait_for(queue);
    const std::chrono::duration<double, std::nano> took = clock::now() - start;
    fastest = std::min(fastest, took.count() / double(count));
  }
  std::printf("a launch: %.0f ns, %.0f in a second\n", fastest, 1e9 / fastest);
  dpctl_function<void(void *)>("DPCTLQueue_Delete")(queue);
}

/* Builds a bundle and checks its kernel's output. */
void check(const place &at, const object &bundle, const char *when, const uint64_t *expected) {
  object built = build_bundle()(bundle, at.devices(), property_list());
  object kernel = get_kernel()(&built, kernel_id("value"));
  auto *out = static_cast<uint64_t *>(dpctl_function<void *(size_t, void *)>("DPCTLmalloc_shared")(
      COUNT * sizeof(uint64_t), at.queue));
  if (!out)
    fail("DPCTLmalloc_shared", nullptr);
  current_bundle = &built;
  launch(kernel, at.queue, out);
  wait_for(at.queue);
  std::printf("%s:", when);
  for (int i = 0; i < COUNT; i++)
    std::printf(" %" PRIu64, out[i]);
  std::printf("\n");
  for (int i = 0; i < COUNT; i++)
    if (out[i] != expected[i])
      fail(when, "these are not the values of the constants");
  const char *launches = std::getenv("UR_LAUNCHES");
  if (launches)
    measure_launches(at, kernel, out, std::strtol(launches, nullptr, 10));
  dpctl_function<void(void *, void *)>("DPCTLfree_with_queue")(out, at.queue);
}

} // namespace

/*
 * Replaces a function of libsycl.so.7 that dpctl calls last before a command with a kernel is
 * complete: the program's definition takes precedence over the library's.
 */
extern "C" __attribute__((visibility("default"))) void
extract_arguments(void *command) __asm__(EXTRACT_ARGUMENTS);
void extract_arguments(void *command) {
  static const auto extract = sycl_function<void(void *)>(EXTRACT_ARGUMENTS);
  static const auto set_bundle =
      dlsym(libsycl, "_ZN4sycl3_V16detail18get_kernel_id_implENS1_11string_viewE")
          ? nullptr
          : sycl_function<void(void *, const object &)>(SET_BUNDLE);
  extract(command);
  if (set_bundle)
    set_bundle(command, *current_bundle);
}

/* Registers images of version 2, from device_library.cpp. For a libsycl that takes version 3 it
 * first converts them: version 3 lacks the manifest's two pointers. */
extern "C" __attribute__((visibility("hidden"))) void
__sycl_register_lib(pi_device_binaries library) {
  struct image_3 {
    uint16_t version;
    uint8_t kind, format;
    const char *texts[3];
    const void *bytes[2], *entries[2], *sets[2];
  };
  static image_3 images[1];
  const pi_device_binary_struct &image = *library->DeviceBinaries;
  images[0] = {3,
               image.Kind,
               image.Format,
               {image.DeviceTargetSpec, image.CompileOptions, image.LinkOptions},
               {image.BinaryStart, image.BinaryEnd},
               {image.EntriesBegin, image.EntriesEnd},
               {image.PropertySetsBegin, image.PropertySetsEnd}};
  if (image_version == 3)
    library->DeviceBinaries = reinterpret_cast<pi_device_binary>(images);
  sycl_function<void(pi_device_binaries)>("__sycl_register_lib")(library);
}

int main(int argc, char **argv) {
  using namespace specpi_test;
  if (argc != 4 && argc != 5)
    fail(argv[0], "usage: LIBSYCL LIBDPCTL VERSION [IMAGES]");
  libsycl = open_library(argv[1]);
  libdpctl = open_library(argv[2]);
  image_version = std::strtol(argv[3], nullptr, 10);
  if (argc == 5)
    open_library(argv[4]);
  else
    register_device_library({{scalars_begin,
                              scalars_end,
                              {"value"},
                              {
#define CONSTANT(name, id, type, initial, value) scalar_constant<type>(#name, id, initial),
                                  CONSTANTS(CONSTANT)
#undef CONSTANT
                              }}});
  const place at = make_place();
  const object &context = *static_cast<object *>(at.context);
  const objects ids = {kernel_id("value")};
  object bundle = get_bundle()(context, at.devices(), ids, 0);
  if (!is_native()(&bundle))
    fail("native_specialization_constant", "libsycl does not leave constants to the driver");
  check(at, bundle, "defaults", defaults);
  set_all(bundle);
  check(at, bundle, "values", values);
  std::fflush(stdout);
  std::_Exit(0); /* without libsycl's own cleanup */
}
