// The module of a translation unit in a context. SYCL Modules, "Module for the current translation
// unit".
#ifndef SYCL_DETAIL_UNIT_MODULE_HPP
#define SYCL_DETAIL_UNIT_MODULE_HPP

#include <sycl/detail/module_build.hpp>

namespace sycl::detail {

/* The unit's module in a context, and what was made of it. */
class unit_module {
public:
  explicit unit_module(module_ptr input) : input_(std::move(input)) {}

  const module_ptr &input() const noexcept {
    return input_;
  }
  /* It is made of the input module as it is now; empty if that cannot be done. */
  module_ptr made(specpi_bundle_state state);

private:
  struct kept {
    module_ptr module;
    unsigned long generation;
  };
  module_ptr make(specpi_bundle_state state) const;

  const module_ptr input_;
  std::mutex mutex_;
  kept kept_[2] = {};
};

/* The module of a unit in a context: made once, and the one that kernels are dispatched from. */
std::shared_ptr<unit_module> module_of(const context &in, const char *unit);

} // namespace sycl::detail

#endif
