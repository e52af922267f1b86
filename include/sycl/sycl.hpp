/*
 * SYCL over libspecpi, for the specialization constants of the proposals. Each source is compiled
 * twice: by any C++17 compiler for the host, and by specpi-cc, which defines
 * __SYCL_DEVICE_ONLY__, for the device images. docs/include-sycl.md describes all steps; CMake's
 * specpi_add_sycl_executable runs them. Functions that are not templates are in libspecpi-sycl.
 *
 * Everything is in namespace sycl; cl::sycl is another name of it.
 */
#ifndef SYCL_SYCL_HPP
#define SYCL_SYCL_HPP

#include <sycl/accessor.hpp>
#include <sycl/buffer.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/complex.hpp>
#include <sycl/detail/config.hpp>
#include <sycl/device.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/device_global.hpp>
#include <sycl/event.hpp>
#include <sycl/exception.hpp>
#include <sycl/handler.hpp>
#include <sycl/item.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/kernel_handler.hpp>
#include <sycl/math.hpp>
#include <sycl/module.hpp>
#include <sycl/module_options.hpp>
#include <sycl/multi_ptr.hpp>
#include <sycl/opencl.hpp>
#include <sycl/program.hpp>
#include <sycl/property_list.hpp>
#include <sycl/queue.hpp>
#include <sycl/range.hpp>
#include <sycl/spec_const_error.hpp>
#include <sycl/spec_constant.hpp>
#include <sycl/spec_id.hpp>
#include <sycl/specialization_id.hpp>
#include <sycl/this_module.hpp>
#include <sycl/typename_constant.hpp>
#include <sycl/usm.hpp>
#include <sycl/vec.hpp>

#endif
