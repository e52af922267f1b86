/* The names of kernels in images, for those that the host's compiler has given them. */
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
 * The names of kernels as the host's compiler has them are host variables with ids of this kind:
 * "UNIT___NAME". That registry is one for the process, and forgets what is unloaded.
 */
inline constexpr const char *kernel_name_kind = "sycl kernel";

void register_kernel(const char *unit, const std::string &name, void *place);
/* Calls f with the unit and the name of each. */
template <class F> void for_each_host_kernel(const F &f) {
  std::vector<specpi_identifiable> all;
  std::size_t count = 0;
  do {
    all.resize(count);
    count = specpiIdentifiablesGet(kernel_name_kind, all.size(), all.data());
  } while (count > all.size()); /* a library came in between */
  all.resize(count);
  for (const specpi_identifiable &one : all) {
    const std::string_view id = one.id;
    const std::size_t at = id.find("____ZTS");
    f(std::string(id.substr(0, at)), std::string(id.substr(at + 3)));
  }
}

/*
 * A name in the images of any unit. A kernel of a header may be launched from the code of a
 * program whose constructors, which register its images, have not run yet; a library whose
 * constructors run before them has the kernel, too.
 */
image_kernel find_image_kernel(const std::string &unit, const std::string &name);

} // namespace sycl::detail

#endif
