// buffer: SYCL 2020, 4.7.2.
#ifndef SYCL_BUFFER_HPP
#define SYCL_BUFFER_HPP

#include <sycl/detail/buffer_impl.hpp>
#include <sycl/range.hpp>

#include <iterator>
#include <memory>
#include <type_traits>

namespace sycl {

class handler;
template <class T, int D, access_mode M, target Target, access::placeholder P> class accessor;
template <class T, int D, access_mode M> class host_accessor;

/*
 * An array that kernels and the host use in turn. Common reference semantics: copies are the same
 * buffer. When the last one goes, it waits for its commands, and what they wrote gets to the memory
 * that it was made of, if that is not const.
 */
template <class T, int Dimensions = 1> class buffer {
  static_assert(std::is_trivially_copyable_v<T>, "elements are copied to devices as bytes");

public:
  using value_type = T;

  explicit buffer(const range<Dimensions> &size)
      : size_(size), impl_(std::make_shared<detail::buffer_impl>(nullptr, bytes())) {}
  buffer(T *host, const range<Dimensions> &size)
      : size_(size), impl_(std::make_shared<detail::buffer_impl>(host, bytes())) {
    impl_->set_write_back(true);
  }
  buffer(const T *host, const range<Dimensions> &size) : buffer(size) {
    std::memcpy(impl_->host_pointer(access_mode::discard_write), host, bytes());
  }
  template <class Iterator, int D = Dimensions,
            class = std::enable_if_t<
                D == 1 && !std::is_convertible_v<Iterator, std::size_t> &&
                std::is_convertible_v<typename std::iterator_traits<Iterator>::value_type, T>>>
  buffer(Iterator first, Iterator last) : buffer(range<1>(static_cast<std::size_t>(last - first))) {
    std::copy(first, last, static_cast<T *>(impl_->host_pointer(access_mode::discard_write)));
  }

  range<Dimensions> get_range() const noexcept {
    return size_;
  }
  std::size_t get_count() const noexcept {
    return size_.size();
  }
  std::size_t size() const noexcept {
    return size_.size();
  }
  std::size_t byte_size() const noexcept {
    return bytes();
  }
  std::size_t get_size() const noexcept {
    return bytes();
  }

  template <access_mode M, target Target = target::device>
  accessor<T, Dimensions, M, Target, access::placeholder::false_t> get_access(handler &cgh) {
    return {*this, cgh};
  }
  template <access_mode M> host_accessor<T, Dimensions, M> get_access() {
    return host_accessor<T, Dimensions, M>(*this);
  }

  /* Where the latest bytes go when the buffer ends; nullptr: nowhere. */
  void set_final_data(T *destination) {
    if (!destination)
      return set_write_back(false);
    const std::size_t size = bytes();
    impl_->set_final(
        [destination, size](const void *from) { std::memcpy(destination, from, size); });
  }
  void set_final_data(std::nullptr_t) {
    set_write_back(false);
  }
  void set_write_back(bool on = true) {
    impl_->set_write_back(on);
  }

  const std::shared_ptr<detail::buffer_impl> &impl() const noexcept {
    return impl_;
  }
  friend bool operator==(const buffer &a, const buffer &b) noexcept {
    return a.impl_ == b.impl_;
  }
  friend bool operator!=(const buffer &a, const buffer &b) noexcept {
    return !(a == b);
  }

private:
  std::size_t bytes() const noexcept {
    return size_.size() * sizeof(T);
  }

  range<Dimensions> size_;
  std::shared_ptr<detail::buffer_impl> impl_;
};
template <class Iterator>
buffer(Iterator, Iterator) -> buffer<typename std::iterator_traits<Iterator>::value_type, 1>;
template <class T, int D> buffer(T *, const range<D> &) -> buffer<T, D>;
template <class T, int D> buffer(const T *, const range<D> &) -> buffer<T, D>;

} // namespace sycl

#endif
