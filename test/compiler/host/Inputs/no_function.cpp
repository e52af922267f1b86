namespace sycl {
template <typename T> struct specialization_id {
  T value;
};
} // namespace sycl
sycl::specialization_id<int> constant;
