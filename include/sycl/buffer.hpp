// buffer: SYCL 2020, 4.7.2, and SYCL 1.2.1.
#ifndef SYCL_BUFFER_HPP
#define SYCL_BUFFER_HPP

#include <sycl/detail/buffer_part.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/item.hpp>

#include <iterator>
#include <memory>
#include <type_traits>

namespace sycl {

class handler;
template <class T, int D, access_mode M, target Target, access::placeholder P> class accessor;
template <class T, int D, access_mode M> class host_accessor;

namespace property::buffer {
/* The memory passed to the buffer is its only memory on the host. */
struct use_host_ptr : detail::property_base {};
/* A mutex that the buffer locks while it writes back. */
class use_mutex : public detail::property_base {
public:
  explicit use_mutex(std::mutex &m) noexcept : mutex_(&m) {}
  std::mutex *get_mutex_ptr() const noexcept {
    return mutex_;
  }

private:
  std::mutex *mutex_;
};
} // namespace property::buffer

namespace detail {
template <class Iterator>
using iterated = std::remove_cv_t<typename std::iterator_traits<Iterator>::value_type>;
/* True for containers whose elements are contiguous. */
template <class Container>
using data_of = std::remove_pointer_t<decltype(std::data(std::declval<Container &>()))>;
} // namespace detail

/*
 * An array that kernels and the host use in turn. Common reference semantics: copies are the same
 * buffer. The destructor of the last copy waits for the buffer's commands and writes the results
 * back: to the destination of set_final_data, or else to the memory that the buffer was made from,
 * unless that is const. Until then the buffer owns that memory. Any thread may use a buffer.
 */
template <class T, int Dimensions = 1> class buffer {
  static_assert(is_device_copyable_v<T>, "elements are copied to devices as bytes");
  static_assert(!std::is_const_v<T>, "elements of a buffer are not const");
  using host = detail::buffer_impl::host;

public:
  using value_type = T;
  using reference = T &;
  using const_reference = const T &;
  static constexpr int dimensions = Dimensions;

  /* Elements of undefined value. */
  explicit buffer(const range<Dimensions> &size, const property_list &properties = {})
      : buffer(size, nullptr, host::undefined, properties) {}
  /* The elements at data, which are written back. */
  buffer(T *data, const range<Dimensions> &size, const property_list &properties = {})
      : buffer(size, data,
               properties.has_property<property::buffer::use_host_ptr>() ? host::in_place
                                                                         : host::read,
               properties) {
    set_final_data(data);
  }
  /* The elements at data, which stay as they are. */
  buffer(const T *data, const range<Dimensions> &size, const property_list &properties = {})
      : buffer(size, data, host::read, properties) {}
  /* The elements that data shares; they are written back. */
  buffer(const std::shared_ptr<T> &data, const range<Dimensions> &size,
         const property_list &properties = {})
      : buffer(data.get(), size, properties) {
    share(data);
  }
  buffer(const std::shared_ptr<T[]> &data, const range<Dimensions> &size,
         const property_list &properties = {})
      : buffer(data.get(), size, properties) {
    share(data);
  }
  /* Copies of the elements from first to last. */
  template <class Iterator, int D = Dimensions,
            class = std::enable_if_t<D == 1 && !std::is_convertible_v<Iterator, range<1>> &&
                                     std::is_convertible_v<detail::iterated<Iterator>, T>>>
  buffer(Iterator first, Iterator last, const property_list &properties = {})
      : buffer(range<1>(static_cast<std::size_t>(std::distance(first, last))), properties) {
    const detail::turns mine = turn(true);
    T *to = reinterpret_cast<T *>(part_->memory().acquire_host({false, true}));
    for (; first != last; ++first)
      *to++ = *first;
  }
  /* The elements of a container. They are written back if they are not const. */
  template <class Container, int D = Dimensions,
            class = std::enable_if_t<
                D == 1 && std::is_same_v<std::remove_const_t<detail::data_of<Container>>, T>>>
  buffer(Container &all, const property_list &properties = {})
      : buffer(std::data(all), range<1>(std::size(all)), properties) {}
  /*
   * A sub-buffer: some elements of another buffer, contiguous in memory.
   *
   * errc::invalid: the elements are not inside the other buffer or not contiguous, or the other
   * buffer is a sub-buffer itself.
   */
  buffer(buffer &of, const id<Dimensions> &first, const range<Dimensions> &size)
      : size_(size), part_(detail::buffer_part::make(of.part_, of.check_sub_buffer(first, size),
                                                     size.size() * sizeof(T))) {}

  range<Dimensions> get_range() const noexcept {
    return size_;
  }
  std::size_t size() const noexcept {
    return size_.size();
  }
  std::size_t get_count() const noexcept {
    return size();
  }
  std::size_t byte_size() const noexcept {
    return size() * sizeof(T);
  }
  std::size_t get_size() const noexcept {
    return byte_size();
  }
  bool is_sub_buffer() const noexcept {
    return part_->is_sub_buffer();
  }

  /* An accessor for a kernel of the command group, to all elements or a part of them. */
  template <access_mode M, target Target = target::device>
  accessor<T, Dimensions, M, Target, access::placeholder::false_t> get_access(handler &cgh) const {
    return {*this, cgh};
  }
  template <access_mode M, target Target = target::device>
  accessor<T, Dimensions, M, Target, access::placeholder::false_t>
  get_access(handler &cgh, range<Dimensions> size, id<Dimensions> first = {}) const {
    return {*this, cgh, size, first};
  }
  /* An accessor for the host, as in SYCL 1.2.1. */
  template <access_mode M>
  accessor<T, Dimensions, M, target::host_buffer, access::placeholder::false_t> get_access() const {
    return accessor<T, Dimensions, M, target::host_buffer, access::placeholder::false_t>(*this);
  }
  template <access_mode M>
  accessor<T, Dimensions, M, target::host_buffer, access::placeholder::false_t>
  get_access(range<Dimensions> size, id<Dimensions> first = {}) const {
    return {*this, size, first};
  }
  /* An accessor or host_accessor of the buffer with these arguments, as in SYCL 2020. */
  template <class... More> auto get_access(handler &cgh, More... more) const {
    return accessor(*this, cgh, more...);
  }
  template <class... Arguments> auto get_host_access(Arguments... arguments) const {
    return host_accessor(*this, arguments...);
  }

  /*
   * Sets where the destructor copies the latest elements: to a pointer, to a weak pointer's memory
   * if that still exists, or to an output iterator; nullptr: nowhere. The last call counts.
   */
  template <class Destination = std::nullptr_t> void set_final_data(Destination to = nullptr) {
    if constexpr (std::is_null_pointer_v<Destination>) {
      set_write_back(false);
    } else if constexpr (std::is_pointer_v<Destination>) {
      if (!to)
        return set_write_back(false);
      if constexpr (std::is_same_v<std::remove_pointer_t<Destination>, T>)
        set_final([to](const detail::buffer_part &part) { part.copy_out(to); });
      else
        set_final_iterator(to);
    } else if constexpr (is_weak<Destination>::value) {
      set_final([to](const detail::buffer_part &part) {
        if (const auto there = to.lock())
          part.copy_out(there.get());
      });
    } else {
      set_final_iterator(to);
    }
  }
  /* Switches writing back off, or on again to the destination that it had before. */
  void set_write_back(bool on = true) {
    part_->set_write_back(on);
  }

  /*
   * The same bytes as elements of another type. errc::invalid: size needs more or fewer bytes.
   */
  template <class U, int D> buffer<U, D> reinterpret(const range<D> &size) const {
    if (size.size() * sizeof(U) != byte_size())
      throw invalid_object_error("a buffer of " + std::to_string(byte_size()) +
                                 " bytes is reinterpreted as one of " +
                                 std::to_string(size.size() * sizeof(U)));
    buffer<U, D> other(size, part_);
    other.properties_ = properties_;
    return other;
  }
  template <class U, int D = Dimensions,
            class = std::enable_if_t<D == 1 || (D == Dimensions && sizeof(U) == sizeof(T))>>
  buffer<U, D> reinterpret() const {
    if constexpr (D == Dimensions && sizeof(U) == sizeof(T))
      return reinterpret<U, D>(size_);
    else
      return reinterpret<U, 1>(range<1>(byte_size() / sizeof(U)));
  }

  template <class P> bool has_property() const noexcept {
    return properties_.has_property<P>();
  }
  template <class P> P get_property() const {
    return properties_.get_property<P>();
  }

  /* The part that accessors refer to. */
  const std::shared_ptr<detail::buffer_part> &part() const noexcept {
    return part_;
  }
  friend bool operator==(const buffer &a, const buffer &b) noexcept {
    return a.part_ == b.part_;
  }
  friend bool operator!=(const buffer &a, const buffer &b) noexcept {
    return !(a == b);
  }

private:
  template <class U, int D> friend class buffer;
  template <class D> struct is_weak : std::false_type {};
  template <class U> struct is_weak<std::weak_ptr<U>> : std::true_type {};

  buffer(const range<Dimensions> &size, const T *data, host kind, const property_list &properties)
      : size_(size), properties_(properties),
        part_(detail::buffer_part::make(data, size.size() * sizeof(T), kind)) {}
  buffer(const range<Dimensions> &size, std::shared_ptr<detail::buffer_part> part)
      : size_(size), part_(std::move(part)) {}

  detail::turns turn(bool writes) const {
    return detail::turns({detail::turns::wish(part_->memory().whose_turn, writes)},
                         detail::turns::of::host);
  }
  void set_final(std::function<void(const detail::buffer_part &)> f) {
    if (has_property<property::buffer::use_mutex>()) {
      std::mutex *const mutex = get_property<property::buffer::use_mutex>().get_mutex_ptr();
      part_->set_final([mutex, f](const detail::buffer_part &part) {
        const std::lock_guard<std::mutex> lock(*mutex);
        f(part);
      });
    } else {
      part_->set_final(std::move(f));
    }
  }
  template <class Iterator> void set_final_iterator(Iterator to) {
    set_final([to, count = size()](const detail::buffer_part &part) {
      if (const void *from = part.latest())
        std::copy_n(static_cast<const T *>(from), count, to);
    });
  }
  /* Keeps the user's memory alive as long as the buffer. */
  template <class Pointer> void share(const Pointer &data) {
    set_final([data](const detail::buffer_part &part) { part.copy_out(data.get()); });
    part_->memory().keep(data);
  }
  /* Returns the offset in bytes of a sub-buffer, or throws if it is not valid. */
  std::size_t check_sub_buffer(const id<Dimensions> &first, const range<Dimensions> &size) const {
    if (is_sub_buffer())
      throw invalid_object_error("a sub-buffer cannot be made of a sub-buffer");
    bool is_whole = true; /* the part is whole in all dimensions after this one */
    for (int i = Dimensions - 1; i >= 0; i--) {
      if (first[i] > size_[i] || size[i] > size_[i] - first[i])
        throw invalid_object_error("a sub-buffer's elements are outside of the buffer");
      if (!is_whole && size[i] > 1)
        throw invalid_object_error("a sub-buffer's elements are not one after another in memory");
      is_whole = is_whole && size[i] == size_[i];
    }
    return detail::linear(first, size_) * sizeof(T);
  }

  range<Dimensions> size_;
  property_list properties_;
  std::shared_ptr<detail::buffer_part> part_;
};
template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
buffer(Iterator, Iterator, const property_list & = {}) -> buffer<detail::iterated<Iterator>, 1>;
template <class Container, class = detail::data_of<Container>>
buffer(Container &, const property_list & = {})
    -> buffer<std::remove_const_t<detail::data_of<Container>>, 1>;
template <class T, int D>
buffer(T *, const range<D> &, const property_list & = {}) -> buffer<std::remove_const_t<T>, D>;
template <class T, int D>
buffer(const std::shared_ptr<T> &, const range<D> &, const property_list & = {})
    -> buffer<std::remove_extent_t<T>, D>;

template <class T> using buffer_allocator = std::allocator<T>;

} // namespace sycl

#endif
