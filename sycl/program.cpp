// Programs of SYCL 1.2.1, and interoperability with OpenCL.
#include <sycl/sycl.hpp>

namespace sycl::detail {

/*
 * Makes the image of a cl_program, for the device whose cl_context is the program's. Returns NULL,
 * with libspecpi's message set, if the program is in another state. runtime_error, errc::invalid:
 * the program is NULL, or of another cl_context.
 */
static device_image_ptr import_image(const context &in, specpi_bundle_state state, void *program) {
  require_opencl(in.get_backend());
  specpi_result result = SPECPI_SUCCESS;
  for (const device &of : in.get_devices()) {
    bundle_reference made;
    result = specpiBundleImport(of.handle(), state, program, made.out());
    if (result == SPECPI_ERROR_INVALID_STATE)
      return nullptr;
    if (result == SPECPI_SUCCESS)
      return std::make_shared<device_image_impl>(of, std::move(made));
    if (result != SPECPI_ERROR_INVALID_ARGUMENT)
      break;
  }
  fail(result);
}

static const char *state_text(program_state state) noexcept {
  return state == program_state::none       ? "none"
         : state == program_state::compiled ? "compiled"
                                            : "linked";
}

bool program_part::has(const std::string &kernel) const {
  for (const device_image_ptr &image : images)
    if (image->has_kernel(kernel))
      return true;
  return asked(kernel) != nullptr;
}

const program_part::request *program_part::asked(const std::string &kernel) const noexcept {
  for (const request &r : requests)
    if (r.kernel == kernel && !kernel.empty())
      return &r;
  return nullptr;
}

program_impl::program_impl(context in, std::vector<device> devices) : in_(std::move(in)) {
  const std::vector<device> all = in_.get_devices();
  for (const device &d : devices)
    if (std::find(all.begin(), all.end(), d) == all.end())
      throw invalid_object_error("a program's devices have to be of its context, and device " +
                                 d.get_info<info::device::name>() + " is not");
  if (devices.empty())
    throw invalid_object_error("a program has at least one device");
  devices_ = std::move(devices);
}

program_impl::program_impl(const std::vector<std::shared_ptr<program_impl>> &compiled,
                           const std::string &options)
    : in_(front(compiled).in_), devices_(front(compiled).devices_), link_options_(options) {
  std::vector<program_part> parts;
  subject_.clear();
  for (const std::shared_ptr<program_impl> &p : compiled) {
    const std::lock_guard<std::mutex> lock(p->mutex_);
    if (p->in_ != in_ || p->devices_ != devices_)
      throw invalid_object_error("programs that are linked have to be of one context and the "
                                 "same devices");
    p->need(program_state::compiled, "to be linked");
    parts.insert(parts.end(), p->parts_.begin(), p->parts_.end());
    subject_ += (subject_.empty() ? "" : " and ") + p->subject_;
  }
  parts_ = link(parts, options);
  state_ = program_state::linked;
}

program_impl::program_impl(context in, void *native) : in_(std::move(in)) {
  program_part part;
  part.requests.push_back({"", std::make_shared<constant_values>()});
  state_ = program_state::linked;
  device_image_ptr image = import_image(in_, SPECPI_BUNDLE_EXECUTABLE, native);
  if (!image) {
    state_ = program_state::compiled;
    image = import_image(in_, SPECPI_BUNDLE_OBJECT, native);
  }
  if (!image)
    throw invalid_object_error(std::string("a program is of a cl_program that was compiled or "
                                           "linked: ") +
                               specpiGetLastError());
  devices_ = {image->get_device()};
  part.images.push_back(std::move(image));
  parts_.push_back(std::move(part));
  subject_ = "the program of a cl_program";
}

program_state program_impl::state() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return state_;
}

std::string program_impl::compile_options() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return compile_options_;
}

std::string program_impl::link_options() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return link_options_;
}

std::string program_impl::build_options() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return build_options_;
}

void program_impl::set(program_constant constant) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (state_ != program_state::none)
    throw experimental::spec_const_error("constant " + constant.name() + " cannot be set to " +
                                         constant.value() + " in " + subject_ + ", which is " +
                                         state_text(state_) + "; constants are set before that");
  constants_.set(std::move(constant), "the program");
}

void program_impl::link(const std::string &options) {
  const std::lock_guard<std::mutex> lock(mutex_);
  need(program_state::compiled, "to be linked");
  parts_ = link(parts_, options);
  link_options_ = options;
  state_ = program_state::linked;
}

bool program_impl::has_kernel(const std::string &name) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::any_of(parts_.begin(), parts_.end(),
                     [&](const program_part &part) { return part.has(name); });
}

kernel program_impl::get_kernel(const std::string &name) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  need(program_state::linked, "to give kernel " + name);
  for (const program_part &part : parts_)
    if (const program_part::request *asked = part.asked(name))
      return {in_, part.images, name, asked->values};
  for (const program_part &part : parts_)
    if (part.has(name))
      return {in_, part.images, name, part.requests.front().values};
  throw invalid_object_error("there is no kernel " + name + " in " + subject_);
}

device_image_ptr program_impl::only_image() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::size_t count = 0;
  for (const program_part &part : parts_)
    count += part.images.size();
  if (count != 1)
    throw invalid_object_error("a program with one device image has a cl_program, and " + subject_ +
                               " has " + std::to_string(count));
  return parts_.front().images.front();
}

std::vector<std::vector<char>> program_impl::binaries() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::vector<char>> all;
  for (const program_part &part : parts_)
    for (const device_image_ptr &image : part.images)
      all.push_back(binary(*image));
  return all;
}

bool program_impl::native_constants(const char *unit) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  bool native = !devices_.front().is_host();
  if (state_ == program_state::none) {
    for (const device &d : devices_)
      native = native && are_native(in_.impl()->input_images(d, unit));
  } else {
    for (const program_part &part : parts_)
      native = native && are_native(part.images);
  }
  return native;
}

std::vector<char> program_impl::binary(const device_image_impl &of) {
  std::size_t size = 0;
  check(specpiBundleGetBinary(of.bundle(), 0, 0, nullptr, &size));
  std::vector<char> bytes(size);
  check(specpiBundleGetBinary(of.bundle(), 0, size, bytes.data(), &size));
  return bytes;
}

bool program_impl::are_native(const device_images &images) {
  /* An image compiled ahead of time may have its constants replaced by the defaults. */
  return !images.empty() &&
         std::all_of(images.begin(), images.end(), [](const device_image_ptr &image) {
           return image->has_native_constants() &&
                  !image->has_property("SYCL/misc properties", "specConstsReplacedWithDefault");
         });
}

const program_impl &
program_impl::front(const std::vector<std::shared_ptr<program_impl>> &compiled) {
  if (compiled.empty())
    throw invalid_object_error("a list of programs to link has at least one");
  return *compiled.front();
}

void program_impl::need(program_state state, const std::string &why) const {
  if (state_ != state)
    throw invalid_object_error(why + ", a program has to be in state " + state_text(state) +
                               ", and " + subject_ + " is in state " + state_text(state_));
}

std::vector<program_part> program_impl::link(const std::vector<program_part> &objects,
                                             const std::string &options) const {
  std::vector<std::vector<const program_part *>> groups;
  for (const program_part &object : objects) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto &members) {
      return std::none_of(members.begin(), members.end(),
                          [&](const program_part *member) { return overlap(*member, object); });
    });
    if (group == groups.end())
      groups.push_back({&object});
    else
      group->push_back(&object);
  }
  std::vector<program_part> linked;
  linked.reserve(groups.size());
  for (const auto &group : groups)
    linked.push_back(link_group(group, options));
  return linked;
}

bool program_impl::overlap(const program_part &a, const program_part &b) {
  for (const device_image_ptr &image : a.images)
    for (const std::string &kernel : image->kernels())
      for (const device_image_ptr &other : b.images)
        if (other->has_kernel(kernel))
          return true;
  return false;
}

program_part program_impl::link_group(const std::vector<const program_part *> &group,
                                      const std::string &options) const {
  program_part made;
  for (const program_part *object : group)
    made.requests.insert(made.requests.end(), object->requests.begin(), object->requests.end());
  for (const device &d : devices_) {
    std::vector<specpi_bundle> objects;
    for (const program_part *object : group)
      for (const device_image_ptr &image : object->images)
        if (image->get_device() == d)
          objects.push_back(image->bundle());
    if (objects.empty())
      continue;
    bundle_reference linked;
    const specpi_result result =
        specpiBundleLink(objects.size(), objects.data(), options.c_str(), linked.out());
    if (result == SPECPI_ERROR_BUILD_FAILED || result == SPECPI_ERROR_CONFLICT)
      throw link_program_error(subject_ + ": " + specpiGetLastError());
    check(result, subject_);
    made.images.push_back(std::make_shared<device_image_impl>(d, std::move(linked)));
  }
  return made;
}

device_image_ptr source_images::operator()(const device &d) const {
  return new_image(d, [this](specpi_device of, specpi_bundle *made) {
    return specpiBundleCreateWithSource(of, text.size(), text.c_str(), made);
  });
}

device_image_ptr il_images::operator()(const device &d) const {
  return new_image(d, [this](specpi_device of, specpi_bundle *made) {
    return specpiBundleCreateWithIL(of, size, il, made);
  });
}

} // namespace sycl::detail

namespace sycl {

program::program(const context &in, const char *unit) : program(in, in.get_devices(), unit) {}

program::program(const context &in, const std::vector<device> &devices, const char *unit)
    : impl_(std::make_shared<detail::program_impl>(in, devices)), unit_(unit) {}

program::program(const std::vector<program> &programs, const std::string &options)
    : impl_(std::make_shared<detail::program_impl>(impls(programs), options)),
      unit_(programs.front().unit_) {}

program::program(const context &in, opencl::cl_program native)
    : impl_(std::make_shared<detail::program_impl>(in, static_cast<void *>(native))), unit_("") {}

void program::compile_with_source(const std::string &source, const std::string &options) {
  impl_->compile("", "the program of a source", options, source_for(source));
}

void program::build_with_source(const std::string &source, const std::string &options) {
  impl_->build("", "the program of a source", options, source_for(source));
}

void program::compile_with_il(const void *il, std::size_t size, const std::string &options) {
  impl_->compile("", "the program of IL", options, il_for(il, size));
}

void program::build_with_il(const void *il, std::size_t size, const std::string &options) {
  impl_->build("", "the program of IL", options, il_for(il, size));
}

void program::link(const std::string &options) {
  impl_->link(options);
}

bool program::has_kernel(const std::string &name) const {
  return impl_->has_kernel(name);
}

kernel program::get_kernel(const std::string &name) const {
  return impl_->get_kernel(name);
}

opencl::cl_program program::get() const {
  detail::require_opencl(get_context().get_backend());
  return static_cast<opencl::cl_program>(detail::native_program(*impl_->only_image()));
}

bool program::is_host() const noexcept {
  return impl_->in().is_host();
}

bool program::native_spec_constant() const noexcept {
  try {
    return impl_->native_constants(unit_);
  } catch (const std::exception &) {
    return false;
  }
}

std::size_t program::hash() const noexcept {
  return std::hash<const void *>()(impl_.get());
}

std::vector<std::shared_ptr<detail::program_impl>>
program::impls(const std::vector<program> &programs) {
  std::vector<std::shared_ptr<detail::program_impl>> all;
  all.reserve(programs.size());
  for (const program &p : programs)
    all.push_back(p.impl_);
  return all;
}

detail::source_images program::source_for(const std::string &source) const {
  detail::require_opencl(get_context().get_backend());
  return {source};
}

detail::il_images program::il_for(const void *il, std::size_t size) const {
  if (is_host())
    throw feature_not_supported("the host device runs function objects, and takes no IL");
  return {il, size};
}

detail::device_image_ptr program::input(const device &of, const std::string &kernel) const {
  detail::bundle_reference bundle;
  for (const detail::device_image_ptr &image : get_context().impl()->input_images(of, unit_)) {
    if (!image->has_kernel(kernel))
      continue;
    return std::make_shared<detail::device_image_impl>(of, image->input_with({}));
  }
  const specpi_result result =
      specpiBundleCreateForKernel(of.handle(), kernel.c_str(), bundle.out());
  if (result == SPECPI_ERROR_UNKNOWN_KERNEL || result == SPECPI_ERROR_NO_IMAGE)
    throw compile_program_error(specpiGetLastError());
  detail::check(result);
  return std::make_shared<detail::device_image_impl>(of, std::move(bundle));
}

} // namespace sycl

namespace sycl::detail {

void require_opencl(backend of) {
  if (of != backend::opencl)
    throw feature_not_supported("that is for contexts of the backend opencl");
}

void *native_program(const device_image_impl &of) {
  require_opencl(of.get_device().get_backend());
  void *program = nullptr;
  check(specpiBundleGetNativeProgram(of.bundle(), 0, &program));
  return program;
}

module_ptr import_from_opencl(const context &in, specpi_bundle_state state, void *program) {
  device_image_ptr image = import_image(in, state, program);
  if (!image)
    throw invalid_object(specpiGetLastError());
  return std::make_shared<module_impl>(state, std::vector<device_images>{{std::move(image)}});
}

void *native_program(const module_impl &of) {
  if (of.images().size() != 1)
    throw invalid_object("a module with one device image has a cl_program, and this has " +
                         std::to_string(of.images().size()));
  return native_program(*of.images().front());
}

void *native_kernel(const kernel &of) {
  require_opencl(of.get_context().get_backend());
  for (const device_image_ptr &image : of.images()) {
    if (!image->has_kernel(of.name()))
      continue;
    void *native = nullptr;
    check(specpiKernelGetNative(image->kernel(of.name(), {}).get(), &native));
    return native;
  }
  throw invalid_object("kernel " + of.name() + " has no device image");
}

pi_native_handle native_device(const device &of) {
  require_opencl(of.get_backend());
  const pi_function_table *pi = specpiDeviceGetFunctions(of.handle());
  pi_native_handle native = 0;
  if (pi->piextDeviceGetNativeHandle(specpiDeviceGetHandle(of.handle()), &native) != PI_SUCCESS ||
      pi->piDeviceRetain(specpiDeviceGetHandle(of.handle())) != PI_SUCCESS)
    throw runtime_error("the device does not give its native handle");
  return native;
}

pi_native_handle native_context(const context &of) {
  require_opencl(of.get_backend());
  if (of.get_devices().size() != 1)
    throw invalid_object("a context with one device has a cl_context, and this has " +
                         std::to_string(of.get_devices().size()) + " devices");
  const specpi_device handle = of.get_devices().front().handle();
  const pi_function_table *pi = specpiDeviceGetFunctions(handle);
  pi_context context = nullptr;
  check(specpiDeviceGetContext(handle, &context));
  pi_native_handle native = 0;
  if (pi->piextContextGetNativeHandle(context, &native) != PI_SUCCESS ||
      pi->piContextRetain(context) != PI_SUCCESS)
    throw runtime_error("the context does not give its native handle");
  return native;
}

} // namespace sycl::detail

namespace sycl::opencl {

module<module_state::input> create_with_source(context in, std::string source) {
  return detail::module_access::make<module_state::input>(
      in, detail::create_from_opencl(in, [&](specpi_device of, specpi_bundle *made) {
        return specpiBundleCreateWithSource(of, source.size(), source.c_str(), made);
      }));
}

module<module_state::input> create_program_with_il(context in, binary_blob_t il) {
  return detail::module_access::make<module_state::input>(
      in, detail::create_from_opencl(in, [&](specpi_device of, specpi_bundle *made) {
        return specpiBundleCreateWithIL(of, il.second, il.first, made);
      }));
}

module<module_state::input> create_program_with_binary(context in, binary_blob_t device_binary) {
  return detail::module_access::make<module_state::input>(
      in, detail::create_from_opencl(in, [&](specpi_device of, specpi_bundle *made) {
        return specpiBundleCreateWithBinary(of, device_binary.second, device_binary.first, made);
      }));
}

module<module_state::input>
create_program_with_builtin_kernels(context in, std::vector<std::string> kernel_names) {
  std::vector<const char *> names;
  names.reserve(kernel_names.size());
  for (const std::string &name : kernel_names)
    names.push_back(name.c_str());
  return detail::module_access::make<module_state::input>(
      in, detail::create_from_opencl(in, [&](specpi_device of, specpi_bundle *made) {
        return specpiBundleCreateWithBuiltInKernels(of, names.size(), names.data(), made);
      }));
}

} // namespace sycl::opencl
