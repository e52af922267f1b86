// Bit-fields that clang represents as integers of 24 to 56 bits, and as bytes.
#include "contract.hpp"

#ifdef OWN
struct small {
  _BitInt(24) a;
};
#else
struct small {
  int a : 20;
};
#endif
struct fields {
  int a : 20;
  long b : 49;
  long c : 40;
  long d : 49;
  small e[2];
};
struct six {
  short a : 16, b : 16, c : 16;
};
constexpr sycl::specialization_id<fields> kept(fields{1, 2, -3, -4, {{5}, {-5}}});
constexpr sycl::specialization_id<six> bytes(six{1, 2, 3});
constexpr fields table[2] = {{1, 2, 3, 4, {{5}, {6}}}, {}};
class Name;

struct Kernel {
  int *data;
  volatile fields *to;
  void operator()() const {
#ifdef OWN
    to->e[1].a += data[0];
#else
    const fields all[2] = {get<kept>(), table[data[1]]};
    to->a = all[data[3]].a + get<bytes>().c;
    to->b = all[data[4]].e[data[5]].a;
    to->c = to->c + all[data[6]].d;
#endif
  }
};
void host(int *data, fields *to) {
  run<Name>(Kernel{data, to});
}
