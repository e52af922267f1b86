// Runs function objects on the host device, one work-item after another.
#ifndef SYCL_DETAIL_HOST_RUN_HPP
#define SYCL_DETAIL_HOST_RUN_HPP

#include <sycl/detail/entry.hpp>
#include <sycl/detail/host_group.hpp>

#include <algorithm>
#include <memory>
#include <new>

namespace sycl::detail {

/* Calls f with each id of a range, row by row. */
template <int D, class F> void for_each(const range<D> &size, const F &f) {
  id<D> at;
  for (std::size_t i = 0, count = size.size(); i < count; i++) {
    f(at);
    for (int d = D - 1; d >= 0 && ++at[d] == size[d]; d--)
      at[d] = 0;
  }
}

/* The id at an index in a range that is counted row by row. */
template <int D> id<D> id_of(std::size_t index, const range<D> &in) noexcept {
  id<D> at;
  for (int d = D - 1; d >= 0; d--) {
    at[d] = index % in[d];
    index /= in[d];
  }
  return at;
}

/* Runs a range of work-items without groups. */
template <int D, class F>
void host_run(const range<D> &size, const id<D> &offset, const F &f, kernel_handler handler) {
  for_each(size, [&](const id<D> &at) {
    invoke_range(f, handler, maker::make_item(at + offset, size, offset));
  });
}

/* Local memory that the groups of a kernel use in turn. Small amounts are stored in the object. */
class host_memory_block {
public:
  host_memory_block(std::size_t size, std::size_t alignment);
  host_memory_block(const host_memory_block &) = delete;
  host_memory_block &operator=(const host_memory_block &) = delete;
  ~host_memory_block();
  char *get() noexcept;

private:
  static constexpr std::size_t here_alignment = 128; /* the alignment of the largest vec */
  alignas(here_alignment) char here_[4096];
  void *far_ = nullptr;
  std::size_t alignment_;
};

struct local_memory_need {
  std::size_t size = 0; /* bytes for each work-group */
  std::size_t alignment = alignof(std::max_align_t);

  /* Adds an accessor's bytes; returns their offset. */
  std::size_t add(std::size_t bytes, std::size_t aligned) noexcept;
};

/* Runs work-groups one after another. An exception of an item ends the kernel. */
template <int D, class F>
void host_run(const nd_range<D> &size, const local_memory_need &need, const F &f,
              kernel_handler handler) {
  host_memory_block memory(need.size, need.alignment);
  const range<D> groups = size.get_group_range();
  const range<D> local = size.get_local_range();
  group_runner runner(memory.get());
  for_each(groups, [&](const id<D> &group_at) {
    const group<D> of = maker::make_group(group_at, groups, local);
    const id<D> first = group_at * id<D>(local) + size.get_offset();
    runner.run(local.size(), [&](std::size_t index) {
      const id<D> at = id_of(index, local);
      invoke(f, handler, maker::make_nd_item(first + at, at, size.get_offset(), of, nullptr));
    });
  });
}

/* Calls a function once for each work-group; the function calls parallel_for_work_item. */
template <int D, class F>
void host_run_groups(const range<D> &groups, const range<D> &local, const local_memory_need &need,
                     const F &f, kernel_handler handler) {
  host_memory_block memory(need.size, need.alignment);
  const struct leave {
    char *before;
    ~leave() {
      specpiThreadGet()->local_memory = before;
    }
  } at_the_end{specpiThreadGet()->local_memory};
  specpiThreadGet()->local_memory = memory.get();
  for_each(groups,
           [&](const id<D> &at) { invoke(f, handler, maker::make_group(at, groups, local)); });
}

} // namespace sycl::detail

#endif
