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
  module_ptr made(specpi_bundle_state state) {
    if (state == SPECPI_BUNDLE_INPUT)
      return input_;
    const std::lock_guard<std::mutex> lock(mutex_);
    const unsigned long generation = input_->generation();
    kept &there = kept_[state == SPECPI_BUNDLE_EXECUTABLE];
    if (!there.module || there.generation != generation)
      there = {make(state), generation};
    return there.module;
  }

private:
  struct kept {
    module_ptr module;
    unsigned long generation;
  };
  module_ptr make(specpi_bundle_state state) const {
    try {
      return state == SPECPI_BUNDLE_OBJECT ? compile_module(*input_, {})
                                           : build_module(*input_, {});
    } catch (const compile_program_error &) {
    } catch (const link_program_error &) {
    }
    return std::make_shared<module_impl>(state, std::vector<device_images>(), input_->values());
  }

  const module_ptr input_;
  std::mutex mutex_;
  kept kept_[2] = {};
};

/* The module of a unit in a context: made once, and the one that kernels are dispatched from. */
inline std::shared_ptr<unit_module> module_of(const context &in, const char *unit) {
  return in.impl()->unit(unit, [&] {
    device_images images;
    for (const device &of : in.get_devices())
      for (device_image_ptr &image : unit_images(of, unit))
        images.push_back(std::move(image));
    std::vector<device_images> versions;
    if (!images.empty())
      versions.push_back(std::move(images));
    std::vector<std::string> units;
    if (in.is_host())
      units.emplace_back(unit);
    return std::make_shared<unit_module>(std::make_shared<module_impl>(
        SPECPI_BUNDLE_INPUT, std::move(versions), constant_values(), std::move(units)));
  });
}

} // namespace sycl::detail

#endif
