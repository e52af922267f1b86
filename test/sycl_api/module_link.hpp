// Declarations for the units of the test module_link.
#ifndef TEST_SYCL_API_MODULE_LINK_HPP
#define TEST_SYCL_API_MODULE_LINK_HPP

#include "check.hpp"

/* module_link_part.cpp */
SYCL_EXTERNAL int scaled(int value);
extern sycl::spec_id<int> part_factor;
sycl::module<sycl::module_state::input> module_of_part(const sycl::context &in);
void run_part(sycl::handler &cgh);
void run_part_into(sycl::handler &cgh, sycl::buffer<int> &to);

/* module_link_functions.cpp: no kernels */
SYCL_EXTERNAL int unused(int value);
sycl::module<sycl::module_state::input> module_of_functions(const sycl::context &in);
bool has_objects_of_functions(const sycl::context &in);
/* Returns 0 or 1; -1 if has_module_in and get contradict each other. */
int has_executable_of_functions(const sycl::context &in);

/* module_link_emulated.cpp, compiled with --spec-const=emulate */
extern sycl::spec_id<int> emulated_value;
sycl::module<sycl::module_state::input> module_of_emulated(const sycl::context &in);
int run_emulated(sycl::queue q, const sycl::module<sycl::module_state::executable> *uses);

/* module_link_fixed.cpp, compiled with --spec-const=default */
extern sycl::spec_id<int> fixed_value;
sycl::module<sycl::module_state::input> module_of_fixed(const sycl::context &in);
int run_fixed(sycl::queue q, const sycl::module<sycl::module_state::executable> &uses);

#endif
