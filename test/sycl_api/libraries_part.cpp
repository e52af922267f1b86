// The library of libraries.hpp. One build is linked with the program, another is opened by it.
#include "libraries.hpp"

namespace {

sycl::spec_id<int> own(1);

int *allocate(const sycl::queue &q, sycl::usm::alloc kind) {
  return sycl::malloc<int>(4, q, kind);
}
void free_there(int *pointer, const sycl::queue &q) {
  sycl::free(pointer, q);
}
sycl::usm::alloc type_of(const void *pointer, const sycl::queue &q) {
  return sycl::get_pointer_type(pointer, q.get_context());
}
sycl::device device_of(const void *pointer, const sycl::queue &q) {
  return sycl::get_pointer_device(pointer, q.get_context());
}
void copy(sycl::queue q, void *to, const void *from, std::size_t bytes) {
  q.memcpy(to, from, bytes).wait();
}
int_buffer make_buffer(int *data) {
  return int_buffer(data, sycl::range<1>(4));
}
int_accessor make_placeholder(int_buffer &buffer) {
  return int_accessor(buffer);
}
void fill(sycl::queue q, int_buffer &buffer, int value) {
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor all{buffer, cgh, sycl::write_only};
    cgh.fill(all, value);
  });
}
void fill_placeholder(sycl::queue q, const int_accessor &accessor, int value) {
  q.submit([&](sycl::handler &cgh) {
    cgh.require(accessor);
    cgh.parallel_for<class Fills>(sycl::range<1>(4),
                                  [=](sycl::id<1> i) { accessor[i] = value + int(i[0]); });
  });
}
void wait_at_barrier(const sycl::nd_item<1> &item) {
  item.barrier();
}
int *local_element(const sycl::local_accessor<int, 1> &memory, std::size_t index) {
  return &memory[index];
}
void fail(sycl::errc code) {
  throw sycl::exception(code, "of the library");
}
std::error_code code_of(sycl::errc code) {
  return code;
}
void set_in_module(const sycl::queue &q, int value) {
  sycl::this_module::get<sycl::module_state::input>(q.get_context()).set_spec_constant<own>(value);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const library_part *LIBRARY_NAME() {
  static const library_part part = {
      allocate,         free_there,   type_of,          device_of,       copy,          make_buffer,
      make_placeholder, fill,         fill_placeholder, wait_at_barrier, local_element, fail,
      code_of,          set_in_module};
  return &part;
}
