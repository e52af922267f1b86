/*
 * What a handler collects: memory, events, constants, where the kernel comes from; and
 * the launch.
 */
#ifndef SYCL_DETAIL_COMMAND_GROUP_HPP
#define SYCL_DETAIL_COMMAND_GROUP_HPP

#include <sycl/context.hpp>
#include <sycl/detail/entry.hpp>
#include <sycl/detail/group_constants.hpp>
#include <sycl/detail/requirements.hpp>
#include <sycl/event.hpp>
#include <sycl/kernel.hpp>
#include <sycl/kernel_handler.hpp>
#include <sycl/spec_const_error.hpp>

namespace sycl::detail {

struct queue_impl {
  queue_impl(context c, device d, async_handler h)
      : in(std::move(c)), of(d), handler(std::move(h)) {
    if (!of.is_host())
      check(specpiQueueCreate(of.handle(), SPECPI_QUEUE_PROFILING, native.out()));
  }

  context in;
  device of;
  async_handler handler;
  queue_reference native; /* in order; none on the host device */
  std::mutex mutex;
  std::vector<event> commands; /* since the last wait */
};

/* A range as libspecpi takes it: the fastest dimension first. */
struct shape {
  specpi_range range;

  template <int D> static shape of(const sycl::range<D> &size, const id<D> &offset) {
    shape s = {};
    s.range.dimensions = D;
    for (int i = 0; i < D; i++) {
      s.range.global[i] = size[D - 1 - i];
      s.range.offset[i] = offset[D - 1 - i];
    }
    return s;
  }
  template <int D> static shape of(const nd_range<D> &size) {
    shape s = of(size.get_global_range(), size.get_offset());
    for (int i = 0; i < D; i++) {
      s.range.local[i] = size.get_local_range()[D - 1 - i];
      if (s.range.local[i] == 0 || s.range.global[i] % s.range.local[i] != 0)
        throw nd_range_error(errc::nd_range, "the local size of dimension " +
                                                 std::to_string(D - 1 - i) + ", " +
                                                 std::to_string(s.range.local[i]) +
                                                 ", does not divide the global size, " +
                                                 std::to_string(s.range.global[i]));
    }
    return s;
  }
};

struct command_group {
  explicit command_group(queue_impl &of) noexcept : queue(of) {}

  /*
   * The group's one command. f is the function object, whose bytes are the kernel's argument;
   * on_host runs what it is given in its place on the host device.
   */
  template <class Name, class F, class OnHost>
  void launch(const char *unit, const F &f, const shape &size, const OnHost &on_host) {
    static_assert(std::is_trivially_copyable_v<F>,
                  "what a kernel captures is copied to the device as bytes");
    begin();
    /* A copy, because accessors get their addresses now. */
    F object(f);
    if (queue.of.is_host()) {
      event::wait(waits);
      const requirements_use use(memory, nullptr);
      use.resolve(&object, sizeof object);
      run_on_host(object, on_host);
      return;
    }
    const kernel_reference k = find(unit, kernel_name<Name>());
    requirements_use use(memory, queue.native.get());
    use.resolve(&object, sizeof object);
    launch_kernel(k, use, &object, sizeof object, size);
  }

  queue_impl &queue;
  std::vector<event> waits;
  requirements memory;
  std::size_t local_memory = 0; /* bytes for each work-group */
  group_constants constants;    /* of this group's kernel */
  std::shared_ptr<kernel> kernel_object;
  /* Where kernels come from, if not from the unit: use_module, use_kernel_bundle. */
  std::shared_ptr<device_images> images;
  event result;
  bool has_command = false;

private:
  void begin() {
    if (has_command)
      throw runtime_error(errc::invalid, "a command group has one command, this is the second");
    has_command = true;
    if (kernel_object && kernel_object->program_values() && !constants.empty())
      throw experimental::spec_const_error(
          "constant " + constants.entries().front().id + " is set through the handler for kernel " +
          kernel_object->name() +
          " of a program, which was built with the values that the program had");
  }
  template <class F, class OnHost> void run_on_host(const F &f, const OnHost &on_host) {
    const struct leave {
      ~leave() {
        running_constants = nullptr;
      }
    } at_the_end;
    const constant_values *program =
        kernel_object ? kernel_object->program_values().get() : nullptr;
    on_host(f, handler_access::make(program ? program : &constants));
  }
  kernel_reference find(const char *unit, const std::string &name) {
    kernel_reference found;
    if (kernel_object)
      found = find_kernel(kernel_object->images(), queue.of, kernel_object->name(), constants);
    else if (images)
      found = find_kernel(*images, queue.of, name, constants);
    else
      found = find_kernel(queue.in.impl()->input_images(queue.of, unit), queue.of, name, constants);
    if (!found)
      throw kernel_not_found("there is no kernel " + name + " for device " +
                             queue.of.get_info<info::device::name>());
    return found;
  }
  void launch_kernel(const kernel_reference &k, requirements_use &use, const void *object,
                     std::size_t size, const shape &shape) {
    const specpi_argument arguments[] = {specpiArgumentValue(size, object),
                                         specpiArgumentLocal(local_memory ? local_memory : 1)};
    specpi_kernel_info info;
    check(specpiKernelGetInfo(k.get(), &info));
    std::vector<specpi_event> handles;
    for (const event &e : waits)
      if (e.handle())
        handles.push_back(e.handle());
    for (const event_reference &e : use.waits())
      handles.push_back(e.get());
    event_reference launched;
    check(specpiKernelLaunch(k.get(), queue.native.get(), &shape.range, info.argument_count,
                             arguments, handles.size(), handles.data(), launched.out()));
    use.commit(launched);
    result = event(std::move(launched));
  }
};

} // namespace sycl::detail

#endif
