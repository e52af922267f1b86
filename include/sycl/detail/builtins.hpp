/*
 * Functions that the device side of the headers calls and never defines. OpenCL's functions are
 * declared by their mangled names, to keep OpenCL's names out of the user's scope. specpi's
 * compiler passes replace the functions that begin with two underscores.
 */
#ifndef SYCL_DETAIL_BUILTINS_HPP
#define SYCL_DETAIL_BUILTINS_HPP

#include <sycl/detail/config.hpp>

#include <cstddef>

#ifdef __SYCL_DEVICE_ONLY__

/* X(name, symbol): work-item functions that take a dimension. */
#define SYCL_DETAIL_WORK_ITEM_FUNCTIONS(X)                                                         \
  X(get_global_id, "_Z13get_global_idj")                                                           \
  X(get_global_size, "_Z15get_global_sizej")                                                       \
  X(get_global_offset, "_Z17get_global_offsetj")                                                   \
  X(get_local_id, "_Z12get_local_idj")                                                             \
  X(get_local_size, "_Z14get_local_sizej")                                                         \
  X(get_group_id, "_Z12get_group_idj")                                                             \
  X(get_num_groups, "_Z14get_num_groupsj")

namespace sycl::detail::builtin {

#define SYCL_DETAIL_WORK_ITEM_FUNCTION(name, symbol)                                               \
  std::size_t name(unsigned dimension) noexcept __asm__(symbol);
SYCL_DETAIL_WORK_ITEM_FUNCTIONS(SYCL_DETAIL_WORK_ITEM_FUNCTION)
#undef SYCL_DETAIL_WORK_ITEM_FUNCTION

/* OpenCL's barrier; flags: 1 for local memory, 2 for global memory. */
void barrier(unsigned flags) noexcept __asm__("_Z7barrierj");
void mem_fence(unsigned flags) noexcept __asm__("_Z9mem_fencej");

} // namespace sycl::detail::builtin

extern "C" {
/* Marks the calling function as the entry point of the kernel with that name. */
void __specpi_kernel_entry(const char *name) noexcept;
/* Marks the calling function as the entry point of a parallel_for_work_group. */
void __specpi_two_levels() noexcept;
/* The local memory of the work-group. */
__attribute__((opencl_local)) char *__specpi_local_memory() noexcept;
}

/*
 * Never defined. They are static because their types may be in unnamed namespaces, for which no
 * other unit could define them.
 */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-internal"
/* The value of the constant whose id variable is *default_value; id is "" and has no meaning. */
template <class Value, class Id>
static Value __sycl_getScalar2020SpecConstantValue(const char *id, const Id *default_value,
                                                   const void *buffer) noexcept;
template <class Value, class Id>
static Value __sycl_getComposite2020SpecConstantValue(const char *id, const Id *default_value,
                                                      const void *buffer) noexcept;
/* The value of the constant with the symbolic id of a type's name. */
template <class Value> static Value __sycl_getScalarSpecConstantValue(const char *id) noexcept;
template <class Value> static Value __sycl_getCompositeSpecConstantValue(const char *id) noexcept;
#pragma clang diagnostic pop

#endif

#endif
