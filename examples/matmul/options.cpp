#include "options.hpp"

#include "../support/command_line.hpp"

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

constexpr command_line line = {"matmul", usage};

} // namespace

options read_options(int count, char **words) {
  static const option known[] = {
      {"size", required_argument, nullptr, 's'},   {"block", required_argument, nullptr, 'b'},
      {"rounds", required_argument, nullptr, 'r'}, {"device", required_argument, nullptr, 'd'},
      {"help", no_argument, nullptr, 'h'},         {nullptr, 0, nullptr, 0}};
  options all;
  for (int found; (found = getopt_long(count, words, "h", known, nullptr)) != -1;)
    switch (found) {
    case 's':
      all.size = line.number("size", optarg, size_max);
      break;
    case 'b':
      all.block = line.number("block", optarg, block_max);
      break;
    case 'r':
      all.rounds = line.number("rounds", optarg, rounds_max);
      break;
    case 'd':
      all.device = optarg;
      break;
    case 'h':
      line.help();
    default:
      line.refuse();
    }
  if (optind != count)
    line.refuse_word(words[optind]);
  return all;
}
