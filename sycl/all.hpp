/* What each file of the library has of the headers: all of them, as a program has. */
#ifndef SPECPI_SYCL_ALL_HPP
#define SPECPI_SYCL_ALL_HPP

#include <sycl/sycl.hpp>

#endif
