/*
 * The parts that a handler collects: memory, events, constants, the kernel's origin, one command.
 * The command is submitted when the command group's function has returned. If that or anything
 * before the submission throws, nothing has happened.
 */
#ifndef SYCL_DETAIL_COMMAND_GROUP_HPP
#define SYCL_DETAIL_COMMAND_GROUP_HPP

#include <sycl/context.hpp>
#include <sycl/detail/captures.hpp>
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

  explicit command_group(std::shared_ptr<queue_impl> of);

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
  void use_kernel(const kernel &k);
  /* A kernel object without a function object, whose arguments were set one by one. */
  void set_kernel(const kernel &k, const shape &of);
  /* Memory is copied or filled. */
  void set_memory(memory_command command);

  /* Takes the group's kernels from a module, or from one image of it. */
  void use_module(const context &in, module_ptr from, const device_image_ptr &selected);
  /* The value that a constant has in this group's kernels if the group does not set it. */
  template <auto &S> constant_type<S> present_value(const char *of_unit) const {
    return module ? module_value<S>(*module.get())
                  : module_value<S>(queue.in.impl()->find_unit(of_unit));
  }

  /* Gives the command. */
  event finish();

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

  /* Returns whether the kernel comes from the unit's module. */
  bool is_of_unit() const noexcept;
  /* Which values the kernel has, after checks of those that it was built with. */
  void choose_values();
  void check_first() const;
  void begin(kind of);
  void check_kernel_object(const kernel &k) const;

  /* ---- The host device ---- */

  event run_on_host();
  void run_kernel_on_host();

  /* ---- Devices ---- */

  event give();
  /* The queue is in order; events of other devices mean nothing to its driver. */
  void wait_for(const event_reference &e, event_handles &before) const;
  void wait_for(const event &e, event_handles &before) const;

  built_kernel find();
  /* A kernel that the queue did not launch before. */
  built_kernel look_up() const;
  static std::string members_in(const device_image_impl *image, const std::string &kernel);
  /* Finds the moves that turn the bytes of the function object into the device's. */
  object_moves_ptr find_moves(const std::string &wanted) const;
  /*
   * SYCL Modules: the unit's executable module; else its object, linked; else its input, built;
   * else kernel_not_found. libspecpi's cache has what was built before, by whichever way, and the
   * rest is built of the input images, so that this is one step.
   */
  kernel_reference find_in_unit(const std::string &wanted) const;
  [[noreturn]] void not_found(const std::string &wanted) const;
  static std::string names_in(const device_images &all);

  /* Before the kernel is built, which may be in vain. */
  void check_sizes() const;
  void check_local_memory() const;
  event_reference launch(const built_kernel &kernel, const requirements_use &use,
                         const event_handles &before);

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
