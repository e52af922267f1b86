// The command line of convolution.
#ifndef SPECPI_EXAMPLES_CONVOLUTION_OPTIONS_HPP
#define SPECPI_EXAMPLES_CONVOLUTION_OPTIONS_HPP

#include <string>

struct options {
  unsigned width = 1024; /* pixels */
  unsigned height = 1024;
  unsigned rounds = 11; /* how often each form is measured */
  std::string device;   /* a selector, "host", or "": what the environment says */
  std::string picture;  /* where the result goes as a PNG file; "": nowhere */
};

/* Reads the command line. On --help, and on what it cannot read, it ends the program. */
options read_options(int count, char **words);

#endif
