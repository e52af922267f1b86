/*
 * The arguments of kernels without a function object, from OpenCL C and SPIR-V: SYCL 2020,
 * 4.9.4.2.4.
 */
#ifndef SYCL_DETAIL_KERNEL_ARGUMENTS_HPP
#define SYCL_DETAIL_KERNEL_ARGUMENTS_HPP

#include <sycl/accessor.hpp>
#include <sycl/detail/closure.hpp>
#include <sycl/detail/requirements.hpp>

#include <cstring>
#include <string>

namespace sycl::detail {

template <class T> struct is_device_accessor : std::false_type {};
template <class T, int D, access_mode M, target Target, access::placeholder P>
struct is_device_accessor<accessor<T, D, M, Target, P>>
    : std::bool_constant<Target != target::local> {};
template <class T, int D> std::true_type is_local_like(const local_accessor<T, D> *);
std::false_type is_local_like(const void *);
template <class T>
inline constexpr bool is_local_accessor = decltype(is_local_like(std::declval<T *>()))::value;

class kernel_arguments {
public:
  /* errc::kernel_argument: the index is negative, or a local accessor has no elements. */
  template <class T> void set(int index, const T &value) {
    if (index < 0)
      throw invalid_parameter_error("an argument's index cannot be " + std::to_string(index));
    argument made;
    made.index = static_cast<std::size_t>(index);
    if constexpr (is_local_accessor<T>) {
      if (value.size() == 0)
        throw invalid_parameter_error("argument " + std::to_string(index) +
                                      " is a local accessor without elements");
      made.kind = SPECPI_ARGUMENT_LOCAL;
      made.local = value.size() * sizeof(typename T::value_type);
    } else {
      static_assert(is_device_copyable_v<T>,
                    "set_arg takes accessors, pointers, and values that can be copied as bytes");
      made.kind = std::is_pointer_v<T> || is_device_accessor<T>::value ? SPECPI_ARGUMENT_POINTER
                                                                       : SPECPI_ARGUMENT_VALUE;
      const auto *bytes = reinterpret_cast<const unsigned char *>(&value);
      made.bytes.assign(bytes, bytes + sizeof value);
      if constexpr (is_device_accessor<T>::value)
        made.address = [](const void *accessor) -> const void * {
          return plain_address(static_cast<const T *>(accessor)->get_pointer());
        };
    }
    if (argument *before = find(made.index))
      *before = std::move(made);
    else
      all_.push_back(std::move(made));
  }

  /*
   * The arguments in the form that libspecpi takes, valid until the next call.
   * errc::kernel_argument: an argument was not set, or the kernel does not have it.
   */
  const specpi_argument *resolve(const requirements_use &use, const std::string &kernel,
                                 std::size_t count);

private:
  struct argument {
    std::size_t index = 0;
    specpi_argument_kind kind = SPECPI_ARGUMENT_VALUE;
    std::size_t local = 0;         /* bytes of local memory */
    few<unsigned char, 128> bytes; /* space for the largest vec; accessors are smaller */
    const void *(*address)(const void *accessor) = nullptr;
  };

  argument *find(std::size_t index) noexcept;
  template <class T> static const void *plain_address(T *pointer) noexcept {
    return pointer;
  }
  template <class P> static const void *plain_address(const P &pointer) noexcept {
    return pointer.get();
  }
  static specpi_argument resolve(argument &a, const requirements_use &use);

  few<argument, 16> all_; /* arguments that are set; how many the kernel has is not known yet */
  few<specpi_argument, 16> list_;
};

} // namespace sycl::detail

#endif
