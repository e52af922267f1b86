/* A kernel's function object, as the host's compiler has laid it out. */
#ifndef SPECPI_HOST_LAYOUT_HPP
#define SPECPI_HOST_LAYOUT_HPP

#include <cstddef>

namespace specpi::host {

/* A capture of a lambda. */
struct capture {
  const char *name = nullptr;
  std::size_t offset = 0; /* in the function object */
  std::size_t size = 0;
  std::size_t in = 0;       /* 0, or the index of the captured lambda that has it, plus 1 */
  bool is_lambda = false;   /* what it captured follows */
  bool has_lambdas = false; /* it is of a class with lambdas, none of which captured anything */
};

struct object_layout {
  std::size_t size;
  bool is_same;            /* as on devices, if the size is */
  bool has_lambdas;        /* if it is of a class with lambdas, they are the same, too */
  const capture *captures; /* of a lambda */
  std::size_t count;
};

} // namespace specpi::host

#endif
