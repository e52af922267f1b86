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
 * Compares the one mapped file with the given file's name, byte for byte, with that file; returns
 * the difference, "" for none. A runner may have made a copy of the file, so paths are not
 * compared.
 */
std::string plugin_mismatch(const std::string &expected_file);

} // namespace specpi_test

#endif
