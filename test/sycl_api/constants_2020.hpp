// Declarations for both units of the test constants_2020.
#ifndef TEST_SYCL_API_CONSTANTS_2020_HPP
#define TEST_SYCL_API_CONSTANTS_2020_HPP

#include "check.hpp"

/* Constants that all units share. */
inline constexpr sycl::specialization_id<int> shared_id{5};
struct keeper {
  static constexpr sycl::specialization_id<int> id{6};
};

/* Defines constants that are local to the unit; both units use the same names. */
#define LOCAL_CONSTANT(value)                                                                      \
  namespace {                                                                                      \
  constexpr sycl::specialization_id<int> local_id{value};                                          \
  }                                                                                                \
  static constexpr sycl::specialization_id<int> static_id{(value) + 1};

/*
 * The values of the constants in a kernel of the other unit. seen_by_other_unit sets a constant
 * first if its argument is not negative.
 */
struct seen {
  int shared;
  int kept;
  int local;
  int fixed;
};
seen seen_by_other_unit(int shared, int local);

/* The symbolic ids in the other unit. */
struct ids {
  std::string shared;
  std::string kept;
  std::string local;
  std::string fixed;
};
ids ids_of_other_unit();

/* Defines a unit's functions. Each unit needs its own, because local_id differs. */
#define DEFINE_SEEN(function, kernel_name, ids_function)                                           \
  seen function(int shared, int local) {                                                           \
    seen result{};                                                                                 \
    sycl::queue q = check::queue();                                                                \
    {                                                                                              \
      sycl::buffer<seen, 1> out(&result, sycl::range<1>(1));                                       \
      q.submit([&](sycl::handler &cgh) {                                                           \
        sycl::accessor there{out, cgh, sycl::write_only};                                          \
        if (shared >= 0)                                                                           \
          cgh.set_specialization_constant<shared_id>(shared);                                      \
        if (local >= 0)                                                                            \
          cgh.set_specialization_constant<local_id>(local);                                        \
        cgh.single_task<class kernel_name>([=](sycl::kernel_handler h) {                           \
          there[0] = {h.get_specialization_constant<shared_id>(),                                  \
                      h.get_specialization_constant<keeper::id>(),                                 \
                      h.get_specialization_constant<local_id>(),                                   \
                      h.get_specialization_constant<static_id>()};                                 \
        });                                                                                        \
      });                                                                                          \
    }                                                                                              \
    return result;                                                                                 \
  }                                                                                                \
  ids ids_function() {                                                                             \
    return {sycl::detail::get_spec_constant_symbolic_ID<shared_id>(),                              \
            sycl::detail::get_spec_constant_symbolic_ID<keeper::id>(),                             \
            sycl::detail::get_spec_constant_symbolic_ID<local_id>(),                               \
            sycl::detail::get_spec_constant_symbolic_ID<static_id>()};                             \
  }

#endif
