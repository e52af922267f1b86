/*
 * Finds the names that kernels have in images, from the names that the host's compiler gives them.
 */
#ifndef SYCL_DETAIL_KERNEL_NAMES_HPP
#define SYCL_DETAIL_KERNEL_NAMES_HPP

#include <specpi/host/mangled.hpp>
#include <sycl/detail/unit.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sycl::detail {

using namespace specpi::host;

/*
 * The host compiler's kernel names are registered as identifiable objects of this kind with the id
 * "UNIT___NAME". The process has one registry, which forgets the names of unloaded libraries.
 */
inline constexpr const char *kernel_name_kind = "sycl kernel";

void register_kernel(const char *unit, const std::string &name, void *place);
/* Calls f with the unit and the name of each registered kernel. */
template <class F> void for_each_host_kernel(const F &f) {
  std::vector<specpi_identifiable> all;
  std::size_t count = 0;
  do {
    all.resize(count);
    count = specpiIdentifiablesGet(kernel_name_kind, all.size(), all.data());
  } while (count > all.size()); /* a library was loaded in between */
  all.resize(count);
  for (const specpi_identifiable &one : all) {
    const std::string_view id = one.id;
    const std::size_t at = id.find("____ZTS");
    f(std::string(id.substr(0, at)), std::string(id.substr(at + 3)));
  }
}

/*
 * Finds a kernel's name in the images of the unit, or else of any other unit with that kernel. A
 * header's kernel may be launched by a unit whose images are not registered yet, because its
 * constructors have not run. A library loaded before it may then have the kernel, too.
 */
image_kernel find_image_kernel(const std::string &unit, const std::string &name);

} // namespace sycl::detail

#endif
