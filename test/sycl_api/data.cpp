// Buffers and accessors: initial data, write-back, access from kernels and the host, and waiting.
#include "check.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>

namespace {

using sycl::access::mode;
constexpr std::size_t count = 16;

std::vector<int> numbers(std::size_t size = count) {
  std::vector<int> all(size);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/* Doubles all elements in a kernel. */
template <class Buffer> void twice(sycl::queue &q, Buffer &of) {
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor a{of, cgh};
    cgh.parallel_for(of.get_range(), [=](sycl::item<1> i) { a[i] *= 2; });
  });
}

bool is_doubled(const std::vector<int> &all) {
  for (std::size_t i = 0; i < all.size(); i++)
    if (all[i] != 2 * static_cast<int>(i))
      return false;
  return true;
}

template <class Buffer> std::vector<int> content(Buffer &of) {
  const sycl::host_accessor a{of, sycl::read_only};
  return {a.begin(), a.end()};
}

/* Returns whether f throws an exception with this code, and with the text in its message. */
template <class F> bool throws(sycl::errc code, const char *text, const F &f) {
  try {
    f();
  } catch (const sycl::exception &e) {
    return e.code() == code && std::strstr(e.what(), text);
  }
  return false;
}

/* Names for kernels in functions with other lambdas, which compilers number differently. */
class Unrequired;
class Gone;
class Layout;

/* An output iterator that counts the elements written. */
struct counting {
  using iterator_category = std::output_iterator_tag;
  using value_type = void;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = void;

  std::vector<int> *to;
  counting &operator*() {
    return *this;
  }
  counting &operator++() {
    return *this;
  }
  counting operator++(int) {
    return *this;
  }
  counting &operator=(int value) {
    to->push_back(value);
    return *this;
  }
};

} // namespace

/* ---- Buffers ---- */

CASE("a buffer writes back to the memory that it was made of") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  {
    sycl::buffer<int, 1> b(data.data(), data.size());
    twice(q, b);
  }
  CHECK(is_doubled(data));
  data = numbers();
  {
    sycl::buffer b(data);
    twice(q, b);
  }
  CHECK(is_doubled(data));
  data = numbers();
  {
    sycl::buffer b(data.data(), sycl::range<1>(count), sycl::property::buffer::use_host_ptr());
    CHECK(b.has_property<sycl::property::buffer::use_host_ptr>());
    twice(q, b);
    const sycl::host_accessor a{b};
    CHECK(&a[0] == data.data());
  }
  CHECK(is_doubled(data));
  const std::shared_ptr<int[]> shared(new int[count]);
  std::iota(&shared[0], &shared[count], 0);
  {
    sycl::buffer b(shared, sycl::range<1>(count));
    twice(q, b);
  }
  CHECK(is_doubled({&shared[0], &shared[count]}));
}

CASE("a buffer of const memory, iterators or a size writes nothing back") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  const std::vector<int> &same = data;
  {
    sycl::buffer b(static_cast<const int *>(data.data()), sycl::range<1>(count));
    static_assert(std::is_same_v<decltype(b), sycl::buffer<int, 1>>);
    twice(q, b);
    CHECK(is_doubled(content(b)));
    sycl::buffer c(same);
    twice(q, c);
    CHECK(is_doubled(content(c)));
    sycl::buffer d(data.begin(), data.end());
    twice(q, d);
    CHECK(is_doubled(content(d)));
  }
  CHECK(data == numbers());
  const std::list<int> list(data.begin(), data.end());
  sycl::buffer<int> e(list.begin(), list.end());
  twice(q, e);
  CHECK(is_doubled(content(e)));
  sycl::buffer<int, 2> f(sycl::range<2>(3, 4));
  CHECK(f.size() == 12 && f.byte_size() == 48 && f.get_count() == 12 && f.get_size() == 48);
}

CASE("set_final_data and set_write_back say where a buffer goes, once") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  std::vector<int> other(count);
  {
    sycl::buffer b(data);
    b.set_final_data(other.data());
    twice(q, b);
  }
  CHECK(is_doubled(other) && data == numbers());
  other.assign(count, 0);
  {
    sycl::buffer b(data.begin(), data.end());
    b.set_final_data(other.begin());
    twice(q, b);
  }
  CHECK(is_doubled(other));
  other.clear();
  {
    sycl::buffer b(data);
    const sycl::buffer c = b;
    b.set_final_data(counting{&other});
    twice(q, b);
    CHECK(b == c);
  }
  CHECK(is_doubled(other) && other.size() == count);
  for (const bool by_null : {false, true}) {
    sycl::buffer b(data);
    twice(q, b);
    if (by_null)
      b.set_final_data(nullptr);
    else
      b.set_write_back(false);
  }
  CHECK(data == numbers());
  const std::shared_ptr<int> there(new int[count], std::default_delete<int[]>());
  {
    sycl::buffer b(data.begin(), data.end());
    b.set_final_data(std::weak_ptr<int>(there));
    sycl::buffer c(data.begin(), data.end());
    c.set_final_data(std::weak_ptr<int>(std::make_shared<int>()));
    twice(q, b);
    twice(q, c);
  }
  CHECK(is_doubled({there.get(), there.get() + count}));
}

CASE("use_mutex is locked while a buffer writes back") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  std::mutex mutex;
  std::unique_lock<std::mutex> mine(mutex);
  std::atomic<bool> is_done = false;
  std::thread other([&] {
    {
      sycl::buffer b(data.data(), sycl::range<1>(count), sycl::property::buffer::use_mutex(mutex));
      twice(q, b);
    }
    is_done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(!is_done);
  CHECK(data == numbers());
  mine.unlock();
  other.join();
  CHECK(is_doubled(data));
}

CASE("a buffer is reinterpreted with the same bytes") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  {
    sycl::buffer b(data);
    auto two = b.reinterpret<unsigned, 2>(sycl::range<2>(4, 4));
    static_assert(std::is_same_v<decltype(two), sycl::buffer<unsigned, 2>>);
    q.submit([&](sycl::handler &cgh) {
      auto a = two.get_access<mode::read_write>(cgh);
      cgh.parallel_for(two.get_range(),
                       [=](sycl::id<2> i) { a[i] += static_cast<unsigned>(10 * i[0] + i[1]); });
    });
    auto bytes = b.reinterpret<char>();
    CHECK(bytes.size() == count * sizeof(int));
    CHECK(
        throws(sycl::errc::invalid, "bytes", [&] { b.reinterpret<char>(sycl::range<1>(count)); }));
  }
  for (std::size_t i = 0; i < count; i++)
    CHECK(data[i] == static_cast<int>(i + 10 * (i / 4) + i % 4));
}

CASE("a sub-buffer is a part of its buffer") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  {
    sycl::buffer b(data);
    sycl::buffer<int> part(b, sycl::id<1>(4), sycl::range<1>(8));
    CHECK(part.is_sub_buffer() && part.size() == 8 && !b.is_sub_buffer());
    twice(q, part);
    twice(q, b);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor all{b, cgh, sycl::read_only};
      sycl::accessor a{part, cgh, sycl::write_only, sycl::no_init};
      cgh.single_task([=] { a[0] = all[15] + 1000; });
    });
    const std::vector<int> now = content(part);
    CHECK(now[0] == 1030 && now[1] == 20);
    CHECK(content(b)[5] == 20 && content(b)[3] == 6 && content(b)[12] == 24);
    CHECK(throws(sycl::errc::invalid, "sub-buffer",
                 [&] { sycl::buffer<int>(part, sycl::id<1>(0), sycl::range<1>(1)); }));
    CHECK(throws(sycl::errc::invalid, "outside",
                 [&] { sycl::buffer<int>(b, sycl::id<1>(10), sycl::range<1>(7)); }));
    sycl::buffer<int, 2> two(sycl::range<2>(4, 4));
    CHECK(throws(sycl::errc::invalid, "one after another",
                 [&] { sycl::buffer<int, 2>(two, sycl::id<2>(0, 0), sycl::range<2>(2, 2)); }));
    sycl::buffer<int, 2>(two, sycl::id<2>(1, 0), sycl::range<2>(2, 4));
    sycl::buffer<int, 2>(two, sycl::id<2>(1, 2), sycl::range<2>(1, 2));
  }
  CHECK(data[0] == 0 && data[3] == 6 && data[4] == 1030 && data[11] == 44 && data[12] == 24);
}

CASE("a sub-buffer keeps its buffer and has its own final data") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  std::vector<int> some(4);
  {
    std::unique_ptr<sycl::buffer<int>> part;
    {
      sycl::buffer b(data);
      part = std::make_unique<sycl::buffer<int>>(b, sycl::id<1>(4), sycl::range<1>(4));
    }
    part->set_final_data(some.data());
    twice(q, *part);
  }
  CHECK(some == (std::vector<int>{8, 10, 12, 14}));
  CHECK(data[4] == 8 && data[8] == 8);
}

CASE("an empty buffer is one, too") {
  sycl::queue q = check::queue();
  std::vector<int> none;
  sycl::buffer b(none);
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor a{b, cgh};
    cgh.single_task([=] { static_cast<void>(a.empty()); });
  });
  CHECK(content(b).empty());
}

/* ---- Accessors ---- */

CASE("accessors of SYCL 1.2.1 and SYCL 2020 reach the same elements") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  std::vector<int> out(6);
  const std::vector<int> factors = {3};
  {
    sycl::buffer b(data);
    sycl::buffer o(out);
    sycl::buffer f(factors);
    q.submit([&](sycl::handler &cgh) {
      auto r = b.get_access<mode::read>(cgh);
      auto w = o.get_access<mode::write>(cgh);
      auto h = cgh.get_access<mode::read>(b);
      auto constant = f.template get_access<mode::read, sycl::access::target::constant_buffer>(cgh);
      sycl::accessor a{b, cgh, sycl::read_only};
      sycl::accessor<const int, 1> c = a;
      auto other = b.get_access(cgh, sycl::read_only);
      static_assert(std::is_same_v<decltype(a[0]), const int &>);
      static_assert(std::is_same_v<decltype(w[0]), int &>);
      sycl::accessor<int, 0, mode::read> first(f, cgh);
      cgh.single_task([=] {
        w[0] = r[1] * constant[0];
        w[1] = h[2];
        w[2] = a[sycl::id<1>(3)];
        w[3] = c[4U];
        w[4] = other[std::size_t{5}];
        w[5] = first;
      });
    });
  }
  CHECK(out == (std::vector<int>{3, 2, 3, 4, 5, 3}));
}

CASE("accessors of two and three dimensions") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers(24);
  std::vector<int> out(24);
  {
    sycl::buffer<int, 3> b(data.data(), sycl::range<3>(2, 3, 4));
    sycl::buffer<int, 2> o(out.data(), sycl::range<2>(6, 4));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor a{b, cgh, sycl::read_only};
      sycl::accessor w{o, cgh, sycl::write_only, sycl::no_init};
      cgh.parallel_for(b.get_range(), [=](sycl::item<3> i) {
        w[i[0] * 3 + i[1]][i[2]] = a[i] + a[i[0]][i[1]][i[2]] + static_cast<int>(i.get_linear_id());
      });
    });
  }
  for (std::size_t i = 0; i < out.size(); i++)
    CHECK(out[i] == 3 * static_cast<int>(i));
}

CASE("a ranged accessor begins at its offset and leaves the rest") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  std::vector<int> sums(3);
  {
    sycl::buffer<int, 2> b(data.data(), sycl::range<2>(4, 4));
    sycl::buffer s(sums);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor a{b, cgh, sycl::range<2>(2, 2), sycl::id<2>(1, 2), sycl::read_only};
      CHECK(a.size() == 4 && a.get_offset() == sycl::id<2>(1, 2) && a.byte_size() == 16);
      sycl::accessor w{s, cgh, sycl::range<1>(2), sycl::id<1>(1), sycl::write_only, sycl::no_init};
      cgh.single_task([=] {
        int sum = 0;
        for (const int i : a)
          sum += i;
        w[0] = sum;
        w[1] = a[1][1] + *(a.end() - 1) + a.get_pointer()[1] + *a.crbegin();
      });
    });
    CHECK(throws(sycl::errc::invalid, "outside",
                 [&] { sycl::host_accessor<int, 2>(b, sycl::range<2>(2, 2), sycl::id<2>(3, 0)); }));
    const sycl::host_accessor h{b, sycl::range<2>(2, 3), sycl::id<2>(1, 1), sycl::read_only};
    CHECK(std::accumulate(h.begin(), h.end(), 0) == 5 + 6 + 7 + 9 + 10 + 11);
    CHECK(h[1][0] == 9 && h.get_pointer()[0] == 0);
  }
  CHECK(sums == (std::vector<int>{0, 6 + 7 + 10 + 11, 11 + 11 + 1 + 11}));
}

CASE("a placeholder is bound by require") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  sycl::buffer b(data);
  const sycl::accessor a{b};
  CHECK(a.is_placeholder());
  q.submit([&](sycl::handler &cgh) {
    cgh.require(a);
    cgh.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { a[i] *= 2; });
  });
  CHECK(is_doubled(content(b)));
  CHECK(throws(sycl::errc::kernel_argument, "does not require", [&] {
    q.submit([&](sycl::handler &cgh) { cgh.single_task<Unrequired>([=] { a[0] = 1; }); });
  }));
  CHECK(is_doubled(content(b)));
  std::unique_ptr<sycl::buffer<int>> other = std::make_unique<sycl::buffer<int>>(1);
  const sycl::accessor gone{*other};
  other.reset();
  CHECK(throws(sycl::errc::accessor, "destroyed",
               [&] { q.submit([&](sycl::handler &cgh) { cgh.require(gone); }); }));
  CHECK(throws(sycl::errc::kernel_argument, "does not require", [&] {
    q.submit([&](sycl::handler &cgh) { cgh.single_task<Gone>([=] { gone[0] = 1; }); });
  }));
}

CASE("what is left between a kernel's members is no accessor") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  /* The kernels use the same stack memory, so that the second one's padding has bytes of the first
   * one's accessors. */
  for (int i = 0; i < 8; i++) {
    {
      sycl::buffer b(data);
      sycl::buffer c(data);
      q.submit([&](sycl::handler &cgh) {
        sycl::accessor x{b, cgh};
        sycl::accessor y{c, cgh, sycl::read_only};
        sycl::accessor z{c, cgh, sycl::read_only};
        cgh.single_task([=] { x[0] = y[0] + z[0]; });
      });
      b.set_write_back(false);
      c.set_write_back(false);
    }
    sycl::buffer b(data);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor x{b, cgh};
      const char one = static_cast<char>(i);
      const sycl::double16 wide(1);
      const int number = i;
      cgh.single_task([=] { x[1] += one + number + static_cast<int>(wide[0]); });
    });
  }
  CHECK(data[1] == 1 + 8 + 2 * 28);
}

CASE("local memory is its group's") {
  sycl::queue q = check::queue();
  std::vector<int> out(4);
  {
    sycl::buffer b(out);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor w{b, cgh, sycl::write_only};
      sycl::accessor<char, 1, mode::read_write, sycl::access::target::local> one(sycl::range<1>(3),
                                                                                 cgh);
      sycl::local_accessor<int, 2> two(sycl::range<2>(2, 2), cgh);
      CHECK(two.size() == 4 && two.get_range() == sycl::range<2>(2, 2) && one.byte_size() == 3);
      cgh.parallel_for(sycl::nd_range<1>(4, 1), [=](sycl::nd_item<1> it) {
        const int group = static_cast<int>(it.get_group(0));
        one[2] = static_cast<char>(group);
        for (std::size_t i = 0; i < 2; i++)
          for (std::size_t j = 0; j < 2; j++)
            two[i][j] = static_cast<int>(10 * i + j) + group;
        w[it.get_global_id()] = two[sycl::id<2>(1, 1)] * 100 + one[2];
      });
    });
  }
  CHECK(out == (std::vector<int>{1100, 1201, 1302, 1403}));
}

CASE("accessors are bytes, and alike for host and device") {
  using accessor = sycl::accessor<int, 3>;
  using local = sycl::local_accessor<float, 2>;
  static_assert(std::is_trivially_copyable_v<accessor>);
  static_assert(std::is_trivially_copyable_v<sycl::accessor<char, 0>>);
  static_assert(std::is_trivially_copyable_v<local>);
  static_assert(!std::is_trivially_copyable_v<sycl::host_accessor<int>>);
  struct mixed {
    char first;
    accessor a;
    char second;
    sycl::accessor<int, 1, mode::read> b;
    short third;
    local c;
    sycl::nd_range<2> d{{1, 1}, {1, 1}};
    sycl::id<3> e;
    sycl::range<1> f;
    long double *g;
  };
  struct layout {
    std::size_t all[16];
  };
  const auto measure = [](const mixed &m) {
    const auto at = [&](const void *member) {
      return static_cast<std::size_t>(static_cast<const char *>(member) -
                                      reinterpret_cast<const char *>(&m));
    };
    return layout{{sizeof m, alignof(mixed), at(&m.a), at(&m.second), at(&m.b), at(&m.third),
                   at(&m.c), at(&m.d), at(&m.e), at(&m.f), at(&m.g), sizeof(accessor),
                   sizeof(local), sizeof m.b, sizeof m.d,
                   sizeof(sycl::accessor<double, 0, mode::write>)}};
  };
  sycl::queue q = check::queue();
  layout device{};
  {
    sycl::buffer<layout> b(&device, 1);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor w{b, cgh, sycl::write_only};
      cgh.single_task<Layout>([=] {
        const mixed m{};
        w[0] = measure(m);
      });
    });
  }
  const mixed m{};
  const layout host = measure(m);
  CHECK(std::memcmp(&host, &device, sizeof host) == 0);
}

/* ---- Waiting ---- */

CASE("commands of several queues see each other's writes in order") {
  sycl::queue queues[] = {check::queue(), check::queue(), sycl::queue(sycl::host_selector())};
  std::vector<int> data(count, 1);
  int expected = 1;
  {
    sycl::buffer b(data);
    for (int step = 0; step < 12; step++) {
      queues[step % 3].submit([&](sycl::handler &cgh) {
        sycl::accessor a{b, cgh};
        cgh.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { a[i] = a[i] * 2 + step; });
      });
      expected = expected * 2 + step;
      if (step == 7) {
        const sycl::host_accessor h{b};
        for (int &i : h)
          i++;
        expected++;
      }
    }
  }
  CHECK(data == std::vector<int>(count, expected));
}

CASE("two accessors of one buffer in a group keep what one of them reads") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  {
    sycl::buffer b(data);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor w{b, cgh, sycl::write_only, sycl::no_init};
      sycl::accessor r{b, cgh, sycl::read_only};
      cgh.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { w[i] = 2 * r[i]; });
    });
  }
  CHECK(is_doubled(data));
}

CASE("no_init of a part keeps the rest") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  {
    sycl::buffer b(data);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor w{b, cgh, sycl::range<1>(1), sycl::id<1>(3), sycl::write_only, sycl::no_init};
      cgh.single_task([=] { w[0] = 100; });
    });
    sycl::buffer<int> part(b, sycl::id<1>(5), sycl::range<1>(2));
    q.submit([&](sycl::handler &cgh) {
      auto w = part.get_access<mode::discard_write>(cgh);
      cgh.single_task([=] { w[0] = w[1] = 200; });
    });
    const sycl::host_accessor h{b, sycl::range<1>(1), sycl::id<1>(8), sycl::write_only,
                                sycl::no_init};
    h[0] = 300;
  }
  std::vector<int> expected = numbers();
  expected[3] = 100;
  expected[5] = expected[6] = 200;
  expected[8] = 300;
  CHECK(data == expected);
}

CASE("a command group that throws leaves its buffers") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  {
    sycl::buffer b(data);
    for (int i = 0; i < 3; i++) {
      try {
        q.submit([&](sycl::handler &cgh) {
          sycl::accessor w{b, cgh, sycl::write_only, sycl::no_init};
          throw 7;
        });
        CHECK(false);
      } catch (int) {
      }
    }
    twice(q, b);
  }
  CHECK(is_doubled(data));
}

CASE("a buffer waits for its commands, a queue that is gone or not") {
  std::vector<int> data = numbers();
  {
    sycl::buffer b(data);
    {
      sycl::queue q = check::queue();
      twice(q, b);
    }
  }
  CHECK(is_doubled(data));
}

CASE("a command waits for a host accessor of another thread") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  sycl::buffer b(data);
  std::atomic<bool> is_given = false;
  std::thread other;
  {
    const sycl::host_accessor h{b};
    h[1] = 50;
    other = std::thread([&] {
      twice(q, b);
      is_given = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(!is_given);
    h[1] = 1;
  }
  other.join();
  CHECK(is_doubled(content(b)));
}

CASE("a command that would wait for its own thread's host accessor throws") {
  sycl::queue q = check::queue();
  std::vector<int> data = numbers();
  sycl::buffer b(data);
  {
    const auto h = b.get_access<mode::read>();
    CHECK_THROWS(sycl::accessor_error, sycl::errc::accessor, "host accessor", twice(q, b));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor r{b, cgh, sycl::read_only};
      cgh.single_task([=] { static_cast<void>(r[0]); });
    });
    const auto other = b.get_host_access(sycl::write_only);
    other[0] = 0;
    CHECK(h[0] == 0);
  }
  twice(q, b);
  CHECK(is_doubled(content(b)));
}

CASE("threads share a buffer and two queues") {
  sycl::queue queues[] = {check::queue(), check::queue()};
  std::vector<int> data(count);
  {
    sycl::buffer b(data);
    const std::vector<int> ones(count, 1);
    sycl::buffer c(ones);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
      threads.emplace_back([&, t] {
        for (int step = 0; step < 10; step++) {
          queues[(t + step) % 2].submit([&](sycl::handler &cgh) {
            sycl::accessor first{t % 2 ? b : c, cgh, sycl::read_only};
            sycl::accessor a{b, cgh};
            sycl::accessor r{c, cgh, sycl::read_only};
            cgh.parallel_for(sycl::range<1>(count),
                             [=](sycl::id<1> i) { a[i] += r[i] + first[i] * 0; });
          });
          if (step % 5 == 4) {
            const sycl::host_accessor h{b};
            h[0] += 1;
          }
        }
      });
    for (std::thread &t : threads)
      t.join();
  }
  CHECK(data[0] == 48 && data[1] == 40 && data[count - 1] == 40);
}

CHECK_MAIN
