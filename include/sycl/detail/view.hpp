/*
 * Addressing and iterators of accessors: an array of up to three dimensions inside a larger one. A
 * view is copied into kernels as bytes, so both compilers must give it the same layout.
 */
#ifndef SYCL_DETAIL_VIEW_HPP
#define SYCL_DETAIL_VIEW_HPP

#include <sycl/item.hpp>

#include <cstdint>
#include <iterator>
#include <type_traits>

namespace sycl::detail {

/* The result of a[i] in a[i][j]. Left: the number of subscripts that are still missing. */
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

/* Iterates over an array of several dimensions row by row. */
template <class T, int D> class view_iterator {
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = T *;
  using reference = T &;

  view_iterator() noexcept = default;
  view_iterator(T *data, range<D> memory, range<D> part, std::size_t at) noexcept
      : data_(data), memory_(memory), part_(part), at_(static_cast<difference_type>(at)) {}

  reference operator*() const noexcept {
    return (*this)[0];
  }
  pointer operator->() const noexcept {
    return &**this;
  }
  reference operator[](difference_type n) const noexcept {
    auto left = static_cast<std::size_t>(at_ + n);
    id<D> where;
    for (int i = D - 1; i > 0; i--) {
      where[i] = left % part_[i];
      left /= part_[i];
    }
    where[0] = left;
    return data_[linear(where, memory_)];
  }
  view_iterator &operator+=(difference_type n) noexcept {
    at_ += n;
    return *this;
  }
  view_iterator &operator-=(difference_type n) noexcept {
    return *this += -n;
  }
  view_iterator &operator++() noexcept {
    return *this += 1;
  }
  view_iterator &operator--() noexcept {
    return *this -= 1;
  }
  view_iterator operator++(int) noexcept {
    const view_iterator before = *this;
    ++*this;
    return before;
  }
  view_iterator operator--(int) noexcept {
    const view_iterator before = *this;
    --*this;
    return before;
  }
  friend view_iterator operator+(view_iterator a, difference_type n) noexcept {
    return a += n;
  }
  friend view_iterator operator+(difference_type n, view_iterator a) noexcept {
    return a += n;
  }
  friend view_iterator operator-(view_iterator a, difference_type n) noexcept {
    return a -= n;
  }
  friend difference_type operator-(const view_iterator &a, const view_iterator &b) noexcept {
    return a.at_ - b.at_;
  }
#define SYCL_DETAIL_COMPARISONS(X) X(==) X(!=) X(<) X(>) X(<=) X(>=)
#define SYCL_DETAIL_COMPARISON(op)                                                                 \
  friend bool operator op(const view_iterator &a, const view_iterator &b) noexcept {               \
    return a.at_ op b.at_;                                                                         \
  }
  SYCL_DETAIL_COMPARISONS(SYCL_DETAIL_COMPARISON)
#undef SYCL_DETAIL_COMPARISON
#undef SYCL_DETAIL_COMPARISONS

private:
  T *data_ = nullptr;
  range<D> memory_;
  range<D> part_;
  difference_type at_ = 0;
};

/*
 * The member functions of all accessors. Derived::data() returns the first element's address. T is
 * const for read-only accessors.
 */
template <class Derived, class T, int D> class view {
public:
  using value_type = T;
  using reference = T &;
  using const_reference = const T &;
  using iterator = std::conditional_t<D == 1, T *, view_iterator<T, D>>;
  using const_iterator = std::conditional_t<D == 1, const T *, view_iterator<const T, D>>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  static constexpr int dimensions = D;

  reference operator[](id<D> where) const noexcept {
    return data()[linear(where, memory_)];
  }
  template <class N, class = std::enable_if_t<std::is_convertible_v<N, std::size_t> &&
                                              !std::is_convertible_v<N, id<D>>>>
  decltype(auto) operator[](N i) const noexcept {
    return row<T, D, D - 1>(data(), memory_, static_cast<std::size_t>(i));
  }

  range<D> get_range() const noexcept {
    return range_;
  }
  size_type size() const noexcept {
    return range_.size();
  }
  size_type max_size() const noexcept {
    return static_cast<size_type>(PTRDIFF_MAX) / sizeof(T);
  }
  size_type byte_size() const noexcept {
    return size() * sizeof(T);
  }
  size_type get_count() const noexcept {
    return size();
  }
  size_type get_size() const noexcept {
    return byte_size();
  }
  bool empty() const noexcept {
    return size() == 0;
  }

  iterator begin() const noexcept {
    return at<iterator>(0);
  }
  iterator end() const noexcept {
    return at<iterator>(size());
  }
  const_iterator cbegin() const noexcept {
    return at<const_iterator>(0);
  }
  const_iterator cend() const noexcept {
    return at<const_iterator>(size());
  }
  reverse_iterator rbegin() const noexcept {
    return reverse_iterator(end());
  }
  reverse_iterator rend() const noexcept {
    return reverse_iterator(begin());
  }
  const_reverse_iterator crbegin() const noexcept {
    return const_reverse_iterator(cend());
  }
  const_reverse_iterator crend() const noexcept {
    return const_reverse_iterator(cbegin());
  }

protected:
  view() noexcept = default;
  /* part: the size of the accessible array; memory: the size of the array that contains it. */
  view(range<D> memory, range<D> part) noexcept : memory_(memory), range_(part) {}

  range<D> memory_;
  range<D> range_;

private:
  T *data() const noexcept {
    return static_cast<const Derived *>(this)->data();
  }
  template <class Iterator> Iterator at(std::size_t n) const noexcept {
    if constexpr (D == 1)
      return data() + n;
    else
      return Iterator(data(), memory_, range_, n);
  }
};

} // namespace sycl::detail

#endif
