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
  void make(unsigned char *to, const void *from) const noexcept {
    std::memset(to, 0, size);
    for (const move &one : all)
      std::memcpy(to + one.to, static_cast<const unsigned char *>(from) + one.from, one.size);
  }
};
/* NULL: both are the same. */
using object_moves_ptr = std::shared_ptr<const object_moves>;

class object_matching {
public:
  object_matching(const object_layout &host, const std::string &device, const std::string &kernel)
      : host_(host), kernel_(kernel) {
    std::istringstream text(device);
    text >> size_;
    member one;
    while (text >> one.name >> one.at >> one.size)
      members_.push_back(one);
  }

  /* errc::kernel_argument: the two do not fit. */
  object_moves_ptr find() const {
    if (size_ == 0 && !host_.is_same)
      refuse("is a lambda, and its device image does not say what that captures");
    if (size_ != 0 && host_.is_same && size_ != host_.size)
      refuse("has " + std::to_string(host_.size) + " bytes on the host and " +
             std::to_string(size_) + " in its device image");
    if (!host_.has_lambdas && !members_.empty())
      refuse("is of a class with a lambda, which GCC lays out otherwise than the device's "
             "compiler");
    if (host_.is_same)
      return nullptr;
    object_moves moves;
    moves.size = size_;
    for (const member &one : members_)
      match(one, moves);
    return size_ == host_.size && is_in_place(moves)
               ? nullptr
               : std::make_shared<const object_moves>(std::move(moves));
  }

private:
  struct member {
    std::string name;
    std::size_t at = 0;
    std::size_t size = 0;
  };

  [[noreturn]] void refuse(const std::string &why) const {
    throw runtime_error(errc::kernel_argument,
                        "the function object of kernel " + kernel_ + " " + why);
  }
  static bool is_in_place(const object_moves &moves) noexcept {
    for (const object_moves::move &one : moves.all)
      if (one.to != one.from)
        return false;
    return true;
  }
  /* The host's capture that is called so in the lambda of that number; as many as there are: none.
   */
  std::size_t find_in(std::size_t in, const std::string &name) const noexcept {
    std::size_t i = 0;
    while (i < host_.count && !(host_.captures[i].in == in && name == host_.captures[i].name))
      i++;
    return i;
  }

  void match(const member &one, object_moves &moves) const {
    std::string rest = one.name;
    const bool has_lambdas = rest.size() > 0 && rest.back() == '~';
    if (has_lambdas)
      rest.pop_back();
    std::size_t in = 0;
    for (std::size_t dot = rest.find('.'); dot != rest.npos; dot = rest.find('.')) {
      const std::size_t lambda = find_in(in, rest.substr(0, dot));
      /* Of a class without a name, which is no lambda here, and was copied as a whole. */
      if (lambda == host_.count || !host_.captures[lambda].is_lambda)
        return;
      in = lambda + 1;
      rest.erase(0, dot + 1);
    }
    const std::size_t found = find_in(in, rest);
    if (found == host_.count)
      refuse("captures '" + one.name + "' on the device and not on the host");
    add(one, host_.captures[found], has_lambdas, moves);
  }
  void add(const member &one, const capture &mine, bool has_lambdas, object_moves &moves) const {
    if (mine.is_lambda)
      return; /* what it captured follows */
    if (mine.size != one.size)
      refuse("captures '" + one.name + "', which has " + std::to_string(mine.size) +
             " bytes on the host and " + std::to_string(one.size) + " on the device");
    if (has_lambdas && !mine.has_lambdas)
      refuse("captures '" + one.name + "', a class with a lambda that GCC lays out otherwise");
    moves.all.push_back({one.at, mine.offset, one.size});
  }

  const object_layout &host_;
  const std::string &kernel_;
  std::size_t size_ = 0;
  std::vector<member> members_;
};

} // namespace sycl::detail

#endif
