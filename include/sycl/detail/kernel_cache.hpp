/*
 * The kernels that a queue launched before, so that launching them again neither builds nor
 * allocates anything.
 */
#ifndef SYCL_DETAIL_KERNEL_CACHE_HPP
#define SYCL_DETAIL_KERNEL_CACHE_HPP

#include <sycl/detail/device_image.hpp>
#include <sycl/detail/object_moves.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sycl::detail {

/* A built kernel, and the facts about it that launches need. */
struct built_kernel {
  kernel_reference kernel;
  specpi_kernel_info info = {};
  object_moves_ptr moves;

  built_kernel() = default;
  explicit built_kernel(kernel_reference of, object_moves_ptr how = {});
};

/* Everything that determines which kernel a launch uses. */
struct kernel_key {
  const char *unit;
  const std::string &name;
  const device_images *images; /* NULL: the unit's own images */
  const constant_values &constants;
};

class kernel_cache {
public:
  /* The kernel of a key. Without an entry calls find to make it, not holding the lock. */
  template <class Find> built_kernel get(const kernel_key &key, const Find &find) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (std::size_t i = 0; i < entries_.size(); i++) {
        if (entries_[i]->is(key)) {
          if (i)
            entries_[i].swap(entries_[i / 2]);
          return entries_[i / 2]->kernel;
        }
      }
    }
    auto made = std::make_unique<entry>(key, find());
    built_kernel kernel = made->kernel;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (entries_.size() >= most)
      entries_.pop_back();
    entries_.push_back(std::move(made));
    return kernel;
  }

private:
  struct entry {
    entry(const kernel_key &key, built_kernel of);

    bool is(const kernel_key &key) const noexcept;
    static bool same(const constant_values::list &a, const constant_values::list &b) noexcept;

    std::string unit;
    std::string name;
    bool has_images;
    device_images images;
    constant_values constants;
    built_kernel kernel;
  };

  /* libspecpi's own cache keeps the programs of more kernels than these. */
  static constexpr std::size_t most = 64;
  std::mutex mutex_;
  std::vector<std::unique_ptr<entry>> entries_; /* each find moves an entry towards the front */
};

} // namespace sycl::detail

#endif
