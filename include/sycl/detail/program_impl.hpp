/*
 * What programs share that are copies of each other: the state, the images, the constants. SYCL
 * 1.2.1, 4.8.5.
 */
#ifndef SYCL_DETAIL_PROGRAM_IMPL_HPP
#define SYCL_DETAIL_PROGRAM_IMPL_HPP

#include <sycl/context.hpp>
#include <sycl/detail/opencl_image.hpp>
#include <sycl/detail/program_constants.hpp>
#include <sycl/kernel.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sycl {

enum class program_state { none, compiled, linked };

namespace detail {

inline const char *state_text(program_state state) noexcept {
  return state == program_state::none       ? "none"
         : state == program_state::compiled ? "compiled"
                                            : "linked";
}

/* Images of one step, one for each device, none on the host device, and what they were made for. */
struct program_part {
  struct request {
    std::string kernel; /* "" for all that there are */
    std::shared_ptr<const constant_values> values;
  };
  device_images images;
  std::vector<request> requests;

  bool has(const std::string &kernel) const {
    for (const device_image_ptr &image : images)
      if (image->has_kernel(kernel))
        return true;
    return asked(kernel) != nullptr;
  }
  const request *asked(const std::string &kernel) const noexcept {
    for (const request &r : requests)
      if (r.kernel == kernel && !kernel.empty())
        return &r;
    return nullptr;
  }
};

class program_impl {
public:
  program_impl(context in, std::vector<device> devices) : in_(std::move(in)) {
    const std::vector<device> all = in_.get_devices();
    for (const device &d : devices)
      if (std::find(all.begin(), all.end(), d) == all.end())
        throw invalid_object_error("a program's devices have to be of its context, and device " +
                                   d.get_info<info::device::name>() + " is not");
    if (devices.empty())
      throw invalid_object_error("a program has at least one device");
    devices_ = std::move(devices);
  }
  /* Compiled programs, linked. */
  program_impl(const std::vector<std::shared_ptr<program_impl>> &compiled,
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

  /* A cl_program that was compiled, linked or built. */
  program_impl(context in, void *native) : in_(std::move(in)) {
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

  const context &in() const noexcept {
    return in_;
  }
  const std::vector<device> &devices() const noexcept {
    return devices_;
  }
  program_state state() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return state_;
  }
  std::string compile_options() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return compile_options_;
  }
  std::string link_options() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return link_options_;
  }
  std::string build_options() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return build_options_;
  }

  void set(program_constant constant) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (state_ != program_state::none)
      throw experimental::spec_const_error("constant " + constant.name() + " cannot be set to " +
                                           constant.value() + " in " + subject_ + ", which is " +
                                           state_text(state_) + "; constants are set before that");
    constants_.set(std::move(constant), "the program");
  }

  /* make(device) gives an input image of its own for each device that is none of the host. */
  template <class Make>
  void compile(const std::string &kernel, const std::string &subject, const std::string &options,
               const Make &make) {
    const std::lock_guard<std::mutex> lock(mutex_);
    parts_ = {step(kernel, subject, options, make, specpiBundleCompile)};
    compile_options_ = options;
    subject_ = subject;
    state_ = program_state::compiled;
  }
  template <class Make>
  void build(const std::string &kernel, const std::string &subject, const std::string &options,
             const Make &make) {
    const std::lock_guard<std::mutex> lock(mutex_);
    parts_ = {step(kernel, subject, options, make, specpiBundleBuild)};
    build_options_ = options;
    subject_ = subject;
    state_ = program_state::linked;
  }
  void link(const std::string &options) {
    const std::lock_guard<std::mutex> lock(mutex_);
    need(program_state::compiled, "to be linked");
    parts_ = link(parts_, options);
    link_options_ = options;
    state_ = program_state::linked;
  }

  bool has_kernel(const std::string &name) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::any_of(parts_.begin(), parts_.end(),
                       [&](const program_part &part) { return part.has(name); });
  }
  kernel get_kernel(const std::string &name) const {
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
  /* Its one image. invalid_object_error: it is in state none, or has several. */
  device_image_ptr only_image() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::size_t count = 0;
    for (const program_part &part : parts_)
      count += part.images.size();
    if (count != 1)
      throw invalid_object_error("a program with one device image has a cl_program, and " +
                                 subject_ + " has " + std::to_string(count));
    return parts_.front().images.front();
  }
  /* A binary for each image. */
  std::vector<std::vector<char>> binaries() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::vector<char>> all;
    for (const program_part &part : parts_)
      for (const device_image_ptr &image : part.images)
        all.push_back(binary(*image));
    return all;
  }
  /* Whether a build puts constants into the code; before it, in the images that it would use. */
  bool native_constants(const char *unit) const {
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

private:
  static std::vector<char> binary(const device_image_impl &of) {
    std::size_t size = 0;
    check(specpiBundleGetBinary(of.bundle(), 0, 0, nullptr, &size));
    std::vector<char> bytes(size);
    check(specpiBundleGetBinary(of.bundle(), 0, size, bytes.data(), &size));
    return bytes;
  }
  static bool are_native(const device_images &images) {
    /* Compiled ahead of time, it may have the defaults in the constants' places. */
    return !images.empty() &&
           std::all_of(images.begin(), images.end(), [](const device_image_ptr &image) {
             return image->has_native_constants() &&
                    !image->has_property("SYCL/misc properties", "specConstsReplacedWithDefault");
           });
  }
  static const program_impl &front(const std::vector<std::shared_ptr<program_impl>> &compiled) {
    if (compiled.empty())
      throw invalid_object_error("a list of programs to link has at least one");
    return *compiled.front();
  }
  void need(program_state state, const std::string &why) const {
    if (state_ != state)
      throw invalid_object_error(why + ", a program has to be in state " + state_text(state) +
                                 ", and " + subject_ + " is in state " + state_text(state_));
  }

  template <class Make>
  program_part step(const std::string &kernel, const std::string &subject,
                    const std::string &options, const Make &make, bundle_step next) const {
    need(program_state::none, "to compile or build " + subject);
    program_part part;
    part.requests.push_back({kernel, std::make_shared<constant_values>(constants_.named())});
    for (const device &d : devices_) {
      if (d.is_host()) {
        constants_.check_for_host(kernel, subject);
        continue;
      }
      const device_image_ptr input = make(d);
      constants_.apply(*input, kernel, subject);
      bundle_reference made;
      const specpi_result result = next(input->bundle(), options.c_str(), made.out());
      if (result == SPECPI_ERROR_NO_VALUE)
        throw experimental::spec_const_error(subject +
                                             " lacks a constant's value: " + specpiGetLastError());
      check(result, subject);
      part.images.push_back(std::make_shared<device_image_impl>(d, std::move(made)));
    }
    return part;
  }

  /*
   * Programs that were compiled from one unit have all of its kernels, each with the constants that
   * it was compiled with. What has kernels in common is therefore linked apart, and a kernel comes
   * from the part that it was compiled for.
   */
  std::vector<program_part> link(const std::vector<program_part> &objects,
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
  static bool overlap(const program_part &a, const program_part &b) {
    for (const device_image_ptr &image : a.images)
      for (const std::string &kernel : image->kernels())
        for (const device_image_ptr &other : b.images)
          if (other->has_kernel(kernel))
            return true;
    return false;
  }
  program_part link_group(const std::vector<const program_part *> &group,
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

  mutable std::mutex mutex_;
  context in_;
  std::vector<device> devices_;
  program_state state_ = program_state::none;
  program_constants constants_;
  std::vector<program_part> parts_;
  std::string subject_ = "the program";
  std::string compile_options_;
  std::string link_options_;
  std::string build_options_;
};

} // namespace detail

} // namespace sycl

#endif
