// The parts that the examples over include/sycl share: choice of a device, and times.
#ifndef SPECPI_EXAMPLES_MEASURE_HPP
#define SPECPI_EXAMPLES_MEASURE_HPP

#include <sycl/sycl.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

/*
 * The first device that a selector selects; "host": the host device; "": the first one of the
 * environment's selector. Throws if there is none.
 */
inline sycl::device choose_device(const std::string &selector) {
  if (selector == "host")
    return sycl::device(sycl::host_selector());
  if (!selector.empty())
    setenv("ONEAPI_DEVICE_SELECTOR", selector.c_str(), 1);
  return sycl::device();
}

/* A queue with profiling. */
inline sycl::queue measured_queue(const sycl::device &of) {
  return sycl::queue(of, sycl::property_list{sycl::property::queue::enable_profiling()});
}

/*
 * The time of a command in milliseconds, by the device's clock; for the host device, where the
 * command is complete when the call returns, by the host's clock. give() submits the command and
 * returns its event.
 */
template <class Give> double measure(const sycl::queue &q, const Give &give) {
  const auto before = std::chrono::steady_clock::now();
  const sycl::event done = give();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - before;
  if (q.is_host())
    return time.count();
  done.wait();
  specpi_times times;
  sycl::detail::check(specpiEventGetTimes(done.handle(), &times));
  return static_cast<double>(times.ended - times.started) * 1e-6;
}

inline double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  return of[of.size() / 2];
}

#endif
