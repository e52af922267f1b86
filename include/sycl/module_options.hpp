/*
 * Options for compiling, building and linking modules: debug and log of SYCL Modules, "Free
 * functions"; flags as std::string of "OpenCL backend-specific functionality"; and specpi's own.
 */
#ifndef SYCL_MODULE_OPTIONS_HPP
#define SYCL_MODULE_OPTIONS_HPP

#include <sycl/context.hpp>

#include <ostream>
#include <string>
#include <type_traits>

namespace sycl {

namespace property::module::options {

/* Builds code with debug symbols. */
class debug {
public:
  debug() = default;
};

/*
 * Writes the output of the compiler or linker, after failure and success, to a stream, which must
 * outlive the call. Nothing is written if there is no output.
 */
class log {
public:
  log(std::ostream &output) noexcept : output_(&output) {}
  std::ostream &get_log_stream() const {
    return *output_;
  }

private:
  std::ostream *output_;
};

} // namespace property::module::options

/* The option of this implementation. */
namespace ext::specpi::property::module::options {

/* Flags of the backend's compiler, e.g. "-cl-fast-relaxed-math", or "-v" for CUDA. */
class flags {
public:
  explicit flags(std::string text) : text_(std::move(text)) {}
  const std::string &get() const noexcept {
    return text_;
  }

private:
  std::string text_;
};

} // namespace ext::specpi::property::module::options

namespace detail {

/* All options of one call. */
struct module_options {
  std::string flags;
  std::ostream *log = nullptr;

  void add_flags(const std::string &more);
  /* Writes a compiler's output to the stream, if there is any. */
  void write_log(const char *words) const;

  template <class Option> void add(const context &of, const Option &option) {
    namespace standard = property::module::options;
    if constexpr (std::is_same_v<Option, standard::debug>) {
      add_flags("-g");
    } else if constexpr (std::is_same_v<Option, standard::log>) {
      log = &option.get_log_stream();
    } else if constexpr (std::is_same_v<Option, ext::specpi::property::module::options::flags>) {
      add_flags(option.get());
    } else if constexpr (std::is_convertible_v<const Option &, std::string>) {
      if (of.get_backend() != backend::opencl)
        throw feature_not_supported("compilation flags as a string are for the OpenCL backend: " +
                                    std::string(option));
      add_flags(option);
    } else {
      static_assert(sizeof(Option) == 0,
                    "an option of a module is a property of sycl::property::module::options, of "
                    "sycl::ext::specpi::property::module::options, or a std::string for OpenCL");
    }
  }

  template <class... Options> static module_options of(const context &in, const Options &...all) {
    module_options options;
    (options.add(in, all), ...);
    return options;
  }
};

} // namespace detail

} // namespace sycl

#endif
