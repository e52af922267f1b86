// The product in three forms, which differ in how the kernel gets the size of a block.
#ifndef SPECPI_EXAMPLES_FORMS_HPP
#define SPECPI_EXAMPLES_FORMS_HPP

#include "multiply.hpp"

/* X(name): the forms, in the order of the table. */
#define FORMS(X)                                                                                   \
  X(argument)                                                                                      \
  X(native)                                                                                        \
  X(emulated)

/* A form of the product on a device. */
struct form {
  const char *(*text)(const sycl::context &in);
  sycl::event (*multiply)(sycl::queue &q, matrix &a, matrix &b, matrix &c, int size, int block);
};

#define FORM(name) extern const form form_##name;
FORMS(FORM)
#undef FORM

#endif
