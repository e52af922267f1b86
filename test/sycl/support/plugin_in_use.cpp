#include "plugin_in_use.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace specpi_test {
namespace {

bool ends_with(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

std::vector<std::string> mapped_plugins(const std::string &name) {
  std::vector<std::string> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const size_t slash = line.find('/');
    if (slash == std::string::npos || !ends_with(line, "/" + name))
      continue;
    std::string path = line.substr(slash);
    if (std::find(found.begin(), found.end(), path) == found.end())
      found.push_back(std::move(path));
  }
  return found;
}

std::string plugin_mismatch(const std::string &expected_file) {
  const std::string name = expected_file.substr(expected_file.rfind('/') + 1);
  const std::vector<std::string> mapped = mapped_plugins(name);
  if (mapped.size() != 1)
    return std::to_string(mapped.size()) + " files named " + name + " are mapped, not 1";
  const std::string expected = contents(expected_file);
  if (expected.empty())
    return expected_file + " cannot be read";
  if (contents(mapped[0]) != expected)
    return mapped[0] + " is in use, and it differs from " + expected_file;
  return {};
}

} // namespace specpi_test
