/*
 * Functions of a library of the test. The library exports one function, which returns this table,
 * and hides all other symbols, so that it shares no code of include/sycl with the program.
 */
#ifndef TEST_SYCL_API_LIBRARIES_HPP
#define TEST_SYCL_API_LIBRARIES_HPP

#include <sycl/sycl.hpp>

using int_buffer = sycl::buffer<int, 1>;
using int_accessor = sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::device,
                                    sycl::access::placeholder::true_t>;

struct library_part {
  int *(*allocate)(const sycl::queue &q, sycl::usm::alloc kind);
  void (*free)(int *pointer, const sycl::queue &q);
  sycl::usm::alloc (*type_of)(const void *pointer, const sycl::queue &q);
  sycl::device (*device_of)(const void *pointer, const sycl::queue &q);
  void (*copy)(sycl::queue q, void *to, const void *from, std::size_t bytes);
  int_buffer (*make_buffer)(int *data);
  int_accessor (*make_placeholder)(int_buffer &buffer);
  void (*fill)(sycl::queue q, int_buffer &buffer, int value);
  /* Requires a placeholder from another library or the program. */
  void (*fill_placeholder)(sycl::queue q, const int_accessor &accessor, int value);
  /* Waits at a barrier of a kernel on the host device. */
  void (*wait_at_barrier)(const sycl::nd_item<1> &item);
  int *(*local_element)(const sycl::local_accessor<int, 1> &memory, std::size_t index);
  void (*fail)(sycl::errc code);
  std::error_code (*code)(sycl::errc code);
  /* Sets a constant of the library's own module. */
  void (*set_in_module)(const sycl::queue &q, int value);
};

extern "C" const library_part *libraries_linked();

#endif
