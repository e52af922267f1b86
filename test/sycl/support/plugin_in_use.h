/* Which plugin libsycl really loaded, from what is mapped into this process. */
#ifndef SPECPI_TEST_SYCL_PLUGIN_IN_USE_H
#define SPECPI_TEST_SYCL_PLUGIN_IN_USE_H

#include <string>
#include <vector>

namespace specpi_test {

/* The paths of all files with this name, e.g. libpi_opencl.so, in this process's memory, each once.
 */
std::vector<std::string> mapped_plugins(const std::string &name);

/*
 * What is wrong if the one mapped file with the given file's name is not, byte for byte, that
 * file; empty when it is. A runner may have made a copy of the file, so paths are not compared.
 */
std::string plugin_mismatch(const std::string &expected_file);

} // namespace specpi_test

#endif
