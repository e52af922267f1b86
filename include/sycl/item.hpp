/*
 * item, group, nd_item: what a work-item knows of itself. SYCL 2020, 4.9.1. Dimension 0 is the
 * slowest one, which is the last one of OpenCL's.
 */
#ifndef SYCL_ITEM_HPP
#define SYCL_ITEM_HPP

#include <sycl/detail/builtins.hpp>
#include <sycl/range.hpp>

namespace sycl {

namespace access {
enum class fence_space { local_space, global_space, global_and_local };
}

namespace detail {

struct maker;
struct group_state;
/* Blocks until all work-items of the group are here; of the host device. */
inline void host_barrier(group_state *state);

#ifdef __SYCL_DEVICE_ONLY__
/* A value of each dimension, from a function of OpenCL. */
template <class Numbers, std::size_t (*Function)(unsigned) noexcept> Numbers ask() noexcept {
  Numbers numbers;
  for (int i = 0; i < Numbers::dimensions; i++)
    numbers[i] = Function(static_cast<unsigned>(Numbers::dimensions - 1 - i));
  return numbers;
}
#endif

/* The index of an id in a range, row by row. */
template <int D> constexpr std::size_t linear(const id<D> &at, const range<D> &in) noexcept {
  std::size_t index = 0;
  for (int i = 0; i < D; i++)
    index = index * in[i] + at[i];
  return index;
}

} // namespace detail

template <int Dimensions = 1, bool WithOffset = true> class item {
public:
  static constexpr int dimensions = Dimensions;

  id<Dimensions> get_id() const noexcept {
    return id_;
  }
  std::size_t get_id(int dimension) const noexcept {
    return id_[dimension];
  }
  std::size_t operator[](int dimension) const noexcept {
    return id_[dimension];
  }
  range<Dimensions> get_range() const noexcept {
    return range_;
  }
  std::size_t get_range(int dimension) const noexcept {
    return range_[dimension];
  }
  id<Dimensions> get_offset() const noexcept {
    return offset_;
  }
  std::size_t get_linear_id() const noexcept {
    return detail::linear(id_ - offset_, range_);
  }
  template <int D = Dimensions, class = std::enable_if_t<D == 1>>
  operator std::size_t() const noexcept {
    return id_[0];
  }

private:
  friend detail::maker;
  item(id<Dimensions> at, range<Dimensions> in, id<Dimensions> offset) noexcept
      : id_(at), range_(in), offset_(offset) {}

  id<Dimensions> id_;
  range<Dimensions> range_;
  id<Dimensions> offset_;
};

template <int Dimensions = 1> class group {
public:
  static constexpr int dimensions = Dimensions;

  id<Dimensions> get_group_id() const noexcept {
    return id_;
  }
  std::size_t get_group_id(int dimension) const noexcept {
    return id_[dimension];
  }
  id<Dimensions> get_id() const noexcept {
    return id_;
  }
  std::size_t get_id(int dimension) const noexcept {
    return id_[dimension];
  }
  std::size_t operator[](int dimension) const noexcept {
    return id_[dimension];
  }
  /* A group is its number in a dimension, as SYCL 1.2.1's get_group(dimension) gives it. */
  range<Dimensions> get_group_range() const noexcept {
    return groups_;
  }
  range<Dimensions> get_local_range() const noexcept {
    return local_;
  }
  range<Dimensions> get_global_range() const noexcept {
    return groups_ * local_;
  }
  std::size_t get_group_linear_id() const noexcept {
    return detail::linear(id_, groups_);
  }

  /*
   * In a kernel of parallel_for_work_group: calls f with an h_item of each work-item of the group,
   * or of each id of a logical range. h_item.hpp defines it.
   */
  template <class F> void parallel_for_work_item(const F &f) const;
  template <class F> void parallel_for_work_item(range<Dimensions> logical, const F &f) const;

private:
  friend detail::maker;
  group(id<Dimensions> at, range<Dimensions> groups, range<Dimensions> local) noexcept
      : id_(at), groups_(groups), local_(local) {}

  id<Dimensions> id_;
  range<Dimensions> groups_;
  range<Dimensions> local_;
};

template <int Dimensions = 1> class nd_item {
public:
  static constexpr int dimensions = Dimensions;

  id<Dimensions> get_global_id() const noexcept {
    return global_;
  }
  std::size_t get_global_id(int dimension) const noexcept {
    return global_[dimension];
  }
  std::size_t get_global(int dimension) const noexcept {
    return global_[dimension];
  }
  std::size_t get_global_linear_id() const noexcept {
    return detail::linear(global_ - offset_, get_global_range());
  }
  id<Dimensions> get_local_id() const noexcept {
    return local_;
  }
  std::size_t get_local_id(int dimension) const noexcept {
    return local_[dimension];
  }
  std::size_t get_local(int dimension) const noexcept {
    return local_[dimension];
  }
  std::size_t get_local_linear_id() const noexcept {
    return detail::linear(local_, get_local_range());
  }
  group<Dimensions> get_group() const noexcept {
    return group_;
  }
  std::size_t get_group(int dimension) const noexcept {
    return group_[dimension];
  }
  std::size_t get_group_linear_id() const noexcept {
    return group_.get_group_linear_id();
  }
  range<Dimensions> get_group_range() const noexcept {
    return group_.get_group_range();
  }
  std::size_t get_group_range(int dimension) const noexcept {
    return group_.get_group_range()[dimension];
  }
  range<Dimensions> get_global_range() const noexcept {
    return group_.get_global_range();
  }
  std::size_t get_global_range(int dimension) const noexcept {
    return group_.get_global_range()[dimension];
  }
  range<Dimensions> get_local_range() const noexcept {
    return group_.get_local_range();
  }
  std::size_t get_local_range(int dimension) const noexcept {
    return group_.get_local_range()[dimension];
  }
  id<Dimensions> get_offset() const noexcept {
    return offset_;
  }
  nd_range<Dimensions> get_nd_range() const noexcept {
    return {get_global_range(), get_local_range(), offset_};
  }

  /* Waits for all work-items of the group; what they wrote to the memory of that kind is then seen.
   */
  void barrier(access::fence_space space = access::fence_space::global_and_local) const {
#ifdef __SYCL_DEVICE_ONLY__
    /* Without optimisation, too, SPIR-V's translator has to see the numbers. */
    if (space == access::fence_space::local_space)
      detail::builtin::barrier(1);
    else if (space == access::fence_space::global_space)
      detail::builtin::barrier(2);
    else
      detail::builtin::barrier(3);
#else
    static_cast<void>(space);
    detail::host_barrier(state_);
#endif
  }

private:
  friend detail::maker;
  nd_item(id<Dimensions> global, id<Dimensions> local, id<Dimensions> offset, group<Dimensions> of,
          detail::group_state *state) noexcept
      : global_(global), local_(local), offset_(offset), group_(of), state_(state) {}

  id<Dimensions> global_;
  id<Dimensions> local_;
  id<Dimensions> offset_;
  group<Dimensions> group_;
  [[maybe_unused]] detail::group_state *state_;
};

namespace detail {

/* Makes what only the runtime may make. */
struct maker {
  template <int D> static item<D> make_item(id<D> at, range<D> in, id<D> offset) noexcept {
    return {at, in, offset};
  }
  template <int D> static group<D> make_group(id<D> at, range<D> groups, range<D> local) noexcept {
    return {at, groups, local};
  }
  template <int D>
  static nd_item<D> make_nd_item(id<D> global, id<D> local, id<D> offset, group<D> of,
                                 group_state *state) noexcept {
    return {global, local, offset, of, state};
  }

#ifdef __SYCL_DEVICE_ONLY__
  template <int D> static item<D> this_item() noexcept {
    return {ask<id<D>, builtin::get_global_id>(), ask<range<D>, builtin::get_global_size>(),
            ask<id<D>, builtin::get_global_offset>()};
  }
  template <int D> static nd_item<D> this_nd_item() noexcept {
    return {ask<id<D>, builtin::get_global_id>(), ask<id<D>, builtin::get_local_id>(),
            ask<id<D>, builtin::get_global_offset>(),
            group<D>(ask<id<D>, builtin::get_group_id>(), ask<range<D>, builtin::get_num_groups>(),
                     ask<range<D>, builtin::get_local_size>()),
            nullptr};
  }
#endif
};

} // namespace detail

} // namespace sycl

#endif
