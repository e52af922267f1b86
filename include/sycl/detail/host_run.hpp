// The host device: runs function objects, work-item after work-item.
#ifndef SYCL_DETAIL_HOST_RUN_HPP
#define SYCL_DETAIL_HOST_RUN_HPP

#include <sycl/detail/entry.hpp>
#include <sycl/exception.hpp>

#include <vector>

namespace sycl::detail {

struct group_state {};

inline thread_local char *group_local_memory = nullptr;

inline char *host_local_memory() noexcept {
  return group_local_memory;
}
inline void host_barrier(group_state *) {
  throw feature_not_supported("barriers on the host device");
}

/* Calls f with each id of a range, row by row. */
template <int D, class F> void for_each(const range<D> &size, const F &f) {
  id<D> at;
  for (std::size_t i = 0, count = size.size(); i < count; i++) {
    f(at);
    for (int d = D - 1; d >= 0 && ++at[d] == size[d]; d--)
      at[d] = 0;
  }
}

template <int D, class F>
void host_run(const range<D> &size, const id<D> &offset, const F &f, kernel_handler handler) {
  for_each(size, [&](const id<D> &at) {
    invoke(f, maker::make_item(at + offset, size, offset), handler);
  });
}

template <int D, class F>
void host_run(const nd_range<D> &size, std::size_t local_memory, const F &f,
              kernel_handler handler) {
  std::vector<char> memory(local_memory);
  group_state state;
  group_local_memory = memory.data();
  const range<D> groups = size.get_group_range();
  const range<D> local = size.get_local_range();
  for_each(groups, [&](const id<D> &group_at) {
    for_each(local, [&](const id<D> &at) {
      invoke(f,
             maker::make_nd_item(group_at * id<D>(local) + at + size.get_offset(), at,
                                 size.get_offset(), maker::make_group(group_at, groups, local),
                                 &state),
             handler);
    });
  });
  group_local_memory = nullptr;
}

} // namespace sycl::detail

#endif
