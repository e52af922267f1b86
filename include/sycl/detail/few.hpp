/*
 * A list with inline storage for some elements, which allocates memory only for more of them.
 * Launches keep temporary data in such lists, so that they allocate nothing.
 */
#ifndef SYCL_DETAIL_FEW_HPP
#define SYCL_DETAIL_FEW_HPP

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace sycl::detail {

/*
 * The member functions behave as those of std::vector. Elements move when the list does, and are
 * aligned as by operator new.
 */
template <class T, std::size_t Room> class few {
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  static_assert(std::is_nothrow_move_constructible_v<T>);

public:
  few() noexcept {} /* leaves here_ uninitialized */
  few(std::initializer_list<T> all) : few(all.begin(), all.end()) {}
  few(const T *first, const T *last) : few() {
    append(first, last);
  }
  few(const few &other) : few(other.begin(), other.end()) {}
  few(few &&other) noexcept {
    take(other);
  }
  few &operator=(const few &other) {
    if (this != &other)
      *this = few(other);
    return *this;
  }
  few &operator=(few &&other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  ~few() {
    release();
  }

  const T *begin() const noexcept {
    return data();
  }
  const T *end() const noexcept {
    return data() + size_;
  }
  T *begin() noexcept {
    return data();
  }
  T *end() noexcept {
    return data() + size_;
  }
  const T *data() const noexcept {
    return far_ ? far_ : reinterpret_cast<const T *>(here_);
  }
  T *data() noexcept {
    return far_ ? far_ : reinterpret_cast<T *>(here_);
  }
  std::size_t size() const noexcept {
    return size_;
  }
  bool empty() const noexcept {
    return size_ == 0;
  }
  const T &operator[](std::size_t i) const noexcept {
    return data()[i];
  }
  T &operator[](std::size_t i) noexcept {
    return data()[i];
  }
  const T &front() const noexcept {
    return *data();
  }

  void push_back(T element) {
    reserve(size_ + 1);
    ::new (static_cast<void *>(end())) T(std::move(element));
    size_++;
  }
  void assign(const T *first, const T *last) {
    *this = few(first, last);
  }
  /* New elements have the value of T(). */
  void resize(std::size_t size) {
    reserve(size);
    for (; size_ < size; size_++)
      ::new (static_cast<void *>(end())) T();
    while (size_ > size)
      std::destroy_at(data() + --size_);
  }
  void clear() noexcept {
    std::destroy(begin(), end());
    size_ = 0;
  }
  /* Reserves space for count elements in all. */
  void reserve(std::size_t count) {
    if (count <= room_)
      return;
    const std::size_t room = std::max(count, 2 * room_);
    T *const more = static_cast<T *>(::operator new(room * sizeof(T)));
    std::uninitialized_move(begin(), end(), more);
    std::destroy(begin(), end());
    ::operator delete(far_);
    far_ = more;
    room_ = room;
  }

  friend bool operator==(const few &a, const few &b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

private:
  void append(const T *first, const T *last) {
    const auto count = static_cast<std::size_t>(last - first);
    reserve(size_ + count);
    std::uninitialized_copy(first, last, end());
    size_ += count;
  }
  /* Moves the elements of other here and leaves it empty. This must be empty before. */
  void take(few &other) noexcept {
    if (other.far_) {
      far_ = std::exchange(other.far_, nullptr);
      room_ = std::exchange(other.room_, Room);
      size_ = std::exchange(other.size_, 0);
      return;
    }
    std::uninitialized_move(other.begin(), other.end(), begin());
    size_ = other.size_;
    other.clear();
  }
  void release() noexcept {
    clear();
    ::operator delete(far_);
    far_ = nullptr;
    room_ = Room;
  }

  T *far_ = nullptr; /* all elements, once they no longer fit into here_ */
  std::size_t size_ = 0;
  std::size_t room_ = Room;
  alignas(__STDCPP_DEFAULT_NEW_ALIGNMENT__) unsigned char here_[Room * sizeof(T)];
};

} // namespace sycl::detail

#endif
