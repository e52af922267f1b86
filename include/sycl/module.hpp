/*
 * module: device code in one of three states. SYCL Modules, "Module class" and "Free functions".
 * Only this_module, the functions here and those in sycl::opencl make modules.
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

/* Returns the placeholder of a module's constant for a command group. Defined in handler.hpp. */
template <class T, spec_id<T> &s> spec_constant<T, s> placeholder_of(handler &cgh, const T &value);

} // namespace detail

/*
 * A device image of a module: code for one device of the module's context. The members are not
 * standard, but this implementation's. A copy is the same image. Any thread may use it.
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
  /* The target that the image was compiled for, e.g. "spir64". */
  std::string get_target() const;
  /* "SPIR-V", "native" (machine code and PTX), "LLVM bitcode" or "unknown". */
  std::string get_format() const;
  bool has_spec_constant() const;
  /* Returns whether the image has constants, and all of them become part of the code. */
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
 * in all. Modules are equal when they have the same context and the same device images. Any thread
 * may use a module.
 *
 * A module without device images is empty. On the host device all modules are empty, because it
 * runs the function objects themselves.
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
   * The kernel that a type names, or that has a name in get_kernel_names.
   * kernel_not_found: the module does not have the kernel.
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
  /* The names of all kernels, sorted and without repetitions. */
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

  /* Returns whether an image has any constant. */
  bool has_spec_constant() const noexcept {
    return impl_->has_constants();
  }
  /* Returns whether there are constants, and in all images all of them become part of the code. */
  bool native_spec_constant() const noexcept {
    if (!impl_->has_constants())
      return false;
    for (const device_image &image : *images_)
      if (image.has_spec_constant() && !image.native_spec_constant())
        return false;
    return true;
  }

  /*
   * Returns the placeholder of a constant, with the value that the module was built with, for a
   * command group's kernel. runtime_error, errc::invalid: the group has the constant's placeholder
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
   * Sets a constant. A build takes the last value; modules built before keep theirs. Setting a
   * constant that no image has changes no kernel of the module. runtime_error, errc::invalid: this
   * thread is in a command group.
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

/* Lets factory functions make modules, and accesses their private members. */
struct module_access {
  /* Makes a module that context::get_modules lists as long as it exists. */
  template <module_state State> static module<State> make(const context &in, module_ptr impl) {
    in.impl()->add_module(impl);
    return module<State>(in, std::move(impl));
  }
  static module_device_image image(const device_image_ptr &image);
  template <module_state State> static const module_ptr &impl(const module<State> &of) noexcept {
    return of.impl_;
  }
  /* invalid_object: there are no modules, or their contexts differ. */
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

/* The same as the member function. */
template <class T, spec_id<T> &s> void set_spec_constant(module<module_state::input> &of, T value) {
  of.template set_spec_constant<T, s>(value);
}
template <auto &s>
void set_spec_constant(module<module_state::input> &of,
                       typename std::remove_reference_t<decltype(s)>::type value) {
  of.template set_spec_constant<s>(value);
}

/*
 * Compiles and links an input module with the present values of its constants. The result is a new
 * module. compile_program_error: the code does not compile; link_program_error: it compiles, but
 * does not link, or has no kernel.
 */
template <class... Options>
module<module_state::executable> build(module<module_state::input> input, Options &&...ops) {
  using detail::module_access;
  const auto options = detail::module_options::of(input.get_context(), ops...);
  return module_access::make<module_state::executable>(
      input.get_context(), detail::build_module(*module_access::impl(input), options));
}

/* Compiles an input module with the present values of its constants. compile_program_error: it does
 * not compile. */
template <class... Options>
module<module_state::object> compile(module<module_state::input> input, Options &&...ops) {
  using detail::module_access;
  const auto options = detail::module_options::of(input.get_context(), ops...);
  return module_access::make<module_state::object>(
      input.get_context(), detail::compile_module(*module_access::impl(input), options));
}

/*
 * Links object modules to one module with the constants of all. A module that is in the list twice
 * counts once.
 *
 * invalid_object: there are no modules, or their contexts differ. link_program_error: no module
 * defines a function that is called, two modules define a kernel or function of the same name,
 * there is no kernel, or a constant of several modules differs in value, default or layout. SYCL
 * Modules leaves the value of such a constant undefined; the error keeps programs from depending on
 * it.
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
 * Makes one module with copies of the device images of all modules, which are versions of the same
 * code. Of several versions for a device the first one runs, unless a selector chooses another.
 *
 * invalid_object: there are no modules, or they differ in contexts, kernels or symbols.
 */
template <module_state State> module<State> join(std::vector<module<State>> modules) {
  using detail::module_access;
  const auto list = module_access::list(modules, "join");
  return module_access::make<State>(modules.front().get_context(), detail::join_modules(list));
}

/* Without memory for the list it returns an empty one, because it must not throw. */
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
