/*
 * Exceptions: SYCL 2020's error codes, and the classes of SYCL 1.2.1 and of the proposals, which
 * derive from sycl::exception and carry the code that belongs to them.
 */
#ifndef SYCL_EXCEPTION_HPP
#define SYCL_EXCEPTION_HPP

#include <sycl/detail/config.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <specpi/process.h>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sycl {

/* X(name, text): SYCL 2020, 4.13.2. */
#define SYCL_ERRORS(X)                                                                             \
  X(success, "no error")                                                                           \
  X(runtime, "an error of the runtime or a driver")                                                \
  X(kernel, "an error in or before a kernel")                                                      \
  X(accessor, "an error of an accessor")                                                           \
  X(nd_range, "a range of work-items is not valid")                                                \
  X(event, "an event cannot be used so")                                                           \
  X(kernel_argument, "an argument of a kernel is not valid")                                       \
  X(build, "code does not compile or link")                                                        \
  X(invalid, "a parameter, or the state of an object, is not valid")                               \
  X(memory_allocation, "memory cannot be allocated")                                               \
  X(platform, "an error of a platform")                                                            \
  X(profiling, "times cannot be measured")                                                         \
  X(feature_not_supported, "the device cannot do that")                                            \
  X(kernel_not_supported, "the device cannot run the kernel")                                      \
  X(backend_mismatch, "an object is of another backend")

enum class errc : int {
#define SYCL_ERROR(name, text) name,
  SYCL_ERRORS(SYCL_ERROR)
#undef SYCL_ERROR
};

} // namespace sycl

template <> struct std::is_error_code_enum<sycl::errc> : std::true_type {};

namespace sycl {

class context;

namespace detail {

struct context_impl;

class category : public std::error_category {
public:
  const char *name() const noexcept override {
    return "sycl";
  }
  std::string message(int value) const override {
    static const char *const texts[] = {
#define SYCL_ERROR(name, text) text,
        SYCL_ERRORS(SYCL_ERROR)
#undef SYCL_ERROR
    };
    const auto count = static_cast<int>(sizeof texts / sizeof texts[0]);
    return value >= 0 && value < count ? texts[value] : "unknown";
  }
};

} // namespace detail

const std::error_category &sycl_category() noexcept;

std::error_code make_error_code(errc code) noexcept;

/*
 * The base class of this library's exceptions; SYCL 2020, 4.13.2. Constructors with a context are
 * for errors that belong to one.
 */
class exception : public virtual std::exception {
public:
  exception(std::error_code code) : exception(code, code.message()) {}
  exception(std::error_code code, const std::string &sentence)
      : code_(code), sentence_(std::make_shared<const std::string>(sentence)) {}
  exception(std::error_code code, const char *sentence) : exception(code, std::string(sentence)) {}
  exception(int value, const std::error_category &category)
      : exception(std::error_code(value, category)) {}
  exception(int value, const std::error_category &category, const std::string &sentence)
      : exception(std::error_code(value, category), sentence) {}
  template <class... Rest> exception(const context &of, std::error_code code, const Rest &...rest);
  template <class... Rest>
  exception(const context &of, int value, const std::error_category &category, const Rest &...rest);

  const std::error_code &code() const noexcept {
    return code_;
  }
  const std::error_category &category() const noexcept {
    return code_.category();
  }
  const char *what() const noexcept override {
    return sentence_->c_str();
  }
  bool has_context() const noexcept {
    return context_ != nullptr;
  }
  /* The context that the error belongs to. errc::invalid: there is none. */
  context get_context() const;

private:
  std::error_code code_;
  /* Shared, so that copying the exception cannot throw. */
  std::shared_ptr<const std::string> sentence_;
  std::shared_ptr<detail::context_impl> context_;
};

/*
 * X(name, base, code): the classes of SYCL 1.2.1, 4.9.2, and of SYCL Modules: kernel_not_found,
 * invalid_kernel and invalid_object.
 */
#define SYCL_EXCEPTIONS(X)                                                                         \
  X(runtime_error, exception, runtime)                                                             \
  X(kernel_error, runtime_error, kernel)                                                           \
  X(accessor_error, runtime_error, accessor)                                                       \
  X(nd_range_error, runtime_error, nd_range)                                                       \
  X(event_error, runtime_error, event)                                                             \
  X(invalid_parameter_error, runtime_error, kernel_argument)                                       \
  X(device_error, exception, runtime)                                                              \
  X(compile_program_error, device_error, build)                                                    \
  X(link_program_error, device_error, build)                                                       \
  X(invalid_object_error, device_error, invalid)                                                   \
  X(memory_allocation_error, device_error, memory_allocation)                                      \
  X(platform_error, device_error, platform)                                                        \
  X(profiling_error, device_error, profiling)                                                      \
  X(feature_not_supported, device_error, feature_not_supported)                                    \
  X(kernel_not_found, kernel_error, invalid)                                                       \
  X(invalid_kernel, kernel_error, invalid)                                                         \
  X(invalid_object, invalid_object_error, invalid)

#define SYCL_EXCEPTION(name, base, error)                                                          \
  class name : public base {                                                                       \
  public:                                                                                          \
    explicit name(const std::string &sentence) : name(errc::error, sentence) {}                    \
    name(std::error_code code, const std::string &sentence) : base(code, sentence) {}              \
    name(const context &of, std::error_code code, const std::string &sentence)                     \
        : base(of, code, sentence) {}                                                              \
  };
SYCL_EXCEPTIONS(SYCL_EXCEPTION)
#undef SYCL_EXCEPTION

/* The errors that commands had after they were submitted. */
class exception_list {
public:
  using value_type = std::exception_ptr;
  using reference = value_type &;
  using const_reference = const value_type &;
  using size_type = std::size_t;
  using iterator = std::vector<std::exception_ptr>::const_iterator;
  using const_iterator = iterator;

  exception_list() = default;
  explicit exception_list(std::vector<std::exception_ptr> list) : list_(std::move(list)) {}

  size_type size() const noexcept {
    return list_.size();
  }
  iterator begin() const noexcept {
    return list_.begin();
  }
  iterator end() const noexcept {
    return list_.end();
  }

private:
  std::vector<std::exception_ptr> list_;
};

using async_handler = std::function<void(exception_list)>;

namespace detail {

/*
 * Throws the exception for a failed call of libspecpi. The message is words, if there are any, and
 * then libspecpi's own message.
 */
[[noreturn]] void fail(specpi_result result, const std::string &words = {});

void check(specpi_result result, const std::string &words = {});

} // namespace detail

} // namespace sycl

#endif
