// accessor, local_accessor, host_accessor: SYCL 2020, 4.7.6, and the local accessor of SYCL 1.2.1.
#ifndef SYCL_ACCESSOR_HPP
#define SYCL_ACCESSOR_HPP

#include <sycl/access.hpp>
#include <sycl/buffer.hpp>
#include <sycl/detail/builtins.hpp>
#include <sycl/item.hpp>

namespace sycl {

namespace detail {

/* Where a handler's accessors get their memory from; handler.hpp defines them. */
inline void *require_memory(handler &cgh, const std::shared_ptr<buffer_impl> &of, access_mode mode);
inline std::size_t require_local_memory(handler &cgh, std::size_t size, std::size_t alignment);
/* The local memory of the running work-group; of the host device. */
inline char *host_local_memory() noexcept;

/* a[i][j]: what the first brackets give. */
template <class T, int D, int Left> class row {
public:
  row(T *data, range<D> memory, std::size_t index) noexcept
      : data_(data), memory_(memory), index_(index) {}
  decltype(auto) operator[](std::size_t i) const noexcept {
    const std::size_t index = index_ * memory_[D - Left] + i;
    if constexpr (Left == 1)
      return (data_[index]);
    else
      return row<T, D, Left - 1>(data_, memory_, index);
  }

private:
  T *data_;
  range<D> memory_;
  std::size_t index_;
};

/* An array of D dimensions that starts at a pointer: what all kinds of accessors are. */
template <class T, int D> class view {
public:
  T &at(id<D> where) const noexcept {
    return data_[linear(where, memory_)];
  }
  template <int N = D> decltype(auto) at(std::size_t i) const noexcept {
    if constexpr (N == 1)
      return (data_[i]);
    else
      return row<T, N, N - 1>(data_, memory_, i);
  }

  T *data_;
  range<D> memory_;
};

template <class T, access_mode M>
using element = std::conditional_t<M == access_mode::read, const T, T>;

} // namespace detail

/*
 * The elements of a buffer in a kernel. It is made for a command group, holds an address that is
 * valid in its kernel, and is copied into it as bytes.
 */
template <class T, int Dimensions = 1, access_mode Mode = access_mode::read_write,
          target Target = target::device, access::placeholder = access::placeholder::false_t>
class accessor {
public:
  using value_type = detail::element<T, Mode>;
  using reference = value_type &;

  accessor(buffer<T, Dimensions> &of, handler &cgh) : accessor(of, cgh, Mode) {}
  template <access_mode M>
  accessor(buffer<T, Dimensions> &of, handler &cgh, mode_tag_t<M>) : accessor(of, cgh, Mode) {}
  template <access_mode M>
  accessor(buffer<T, Dimensions> &of, handler &cgh, mode_tag_t<M>, property::no_init)
      : accessor(of, cgh,
                 Mode == access_mode::write ? access_mode::discard_write
                                            : access_mode::discard_read_write) {}

  reference operator[](id<Dimensions> where) const noexcept {
    return view_.at(where);
  }
  template <class N, class = std::enable_if_t<std::is_integral_v<N>>>
  decltype(auto) operator[](N i) const noexcept {
    return view_.at(static_cast<std::size_t>(i));
  }
  range<Dimensions> get_range() const noexcept {
    return view_.memory_;
  }
  std::size_t size() const noexcept {
    return view_.memory_.size();
  }
  std::size_t get_count() const noexcept {
    return size();
  }
  value_type *get_pointer() const noexcept {
    return view_.data_;
  }

private:
  accessor(buffer<T, Dimensions> &of, handler &cgh, access_mode mode)
      : view_{static_cast<T *>(detail::require_memory(cgh, of.impl(), mode)), of.get_range()} {}

  detail::view<value_type, Dimensions> view_;
};
template <class T, int D, access_mode M>
accessor(buffer<T, D>, handler &, mode_tag_t<M>)
    -> accessor<T, D, M, target::device, access::placeholder::false_t>;
template <class T, int D, access_mode M>
accessor(buffer<T, D>, handler &, mode_tag_t<M>, property::no_init)
    -> accessor<T, D, M, target::device, access::placeholder::false_t>;
template <class T, int D>
accessor(buffer<T, D>, handler &)
    -> accessor<T, D, access_mode::read_write, target::device, access::placeholder::false_t>;

/* Memory that each work-group has for itself. */
template <class T, int Dimensions = 1> class local_accessor {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  using value_type = T;

  local_accessor(range<Dimensions> size, handler &cgh)
      : size_(size),
        offset_(detail::require_local_memory(cgh, size.size() * sizeof(T), alignof(T))) {}

  T &operator[](id<Dimensions> where) const noexcept {
    return view().at(where);
  }
  template <class N, class = std::enable_if_t<std::is_integral_v<N>>>
  decltype(auto) operator[](N i) const noexcept {
    return view().at(static_cast<std::size_t>(i));
  }
  range<Dimensions> get_range() const noexcept {
    return size_;
  }
  std::size_t size() const noexcept {
    return size_.size();
  }
  std::size_t get_count() const noexcept {
    return size();
  }
  T *get_pointer() const noexcept {
    return view().data_;
  }

private:
  detail::view<T, Dimensions> view() const noexcept {
#ifdef __SYCL_DEVICE_ONLY__
    return {(T *)(__specpi_local_memory() + offset_), size_};
#else
    return {reinterpret_cast<T *>(detail::host_local_memory() + offset_), size_};
#endif
  }

  range<Dimensions> size_;
  std::size_t offset_;
};

/* SYCL 1.2.1's way to write it. */
template <class T, int Dimensions, access_mode Mode, access::placeholder P>
class accessor<T, Dimensions, Mode, target::local, P> : public local_accessor<T, Dimensions> {
public:
  using local_accessor<T, Dimensions>::local_accessor;
};

/* The elements on the host; commands that use the buffer are complete when it is made. */
template <class T, int Dimensions = 1, access_mode Mode = access_mode::read_write>
class host_accessor {
public:
  using value_type = detail::element<T, Mode>;

  explicit host_accessor(const buffer<T, Dimensions> &of)
      : impl_(of.impl()), view_{static_cast<T *>(impl_->host_pointer(Mode)), of.get_range()} {}
  template <access_mode M>
  host_accessor(const buffer<T, Dimensions> &of, mode_tag_t<M>) : host_accessor(of) {}

  value_type &operator[](id<Dimensions> where) const noexcept {
    return view_.at(where);
  }
  template <class N, class = std::enable_if_t<std::is_integral_v<N>>>
  decltype(auto) operator[](N i) const noexcept {
    return view_.at(static_cast<std::size_t>(i));
  }
  range<Dimensions> get_range() const noexcept {
    return view_.memory_;
  }
  std::size_t size() const noexcept {
    return view_.memory_.size();
  }
  value_type *get_pointer() const noexcept {
    return view_.data_;
  }
  value_type *begin() const noexcept {
    return view_.data_;
  }
  value_type *end() const noexcept {
    return view_.data_ + size();
  }

private:
  std::shared_ptr<detail::buffer_impl> impl_;
  detail::view<value_type, Dimensions> view_;
};
template <class T, int D>
host_accessor(buffer<T, D>) -> host_accessor<T, D, access_mode::read_write>;
template <class T, int D, access_mode M>
host_accessor(buffer<T, D>, mode_tag_t<M>) -> host_accessor<T, D, M>;

} // namespace sycl

#endif
