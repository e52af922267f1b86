/*
 * The parts that a handler collects: memory, events, constants, the kernel's origin, one command.
 * The command is submitted when the command group's function has returned. If the function or any
 * later step before the submission throws, the command has no effect.
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
   * Sets a kernel as the group's one command. f is the function object, whose bytes are the
   * kernel's argument.
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
  /* Sets a kernel object that runs in place of the function object's own kernel. */
  void use_kernel(const kernel &k);
  /* Sets a kernel object without a function object as the command; set_arg sets its arguments. */
  void set_kernel(const kernel &k, const shape &of);
  /* Sets a copy or a fill of memory as the command. */
  void set_memory(memory_command command);

  /* Takes the group's kernels from a module, or from one image of it. */
  void use_module(const context &in, module_ptr from, const device_image_ptr &selected);
  /* The value of a constant in this group's kernel, as long as the group does not set it. */
  template <auto &S> constant_type<S> present_value(const char *of_unit) const {
    return module ? module_value<S>(*module.get())
                  : module_value<S>(queue.in.impl()->find_unit(of_unit));
  }

  /* Submits the command. */
  event finish();

  closure_bytes closure; /* the first member, because it has the largest alignment */
  const std::shared_ptr<queue_impl> shared;
  queue_impl &queue;
  events waits;
  requirements memory;
  local_memory_need local_memory;
  group_constants constants; /* that this group sets for its kernel */
  std::optional<kernel> kernel_object;
  group_module module;        /* set by use_module */
  kernel_arguments arguments; /* of a kernel object without a function object */
  /* The images of the kernel bundle set by use_kernel_bundle; NULL without one. */
  std::shared_ptr<const device_images> images;
  errc no_kernel = errc::invalid; /* the error when these images lack the kernel */
  /* The constants of that kernel bundle. */
  std::shared_ptr<const constant_values> bundle_values;

  enum class kind { none, kernel, memory };
  kind what = kind::none;
  shape size;

private:
  submission guard_;

  /* Returns whether the kernel comes from the unit's module. */
  bool is_of_unit() const noexcept;
  /* Sets values for the kernel. Throws if they differ from those that a kernel object or a module's
   * kernel was built with. */
  void choose_values();
  void check_first() const;
  void begin(kind of);
  void check_kernel_object(const kernel &k) const;

  /* ---- The host device ---- */

  event run_on_host();
  void run_kernel_on_host();

  /* ---- Devices ---- */

  event give();
  /* Adds the event to before; skips it if it is the queue's own, because the queue is in order.
   * Waits for an event of another device at once, because the queue's driver cannot. */
  void wait_for(const event_reference &e, event_handles &before) const;
  void wait_for(const event &e, event_handles &before) const;

  built_kernel find();
  /* Finds a kernel that the queue did not launch before. */
  built_kernel look_up() const;
  static std::string members_in(const device_image_impl *image, const std::string &kernel);
  /* Finds the moves that turn the bytes of the function object into the device's. */
  object_moves_ptr find_moves(const std::string &wanted) const;
  /*
   * Finds or builds a kernel of the unit. SYCL Modules asks for the kernel of the unit's executable
   * module, or else its object module, linked, or else its input module, built; without any of them
   * for kernel_not_found. One step does all this: it builds from the input images, and libspecpi's
   * cache returns programs that were built before.
   */
  kernel_reference find_in_unit(const std::string &wanted) const;
  [[noreturn]] void not_found(const std::string &wanted) const;
  static std::string names_in(const device_images &all);

  /* Called before the kernel is built, so that no build is in vain. */
  void check_sizes() const;
  void check_local_memory() const;
  event_reference launch(const built_kernel &kernel, const requirements_use &use,
                         const event_handles &before);

  const char *unit = "";
  const std::string *name = nullptr;
  constant_values merged;                     /* a module's values and the group's own */
  const constant_values *values = &constants; /* the kernel's values; finish sets them */
  const object_layout *layout = nullptr;      /* of the function object, if there is one */
  host_function on_host = nullptr;            /* NULL: a kernel object without a function object */
  memory_command memory_work;
};

} // namespace sycl::detail

#endif
