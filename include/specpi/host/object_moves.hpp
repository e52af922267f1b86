/*
 * Moves members of a kernel's function object from the host's layout to the device's. The device's
 * layout is a text: "SIZE", then " NAME OFFSET SIZE" for each member of a lambda. "in.a" is the
 * member "a" of the captured lambda "in"; "~" follows the name of a member whose class has lambdas.
 */
#ifndef SPECPI_HOST_OBJECT_MOVES_HPP
#define SPECPI_HOST_OBJECT_MOVES_HPP

#include <specpi/host/layout.hpp>

#include <cstddef>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace specpi::host {

struct object_moves {
  struct move {
    std::size_t to;
    std::size_t from;
    std::size_t size;
  };
  std::size_t size = 0; /* size of the object on the device in bytes */
  std::vector<move> all;

  /* Writes the device's object, of size bytes, from the host's. */
  void make(unsigned char *to, const void *from) const noexcept {
    std::memset(to, 0, size);
    for (const move &one : all)
      std::memcpy(to + one.to, static_cast<const unsigned char *>(from) + one.from, one.size);
  }
};

class object_matching {
public:
  object_matching(const object_layout &host, const std::string &device);

  /* Finds the moves. Returns "" or the reason why the layouts do not fit: the end of a message that
   * starts with the object. */
  std::string find(object_moves &ret) const;
  /*
   * Returns whether the sizes are the same and all captures that have names on the host have the
   * same offsets on the device. The other captures, elements of packs, then have, too, because all
   * compilers lay them out in the same order.
   */
  bool has_named_in_place() const;
  /* Returns whether nothing moves. */
  bool is_in_place(const object_moves &moves) const noexcept;

private:
  struct member {
    std::string name;
    std::size_t at = 0;
    std::size_t size = 0;
  };

  /*
   * The index of the host's capture with that name in the lambda with number in; host_.count if
   * there is none.
   */
  std::size_t find_in(std::size_t in, const std::string &name) const noexcept;

  std::string match(const member &one, object_moves &moves) const;
  std::string add(const member &one, const capture &mine, bool has_lambdas,
                  object_moves &moves) const;

  const object_layout &host_;
  std::size_t size_ = 0;
  std::vector<member> members_;
};

inline object_matching::object_matching(const object_layout &host, const std::string &device)
    : host_(host) {
  std::istringstream text(device);
  text >> size_;
  member one;
  while (text >> one.name >> one.at >> one.size)
    members_.push_back(one);
}

inline std::string object_matching::find(object_moves &ret) const {
  if (size_ == 0 && !host_.is_same)
    return "is a lambda, and its device image does not say what that captures";
  if (size_ != 0 && host_.is_same && size_ != host_.size)
    return "has " + std::to_string(host_.size) + " bytes on the host and " + std::to_string(size_) +
           " in its device image";
  if (!host_.has_lambdas && !members_.empty())
    return "is of a class with a lambda, which GCC lays out otherwise than the device's compiler";
  ret.size = size_;
  std::string why;
  for (std::size_t i = 0; i < members_.size() && !host_.is_same && why.empty(); i++)
    why = match(members_[i], ret);
  return why;
}

inline bool object_matching::is_in_place(const object_moves &moves) const noexcept {
  for (const object_moves::move &one : moves.all)
    if (one.to != one.from)
      return false;
  return host_.is_same || size_ == host_.size;
}

inline bool object_matching::has_named_in_place() const {
  for (std::size_t i = 0; i < host_.count; i++) {
    std::string name = host_.captures[i].name;
    for (std::size_t in = host_.captures[i].in; in != 0; in = host_.captures[in - 1].in)
      name.insert(0, ".").insert(0, host_.captures[in - 1].name);
    bool found = false;
    for (const member &one : members_)
      found = found || ((one.name == name || one.name == name + "~") &&
                        one.at == host_.captures[i].offset && one.size == host_.captures[i].size);
    if (!found)
      return false;
  }
  return size_ == host_.size;
}

inline std::size_t object_matching::find_in(std::size_t in,
                                            const std::string &name) const noexcept {
  std::size_t i = 0;
  while (i < host_.count && !(host_.captures[i].in == in && name == host_.captures[i].name))
    i++;
  return i;
}

inline std::string object_matching::match(const member &one, object_moves &moves) const {
  std::string rest = one.name;
  const bool has_lambdas = rest.size() > 0 && rest.back() == '~';
  if (has_lambdas)
    rest.pop_back();
  std::size_t in = 0;
  for (std::size_t dot = rest.find('.'); dot != rest.npos; dot = rest.find('.')) {
    const std::size_t lambda = find_in(in, rest.substr(0, dot));
    /* On the host the member is of an unnamed class, not of a lambda, and moves as a whole. */
    if (lambda == host_.count || !host_.captures[lambda].is_lambda)
      return {};
    in = lambda + 1;
    rest.erase(0, dot + 1);
  }
  const std::size_t found = find_in(in, rest);
  if (found == host_.count)
    return "captures '" + one.name + "' on the device and not on the host";
  return add(one, host_.captures[found], has_lambdas, moves);
}

inline std::string object_matching::add(const member &one, const capture &mine, bool has_lambdas,
                                        object_moves &moves) const {
  if (mine.is_lambda)
    return {}; /* the lambda's own captures follow */
  if (mine.size != one.size)
    return "captures '" + one.name + "', which has " + std::to_string(mine.size) +
           " bytes on the host and " + std::to_string(one.size) + " on the device";
  if (has_lambdas && !mine.has_lambdas)
    return "captures '" + one.name + "', a class with a lambda that GCC lays out otherwise";
  moves.all.push_back({one.at, mine.offset, one.size});
  return {};
}

} // namespace specpi::host

#endif
