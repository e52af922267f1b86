/*
 * Hierarchical kernels: h_item and private_memory. SYCL 2020, 4.9.4.2.3. The group's function runs
 * once, and the function of parallel_for_work_item once for each item. The group's first work-item
 * runs all of this, one item after another; the other work-items end at once. So no barriers are
 * needed, and variables of the group's function are the first work-item's own.
 */
#ifndef SYCL_H_ITEM_HPP
#define SYCL_H_ITEM_HPP

#include <sycl/item.hpp>

#include <memory>
#include <new>
#include <type_traits>

namespace sycl {

/* A work-item of a group; its local range is the logical one, if there is one. */
template <int Dimensions> class h_item {
public:
  item<Dimensions> get_global() const noexcept {
    return detail::maker::make_item(global_, group_.get_global_range(), id<Dimensions>());
  }
  item<Dimensions> get_local() const noexcept {
    return get_logical_local();
  }
  item<Dimensions> get_logical_local() const noexcept {
    return detail::maker::make_item(local_, logical_, id<Dimensions>());
  }
  item<Dimensions> get_physical_local() const noexcept {
    return detail::maker::make_item(physical_, group_.get_local_range(), id<Dimensions>());
  }

#define SYCL_H_ITEM(name)                                                                          \
  range<Dimensions> get_##name##_range() const noexcept { return get_##name().get_range(); }       \
  std::size_t get_##name##_range(int dimension) const noexcept {                                   \
    return get_##name().get_range()[dimension];                                                    \
  }                                                                                                \
  id<Dimensions> get_##name##_id() const noexcept { return get_##name().get_id(); }                \
  std::size_t get_##name##_id(int dimension) const noexcept {                                      \
    return get_##name().get_id()[dimension];                                                       \
  }
  SYCL_H_ITEM(global)
  SYCL_H_ITEM(local)
  SYCL_H_ITEM(logical_local)
  SYCL_H_ITEM(physical_local)
#undef SYCL_H_ITEM

private:
  friend class group<Dimensions>;
  h_item(const group<Dimensions> &of, id<Dimensions> at, range<Dimensions> logical) noexcept
      : group_(of), local_(at), logical_(logical) {
    for (int i = 0; i < Dimensions; i++) {
      physical_[i] = at[i] % of.get_local_range()[i];
      global_[i] = of.get_group_id()[i] * of.get_local_range()[i] + physical_[i];
    }
  }

  group<Dimensions> group_;
  id<Dimensions> local_;
  id<Dimensions> physical_;
  id<Dimensions> global_;
  range<Dimensions> logical_;
};

template <int Dimensions>
template <class F>
void group<Dimensions>::parallel_for_work_item(range<Dimensions> logical, const F &f) const {
  static_assert(std::is_invocable_v<const F &, h_item<Dimensions>>,
                "what parallel_for_work_item calls takes an h_item");
  const std::size_t count = logical.size();
  for (std::size_t i = 0; i < count; i++) {
    id<Dimensions> at;
    std::size_t rest = i;
    for (int d = Dimensions - 1; d >= 0; d--) {
      at[d] = rest % logical[d];
      rest /= logical[d];
    }
    f(h_item<Dimensions>(*this, at, logical));
  }
}
template <int Dimensions>
template <class F>
void group<Dimensions>::parallel_for_work_item(const F &f) const {
  parallel_for_work_item(get_local_range(), f);
}

namespace detail {

/* The maximum number of items in a group of a hierarchical kernel on devices, where kernels cannot
 * allocate memory. */
inline constexpr std::size_t two_level_group_size = 1024;

/* An array of count values of T. */
template <class T> class item_values {
public:
#ifdef __SYCL_DEVICE_ONLY__
  explicit item_values(std::size_t count) noexcept {
    static_assert(std::is_trivially_destructible_v<T>,
                  "private_memory on devices is of types that are trivially destructible");
    for (std::size_t i = 0; i < count; i++)
      ::new (&bytes_[i * sizeof(T)]) T();
  }
  T &operator[](std::size_t i) const noexcept {
    return reinterpret_cast<T *>(bytes_)[i];
  }

private:
  alignas(T) mutable unsigned char bytes_[two_level_group_size * sizeof(T)];
#else
  explicit item_values(std::size_t count) : values_(new T[count]()) {}
  T &operator[](std::size_t i) const noexcept {
    return values_[i];
  }

private:
  std::unique_ptr<T[]> values_;
#endif
};

} // namespace detail

/*
 * One T for each work-item of a group. It keeps its value between calls of parallel_for_work_item.
 */
template <class T, int Dimensions = 1> class private_memory {
public:
  explicit private_memory(const group<Dimensions> &of) : values_(of.get_local_range().size()) {}
  private_memory(const private_memory &) = delete;
  private_memory &operator=(const private_memory &) = delete;

  T &operator()(const h_item<Dimensions> &item) const noexcept {
    return values_[item.get_physical_local().get_linear_id()];
  }

private:
  detail::item_values<T> values_;
};

} // namespace sycl

#endif
