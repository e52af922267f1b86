/* The moves that turn a function object's host layout into the device's, for one kernel. */
#ifndef SYCL_DETAIL_OBJECT_MOVES_HPP
#define SYCL_DETAIL_OBJECT_MOVES_HPP

#include <memory>

namespace specpi::host {
struct object_moves;
}

namespace sycl::detail {

/* NULL: host and device have the same layout. */
using object_moves_ptr = std::shared_ptr<const specpi::host::object_moves>;

} // namespace sycl::detail

#endif
