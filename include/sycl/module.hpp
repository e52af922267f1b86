/*
 * module: device code in one of three states. SYCL Modules, "Module class" and "Free functions".
 * Modules come from this_module, from the functions here and in sycl::opencl, and from nowhere
 * else.
 */
#ifndef SYCL_MODULE_HPP
#define SYCL_MODULE_HPP

#include <sycl/context.hpp>
#include <sycl/detail/entry.hpp>
#include <sycl/detail/module_build.hpp>
#include <sycl/detail/module_impl.hpp>
#include <sycl/kernel.hpp>
#include <sycl/module_options.hpp>
#include <sycl/spec_constant.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sycl {

class handler;

namespace detail {

struct module_access;

template <module_state State>
constexpr specpi_bundle_state bundle_state_of =
    State == module_state::input    ? SPECPI_BUNDLE_INPUT
    : State == module_state::object ? SPECPI_BUNDLE_OBJECT
                                    : SPECPI_BUNDLE_EXECUTABLE;

/* The placeholder of a module's constant for a command group; handler.hpp defines it. */
template <class T, spec_id<T> &s> spec_constant<T, s> placeholder_of(handler &cgh, const T &value);

} // namespace detail

/*
 * A device image of a module: code for one device of the module's context. What is here is this
 * implementation's. Copies are the same image; any thread may use it.
 */
class module_device_image {
public:
  device get_device() const noexcept {
    return image_->get_device();
  }
  bool has_kernel(const std::string &name) const;
  template <class KernelName> bool has_kernel() const {
    return has_kernel(detail::kernel_name<KernelName>());
  }
  std::vector<std::string> get_kernel_names() const {
    return image_->kernels();
  }
  /* The target that it was compiled for, e.g. "spir64". */
  std::string get_target() const;
  /* "SPIR-V", "native" (machine code and PTX), "LLVM bitcode" or "unknown". */
  std::string get_format() const;
  bool has_spec_constant() const;
  /* Returns whether there are constants, and all of them become part of the code. */
  bool native_spec_constant() const;
  const detail::device_image_ptr &impl() const noexcept {
    return image_;
  }
  friend bool operator==(const module_device_image &a, const module_device_image &b) noexcept {
    return a.image_ == b.image_;
  }
  friend bool operator!=(const module_device_image &a, const module_device_image &b) noexcept {
    return !(a == b);
  }

private:
  friend struct detail::module_access;
  explicit module_device_image(detail::device_image_ptr image) noexcept
      : image_(std::move(image)) {}
  const std::vector<specpi_image> &parts() const noexcept {
    return image_->images();
  }
  detail::device_image_ptr image_;
};

/*
 * Common reference semantics: a copy is the same module, and a constant that is set in one is set
 * in all. Two modules are equal when their contexts and their device images are the same, which
 * those of a copy are. Any thread may use a module.
 *
 * A module without device images is empty. On the host device all are: it runs the function objects
 * themselves.
 */
template <module_state State> class module {
  template <module_state Wanted> using enable = std::enable_if_t<State == Wanted, int>;
  static constexpr module_state input = module_state::input;
  static constexpr module_state executable = module_state::executable;

public:
  using device_image = module_device_image;
  using device_image_iterator = std::vector<device_image>::const_iterator;

  module() = delete;

  context get_context() const noexcept {
    return context_;
  }

  /*
   * The kernel that a type names, or of a name in get_kernel_names.
   * kernel_not_found: the module has none.
   */
  template <class KernelName, module_state S = State, std::enable_if_t<S == executable, int> = 0>
  kernel get_kernel() const {
    return get_kernel(detail::kernel_name<KernelName>());
  }
  template <module_state S = State, std::enable_if_t<S == executable, int> = 0>
  kernel get_kernel(const std::string &kernel_name) const {
    if (!impl_->has_kernel(kernel_name))
      throw kernel_not_found("the module has no kernel " + kernel_name + ", but " +
                             std::to_string(impl_->kernels().size()) + " others");
    return kernel(context_, impl_->images(), kernel_name);
  }
  template <class KernelName, module_state S = State, std::enable_if_t<S == executable, int> = 0>
  bool has_kernel() const noexcept {
    return impl_->has_kernel(detail::kernel_name<KernelName>());
  }
  template <module_state S = State, std::enable_if_t<S == executable, int> = 0>
  bool has_kernel(const std::string &kernel_name) const {
    return impl_->has_kernel(kernel_name);
  }
  /* Each name once, in the order of the alphabet. */
  template <module_state S = State, std::enable_if_t<S == executable, int> = 0>
  std::vector<std::string> get_kernel_names() const {
    return impl_->kernels();
  }

  /* The device images; iterators are valid as long as this object. */
  device_image_iterator begin() const {
    return images_->begin();
  }
  device_image_iterator end() const {
    return images_->end();
  }

  /* Returns whether an image has a constant. */
  bool has_spec_constant() const noexcept {
    return impl_->has_constants();
  }
  /* Returns whether there are constants, and all of all images become part of the code. */
  bool native_spec_constant() const noexcept {
    if (!impl_->has_constants())
      return false;
    for (const device_image &image : *images_)
      if (image.has_spec_constant() && !image.native_spec_constant())
        return false;
    return true;
  }

  /*
   * The placeholder of a constant with the value that the module was built with, for the kernel of
   * a command group. runtime_error, errc::invalid: the group has the constant's placeholder
   * already.
   */
  template <class T, spec_id<T> &s, module_state S = State,
            std::enable_if_t<S == executable, int> = 0>
  spec_constant<T, s> get_spec_constant(handler &cgh) const {
    return detail::placeholder_of<T, s>(cgh, value_of<s>());
  }
  template <auto &s, module_state S = State, std::enable_if_t<S == executable, int> = 0>
  spec_constant<detail::constant_type<s>, s> get_spec_constant(handler &cgh) const {
    return get_spec_constant<detail::constant_type<s>, s>(cgh);
  }

  /*
   * Sets a constant, also several times: a build takes the last value. What was built before keeps
   * its own. A constant that no image has is none of the module's kernels', and setting it changes
   * nothing. runtime_error, errc::invalid: this thread is in a command group.
   */
  template <class T, spec_id<T> &s, module_state S = State, std::enable_if_t<S == input, int> = 0>
  void set_spec_constant(T value) {
    const detail::symbolic_id &id = detail::id_of<s>();
    if (specpiThreadGet()->command_groups)
      throw runtime_error(errc::invalid, std::string("constant ") + id.c_str() +
                                             " of a module is set in a command group, where only "
                                             "the handler's set_spec_constant is allowed");
    impl_->set(id, &value, sizeof value);
  }
  template <auto &s, module_state S = State, std::enable_if_t<S == input, int> = 0>
  void set_spec_constant(typename std::remove_reference_t<decltype(s)>::type value) {
    set_spec_constant<detail::constant_type<s>, s>(value);
  }

  friend bool operator==(const module &a, const module &b) noexcept {
    return a.context_ == b.context_ &&
           (a.impl_ == b.impl_ || a.impl_->images() == b.impl_->images());
  }
  friend bool operator!=(const module &a, const module &b) noexcept {
    return !(a == b);
  }

private:
  friend struct detail::module_access;
  module(context in, detail::module_ptr impl);
  template <auto &s> detail::constant_type<s> value_of() const {
    using type = detail::constant_type<s>;
    alignas(type) unsigned char bytes[sizeof(type)] = {};
    return impl_->get(detail::id_of<s>(), bytes, sizeof bytes) ? detail::value_of<type>(bytes)
                                                               : detail::constant_default<s>();
  }

  context context_;
  detail::module_ptr impl_;
  std::shared_ptr<const std::vector<device_image>> images_;
};

namespace detail {

/* Makes modules, which only factory functions do, and looks into them. */
struct module_access {
  /* One that context::get_modules knows, as long as somebody has it. */
  template <module_state State> static module<State> make(const context &in, module_ptr impl) {
    in.impl()->add_module(impl);
    return module<State>(in, std::move(impl));
  }
  static module_device_image image(const device_image_ptr &image);
  template <module_state State> static const module_ptr &impl(const module<State> &of) noexcept {
    return of.impl_;
  }
  /* invalid_object: there is none, or their contexts differ. */
  template <module_state State>
  static module_list list(const std::vector<module<State>> &all, const char *what) {
    if (all.empty())
      throw invalid_object(std::string("there is no module to ") + what);
    module_list impls;
    for (std::size_t i = 0; i < all.size(); i++) {
      if (all[i].get_context() != all.front().get_context())
        throw invalid_object(std::string("modules to ") + what + " are of one context: that of " +
                             label_of(*all[i].impl_, i) + " is another than that of " +
                             label_of(*all.front().impl_, 0));
      impls.push_back(all[i].impl_);
    }
    return impls;
  }
};

} // namespace detail

template <module_state State>
module<State>::module(context in, detail::module_ptr impl)
    : context_(std::move(in)), impl_(std::move(impl)) {
  std::vector<device_image> images;
  for (const detail::device_image_ptr &image : impl_->images())
    images.push_back(detail::module_access::image(image));
  images_ = std::make_shared<const std::vector<device_image>>(std::move(images));
}

/* Sets a constant of a module, as the member function. */
template <class T, spec_id<T> &s> void set_spec_constant(module<module_state::input> &of, T value) {
  of.template set_spec_constant<T, s>(value);
}
template <auto &s>
void set_spec_constant(module<module_state::input> &of,
                       typename std::remove_reference_t<decltype(s)>::type value) {
  of.template set_spec_constant<s>(value);
}

/*
 * Compiles and links an input module with the values that its constants have now. The result is a
 * new module. compile_program_error: it does not compile; link_program_error: it compiles, but
 * needs what it does not have, or has no kernel.
 */
template <class... Options>
module<module_state::executable> build(module<module_state::input> input, Options &&...ops) {
  using detail::module_access;
  const auto options = detail::module_options::of(input.get_context(), ops...);
  return module_access::make<module_state::executable>(
      input.get_context(), detail::build_module(*module_access::impl(input), options));
}

/* Compiles an input module with the values that its constants have now. compile_program_error. */
template <class... Options>
module<module_state::object> compile(module<module_state::input> input, Options &&...ops) {
  using detail::module_access;
  const auto options = detail::module_options::of(input.get_context(), ops...);
  return module_access::make<module_state::object>(
      input.get_context(), detail::compile_module(*module_access::impl(input), options));
}

/*
 * Links object modules to one, with the constants of all. A module that comes twice counts once.
 *
 * invalid_object: there is no module, or their contexts differ. link_program_error: something is
 * called that none defines, two have a kernel or function of one name, there is no kernel, or
 * a constant of several of them has not the same value, default and layout in all. The text leaves
 * the value of such a constant undefined; here no program depends on it.
 */
template <class... Options>
module<module_state::executable> link(std::vector<module<module_state::object>> objects,
                                      Options &&...ops) {
  using detail::module_access;
  const auto list = module_access::list(objects, "link");
  const context in = objects.front().get_context();
  const auto options = detail::module_options::of(in, ops...);
  return module_access::make<module_state::executable>(in, detail::link_modules(in, list, options));
}

/*
 * One module with copies of the device images of all: versions of the same code. Where several suit
 * a device, the first one is taken, if no selector says otherwise.
 *
 * invalid_object: there is no module, their contexts differ, or their kernels or symbols do.
 */
template <module_state State> module<State> join(std::vector<module<State>> modules) {
  using detail::module_access;
  const auto list = module_access::list(modules, "join");
  return module_access::make<State>(modules.front().get_context(), detail::join_modules(list));
}

/* No memory for the list: an empty one, because nothing may be thrown. */
template <module_state State> std::vector<module<State>> context::get_modules() const noexcept {
  try {
    std::vector<module<State>> list;
    for (detail::module_ptr &m : impl_->modules())
      if (m->state() == detail::bundle_state_of<State>)
        list.push_back(detail::module_access::make<State>(*this, std::move(m)));
    return list;
  } catch (...) {
    return {};
  }
}

} // namespace sycl

#endif
