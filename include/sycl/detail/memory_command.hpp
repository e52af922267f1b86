// Commands that copy or fill memory: SYCL 2020, 4.9.4.3.
#ifndef SYCL_DETAIL_MEMORY_COMMAND_HPP
#define SYCL_DETAIL_MEMORY_COMMAND_HPP

#include <sycl/detail/requirements.hpp>
#include <sycl/detail/usm_memory.hpp>
#include <sycl/exception.hpp>

#include <cstdint>
#include <cstring>
#include <string>

namespace sycl::detail {

/* One end of a copy: an address, or an accessor's, which is known when the command is given. */
class memory_end {
public:
  memory_end() = default;
  explicit memory_end(const void *pointer) noexcept : pointer_(pointer) {}
  /* first gives an accessor's first element. */
  template <class Accessor>
  memory_end(const Accessor &of, const void *(*first)(const void *accessor)) : first_(first) {
    const auto *bytes = reinterpret_cast<const unsigned char *>(&of);
    accessor_.assign(bytes, bytes + sizeof of);
  }
  const void *get(const requirements_use &use);

private:
  const void *pointer_ = nullptr;
  const void *(*first_)(const void *) = nullptr;
  few<unsigned char, 96> accessor_; /* as large as one of three dimensions */
};

struct memory_command {
  memory_end to;
  memory_end from;      /* of a copy */
  std::size_t size = 0; /* bytes in all */
  bool is_fill = false;
  few<unsigned char, 128> pattern; /* of a fill; its size divides the other */

  /*
   * Finds out where bytes are read and written, before the command is given or run. What accessors
   * throw goes through. errc::invalid: an end is NULL, or both have bytes in common.
   * feature_not_supported: one is memory of another device, which the queue's does not reach.
   */
  void find_ends(const requirements_use &use, const device &by);

  /* On the host device, after find_ends. */
  void run() const noexcept;

  /* On a device, after find_ends. before: what it waits for. */
  event_reference give(specpi_queue queue, const event_handles &before) const;

private:
  unsigned char *there_ = nullptr;
  const unsigned char *source_ = nullptr;

  bool is_one_byte() const noexcept;
  /* The first pattern comes from the host, which waits for that; then what is there is doubled. */
  event_reference repeat(specpi_queue queue, const event_handles &before) const;
};

} // namespace sycl::detail

#endif
