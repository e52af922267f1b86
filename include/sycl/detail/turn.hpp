// The turns of buffers, which libspecpi keeps for the whole process: specpi/process.h.
#ifndef SYCL_DETAIL_TURN_HPP
#define SYCL_DETAIL_TURN_HPP

#include <sycl/detail/few.hpp>
#include <sycl/exception.hpp>

#include <specpi/process.h>

namespace sycl::detail {

/* The turns that somebody has, of any number of buffers; they end with the object. */
class turns {
public:
  using wishes = few<specpi_wish, 8>;
  enum class of { command, host };

  static specpi_wish wish(specpi_turn &of, bool writes) noexcept;
  /*
   * Waits until they are free; each turn is in the list once. Accessors of one thread are no
   * obstacle to each other. A command that would wait for a host accessor of its own thread throws
   * accessor_error: it would never end.
   */
  turns(wishes all, of who);
  turns(const turns &) = delete;
  turns &operator=(const turns &) = delete;
  ~turns();
  /* From now on the host's bytes are used: others that read may, too. */
  void hold() noexcept;

private:
  wishes wishes_; /* libspecpi has their addresses */
};

} // namespace sycl::detail

#endif
