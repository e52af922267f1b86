/* Which plugin libsycl really loaded, from what is mapped into this process. */
#ifndef SPECPI_TEST_SYCL_PLUGIN_IN_USE_H
#define SPECPI_TEST_SYCL_PLUGIN_IN_USE_H

#include <string>
#include <vector>

namespace specpi_test {

/* The paths of all files named libpi_opencl.so in this process's memory, each one once. */
std::vector<std::string> mapped_opencl_plugins();

/*
 * What is wrong if the one mapped libpi_opencl.so is not, byte for byte, the given file;
 * empty when it is. A runner may have made a copy of the file, so paths are not compared.
 */
std::string plugin_mismatch(const std::string &expected_file);

} // namespace specpi_test

#endif
