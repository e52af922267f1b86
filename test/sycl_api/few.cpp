// Tests of detail::few, a list that holds a few elements without an allocation.
#include "cases.hpp"

#include <specpi/host/mangled.hpp>
#include <sycl/detail/few.hpp>
#include <sycl/detail/symbolic_id.hpp>

#include <stdexcept>

namespace {

/* Counts its live objects. Copying a negative number throws. */
struct counted {
  static inline int alive = 0;
  int number;

  counted(int n = 0) : number(n) {
    alive++;
  }
  counted(const counted &other) : number(other.number) {
    if (number < 0)
      throw std::runtime_error("a copy fails");
    alive++;
  }
  counted(counted &&other) noexcept : number(std::exchange(other.number, 0)) {
    alive++;
  }
  counted &operator=(const counted &) = delete;
  ~counted() {
    alive--;
  }
  friend bool operator==(const counted &a, const counted &b) {
    return a.number == b.number;
  }
};
using list = sycl::detail::few<counted, 3>;

list up_to(int count) {
  list made;
  for (int i = 1; i <= count; i++)
    made.push_back(counted(i));
  return made;
}
bool is_up_to(const list &all, int count) {
  int next = 1;
  for (const counted &c : all)
    if (c.number != next++)
      return false;
  return next == count + 1 && all.size() == static_cast<std::size_t>(count) &&
         all.empty() == (count == 0) && (count == 0 || all.front().number == 1);
}
/* Returns whether the elements are in the object. */
bool is_here(const list &all) {
  const auto *at = reinterpret_cast<const char *>(all.data());
  const auto *begin = reinterpret_cast<const char *>(&all);
  return at >= begin && at < begin + sizeof all;
}

} // namespace

CASE("few: elements are in the object as long as there is space, and then not") {
  for (int count = 0; count < 20; count++) {
    const list all = up_to(count);
    CHECK(is_up_to(all, count));
    CHECK(is_here(all) == (count <= 3));
  }
  CHECK(counted::alive == 0);
}

CASE("few: copies and moves take over any number of elements") {
  for (int from = 0; from < 9; from++)
    for (int to = 0; to < 9; to++) {
      const list source = up_to(from);
      list copy(source);
      CHECK(is_up_to(copy, from) && copy == source);
      list assigned = up_to(to);
      assigned = source;
      CHECK(is_up_to(assigned, from) && is_up_to(source, from));
      list moved = up_to(to);
      moved = std::move(assigned);
      CHECK(is_up_to(moved, from) && assigned.empty() && is_here(assigned));
      list made(std::move(moved));
      CHECK(is_up_to(made, from) && moved.empty() && is_here(moved));
      /* A list that was moved from can be used again. */
      moved.push_back(counted(1));
      CHECK(is_up_to(moved, 1));
      made = static_cast<const list &>(made);
      CHECK(is_up_to(made, from));
      CHECK((copy == up_to(to)) == (from == to));
    }
  CHECK(counted::alive == 0);
}

CASE("few: assign, resize, reserve and clear change size and capacity") {
  for (int from = 0; from < 9; from++)
    for (int to = 0; to < 9; to++) {
      list all = up_to(from);
      const list other = up_to(to);
      all.assign(other.begin(), other.end());
      CHECK(is_up_to(all, to));
      all = up_to(from);
      all.resize(static_cast<std::size_t>(to));
      CHECK(all.size() == static_cast<std::size_t>(to));
      for (int i = 0; i < to; i++)
        CHECK(all[static_cast<std::size_t>(i)].number == (i < from ? i + 1 : 0));
      all = up_to(from);
      all.reserve(static_cast<std::size_t>(to));
      CHECK(is_up_to(all, from));
      const counted *const place = all.data();
      while (all.size() < static_cast<std::size_t>(to))
        all.push_back(counted(static_cast<int>(all.size()) + 1));
      CHECK(all.data() == place && is_up_to(all, std::max(from, to)));
      all.clear();
      CHECK(all.empty() && all.data() == place);
    }
  CHECK(counted::alive == 0);
}

CASE("few: push_back accepts an element of the list itself") {
  list all = up_to(1);
  for (int i = 0; i < 8; i++)
    all.push_back(all[0]);
  for (const counted &c : all)
    CHECK(c.number == 1);
}

CASE("few: a failed assign changes nothing") {
  const counted bad[] = {counted(1), counted(2), counted(-1), counted(3), counted(4)};
  const int alive = counted::alive;
  for (const std::size_t count : {std::size_t{3}, std::size_t{5}}) {
    list all = up_to(2);
    bool threw = false;
    try {
      all.assign(bad, bad + count);
    } catch (const std::runtime_error &) {
      threw = true;
    }
    CHECK(threw && is_up_to(all, 2));
  }
  CHECK(counted::alive == alive);
}

CASE("few: bytes are aligned for any type") {
  struct {
    char before;
    sycl::detail::few<unsigned char, 5> bytes;
  } all;
  for (int i = 0; i < 50; i++) {
    CHECK(reinterpret_cast<std::uintptr_t>(all.bytes.data()) % alignof(std::max_align_t) == 0);
    all.bytes.push_back(static_cast<unsigned char>(i));
  }
  for (std::size_t i = 0; i < 50; i++)
    CHECK(all.bytes[i] == i);
}

CASE("symbolic ids: a text is one id, wherever it stands") {
  using sycl::detail::symbolic_id;
  const std::string text = "the id of a constant";
  const symbolic_id a(text);
  const symbolic_id b(std::string("the id of a ") + "constant");
  CHECK(a == b && a.c_str() == b.c_str() && a.c_str() != text.c_str() && a.c_str() == text);
  CHECK(!(a == symbolic_id("the id of another")));
}

CASE("mangled names: is_without_marks agrees with without_marks") {
  using specpi::host::is_without_marks;
  using specpi::host::without_marks;
  const char *const names[] = {"",
                               "_ZTS1A",
                               "_ZTSL1A",
                               "_ZTS2A1",
                               "_ZTSN12_GLOBAL__N_11AE",
                               "_ZTSN12_GLOBAL__N_1L1AE",
                               "_ZTSZ1fvEL1A",
                               "_ZTS1AILi3EE",
                               "_ZTS1AILi4EE",
                               "_ZTSN1aL1bL1cE",
                               "_ZTSN1a1b1cE"};
  for (const char *name : names)
    for (const char *other : names)
      CHECK(is_without_marks(name, without_marks(other)) ==
            (without_marks(name) == without_marks(other)));
  CHECK(is_without_marks("_ZTSN1aL1bL1cE", "_ZTSN1a1b1cE"));
  CHECK(!is_without_marks("_ZTSN1aL1bL1cE", "_ZTSN1a1b1cEE"));
}

int main(int count, char **arguments) {
  return check::listed(count, arguments) ? 0 : check::run_cases();
}
