// The symbolic id of a specialization constant, in the form that lists of values store.
#ifndef SYCL_DETAIL_SYMBOLIC_ID_HPP
#define SYCL_DETAIL_SYMBOLIC_ID_HPP

#include <sycl/detail/identifiable.hpp>

#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace sycl::detail {

/* A copy of a text that is never freed, so that it outlives the library that the text came from. */
inline const std::string &kept_text(std::string_view text) {
  struct table {
    std::mutex mutex;
    std::set<std::string, std::less<>> texts;
  };
  static table &all = *new table; /* never freed: ids are compared while the program ends, too */
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto there = all.texts.find(text);
  return there == all.texts.end() ? *all.texts.emplace(text).first : *there;
}

/* An id whose text is stored once for all lists, so that copying and comparing take a pointer only.
 */
class symbolic_id {
public:
  symbolic_id(const char *text) : text_(kept_text(text).c_str()) {}
  symbolic_id(const std::string &text) : symbolic_id(text.c_str()) {}

  const char *c_str() const noexcept {
    return text_;
  }
  /* Texts are compared, too, because libraries with hidden symbols have tables of their own. */
  friend bool operator==(const symbolic_id &a, const symbolic_id &b) noexcept {
    return a.text_ == b.text_ || std::strcmp(a.text_, b.text_) == 0;
  }

private:
  const char *text_;
};

/* The id of a constant. It is looked up at the first call. */
template <auto &S> const symbolic_id &id_of() {
  static const symbolic_id id(get_spec_constant_symbolic_ID<S>());
  return id;
}

} // namespace sycl::detail

#endif
