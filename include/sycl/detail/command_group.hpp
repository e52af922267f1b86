/*
 * What a handler collects: memory, events, constants, where the kernel comes from, one command; and
 * how the command is given, when the command group's function has returned. If that throws, or
 * anything before the command is given, nothing has happened.
 */
#ifndef SYCL_DETAIL_COMMAND_GROUP_HPP
#define SYCL_DETAIL_COMMAND_GROUP_HPP

#include <sycl/context.hpp>
#include <sycl/detail/closure.hpp>
#include <sycl/detail/entry.hpp>
#include <sycl/detail/group_constants.hpp>
#include <sycl/detail/group_module.hpp>
#include <sycl/detail/host_run.hpp>
#include <sycl/detail/kernel_arguments.hpp>
#include <sycl/detail/memory_command.hpp>
#include <sycl/detail/requirements.hpp>
#include <sycl/detail/shape.hpp>
#include <sycl/event.hpp>
#include <sycl/kernel.hpp>
#include <sycl/kernel_handler.hpp>
#include <sycl/spec_const_error.hpp>

#include <optional>

namespace sycl::detail {

struct command_group {
  /* Runs the function object on the host device. */
  using host_function = void (*)(const command_group &group, const void *f, kernel_handler handler);

  explicit command_group(std::shared_ptr<queue_impl> of) : shared(std::move(of)), queue(*shared) {}

  /*
   * The group's one command: a kernel. f is the function object, whose bytes are the kernel's
   * argument.
   */
  template <class Name, class Unit, class F>
  void set_kernel(const char *unit_id, const F &f, const shape &of, host_function run) {
    begin(kind::kernel);
    closure.store(f);
    layout = layout_of<Name, F>();
    unit = unit_id;
    name = &kernel_name<Name, Unit>();
    size = of;
    on_host = run;
  }
  /* The kernel object that runs in place of the kernel that the function object is. */
  void use_kernel(const kernel &k) {
    check_first();
    kernel_object = k;
  }
  /* A kernel object without a function object, whose arguments were set one by one. */
  void set_kernel(const kernel &k, const shape &of) {
    use_kernel(k);
    begin(kind::kernel);
    name = &k.name(); /* of what its copies share */
    size = of;
  }
  /* Memory is copied or filled. */
  void set_memory(memory_command command) {
    begin(kind::memory);
    memory_work = std::move(command);
  }

  /* Takes the group's kernels from a module, or from one image of it. */
  void use_module(const context &in, module_ptr from, const device_image_ptr &selected) {
    if (what != kind::none)
      throw runtime_error(errc::invalid, "use_module comes before the group's command");
    if (module || images)
      throw runtime_error(errc::invalid, "a command group uses one module or kernel bundle");
    if (in != queue.in)
      throw invalid_object("the module is of another context than the command group's queue");
    module.use(std::move(from), selected);
  }
  /* The value that a constant has in this group's kernels if the group does not set it. */
  template <auto &S> constant_type<S> present_value(const char *of_unit) const {
    return module ? module_value<S>(*module.get())
                  : module_value<S>(queue.in.impl()->find_unit(of_unit));
  }

  /* Gives the command. */
  event finish() {
    if (what == kind::none || (what == kind::kernel && size.is_empty()) ||
        (what == kind::memory && memory_work.size == 0))
      return event_access::all(shared, waits);
    if (what == kind::kernel)
      choose_values();
    event done = queue.of.is_host() ? run_on_host() : give();
    if (is_of_unit())
      keep_values(queue.in, unit, constants);
    return done;
  }

  closure_bytes closure; /* first, being aligned most */
  const std::shared_ptr<queue_impl> shared;
  queue_impl &queue;
  events waits;
  requirements memory;
  local_memory_need local_memory;
  group_constants constants; /* of this group's kernel */
  std::optional<kernel> kernel_object;
  group_module module;        /* use_module */
  kernel_arguments arguments; /* of a kernel object without a function object */
  /* Where kernels come from, if not from the unit: use_module, use_kernel_bundle. */
  std::shared_ptr<const device_images> images;
  errc no_kernel = errc::invalid; /* the error when it is not there */
  /* The constants of the kernel_bundle that was given. */
  std::shared_ptr<const constant_values> bundle_values;

  enum class kind { none, kernel, memory };
  kind what = kind::none;
  shape size;

private:
  submission guard_;

  /* Whether the kernel comes from the unit's module. */
  bool is_of_unit() const noexcept {
    return what == kind::kernel && !kernel_object && !module && !images;
  }
  /* Which values the kernel has, after checks of those that it was built with. */
  void choose_values() {
    if (module && kernel_object)
      module.require(*kernel_object);
    if (module && queue.of.is_host())
      check_built_with(*module.get(), constants);
    else if (module)
      check_built_with(module.images(), queue.of, *name, constants);
    else if (kernel_object)
      check_built_with(kernel_object->images(), queue.of, *name, constants);
    if (module)
      merged = module.get()->values();
    else if (const auto mine = is_of_unit() ? queue.in.impl()->find_unit(unit) : nullptr)
      merged = mine->input()->values();
    else
      return;
    merged.set(constants);
    values = &merged;
  }
  void check_first() const {
    if (what != kind::none)
      throw runtime_error(errc::invalid, "a command group has one command, this is the second");
  }
  void begin(kind of) {
    check_first();
    if (of == kind::kernel && kernel_object)
      check_kernel_object(*kernel_object);
    what = of;
  }
  void check_kernel_object(const kernel &k) const {
    if (k.get_context() != queue.in)
      throw invalid_object_error(errc::invalid,
                                 "kernel " + k.name() + " is of another context than the queue");
    if (k.program_values() && !constants.empty())
      throw experimental::spec_const_error(
          std::string("constant ") + constants.entries().front().id.c_str() +
          " is set through the handler for kernel " + k.name() +
          " of a program, which was built with the values that the program had");
  }

  /* ---- The host device ---- */

  event run_on_host() {
    specpi_times times = {};
    times.queued = times.submitted = host_time();
    if (what == kind::kernel && !on_host)
      throw invalid_object_error(errc::invalid, "kernel " + *name +
                                                    " has no function object, and the host device "
                                                    "runs nothing else");
    check_sizes();
    for (const event &e : waits)
      e.wait();
    requirements_use use(memory, nullptr);
    use.resolve(closure.get(), closure.size());
    if (what == kind::memory)
      memory_work.find_ends(use, queue.of);
    use.commit({});
    times.started = host_time();
    try {
      const struct leave {
        ~leave() {
          specpiThreadGet()->constants = nullptr;
        }
      } at_the_end;
      if (what == kind::memory)
        memory_work.run();
      else
        run_kernel_on_host();
    } catch (...) {
      /* As of a device, the failure of a kernel is an error of the queue. */
      queue.add_error(std::current_exception());
    }
    times.ended = host_time();
    return event_access::make(shared, times);
  }
  void run_kernel_on_host() {
    const constant_values *program =
        kernel_object ? kernel_object->program_values().get() : nullptr;
    on_host(*this, closure.get(),
            handler_access::make(program         ? program
                                 : bundle_values ? bundle_values.get()
                                                 : values));
  }

  /* ---- Devices ---- */

  event give() {
    built_kernel kernel;
    if (what == kind::kernel) {
      check_sizes();
      kernel = find();
      size.check_required(kernel.info.required, *name);
      size.check_limits(queue.limits, kernel.info.group_size, queue.of);
    }
    queue.make_room();
    requirements_use use(memory, queue.native.get());
    use.resolve(closure.get(), closure.size());
    if (what == kind::memory)
      memory_work.find_ends(use, queue.of);
    event_handles before;
    for (const event &e : waits)
      wait_for(e, before);
    for (const event_reference &e : use.waits())
      wait_for(e, before);
    event_reference given;
    if (what == kind::memory)
      given = memory_work.give(queue.native.get(), before);
    else
      given = launch(kernel, use, before);
    use.commit(given);
    queue.add(given);
    return event_access::make(shared, std::move(given));
  }
  /* The queue is in order; events of other devices mean nothing to its driver. */
  void wait_for(const event_reference &e, event_handles &before) const {
    const specpi_queue of = specpiEventGetQueue(e.get());
    if (!of || of == queue.native.get())
      return;
    const specpi_event handle = e.get();
    if (specpiQueueGetDevice(of) == queue.of.handle())
      before.push_back(handle);
    else
      /* Its failure is an error of its queue. */
      static_cast<void>(specpiEventWait(1, &handle));
  }
  void wait_for(const event &e, event_handles &before) const {
    wait_for(event_access::command(e), before);
    for (const event &other : event_access::others(e))
      wait_for(other, before);
  }

  built_kernel find() {
    const device_images *from = module          ? &module.images()
                                : kernel_object ? &kernel_object->images()
                                                : images.get();
    return queue.kernels.get({unit, *name, from, *values}, [&] { return look_up(); });
  }
  /* A kernel that the queue did not launch before. */
  built_kernel look_up() const {
    const std::string &wanted = kernel_object ? kernel_object->name() : *name;
    kernel_reference found;
    if (module)
      found = find_kernel(module.images(), queue.of, wanted, *values);
    else if (kernel_object)
      found = find_kernel(kernel_object->images(), queue.of, wanted, *values);
    else if (images)
      found = find_kernel(*images, queue.of, wanted, *values, unit);
    else
      found = find_in_unit(wanted);
    if (!found)
      not_found(wanted);
    return built_kernel(std::move(found), find_moves(wanted));
  }
  static std::string members_in(const device_image_impl *image, const std::string &kernel) {
    return image ? image->kernel_property("specpi/function objects", kernel) : std::string();
  }
  /* How the bytes of the function object become the device's. */
  object_moves_ptr find_moves(const std::string &wanted) const {
    if (!on_host)
      return nullptr;
    const device_image_impl *image = module ? find_image(module.images(), queue.of, wanted)
                                     : kernel_object
                                         ? find_image(kernel_object->images(), queue.of, wanted)
                                     : images ? find_image(*images, queue.of, wanted, unit)
                                              : queue.in.impl()->find_image(queue.of, unit, wanted);
    std::string members = members_in(image, wanted);
    /* IL that came as bytes alone: it has what the unit's own images have. */
    if (members.empty())
      members = members_in(queue.in.impl()->find_image(queue.of, unit, *name), *name);
    return object_matching(*layout, members, wanted).find();
  }
  /*
   * SYCL Modules: the unit's executable module; else its object, linked; else its input, built;
   * else kernel_not_found. libspecpi's cache has what was built before, by whichever way, and the
   * rest is built of the input images, so that this is one step.
   */
  kernel_reference find_in_unit(const std::string &wanted) const {
    try {
      return queue.in.impl()->find_kernel(queue.of, unit, wanted, *values);
    } catch (const device_error &e) {
      if (e.code() != errc::build)
        throw;
      throw kernel_not_found(errc::build, "kernel " + wanted + " cannot be built: " + e.what());
    }
  }
  [[noreturn]] void not_found(const std::string &wanted) const {
    const std::string on = queue.of.get_info<info::device::name>();
    if (module)
      throw kernel_not_found("the module of the command group has no kernel " + wanted + " for " +
                             on + "; it has " + names_in(module.images()));
    if (kernel_object)
      throw kernel_not_found("the kernel object " + wanted + " has no code for " + on);
    if (images)
      throw kernel_not_found(no_kernel, "the module or kernel bundle of the command group has no "
                                        "kernel " +
                                            wanted + " for " + on + "; it has " +
                                            names_in(*images));
    throw kernel_not_found("there is no kernel " + wanted + " for " + on + ": unit \"" + unit +
                           "\" has " + names_in(queue.in.impl()->input_images(queue.of, unit)) +
                           " for it, and of the " + std::to_string(registered_images().size()) +
                           " registered images none has the kernel");
  }
  static std::string names_in(const device_images &all) {
    if (all.empty())
      return "no image";
    std::string names = std::to_string(all.size()) + (all.size() == 1 ? " image (" : " images (");
    std::size_t count = 0;
    for (const device_image_ptr &image : all)
      for (const std::string &kernel : image->kernels())
        if (++count <= 4)
          names += (count == 1 ? "" : ", ") + kernel;
    return names + (count > 4 ? ", ...)" : ")");
  }

  /* Before the kernel is built, which may be in vain. */
  void check_sizes() const {
    size.check_limits(queue.limits, 0, queue.of);
    if (closure.size() > queue.limits.parameter_size)
      throw invalid_parameter_error("the function object of kernel " + *name + " has " +
                                    std::to_string(closure.size()) + " bytes, and " +
                                    queue.of.get_info<info::device::name>() + " takes " +
                                    std::to_string(queue.limits.parameter_size));
    check_local_memory();
  }
  void check_local_memory() const {
    if (local_memory.size > queue.limits.local_memory)
      throw memory_allocation_error("the local accessors of a work-group have " +
                                    std::to_string(local_memory.size) + " bytes, and " +
                                    queue.of.get_info<info::device::name>() + " has " +
                                    std::to_string(queue.limits.local_memory));
  }
  event_reference launch(const built_kernel &kernel, const requirements_use &use,
                         const event_handles &before) {
    few<unsigned char, 1024> moved; /* as closure_bytes has room for */
    if (kernel.moves) {
      moved.resize(kernel.moves->size);
      kernel.moves->make(moved.data(), closure.get());
    }
    const specpi_argument own[] = {kernel.moves
                                       ? specpiArgumentValue(moved.size(), moved.data())
                                       : specpiArgumentValue(closure.size(), closure.get()),
                                   specpiArgumentLocal(local_memory.size ? local_memory.size : 1)};
    std::size_t count = kernel.info.argument_count;
    const specpi_argument *all = own;
    if (!on_host)
      all = arguments.resolve(use, *name, count);
    else if (count > std::size(own))
      throw invalid_parameter_error(
          "kernel " + *name + " has " + std::to_string(count) +
          " arguments, so it is not of a function object; set_arg passes them");
    event_reference launched;
    check(specpiKernelLaunch(kernel.kernel.get(), queue.native.get(), &size.range, count, all,
                             before.size(), before.data(), launched.out()));
    return launched;
  }

  const char *unit = "";
  const std::string *name = nullptr;
  constant_values merged;                     /* of a module and the group */
  const constant_values *values = &constants; /* the kernel's, by finish */
  const object_layout *layout = nullptr;      /* of the function object, where there is one */
  host_function on_host = nullptr;            /* none: a kernel object without a function object */
  memory_command memory_work;
};

} // namespace sycl::detail

#endif
