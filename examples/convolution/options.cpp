#include "options.hpp"

#include "../support/command_line.hpp"

#include <getopt.h>

namespace {

constexpr unsigned side_max = 16384;
constexpr unsigned rounds_max = 1000;

const char usage[] =
    "Usage: convolution [--width W] [--height H] [--rounds N] [--device SELECTOR] [--picture "
    "FILE]\n"
    "Convolves a picture of W by H pixels (1024 by 1024) with nine coefficients, and prints the\n"
    "median time on the device of N rounds (11) where they are arguments of the kernel, constants\n"
    "of its code, and constants that it reads from a buffer. SELECTOR is as in\n"
    "ONEAPI_DEVICE_SELECTOR, or host. FILE receives the result as a PNG picture.\n"
    "Exits with 1 when a result is wrong.\n";

constexpr command_line line = {"convolution", usage};

} // namespace

options read_options(int count, char **words) {
  static const option known[] = {{"width", required_argument, nullptr, 'x'},
                                 {"height", required_argument, nullptr, 'y'},
                                 {"rounds", required_argument, nullptr, 'r'},
                                 {"device", required_argument, nullptr, 'd'},
                                 {"picture", required_argument, nullptr, 'p'},
                                 {"help", no_argument, nullptr, 'h'},
                                 {nullptr, 0, nullptr, 0}};
  options all;
  for (int found; (found = getopt_long(count, words, "h", known, nullptr)) != -1;)
    switch (found) {
    case 'x':
      all.width = line.number("width", optarg, side_max);
      break;
    case 'y':
      all.height = line.number("height", optarg, side_max);
      break;
    case 'r':
      all.rounds = line.number("rounds", optarg, rounds_max);
      break;
    case 'd':
      all.device = optarg;
      break;
    case 'p':
      all.picture = optarg;
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
