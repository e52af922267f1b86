// The convolution in three forms, which differ in how the kernel gets the coefficients.
#ifndef SPECPI_EXAMPLES_CONVOLUTION_FORMS_HPP
#define SPECPI_EXAMPLES_CONVOLUTION_FORMS_HPP

#include "convolve.hpp"

/* X(name, text): the forms, in the order of the table. */
#define FORMS(X)                                                                                   \
  X(argument, "arguments of the kernel")                                                           \
  X(native, "constants")                                                                           \
  X(emulated, "constants in a buffer")

/* Convolves once. */
using form = sycl::event(sycl::queue &q, pixels &in, pixels &out, const coeff_t &coefficients);

#define FORM(name, text) form convolve_##name;
FORMS(FORM)
#undef FORM

#endif
