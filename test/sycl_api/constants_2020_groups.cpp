/*
 * Specialization constants in command groups: values that the handler sets and gets, and their
 * effect in kernels. SYCL 2020, 4.9.5.2 and 4.9.5.3.
 */
#include "check.hpp"

#include <array>
#include <thread>

namespace {

constexpr sycl::specialization_id<int> width_id{100};
constexpr sycl::specialization_id<int> height_id{200};
constexpr sycl::specialization_id<int> unused_id{300};
constexpr sycl::specialization_id<std::array<float, 9>> matrix_id;
struct pair {
  constexpr pair(int first_, double second_) : first(first_), second(second_) {}
  int first;
  double second;
  friend bool operator==(const pair &a, const pair &b) {
    return a.first == b.first && a.second == b.second;
  }
};
constexpr sycl::specialization_id<pair> pair_id{1, 2.0};

/* Runs a command group that prepare sets up; the kernel writes width * 1000 + height. */
template <class Prepare> int area(sycl::queue q, const Prepare &prepare) {
  int result = -1;
  {
    sycl::buffer<int, 1> out(&result, sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor there{out, cgh, sycl::write_only};
      prepare(cgh);
      cgh.single_task<class Area>([=](sycl::kernel_handler h) {
        there[0] = h.get_specialization_constant<width_id>() * 1000 +
                   h.get_specialization_constant<height_id>();
      });
    });
  }
  return result;
}

} // namespace

CASE("of two values that a command group sets the last one counts") {
  CHECK(area(check::queue(), [](sycl::handler &cgh) {
          cgh.set_specialization_constant<width_id>(1);
          cgh.set_specialization_constant<width_id>(2);
        }) == 2200);
}

CASE("handler::get_specialization_constant gives the default, and after a call of set its value") {
  CHECK(area(check::queue(), [](sycl::handler &cgh) {
          CHECK(cgh.get_specialization_constant<width_id>() == 100);
          CHECK((cgh.get_specialization_constant<pair_id>() == pair{1, 2}));
          cgh.set_specialization_constant<width_id>(3);
          CHECK(cgh.get_specialization_constant<width_id>() == 3);
          CHECK(cgh.get_specialization_constant<height_id>() == 200);
          cgh.set_specialization_constant<pair_id>(pair{7, 8});
          CHECK((cgh.get_specialization_constant<pair_id>() == pair{7, 8}));
        }) == 3200);
}

CASE("a constant that the kernel does not use may be set, and changes nothing") {
  CHECK(area(check::queue(), [](sycl::handler &cgh) {
          cgh.set_specialization_constant<unused_id>(1);
          cgh.set_specialization_constant<matrix_id>({});
        }) == 100200);
}

CASE("the values of a command group are those of no other one") {
  sycl::queue q = check::queue();
  bool first = true;
  const auto group = [&](sycl::handler &cgh) {
    if (first)
      cgh.set_specialization_constant<width_id>(1);
    first = false;
    CHECK(cgh.get_specialization_constant<height_id>() == 200);
  };
  CHECK(area(q, group) == 1200);
  CHECK(area(q, group) == 100200);
}

CASE("a command group that throws leaves no value after") {
  sycl::queue q = check::queue();
  struct mine {};
  bool threw = false;
  try {
    area(q, [](sycl::handler &cgh) {
      cgh.set_specialization_constant<width_id>(1);
      throw mine{};
    });
  } catch (const mine &) {
    threw = true;
  }
  CHECK(threw);
  CHECK(area(q, [](sycl::handler &) {}) == 100200);
}

CASE("threads submit the same kernel with different values at the same time") {
  sycl::queue q = check::queue();
  constexpr int count = 3;
  std::array<int, count> results{};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; i++)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 2; round++)
        results[static_cast<std::size_t>(i)] = area(q, [i](sycl::handler &cgh) {
          cgh.set_specialization_constant<width_id>(i);
          cgh.set_specialization_constant<height_id>(i * 2);
        });
    });
  for (std::thread &t : threads)
    t.join();
  for (int i = 0; i < count; i++)
    CHECK(results[static_cast<std::size_t>(i)] == i * 1000 + i * 2);
}

/* ---- kernel_handler ---- */

namespace {

int product(sycl::kernel_handler h) {
  return h.get_specialization_constant<width_id>() * h.get_specialization_constant<height_id>();
}

struct function_object {
  sycl::accessor<int, 1, sycl::access_mode::write> out;
  void operator()(sycl::nd_item<1> at, sycl::kernel_handler h) const {
    out[at.get_global_id(0)] = product(h) + static_cast<int>(at.get_local_id(0));
  }
};

} // namespace

CASE("kernel_handler is the last parameter of each form of kernel, and can be passed on") {
  sycl::queue q = check::queue();
  std::array<int, 4> ranged{};
  std::array<int, 4> grouped{};
  {
    sycl::buffer<int, 1> first(ranged.data(), sycl::range<1>(4));
    sycl::buffer<int, 1> second(grouped.data(), sycl::range<1>(4));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor out{first, cgh, sycl::write_only};
      cgh.set_specialization_constant<width_id>(3);
      cgh.parallel_for<class Ranged>(sycl::range<1>(4),
                                     [=](sycl::item<1> at, sycl::kernel_handler h) {
                                       out[at] = product(h) + static_cast<int>(at[0]);
                                     });
    });
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor<int, 1, sycl::access_mode::write> out{second, cgh};
      cgh.set_specialization_constant<height_id>(5);
      cgh.parallel_for(sycl::nd_range<1>(4, 2), function_object{out});
    });
  }
  for (int i = 0; i < 4; i++) {
    CHECK(ranged[static_cast<std::size_t>(i)] == 600 + i);
    CHECK(grouped[static_cast<std::size_t>(i)] == 500 + i % 2);
  }
}
