// The range of a command's work-items in libspecpi's form, and the checks that SYCL requires.
#ifndef SYCL_DETAIL_SHAPE_HPP
#define SYCL_DETAIL_SHAPE_HPP

#include <sycl/detail/queue_impl.hpp>

#include <string>

namespace sycl::detail {

/* A range in libspecpi's form: the fastest dimension first. */
struct shape {
  specpi_range range = {};

  template <int D> static shape of(const sycl::range<D> &size, const id<D> &offset) {
    shape s;
    s.range.dimensions = D;
    for (int i = 0; i < D; i++) {
      s.range.global[i] = size[D - 1 - i];
      s.range.offset[i] = offset[D - 1 - i];
    }
    return s;
  }
  template <int D> static shape of(const nd_range<D> &size) {
    shape s = of(size.get_global_range(), size.get_offset());
    for (int i = 0; i < D; i++) {
      s.range.local[i] = size.get_local_range()[D - 1 - i];
      s.check_local(static_cast<unsigned>(i));
    }
    return s;
  }

  template <int D> sycl::range<D> global() const noexcept {
    return numbers<sycl::range<D>>(range.global);
  }
  template <int D> sycl::range<D> local() const noexcept {
    return numbers<sycl::range<D>>(range.local);
  }
  template <int D> id<D> offset() const noexcept {
    return numbers<id<D>>(range.offset);
  }

  /* Returns whether there are no work-items, so that nothing runs. */
  bool is_empty() const noexcept {
    for (unsigned i = 0; i < range.dimensions; i++)
      if (range.global[i] == 0)
        return true;
    return false;
  }
  bool has_groups() const noexcept {
    return range.local[0] != 0;
  }
  /* The number of work-items in a group. */
  std::size_t group_size() const noexcept {
    std::size_t all = 1;
    for (unsigned i = 0; i < range.dimensions; i++)
      all *= range.local[i];
    return all;
  }

  /* nd_range_error: the groups are larger than the device allows. */
  void check_limits(const device_limits &limits, const device &of) const {
    if (!has_groups())
      return;
    for (unsigned i = 0; i < range.dimensions; i++)
      if (range.local[i] > limits.item_sizes[2 - static_cast<int>(i)])
        throw nd_range_error(errc::nd_range,
                             "the local size of " + name(i) + ", " +
                                 std::to_string(range.local[i]) + ", is more than the " +
                                 std::to_string(limits.item_sizes[2 - static_cast<int>(i)]) +
                                 " of " + of.get_info<info::device::name>());
    check_group(limits.group_size, of);
  }
  /* nd_range_error: a group has more work-items than most, the limit of the device or a kernel. */
  void check_group(std::size_t most, const device &of) const {
    if (group_size() > most)
      throw nd_range_error(errc::nd_range, "a work-group of " + std::to_string(group_size()) +
                                               " work-items is more than the " +
                                               std::to_string(most) +
                                               " that the kernel can have "
                                               "on " +
                                               of.get_info<info::device::name>());
  }
  /*
   * nd_range_error: the kernel has [[sycl::reqd_work_group_size]] with another size. A range
   * without groups runs in groups of that size.
   */
  void check_required(const std::size_t (&required)[3], const std::string &kernel) const {
    if (!has_groups() || !required[0])
      return;
    for (unsigned i = 0; i < 3; i++)
      if (required[i] != (i < range.dimensions ? range.local[i] : 1))
        throw nd_range_error(errc::nd_range,
                             "kernel " + kernel + " requires the local size " + text(required, 3) +
                                 ", and " + text(range.local, range.dimensions) + " was given");
  }

private:
  /* The sizes in SYCL's order, in braces. */
  static std::string text(const std::size_t *sizes, unsigned count) {
    std::string all;
    while (count--)
      all += std::to_string(sizes[count]) + (count ? ", " : "}");
    return "{" + all;
  }
  /* SYCL's number for dimension i of libspecpi. */
  std::string name(unsigned i) const {
    return "dimension " + std::to_string(range.dimensions - 1 - i);
  }
  void check_local(unsigned i) const {
    if (range.local[i] == 0)
      throw nd_range_error(errc::nd_range, "the local size of " + name(i) + " is 0");
    if (range.global[i] % range.local[i] != 0)
      throw nd_range_error(errc::nd_range, "the local size of " + name(i) + ", " +
                                               std::to_string(range.local[i]) +
                                               ", does not divide the global size, " +
                                               std::to_string(range.global[i]));
  }
  template <class Numbers> static Numbers numbers(const std::size_t *from) noexcept {
    Numbers to;
    for (int i = 0; i < Numbers::dimensions; i++)
      to[i] = from[Numbers::dimensions - 1 - i];
    return to;
  }
};

} // namespace sycl::detail

#endif
