// Platforms, devices, contexts, and exceptions.
#include <sycl/sycl.hpp>

namespace sycl {

const std::error_category &sycl_category() noexcept {
  /*
   * Error codes compare categories by address, so all libraries of the process share this object.
   * It is never destroyed, because programs also compare codes while they end.
   */
  alignas(detail::category) static unsigned char memory[sizeof(detail::category)];
  static const std::error_category *const mine = ::new (memory) detail::category;
  static const auto *const all =
      static_cast<const std::error_category *>(specpiObjectShare("sycl::category", mine));
  return *all;
}

std::error_code make_error_code(errc code) noexcept {
  return {static_cast<int>(code), sycl_category()};
}

} // namespace sycl

namespace sycl::detail {

void fail(specpi_result result, const std::string &words) {
  const std::string sentence =
      words.empty() ? specpiGetLastError() : words + ": " + specpiGetLastError();
  switch (result) {
  case SPECPI_ERROR_OUT_OF_MEMORY:
    throw memory_allocation_error(sentence);
  case SPECPI_ERROR_UNKNOWN_KERNEL:
    throw kernel_not_found(sentence);
  case SPECPI_ERROR_BUILD_FAILED:
    throw compile_program_error(sentence);
  case SPECPI_ERROR_UNSUPPORTED:
    throw feature_not_supported(sentence);
  case SPECPI_ERROR_NO_PROFILING:
    throw profiling_error(sentence);
  case SPECPI_ERROR_INVALID_STATE:
  case SPECPI_ERROR_CONFLICT:
  case SPECPI_ERROR_INVALID_IMAGE:
    throw invalid_object_error(sentence);
  case SPECPI_ERROR_INVALID_ARGUMENT:
  case SPECPI_ERROR_INVALID_SELECTOR:
  case SPECPI_ERROR_UNKNOWN_CONSTANT:
  case SPECPI_ERROR_INVALID_SIZE:
  case SPECPI_ERROR_NO_VALUE:
    throw runtime_error(errc::invalid, sentence);
  case SPECPI_ERROR_NO_IMAGE:
    throw kernel_not_found(errc::kernel_not_supported, sentence);
  default:
    throw runtime_error(sentence);
  }
}

void check(specpi_result result, const std::string &words) {
  if (result != SPECPI_SUCCESS)
    fail(result, words);
}

/* The non-empty parts of a text between separators. */
static std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find(separator, i), text.size());
    if (end > i)
      words.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

std::uint64_t host_memory() noexcept {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace sycl::detail

namespace sycl {

std::vector<platform> platform::get_platforms() {
  std::vector<platform> platforms;
  for (const device &d : device::get_devices())
    if (std::find(platforms.begin(), platforms.end(), d.get_platform()) == platforms.end())
      platforms.push_back(d.get_platform());
  return platforms;
}

std::vector<device> platform::get_devices(info::device_type type) const {
  std::vector<device> devices;
  for (const device &d : device::get_devices(type))
    if (d.get_platform() == *this)
      devices.push_back(d);
  return devices;
}

bool platform::is_host() const noexcept {
  return !handle_;
}

backend platform::get_backend() const noexcept {
  if (!handle_)
    return backend::host;
  return static_cast<backend>(1 + specpiPluginGetBackend(specpiPlatformGetPlugin(handle_)));
}

bool platform::has(aspect what) const {
  for (const device &d : get_devices())
    if (!d.has(what))
      return false;
  return true;
}

bool platform::has_extension(const std::string &name) const {
  const std::vector<std::string> all = ask(info::platform::extensions{});
  return std::find(all.begin(), all.end(), name) != all.end();
}

std::string platform::ask(info::platform::name) const {
  return handle_ ? specpiPlatformGetName(handle_) : "host platform";
}

std::string platform::ask(info::platform::vendor) const {
  return handle_ ? specpiPlatformGetVendor(handle_) : "specpi";
}

std::string platform::ask(info::platform::version) const {
  return handle_ ? specpiPlatformGetVersion(handle_) : SPECPI_VERSION_STRING;
}

std::string platform::ask(info::platform::profile) const {
  return handle_ ? text(PI_PLATFORM_INFO_PROFILE, "profile") : "FULL_PROFILE";
}

std::vector<std::string> platform::ask(info::platform::extensions) const {
  if (!handle_)
    return {};
  return detail::split(text(PI_PLATFORM_INFO_EXTENSIONS, "extensions"), ' ');
}

std::string platform::text(pi_platform_info what, const char *name) const {
  const pi_function_table *pi = specpiPluginGetFunctions(specpiPlatformGetPlugin(handle_));
  const pi_platform of = specpiPlatformGetHandle(handle_);
  std::size_t size = 0;
  std::vector<char> answer;
  pi_result result = pi->piPlatformGetInfo(of, what, 0, nullptr, &size);
  if (result == PI_SUCCESS && size) {
    answer.resize(size);
    result = pi->piPlatformGetInfo(of, what, size, answer.data(), nullptr);
  }
  if (result != PI_SUCCESS)
    throw device_error(std::string("the platform ") + specpiPlatformGetName(handle_) +
                       " does not answer " + name);
  return std::string(answer.data(), answer.empty() ? 0 : answer.size() - 1);
}

platform device::get_platform() const {
  return platform(handle_ ? specpiDeviceGetPlatform(handle_) : nullptr);
}

std::vector<device> device::get_devices(info::device_type type) {
  return list(specpiDevicesGet, type);
}

bool device::is_host() const noexcept {
  return !handle_;
}

bool device::is_cpu() const noexcept {
  return is(info::device_type::cpu);
}

bool device::is_gpu() const noexcept {
  return is(info::device_type::gpu);
}

bool device::is_accelerator() const noexcept {
  return is(info::device_type::accelerator);
}

backend device::get_backend() const noexcept {
  return handle_ ? static_cast<backend>(1 + specpiDeviceGetBackend(handle_)) : backend::host;
}

bool device::has_extension(const std::string &name) const {
  for (const std::string &there : ask(info::device::extensions{}))
    if (there == name)
      return true;
  return false;
}

bool device::is(info::device_type type) const noexcept {
  return type == info::device_type::all || type == type_of();
}

info::device_type device::type_of() const noexcept {
  if (!handle_)
    return info::device_type::host;
  switch (specpiDeviceGetType(handle_)) {
  case PI_DEVICE_TYPE_CPU:
    return info::device_type::cpu;
  case PI_DEVICE_TYPE_GPU:
    return info::device_type::gpu;
  case PI_DEVICE_TYPE_ACC:
    return info::device_type::accelerator;
  default:
    return info::device_type::custom;
  }
}

std::vector<device> device::list(decltype(specpiDevicesGet) *get, info::device_type type) {
  std::size_t count = 0;
  detail::check(get(nullptr, 0, nullptr, &count));
  std::vector<specpi_device> handles(count);
  detail::check(get(nullptr, count, handles.data(), &count));
  handles.resize(count);
  handles.push_back(nullptr);
  std::vector<device> devices;
  for (specpi_device handle : handles)
    if (device(handle).is(type))
      devices.push_back(device(handle));
  return devices;
}

bool device::query(pi_device_info what, std::size_t size, void *answer,
                   std::size_t *needed) const noexcept {
  return handle_ && specpiDeviceGetFunctions(handle_)->piDeviceGetInfo(
                        specpiDeviceGetHandle(handle_), what, size, answer, needed) == PI_SUCCESS;
}

pi_bitfield device::bits(pi_device_info what) const noexcept {
  pi_bitfield value = 0;
  return query(what, sizeof value, &value) ? value : 0;
}

void device::unanswered(const char *name) const {
  throw device_error(std::string(specpiDeviceGetSelector(handle_)) + " does not answer " + name);
}

std::string device::ask(info::device::name) const {
  return handle_ ? specpiDeviceGetName(handle_) : "host device";
}

std::string device::ask(info::device::vendor) const {
  return handle_ ? specpiDeviceGetVendor(handle_) : "specpi";
}

std::string device::ask(info::device::version) const {
  return handle_ ? specpiDeviceGetVersion(handle_) : SPECPI_VERSION_STRING;
}

std::string device::ask(info::device::backend_version) const {
  return ask(info::device::version{});
}

std::string device::ask(info::device::driver_version) const {
  return handle_ ? specpiDeviceGetDriverVersion(handle_) : specpiGetVersion();
}

info::local_mem_type device::ask(info::device::local_mem_type) const {
  if (!handle_)
    return info::local_mem_type::global;
  return static_cast<info::local_mem_type>(
      ask<std::uint32_t>(PI_DEVICE_INFO_LOCAL_MEM_TYPE, "local_mem_type"));
}

info::global_mem_cache_type device::ask(info::device::global_mem_cache_type) const {
  if (!handle_)
    return info::global_mem_cache_type::read_write;
  return static_cast<info::global_mem_cache_type>(
      ask<std::uint32_t>(PI_DEVICE_INFO_GLOBAL_MEM_CACHE_TYPE, "global_mem_cache_type"));
}

bool device::ask(info::device::queue_profiling) const {
  return has(aspect::queue_profiling);
}

std::vector<std::string> device::ask(info::device::extensions) const {
  if (!handle_)
    return {};
  return detail::split(ask<std::string>(PI_DEVICE_INFO_EXTENSIONS, "extensions"), ' ');
}

std::vector<std::string> device::ask(info::device::built_in_kernels) const {
  if (!handle_)
    return {};
  return detail::split(ask<std::string>(PI_DEVICE_INFO_BUILT_IN_KERNELS, "built_in_kernels"), ';');
}

std::vector<std::size_t> device::ask(info::device::sub_group_sizes) const {
  if (!handle_)
    return {};
  return ask_many<std::size_t>(PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL, "sub_group_sizes");
}

std::vector<aspect> device::ask(info::device::aspects) const {
  std::vector<aspect> all;
#define SYCL_ASPECT(name, number, host, query, bits)                                               \
  if (has(aspect::name))                                                                           \
    all.push_back(aspect::name);
  SYCL_ASPECTS(SYCL_ASPECT)
#undef SYCL_ASPECT
  return all;
}

bool device::has(aspect what) const noexcept {
  switch (what) {
#define SYCL_ASPECT(name, number, host, query, wanted)                                             \
  case aspect::name:                                                                               \
    return handle_ ? (bits(PI_DEVICE_INFO_##query) & (wanted)) != 0 : host;
    SYCL_ASPECTS(SYCL_ASPECT)
#undef SYCL_ASPECT
  }
  return false;
}

} // namespace sycl

namespace sycl::detail {

bool has_unified_memory(const device &d) noexcept {
  return d.has(aspect::usm_device_allocations) || d.has(aspect::usm_shared_allocations) ||
         d.has(aspect::usm_host_allocations);
}

bool contains(const std::vector<device> &all, const device &d) noexcept {
  return std::find(all.begin(), all.end(), d) != all.end();
}

int score_by_type(const device &d) noexcept {
  return d.is_gpu() ? 3 : d.is_host() ? 0 : 2;
}

} // namespace sycl::detail

namespace sycl {

int default_selector_v(const device &d) {
  return detail::has_unified_memory(d) ? detail::score_by_type(d) : -1;
}

int cpu_selector_v(const device &d) {
  return d.is_cpu() && detail::has_unified_memory(d) ? 1 : -1;
}

int gpu_selector_v(const device &d) {
  return d.is_gpu() && detail::has_unified_memory(d) ? 1 : -1;
}

int accelerator_selector_v(const device &d) {
  return d.is_accelerator() && detail::has_unified_memory(d) ? 1 : -1;
}

device device::first() {
  return choose(default_selector_v);
}

} // namespace sycl

namespace sycl::detail {

device_images context_impl::input_images(const device &of, const char *unit) {
  const std::lock_guard<std::mutex> lock(mutex);
  device_images &there = inputs[{of.handle(), unit}];
  if (there.empty())
    there = unit_images(of, unit);
  return there;
}

device_image_ptr context_impl::image_with_kernel(const device &of, const std::string &name) {
  const std::lock_guard<std::mutex> lock(mutex);
  device_image_ptr &there = others[{of.handle(), name}];
  if (there)
    return there;
  bundle_reference bundle;
  const specpi_result result = specpiBundleCreateForKernel(of.handle(), name.c_str(), bundle.out());
  if (result == SPECPI_SUCCESS)
    there = std::make_shared<device_image_impl>(of, std::move(bundle));
  else if (result != SPECPI_ERROR_UNKNOWN_KERNEL && result != SPECPI_ERROR_NO_IMAGE)
    fail(result);
  return there;
}

const device_image_impl *context_impl::find_image(const device &of, const char *unit,
                                                  const std::string &name) {
  const device_image_impl *found = detail::find_image(input_images(of, unit), of, name, unit);
  return found || is_of_one_unit(name) ? found : image_with_kernel(of, name).get();
}

kernel_reference context_impl::find_kernel(const device &of, const char *unit,
                                           const std::string &name, const constant_values &values) {
  const device_image_impl *found = find_image(of, unit, name);
  if (!found)
    return {};
  if (!found->is_of(unit))
    require_no_values_of(unit, name, values);
  return found->kernel(name, values);
}

void context_impl::require_no_values_of(const char *unit, const std::string &kernel,
                                        const constant_values &values) {
  const std::string prefix = unit + std::string("___");
  for (const constant_values::entry &e : values.entries())
    if (std::strncmp(e.id.c_str(), prefix.c_str(), prefix.size()) == 0)
      throw kernel_not_found(std::string("constant ") + e.id.c_str() + " is set for kernel " +
                             kernel +
                             ", which its unit has no registered image of; another "
                             "unit has the kernel, but not the constant: define the constant "
                             "inline, or launch the kernel after the constructors of its unit");
}

void context_impl::add_module(const std::shared_ptr<module_impl> &one) {
  const std::lock_guard<std::mutex> lock(mutex);
  std::vector<std::weak_ptr<module_impl>> kept;
  for (std::weak_ptr<module_impl> &m : known_modules)
    if (!m.expired() && (m.owner_before(one) || one.owner_before(m)))
      kept.push_back(std::move(m));
  kept.push_back(one);
  known_modules.swap(kept);
}

std::vector<std::shared_ptr<module_impl>> context_impl::modules() {
  const std::lock_guard<std::mutex> lock(mutex);
  std::vector<std::shared_ptr<module_impl>> list;
  for (const std::weak_ptr<module_impl> &m : known_modules)
    if (std::shared_ptr<module_impl> alive = m.lock())
      list.push_back(std::move(alive));
  return list;
}

std::shared_ptr<unit_module> context_impl::find_unit(const char *unit) {
  if (!has_units)
    return nullptr; /* the usual case: launches in programs without modules take no lock */
  const std::lock_guard<std::mutex> lock(mutex);
  const auto there = units.find(unit);
  return there == units.end() ? nullptr : there->second;
}

} // namespace sycl::detail

namespace sycl {

context::context(const device &of, const async_handler &handler, const property_list &properties)
    : context(std::vector<device>{of}, handler, properties) {}

context::context(const platform &of, const async_handler &handler, const property_list &properties)
    : context(of.get_devices(), handler, properties) {}

context::context(const std::vector<device> &devices, const async_handler &handler,
                 const property_list &properties)
    : impl_(std::make_shared<detail::context_impl>()) {
  if (devices.empty())
    throw runtime_error(errc::invalid, "a context has at least one device");
  for (const device &d : devices) {
    if (d.get_backend() != devices.front().get_backend())
      throw runtime_error(errc::invalid, "the devices of a context have to be of one backend");
    if (!detail::contains(impl_->devices, d))
      impl_->devices.push_back(d);
  }
  impl_->handler = handler;
  impl_->properties = properties;
}

bool context::is_host() const noexcept {
  return impl_->devices.front().is_host();
}

backend context::get_backend() const noexcept {
  return impl_->devices.front().get_backend();
}

platform context::get_platform() const {
  return impl_->devices.front().get_platform();
}

context exception::get_context() const {
  if (!context_)
    throw exception(errc::invalid, "the exception has no context");
  return context(context_);
}

} // namespace sycl
