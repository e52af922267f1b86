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

/* The number that a typename id stands for; none if it is a name. */
template <class Id> struct constant_number {
  static constexpr bool is = false;
};
template <unsigned N> struct constant_number<experimental::spec_constant_id<N>> {
  static constexpr bool is = true;
};

/* They make the input image for a device. */
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
 * Device images of a context on their way from state none over compiled to linked. Copies are the
 * same program. A program for the host device has no images; its kernels run with its constants.
 * Any thread may call any function.
 */
class program {
public:
  program() = delete;
  /*
   * In state none. devices are some of the context's, else invalid_object_error. unit is for this
   * class.
   */
  explicit program(const context &in, const char *unit = detail::this_unit());
  program(const context &in, const std::vector<device> &devices,
          const char *unit = detail::this_unit());
  /*
   * In state linked, of programs in state compiled. invalid_object_error: there are none, one is in
   * another state, or they differ in context or devices. link_program_error: the linker refuses.
   */
  program(const std::vector<program> &programs, const std::string &options = {});

  /*
   * Makes a program from a cl_program that was compiled (state compiled), or linked or built
   * (linked), and keeps a reference to it. Its device is the one of its cl_context, as get_native
   * returns it.
   *
   * invalid_object_error: it is in neither state. runtime_error, errc::invalid: it is NULL, or of
   * another cl_context. feature_not_supported: the context is not of the backend opencl.
   */
  program(const context &in, opencl::cl_program native);

  /*
   * Compiles or builds the image that has the kernel of that type, with the constants that are set,
   * for each device; options are the compiler's. State none becomes compiled or linked.
   *
   * invalid_object_error: another state. experimental::spec_const_error: a constant that the kernel
   * needs is not set, or one does not fit. compile_program_error: there is no such kernel for a
   * device, or the compiler refuses. After an error the program is as before.
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
   * The same of a text in OpenCL C, whose kernels have the names that they have in it.
   *
   * feature_not_supported: the context is not of the backend opencl. invalid_object_error: another
   * state than none. experimental::spec_const_error: a number is set; the text has no constants.
   * compile_program_error: the compiler refuses. runtime_error, errc::invalid: there is no text.
   */
  void compile_with_source(const std::string &source, const std::string &options = {});
  void build_with_source(const std::string &source, const std::string &options = {});
  /*
   * The same of IL, a SPIR-V module of any compiler, for each backend that takes it. Its constants
   * have the numbers that it gives them: set_spec_constant<spec_constant_id<42>>(value).
   *
   * feature_not_supported: on the host device. invalid_object_error: another state than none, or
   * the IL is not well-formed. kernel_not_found: a device takes none.
   * experimental::spec_const_error: it has no constant of a number that is set, or of another size.
   * compile_program_error: the compiler refuses. runtime_error, errc::invalid: il is NULL.
   */
  void compile_with_il(const void *il, std::size_t size, const std::string &options = {});
  void build_with_il(const void *il, std::size_t size, const std::string &options = {});
  /* State compiled becomes linked. invalid_object_error: another state. link_program_error. */
  void link(const std::string &options = {});

  /* Returns whether the kernel can be got, now or once the program is linked; not in state none. */
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
   * The cl_program, with a reference that the caller gives up by clReleaseProgram.
   *
   * feature_not_supported: the context is not of the backend opencl. invalid_object_error: the
   * program is in state none, has several devices, or was linked of programs that have kernels in
   * common.
   */
  opencl::cl_program get() const;
  /*
   * The driver's binary for each device, in the order of get_devices; of a program that was linked
   * of programs with kernels in common, those of each. None in state none and on the host device.
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
  /* The options of each step that was made; "" of others. */
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
   * Sets a constant: of a spec_id, of a type's name, or by spec_constant_id<number>. The last value
   * before the program is compiled or built counts.
   *
   * experimental::spec_const_error: the program is compiled or built, or the constant was set to a
   * value of another type. Whether the kernel's image has it, and of that size, is found when that
   * is compiled or built.
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
  /* The image of this unit that has the kernel, else of any unit. */
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
