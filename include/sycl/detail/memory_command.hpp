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

/* One end of a copy: an address, or an accessor, whose address is known at the submission. */
class memory_end {
public:
  memory_end() = default;
  explicit memory_end(const void *pointer) noexcept : pointer_(pointer) {}
  /* first returns the address of an accessor's first element. */
  template <class Accessor>
  memory_end(const Accessor &of, const void *(*first)(const void *accessor)) : first_(first) {
    const auto *bytes = reinterpret_cast<const unsigned char *>(&of);
    accessor_.assign(bytes, bytes + sizeof of);
  }
  const void *get(const requirements_use &use);

private:
  const void *pointer_ = nullptr;
  const void *(*first_)(const void *) = nullptr;
  few<unsigned char, 96> accessor_; /* space for an accessor of three dimensions */
};

struct memory_command {
  memory_end to;
  memory_end from;      /* the source of a copy */
  std::size_t size = 0; /* total number of bytes */
  bool is_fill = false;
  few<unsigned char, 128> pattern; /* of a fill; the pattern's size divides the total size */

  /*
   * Finds the addresses of both ends, before the command is submitted or run. Exceptions of
   * accessors pass through. errc::invalid: an end is NULL, or the ends overlap.
   * feature_not_supported: an end is memory of another device that the queue's device cannot reach.
   */
  void find_ends(const requirements_use &use, const device &by);

  /* Runs the command on the host device. Call find_ends first. */
  void run() const noexcept;

  /* Submits the command to a device. Call find_ends first. before: events that it waits for. */
  event_reference give(specpi_queue queue, const event_handles &before) const;

private:
  unsigned char *there_ = nullptr;
  const unsigned char *source_ = nullptr;

  bool is_one_byte() const noexcept;
  /* Fills by copies: copies the pattern from the host and waits for that, then copies the filled
   * bytes to double them until all are filled. */
  event_reference repeat(specpi_queue queue, const event_handles &before) const;
};

} // namespace sycl::detail

#endif
