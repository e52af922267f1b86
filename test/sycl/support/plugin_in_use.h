/* Finds the plugin that libsycl has loaded, among the files mapped into this process. */
#ifndef SPECPI_TEST_SYCL_PLUGIN_IN_USE_H
#define SPECPI_TEST_SYCL_PLUGIN_IN_USE_H

#include <string>
#include <vector>

namespace specpi_test {

/* Returns the paths of all mapped files with this name, e.g. libpi_opencl.so, each once. */
std::vector<std::string> mapped_plugins(const std::string &name);

/*
 * Compares the mapped file of the expected file's name with that file, byte by byte. Returns a
 * message about the difference, or "". Paths are not compared, because specpi run may have copied
 * the file.
 */
std::string plugin_mismatch(const std::string &expected_file);

} // namespace specpi_test

#endif
