/*
 * spec_const_error: SYCL Specialization Constant, "Build issue caused by Specialization Constants".
 */
#ifndef SYCL_SPEC_CONST_ERROR_HPP
#define SYCL_SPEC_CONST_ERROR_HPP

#include <sycl/exception.hpp>

namespace sycl::experimental {

/*
 * A constant of a program is wrong: it is needed and has no value when the program is compiled or
 * built, it is set after that, no constant has the number, or the value is not of the constant's
 * type. what() names the constant and the program.
 */
class spec_const_error : public compile_program_error {
public:
  using compile_program_error::compile_program_error;
};

} // namespace sycl::experimental

#endif
