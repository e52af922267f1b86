/*
 * spec_const_error: SYCL Specialization Constant, "Build issue caused by Specialization Constants".
 */
#ifndef SYCL_SPEC_CONST_ERROR_HPP
#define SYCL_SPEC_CONST_ERROR_HPP

#include <sycl/exception.hpp>

namespace sycl::experimental {

/*
 * A constant of a program does not fit it: one that the program needs has no value when it is
 * compiled or built, one is changed after that, there is none of that number, or the value is not
 * of its type. what() names the constant and the program.
 */
class spec_const_error : public compile_program_error {
public:
  using compile_program_error::compile_program_error;
};

} // namespace sycl::experimental

#endif
