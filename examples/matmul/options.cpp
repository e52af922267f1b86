#include "options.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <getopt.h>

namespace {

constexpr int size_max = 16384;
constexpr int block_max = 1024;
constexpr int rounds_max = 1000;

const char usage[] =
    "Usage: matmul [--size N] [--block B] [--rounds N] [--device SELECTOR]\n"
    "Multiplies two square matrices of N rows (1024) in blocks of B rows (the largest power of "
    "two\n"
    "of which the device takes a work-group), and prints the median time on the device of N "
    "rounds\n"
    "(11) where the size of a block is an argument of the kernel, a constant in its code, and a\n"
    "constant that it reads from a buffer. SELECTOR is as in ONEAPI_DEVICE_SELECTOR, or host.\n"
    "Exits with 1 when a result is wrong.\n";

[[noreturn]] void refuse() {
  std::fputs(usage, stderr);
  std::exit(2);
}

int number_of(const char *option, const char *text, int max) {
  char *end;
  errno = 0;
  const long number = std::strtol(text, &end, 10);
  if (*end || end == text || errno || number < 1 || number > max) {
    std::fprintf(stderr, "matmul: --%s %s: a number from 1 to %d is needed\n", option, text, max);
    refuse();
  }
  return static_cast<int>(number);
}

} // namespace

options read_options(int count, char **words) {
  static const option known[] = {
      {"size", required_argument, nullptr, 's'},   {"block", required_argument, nullptr, 'b'},
      {"rounds", required_argument, nullptr, 'r'}, {"device", required_argument, nullptr, 'd'},
      {"help", no_argument, nullptr, 'h'},         {nullptr, 0, nullptr, 0}};
  options all;
  for (int found; (found = getopt_long(count, words, "", known, nullptr)) != -1;)
    switch (found) {
    case 's':
      all.size = number_of("size", optarg, size_max);
      break;
    case 'b':
      all.block = number_of("block", optarg, block_max);
      break;
    case 'r':
      all.rounds = number_of("rounds", optarg, rounds_max);
      break;
    case 'd':
      all.device = optarg;
      break;
    case 'h':
      std::fputs(usage, stdout);
      std::exit(0);
    default:
      refuse();
    }
  if (optind != count)
    refuse();
  return all;
}
