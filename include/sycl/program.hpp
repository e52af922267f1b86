/*
 * program: SYCL 1.2.1, 4.8.5, with the constants of SYCL Specialization Constant and of the
 * proposal with typename ids.
 */
#ifndef SYCL_PROGRAM_HPP
#define SYCL_PROGRAM_HPP

#include <sycl/detail/entry.hpp>
#include <sycl/detail/opencl_types.hpp>
#include <sycl/detail/program_impl.hpp>
#include <sycl/detail/spec_constant_info.hpp>
#include <sycl/detail/unit.hpp>
#include <sycl/spec_constant.hpp>
#include <sycl/typename_constant.hpp>

namespace sycl {

namespace detail {

/* Tells a typename id that stands for a number from one that is a name. */
template <class Id> struct constant_number {
  static constexpr bool is = false;
};
template <unsigned N> struct constant_number<experimental::spec_constant_id<N>> {
  static constexpr bool is = true;
};

/* Make the input image for a device, from OpenCL C or from SPIR-V. */
struct source_images {
  const std::string &text;
  device_image_ptr operator()(const device &d) const;
};
struct il_images {
  const void *il;
  std::size_t size;
  device_image_ptr operator()(const device &d) const;
};

} // namespace detail

/*
 * Device images of a context that go from state none through compiled to linked. A copy is the same
 * program. A program for the host device has constants for its kernels, but no images. Any thread
 * may use it.
 */
class program {
public:
  program() = delete;
  /*
   * Makes a program in state none. invalid_object_error: a device is not one of the context's. unit
   * is the caller's unit: do not pass it.
   */
  explicit program(const context &in, const char *unit = detail::this_unit());
  program(const context &in, const std::vector<device> &devices,
          const char *unit = detail::this_unit());
  /*
   * Links compiled programs to a program in state linked. invalid_object_error: there are no
   * programs, one is in another state, or they differ in context or devices. link_program_error:
   * the linker fails.
   */
  program(const std::vector<program> &programs, const std::string &options = {});

  /*
   * Makes a program from a cl_program that was compiled (state compiled), or linked or built (state
   * linked), and holds a reference to it. The program's device is the one whose cl_context, as
   * get_native returns it, is the cl_program's.
   *
   * invalid_object_error: the cl_program is in neither state. runtime_error, errc::invalid: it is
   * NULL, or no device of the context has its cl_context. feature_not_supported: the context is not
   * of the backend opencl.
   */
  program(const context &in, opencl::cl_program native);

  /*
   * Compile or build the image with the kernel of that type for each device, with the constants
   * that are set and the compiler's options. State none becomes compiled or linked.
   *
   * invalid_object_error: the state is not none. experimental::spec_const_error: a constant that
   * the kernel needs is not set, or one does not fit. compile_program_error: there is no such
   * kernel for a device, or the compiler fails. After an error the program is as before.
   */
  template <class KernelName> void compile_with_kernel_type(const std::string &options = {}) {
    const std::string name = detail::kernel_name<KernelName>();
    impl_->compile(name, "the program of kernel " + name, options,
                   [&](const device &d) { return input(d, name); });
  }
  template <class KernelName> void build_with_kernel_type(const std::string &options = {}) {
    const std::string name = detail::kernel_name<KernelName>();
    impl_->build(name, "the program of kernel " + name, options,
                 [&](const device &d) { return input(d, name); });
  }
  /*
   * Compile or build a text in OpenCL C, whose kernels keep their names.
   *
   * feature_not_supported: the context is not of the backend opencl. invalid_object_error: the
   * state is not none. experimental::spec_const_error: a constant with a number is set, but a text
   * has no such constants. compile_program_error: the compiler fails. runtime_error, errc::invalid:
   * there is no text.
   */
  void compile_with_source(const std::string &source, const std::string &options = {});
  void build_with_source(const std::string &source, const std::string &options = {});
  /*
   * Compile or build a SPIR-V module of any compiler, for any backend that accepts SPIR-V. The
   * module's own numbers name its constants: set_spec_constant<spec_constant_id<42>>(value).
   *
   * feature_not_supported: a device is the host device. invalid_object_error: the state is not
   * none, or the SPIR-V is not well-formed. kernel_not_found: a device does not accept SPIR-V.
   * experimental::spec_const_error: the SPIR-V has no constant of a number that is set, or one of
   * another size. compile_program_error: the compiler fails. runtime_error, errc::invalid: il is
   * NULL.
   */
  void compile_with_il(const void *il, std::size_t size, const std::string &options = {});
  void build_with_il(const void *il, std::size_t size, const std::string &options = {});
  /* Links the program: state compiled becomes linked. invalid_object_error: another state.
   * link_program_error: the linker fails. */
  void link(const std::string &options = {});

  /* Returns whether get_kernel finds the kernel, now or once the program is linked; false in state
   * none. */
  template <class KernelName> bool has_kernel() const {
    return has_kernel(detail::kernel_name<KernelName>());
  }
  bool has_kernel(const std::string &name) const;
  /* invalid_object_error: the program is not linked, or has no such kernel. */
  template <class KernelName> kernel get_kernel() const {
    return get_kernel(detail::kernel_name<KernelName>());
  }
  kernel get_kernel(const std::string &name) const;

  /*
   * Returns the cl_program. The caller must release it with clReleaseProgram.
   *
   * feature_not_supported: the context is not of the backend opencl. invalid_object_error: the
   * program is in state none, has several devices, or was linked from programs with kernels in
   * common.
   */
  opencl::cl_program get() const;
  /*
   * The driver's binary for each device, in the order of get_devices; if the program was linked
   * from programs with kernels in common, the binaries of each. Empty in state none and on the host
   * device.
   */
  std::vector<std::vector<char>> get_binaries() const {
    return impl_->binaries();
  }
  template <class Query> typename Query::return_type get_info() const {
    return ask(Query{});
  }

  program_state get_state() const {
    return impl_->state();
  }
  context get_context() const {
    return impl_->in();
  }
  std::vector<device> get_devices() const {
    return impl_->devices();
  }
  bool is_host() const noexcept;
  /* The options of a step that the program has been through; "" for other steps. */
  std::string get_compile_options() const {
    return impl_->compile_options();
  }
  std::string get_link_options() const {
    return impl_->link_options();
  }
  std::string get_build_options() const {
    return impl_->build_options();
  }

  /* Returns whether constants are part of the code when a kernel runs; false on the host device. */
  bool native_spec_constant() const noexcept;

  /*
   * Set a constant that a spec_id, a type or spec_constant_id<number> names. The last value before
   * the program is compiled or built counts. Only that step checks that the kernel's image has the
   * constant and that the size is right.
   *
   * experimental::spec_const_error: the program is already compiled or built, or the constant was
   * set to a value of another type.
   */
  template <typename T, spec_id<T> &s> spec_constant<T, s> set_spec_constant(T value) {
    set(detail::get_spec_constant_symbolic_ID<s>(), std::nullopt, value);
    return detail::placeholder_access::make<T, s>(value);
  }
  template <typename T, spec_id<T> *s> spec_constant<T, *s> set_spec_constant(T value) {
    return set_spec_constant<T, *s>(value);
  }
  template <auto &s>
  spec_constant<detail::constant_type<s>, s> set_spec_constant(detail::constant_type<s> value) {
    return set_spec_constant<detail::constant_type<s>, s>(value);
  }
  template <typename ID, typename T>
  ONEAPI::experimental::spec_constant<T, ID> set_spec_constant(T value) {
    if constexpr (detail::constant_number<ID>::is)
      set({}, ID::id, value);
    else
      set(detail::SpecConstantInfo<ID>::getName(), std::nullopt, value);
    return ONEAPI::experimental::spec_constant<T, ID>(value);
  }

  friend bool operator==(const program &a, const program &b) noexcept {
    return a.impl_ == b.impl_;
  }
  friend bool operator!=(const program &a, const program &b) noexcept {
    return !(a == b);
  }

  /* For std::hash. */
  std::size_t hash() const noexcept;

private:
  context ask(info::program::context) const {
    return get_context();
  }
  std::vector<device> ask(info::program::devices) const {
    return get_devices();
  }
  static std::vector<std::shared_ptr<detail::program_impl>>
  impls(const std::vector<program> &programs);
  template <class T>
  void set(const std::string &id, const std::optional<unsigned> &number, const T &value) {
    const auto *bytes = reinterpret_cast<const unsigned char *>(&value);
    constexpr std::size_t padding = std::is_class_v<T> ? alignof(T) - 1 : 0;
    impl_->set({id, number, typeid(T), padding, {bytes, bytes + sizeof value}});
  }
  detail::source_images source_for(const std::string &source) const;
  detail::il_images il_for(const void *il, std::size_t size) const;
  /* The image of this unit with the kernel, or else of any unit. */
  detail::device_image_ptr input(const device &of, const std::string &kernel) const;

  std::shared_ptr<detail::program_impl> impl_;
  const char *unit_;
};

} // namespace sycl

template <> struct std::hash<sycl::program> {
  std::size_t operator()(const sycl::program &p) const noexcept {
    return p.hash();
  }
};

#endif
