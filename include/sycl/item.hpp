/*
 * item, group, nd_item: the indices and sizes of a work-item. SYCL 2020, 4.9.1. Dimension 0 is the
 * slowest one, in OpenCL the last one.
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
/* The host device's barrier. */
void host_barrier(group_state *state);

#ifdef __SYCL_DEVICE_ONLY__
/* Calls a function of OpenCL for each dimension. */
template <class Numbers, std::size_t (*Function)(unsigned) noexcept> Numbers ask() noexcept {
  Numbers numbers;
  for (int i = 0; i < Numbers::dimensions; i++)
    numbers[i] = Function(static_cast<unsigned>(Numbers::dimensions - 1 - i));
  return numbers;
}
/*
 * Calls a function of OpenCL with flags for space. The flags are literals, because the translator
 * to SPIR-V needs constants, even without optimisation.
 */
template <void (*Function)(unsigned) noexcept> void with_flags(access::fence_space space) noexcept {
  if (space == access::fence_space::local_space)
    Function(1);
  else if (space == access::fence_space::global_space)
    Function(2);
  else
    Function(3);
}
#endif

/* The index of an id in a range that is counted row by row. */
template <int D> constexpr std::size_t linear(const id<D> &at, const range<D> &in) noexcept {
  std::size_t index = 0;
  for (int i = 0; i < D; i++)
    index = index * in[i] + at[i];
  return index;
}

} // namespace detail

/* WithOffset decides whether there is get_offset: SYCL 1.2.1 has both types. */
template <int Dimensions = 1, bool WithOffset = true>
class item : public detail::number<item<Dimensions, WithOffset>, Dimensions> {
public:
  static constexpr int dimensions = Dimensions;

  /* Converts from an item with the other value of WithOffset. */
  item(const item<Dimensions, !WithOffset> &other) noexcept
      : id_(other.id_), range_(other.range_), offset_(other.offset_) {}

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
  template <bool With = WithOffset, class = std::enable_if_t<With>>
  id<Dimensions> get_offset() const noexcept {
    return offset_;
  }
  std::size_t get_linear_id() const noexcept {
    return detail::linear(id_ - offset_, range_);
  }
  friend bool operator==(const item &a, const item &b) noexcept {
    return a.id_ == b.id_ && a.range_ == b.range_ && a.offset_ == b.offset_;
  }
  friend bool operator!=(const item &a, const item &b) noexcept {
    return !(a == b);
  }

private:
  friend detail::maker;
  friend item<Dimensions, !WithOffset>;
  item(id<Dimensions> at, range<Dimensions> in, id<Dimensions> offset) noexcept
      : id_(at), range_(in), offset_(offset) {}

  id<Dimensions> id_;
  range<Dimensions> range_;
  id<Dimensions> offset_;
};

/* Defines a function for all dimensions and one for a single dimension. */
#define SYCL_DETAIL_OF_DIMENSIONS(type, name, value)                                               \
  type<Dimensions> name() const noexcept { return value; }                                         \
  std::size_t name(int dimension) const noexcept { return (value)[dimension]; }

template <int Dimensions = 1> class group {
public:
  static constexpr int dimensions = Dimensions;
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;

  SYCL_DETAIL_OF_DIMENSIONS(id, get_group_id, id_)
  SYCL_DETAIL_OF_DIMENSIONS(id, get_id, id_)
  SYCL_DETAIL_OF_DIMENSIONS(id, get_local_id, local_id_)
  SYCL_DETAIL_OF_DIMENSIONS(range, get_group_range, groups_)
  SYCL_DETAIL_OF_DIMENSIONS(range, get_local_range, local_)
  SYCL_DETAIL_OF_DIMENSIONS(range, get_max_local_range, local_)
  SYCL_DETAIL_OF_DIMENSIONS(range, get_global_range, (groups_ * local_))
  std::size_t operator[](int dimension) const noexcept {
    return id_[dimension];
  }
  std::size_t get_group_linear_id() const noexcept {
    return detail::linear(id_, groups_);
  }
  std::size_t get_linear_id() const noexcept {
    return get_group_linear_id();
  }
  std::size_t get_group_linear_range() const noexcept {
    return groups_.size();
  }
  std::size_t get_local_linear_id() const noexcept {
    return detail::linear(local_id_, local_);
  }
  std::size_t get_local_linear_range() const noexcept {
    return local_.size();
  }
  bool leader() const noexcept {
    return get_local_linear_id() == 0;
  }
  friend bool operator==(const group &a, const group &b) noexcept {
    return a.id_ == b.id_ && a.groups_ == b.groups_ && a.local_ == b.local_;
  }
  friend bool operator!=(const group &a, const group &b) noexcept {
    return !(a == b);
  }

  /*
   * In a kernel of parallel_for_work_group: calls f with an h_item for each work-item of the group,
   * or for each id of a logical range. Defined in h_item.hpp.
   */
  template <class F> void parallel_for_work_item(const F &f) const;
  template <class F> void parallel_for_work_item(range<Dimensions> logical, const F &f) const;

private:
  friend detail::maker;
  template <int> friend class nd_item;
  template <int D> friend void group_barrier(const group<D> &of);
  group(id<Dimensions> at, range<Dimensions> groups, range<Dimensions> local) noexcept
      : id_(at), groups_(groups), local_(local) {}

  void barrier([[maybe_unused]] access::fence_space space) const {
#ifdef __SYCL_DEVICE_ONLY__
    detail::with_flags<detail::builtin::barrier>(space);
#else
    detail::host_barrier(state_);
#endif
  }

  id<Dimensions> id_;
  range<Dimensions> groups_;
  range<Dimensions> local_;
  /* The local id of the calling work-item. */
  id<Dimensions> local_id_;
  [[maybe_unused]] detail::group_state *state_ = nullptr;
};

/* Waits until all work-items of the group are here. Each then sees what the others wrote before. */
template <int Dimensions> void group_barrier(const group<Dimensions> &of) {
  of.barrier(access::fence_space::global_and_local);
}

template <int Dimensions = 1> class nd_item {
public:
  static constexpr int dimensions = Dimensions;

  SYCL_DETAIL_OF_DIMENSIONS(id, get_global_id, global_)
  SYCL_DETAIL_OF_DIMENSIONS(id, get_global, global_)
  SYCL_DETAIL_OF_DIMENSIONS(id, get_local_id, group_.local_id_)
  SYCL_DETAIL_OF_DIMENSIONS(id, get_local, group_.local_id_)
  SYCL_DETAIL_OF_DIMENSIONS(range, get_group_range, group_.groups_)
  SYCL_DETAIL_OF_DIMENSIONS(range, get_num_groups, group_.groups_)
  SYCL_DETAIL_OF_DIMENSIONS(range, get_global_range, group_.get_global_range())
  SYCL_DETAIL_OF_DIMENSIONS(range, get_local_range, group_.local_)
  std::size_t get_global_linear_id() const noexcept {
    return detail::linear(global_ - offset_, get_global_range());
  }
  std::size_t get_local_linear_id() const noexcept {
    return group_.get_local_linear_id();
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
  id<Dimensions> get_offset() const noexcept {
    return offset_;
  }
  nd_range<Dimensions> get_nd_range() const noexcept {
    return {get_global_range(), get_local_range(), offset_};
  }
  /*
   * Waits until all work-items of the group are here. Each then sees what the others wrote to
   * memory of this space.
   */
  void barrier(access::fence_space space = access::fence_space::global_and_local) const {
    group_.barrier(space);
  }
  /* Orders this work-item's reads and writes before the fence before those after it. */
  void mem_fence([[maybe_unused]] access::fence_space space =
                     access::fence_space::global_and_local) const noexcept {
#ifdef __SYCL_DEVICE_ONLY__
    detail::with_flags<detail::builtin::mem_fence>(space);
#endif
  }
  friend bool operator==(const nd_item &a, const nd_item &b) noexcept {
    return a.global_ == b.global_ && a.group_ == b.group_ && a.offset_ == b.offset_;
  }
  friend bool operator!=(const nd_item &a, const nd_item &b) noexcept {
    return !(a == b);
  }

private:
  friend detail::maker;
  nd_item(id<Dimensions> global, id<Dimensions> local, id<Dimensions> offset, group<Dimensions> of,
          detail::group_state *state) noexcept
      : global_(global), offset_(offset), group_(of) {
    group_.local_id_ = local;
    group_.state_ = state;
  }

  id<Dimensions> global_;
  id<Dimensions> offset_;
  group<Dimensions> group_;
};
#undef SYCL_DETAIL_OF_DIMENSIONS

namespace detail {

/* Makes the objects that only the runtime may make. */
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
