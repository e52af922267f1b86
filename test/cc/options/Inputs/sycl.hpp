// The parts of SYCL that a constant needs.
namespace sycl {
inline namespace _V1 {
template <typename T> class specialization_id {
public:
  template <class... Args> explicit constexpr specialization_id(Args &&...args) : value(args...) {}
  T value;
};
namespace detail {
template <auto &Id> inline const char *get_spec_constant_symbolic_ID_impl();
}
} // namespace _V1
} // namespace sycl
