// A program with this header prints the default and the symbolic id of each reported constant, in
// the order of the defaults. Device code has no ids yet, so there a report only keeps the constant
// in the module.
#pragma once

#include <sycl/sycl.hpp>

#ifdef __SYCL_DEVICE_ONLY__

void keep(const void *constant);

template <auto &Name> bool report() {
  keep(&Name);
  return true;
}

inline void print_reports() {}

#else

#include <cstdio>
#include <map>
#include <string>

inline std::map<int, std::string> &reports() {
  static std::map<int, std::string> all;
  return all;
}

template <auto &Name> bool report() {
  const volatile void *volatile address = &Name; // so that compilers keep the variable
  std::string &entry = reports()[static_cast<int>(Name.value)];
  const char *id = sycl::detail::get_spec_constant_symbolic_ID<Name>();
  entry = entry.empty() ? id : "reported twice";
  return address != nullptr;
}

inline void print_reports() {
  for (const auto &[value, id] : reports())
    std::printf("%d %s\n", value, id.c_str());
}

#endif
