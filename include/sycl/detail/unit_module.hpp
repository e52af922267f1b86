// The module of a translation unit in a context. SYCL Modules, "Module for the current translation
// unit".
#ifndef SYCL_DETAIL_UNIT_MODULE_HPP
#define SYCL_DETAIL_UNIT_MODULE_HPP

#include <sycl/detail/module_build.hpp>

namespace sycl::detail {

/* The unit's input module in a context, and the modules made from it. */
class unit_module {
public:
  explicit unit_module(module_ptr input) : input_(std::move(input)) {}

  const module_ptr &input() const noexcept {
    return input_;
  }
  /* The module in that state, made from the input module with its present values; an empty module
   * if it cannot be made. */
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

/* The module of a unit in a context, from which the unit's kernels are dispatched. Made once. */
std::shared_ptr<unit_module> module_of(const context &in, const char *unit);

} // namespace sycl::detail

#endif
