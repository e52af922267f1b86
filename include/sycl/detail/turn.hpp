// Turns of buffers, which libspecpi keeps for the whole process, see specpi/process.h. The owner of
// a buffer's turn may use the buffer.
#ifndef SYCL_DETAIL_TURN_HPP
#define SYCL_DETAIL_TURN_HPP

#include <sycl/detail/few.hpp>
#include <sycl/exception.hpp>

#include <specpi/process.h>

namespace sycl::detail {

/* The turns of any number of buffers, owned for the life of the object. */
class turns {
public:
  using wishes = few<specpi_wish, 8>;
  enum class of { command, host };

  static specpi_wish wish(specpi_turn &of, bool writes) noexcept;
  /*
   * Waits until the turns are free. Each turn is in the list once. Host accessors of one thread do
   * not wait for each other. A command that would have to wait for a host accessor of its own
   * thread throws accessor_error, because the wait would never end.
   */
  turns(wishes all, of who);
  turns(const turns &) = delete;
  turns &operator=(const turns &) = delete;
  ~turns();
  /*
   * Call this once the host's bytes are ready. From then on other readers may use the buffer, too.
   */
  void hold() noexcept;

private:
  wishes wishes_; /* libspecpi has their addresses */
};

} // namespace sycl::detail

#endif
