/* The host compiler's layout of a kernel's function object. */
#ifndef SPECPI_HOST_LAYOUT_HPP
#define SPECPI_HOST_LAYOUT_HPP

#include <cstddef>

namespace specpi::host {

/* A capture of a lambda. */
struct capture {
  const char *name = nullptr;
  std::size_t offset = 0; /* in the function object */
  std::size_t size = 0;
  std::size_t in = 0;       /* 0, or 1 + the index of the captured lambda that contains this one */
  bool is_lambda = false;   /* a lambda, whose own captures follow in the list */
  bool has_lambdas = false; /* its class has lambdas, none of which captured anything */
};

struct object_layout {
  std::size_t size;
  bool is_same;            /* if the size is the same as on devices, so is the layout */
  bool has_lambdas;        /* lambdas in the object's class have the same layout as on devices */
  const capture *captures; /* the captures of a lambda */
  std::size_t count;
};

} // namespace specpi::host

#endif
