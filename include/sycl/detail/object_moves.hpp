/*
 * From the host's layout of a kernel's function object to the device's, which the image says in the
 * property set "specpi/function objects": "SIZE", and " NAME OFFSET SIZE" for each member of a
 * lambda; "in.a" is a member of the lambda "in" that is captured, and "~" follows the name of what
 * is of a class with lambdas in it.
 */
#ifndef SYCL_DETAIL_OBJECT_MOVES_HPP
#define SYCL_DETAIL_OBJECT_MOVES_HPP

#include <sycl/detail/captures.hpp>
#include <sycl/exception.hpp>

#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace sycl::detail {

struct object_moves {
  struct move {
    std::size_t to;
    std::size_t from;
    std::size_t size;
  };
  std::size_t size = 0; /* the device's */
  std::vector<move> all;

  /* to has size bytes. */
  void make(unsigned char *to, const void *from) const noexcept;
};
/* NULL: both are the same. */
using object_moves_ptr = std::shared_ptr<const object_moves>;

class object_matching {
public:
  object_matching(const object_layout &host, const std::string &device, const std::string &kernel);

  /* errc::kernel_argument: the two do not fit. */
  object_moves_ptr find() const;

private:
  struct member {
    std::string name;
    std::size_t at = 0;
    std::size_t size = 0;
  };

  [[noreturn]] void refuse(const std::string &why) const;
  static bool is_in_place(const object_moves &moves) noexcept;
  /* The host's capture that is called so in the lambda of that number; as many as there are: none.
   */
  std::size_t find_in(std::size_t in, const std::string &name) const noexcept;

  void match(const member &one, object_moves &moves) const;
  void add(const member &one, const capture &mine, bool has_lambdas, object_moves &moves) const;

  const object_layout &host_;
  const std::string &kernel_;
  std::size_t size_ = 0;
  std::vector<member> members_;
};

} // namespace sycl::detail

#endif
