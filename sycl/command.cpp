// Command groups, their handlers and events.
#include <specpi/host/object_moves.hpp>
#include <sycl/sycl.hpp>

namespace sycl {

void event::wait() const {
  if (command_)
    queue_->wait(command_);
  for (const event &e : others())
    e.wait();
}

void event::wait(const std::vector<event> &events) {
  for (const event &e : events)
    e.wait();
}

void event::wait_and_throw() const {
  wait();
  if (command_)
    queue_->settle(command_);
  for (const event &e : others())
    e.wait_and_throw();
  if (queue_)
    queue_->report();
}

void event::wait_and_throw(const std::vector<event> &events) {
  for (const event &e : events)
    e.wait_and_throw();
}

bool event::is_host() const noexcept {
  return get_backend() == backend::host;
}

backend event::get_backend() const noexcept {
  return queue_ ? queue_->of.get_backend() : backend::host;
}

const std::vector<event> &event::others() const noexcept {
  static const std::vector<event> none;
  return others_ ? *others_ : none;
}

info::event_command_status event::ask(info::event::command_execution_status) const {
  auto all = info::event_command_status::complete;
  if (command_) {
    specpi_event_state state = SPECPI_EVENT_QUEUED;
    detail::check(specpiEventGetState(command_.get(), &state));
    all = state == SPECPI_EVENT_RUNNING ? info::event_command_status::running
          : state == SPECPI_EVENT_COMPLETE || state == SPECPI_EVENT_FAILED
              ? info::event_command_status::complete
              : info::event_command_status::submitted;
  }
  for (const event &e : others())
    all = std::min(all, e.ask(info::event::command_execution_status{}));
  return all;
}

specpi_times event::times() const {
  if (!queue_ || others_)
    throw profiling_error(errc::invalid, "the event is of no command, and has no times");
  if (!queue_->profiling)
    throw profiling_error(errc::invalid,
                          "the queue was made without property::queue::enable_profiling");
  specpi_times t = host_;
  if (command_) {
    wait();
    if (specpiEventGetTimes(command_.get(), &t) != SPECPI_SUCCESS)
      throw profiling_error(errc::invalid, specpiGetLastError());
  }
  return t;
}

} // namespace sycl

namespace sycl::detail {

event event_access::make(std::shared_ptr<queue_impl> of, event_reference command) {
  event made;
  made.queue_ = std::move(of);
  made.command_ = std::move(command);
  return made;
}

event event_access::make(std::shared_ptr<queue_impl> of, const specpi_times &times) {
  event made;
  made.queue_ = std::move(of);
  made.host_ = times;
  return made;
}

event event_access::all(std::shared_ptr<queue_impl> of, const events &waits) {
  event made;
  made.queue_ = std::move(of);
  if (!waits.empty())
    made.others_ = std::make_shared<const std::vector<event>>(waits.begin(), waits.end());
  return made;
}

static std::uint64_t host_time() noexcept {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

const specpi_argument *kernel_arguments::resolve(const requirements_use &use,
                                                 const std::string &kernel, std::size_t count) {
  for (const argument &a : all_)
    if (a.index >= count)
      throw invalid_parameter_error("argument " + std::to_string(a.index) + " is set, and kernel " +
                                    kernel + " has " + std::to_string(count) + " arguments");
  list_.clear();
  for (std::size_t i = 0; i < count; i++) {
    argument *const a = find(i);
    if (!a)
      throw invalid_parameter_error("argument " + std::to_string(i) + " of the " +
                                    std::to_string(count) + " of kernel " + kernel + " is not set");
    list_.push_back(resolve(*a, use));
  }
  return list_.data();
}

kernel_arguments::argument *kernel_arguments::find(std::size_t index) noexcept {
  for (argument &a : all_)
    if (a.index == index)
      return &a;
  return nullptr;
}

specpi_argument kernel_arguments::resolve(argument &a, const requirements_use &use) {
  if (a.kind == SPECPI_ARGUMENT_LOCAL)
    return specpiArgumentLocal(a.local);
  if (a.kind == SPECPI_ARGUMENT_VALUE)
    return specpiArgumentValue(a.bytes.size(), a.bytes.data());
  if (!a.address) {
    const void *pointer = nullptr;
    std::memcpy(&pointer, a.bytes.data(), sizeof pointer);
    return specpiArgumentPointer(pointer);
  }
  use.resolve(a.bytes.data(), a.bytes.size());
  return specpiArgumentPointer(a.address(a.bytes.data()));
}

command_group::command_group(std::shared_ptr<queue_impl> of)
    : shared(std::move(of)), queue(*shared) {}

void command_group::use_kernel(const kernel &k) {
  check_first();
  kernel_object = k;
}

void command_group::set_kernel(const kernel &k, const shape &of) {
  use_kernel(k);
  begin(kind::kernel);
  name = &k.name(); /* owned by the state that copies of the kernel share */
  size = of;
}

void command_group::set_memory(memory_command command) {
  begin(kind::memory);
  memory_work = std::move(command);
}

void command_group::use_module(const context &in, module_ptr from,
                               const device_image_ptr &selected) {
  if (what != kind::none)
    throw runtime_error(errc::invalid, "use_module comes before the group's command");
  if (module || images)
    throw runtime_error(errc::invalid, "a command group uses one module or kernel bundle");
  if (in != queue.in)
    throw invalid_object("the module is of another context than the command group's queue");
  module.use(std::move(from), selected);
}

event command_group::finish() {
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

bool command_group::is_of_unit() const noexcept {
  return what == kind::kernel && !kernel_object && !module && !images;
}

void command_group::choose_values() {
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

void command_group::check_first() const {
  if (what != kind::none)
    throw runtime_error(errc::invalid, "a command group has one command, this is the second");
}

void command_group::begin(kind of) {
  check_first();
  if (of == kind::kernel && kernel_object)
    check_kernel_object(*kernel_object);
  what = of;
}

void command_group::check_kernel_object(const kernel &k) const {
  if (k.get_context() != queue.in)
    throw invalid_object_error(errc::invalid,
                               "kernel " + k.name() + " is of another context than the queue");
  if (k.program_values() && !constants.empty())
    throw experimental::spec_const_error(
        std::string("constant ") + constants.entries().front().id.c_str() +
        " is set through the handler for kernel " + k.name() +
        ", whose program or kernel bundle was built before, with the values that it had");
}

event command_group::run_on_host() {
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
    /* A failed kernel is an asynchronous error of the queue, as it is on a device. */
    queue.add_error(std::current_exception());
  }
  times.ended = host_time();
  return event_access::make(shared, times);
}

void command_group::run_kernel_on_host() {
  const constant_values *program = kernel_object ? kernel_object->program_values().get() : nullptr;
  on_host(*this, closure.get(),
          handler_access::make(program         ? program
                               : bundle_values ? bundle_values.get()
                                               : values));
}

event command_group::give() {
  built_kernel kernel;
  if (what == kind::kernel) {
    check_sizes();
    kernel = find();
    size.check_required(kernel.info.required, *name);
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

void command_group::wait_for(const event_reference &e, event_handles &before) const {
  const specpi_queue of = specpiEventGetQueue(e.get());
  if (!of || of == queue.native.get())
    return;
  const specpi_event handle = e.get();
  if (specpiQueueGetDevice(of) == queue.of.handle())
    before.push_back(handle);
  else
    /* A failure of the command is reported by its own queue. */
    static_cast<void>(specpiEventWait(1, &handle));
}

void command_group::wait_for(const event &e, event_handles &before) const {
  wait_for(event_access::command(e), before);
  for (const event &other : event_access::others(e))
    wait_for(other, before);
}

built_kernel command_group::find() {
  const device_images *from = module          ? &module.images()
                              : kernel_object ? &kernel_object->images()
                                              : images.get();
  return queue.kernels.get({unit, *name, from, *values}, [&] { return look_up(); });
}

built_kernel command_group::look_up() const {
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

std::string command_group::members_in(const device_image_impl *image, const std::string &kernel) {
  return image ? image->kernel_property("specpi/function objects", kernel) : std::string();
}

object_moves_ptr command_group::find_moves(const std::string &wanted) const {
  if (!on_host)
    return nullptr;
  const device_image_impl *image = module ? find_image(module.images(), queue.of, wanted)
                                   : kernel_object
                                       ? find_image(kernel_object->images(), queue.of, wanted)
                                   : images ? find_image(*images, queue.of, wanted, unit)
                                            : queue.in.impl()->find_image(queue.of, unit, wanted);
  std::string members = members_in(image, wanted);
  /* SPIR-V from compile_with_il has no properties: use those of the unit's own image. */
  if (members.empty())
    members = members_in(queue.in.impl()->find_image(queue.of, unit, *name), *name);
  object_moves moves;
  const object_matching matching(*layout, members);
  const std::string why = matching.find(moves);
  if (!why.empty())
    throw runtime_error(errc::kernel_argument,
                        "the function object of kernel " + wanted + " " + why);
  return matching.is_in_place(moves) ? nullptr : std::make_shared<const object_moves>(moves);
}

kernel_reference command_group::find_in_unit(const std::string &wanted) const {
  try {
    return queue.in.impl()->find_kernel(queue.of, unit, wanted, *values);
  } catch (const device_error &e) {
    if (e.code() != errc::build)
      throw;
    throw kernel_not_found(errc::build, "kernel " + wanted + " cannot be built: " + e.what());
  }
}

void command_group::not_found(const std::string &wanted) const {
  const std::string on = queue.of.get_info<info::device::name>();
  if (module)
    throw kernel_not_found("the module of the command group has no kernel " + wanted + " for " +
                           on + "; it has " + names_in(module.images()));
  if (kernel_object)
    throw kernel_not_found("the kernel object " + wanted + " has no code for " + on);
  if (images)
    throw kernel_not_found(no_kernel, "the module or kernel bundle of the command group has no "
                                      "kernel " +
                                          wanted + " for " + on + "; it has " + names_in(*images));
  throw kernel_not_found("there is no kernel " + wanted + " for " + on + ": unit \"" + unit +
                         "\" has " + names_in(queue.in.impl()->input_images(queue.of, unit)) +
                         " for it, and of the " + std::to_string(registered_images().size()) +
                         " registered images none has the kernel");
}

std::string command_group::names_in(const device_images &all) {
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

void command_group::check_sizes() const {
  size.check_limits(queue.limits, queue.of);
  if (closure.size() > queue.limits.parameter_size)
    throw invalid_parameter_error("the function object of kernel " + *name + " has " +
                                  std::to_string(closure.size()) + " bytes, and " +
                                  queue.of.get_info<info::device::name>() + " takes " +
                                  std::to_string(queue.limits.parameter_size));
  check_local_memory();
}

void command_group::check_local_memory() const {
  if (local_memory.size > queue.limits.local_memory)
    throw memory_allocation_error("the local accessors of a work-group have " +
                                  std::to_string(local_memory.size) + " bytes, and " +
                                  queue.of.get_info<info::device::name>() + " has " +
                                  std::to_string(queue.limits.local_memory));
}

event_reference command_group::launch(const built_kernel &kernel, const requirements_use &use,
                                      const event_handles &before) {
  few<unsigned char, 1024> moved; /* the same inline capacity as closure_bytes */
  if (kernel.moves) {
    moved.resize(kernel.moves->size);
    kernel.moves->make(moved.data(), closure.get());
  }
  const specpi_argument own[] = {kernel.moves ? specpiArgumentValue(moved.size(), moved.data())
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
  const specpi_result result =
      specpiKernelLaunch(kernel.kernel.get(), queue.native.get(), &size.range, count, all,
                         before.size(), before.data(), launched.out());
  /* The CUDA plugin runs larger groups than a kernel's own, too, so only a failure means that these
   * are too large. */
  if (result == SPECPI_ERROR_INVALID_ARGUMENT && kernel.info.group_size != 0)
    size.check_group(kernel.info.group_size, queue.of);
  check(result);
  return launched;
}

} // namespace sycl::detail

namespace sycl {

void handler::depends_on(const event &e) {
  if (e != event())
    group_.waits.push_back(e);
}

void handler::depends_on(const std::vector<event> &events) {
  for (const event &e : events)
    depends_on(e);
}

void handler::single_task(const kernel &k) {
  group_.set_kernel(k, detail::shape::of(range<1>(1), id<1>()));
}

void handler::memcpy(void *to, const void *from, std::size_t bytes) {
  copy_bytes(detail::memory_end(to), detail::memory_end(from), bytes);
}

void handler::memset(void *to, int value, std::size_t bytes) {
  fill(to, static_cast<unsigned char>(value), bytes);
}

void handler::use_kernel_bundle(const kernel_bundle<bundle_state::executable> &bundle) {
  const auto &impl = detail::bundle_access::impl(bundle);
  if (impl->in != group_.queue.in)
    throw runtime_error(errc::invalid, "the kernel bundle is of another context than the queue");
  if (!group_.constants.empty())
    throw runtime_error(errc::invalid, std::string("constant ") +
                                           group_.constants.entries().front().id.c_str() +
                                           " was set in a command group that is to use a kernel "
                                           "bundle, which has its own values");
  /* An executable bundle does not change, so its members are used in place. */
  group_.images = {impl, &impl->images};
  group_.no_kernel = errc::kernel_not_supported;
  group_.bundle_values = {impl, &impl->values};
}

void handler::use_module(module<module_state::executable> module_with_kernels) {
  group_.use_module(module_with_kernels.get_context(),
                    detail::module_access::impl(module_with_kernels), {});
}

void handler::copy_bytes(detail::memory_end to, detail::memory_end from, std::size_t bytes) {
  detail::memory_command command;
  command.to = std::move(to);
  command.from = std::move(from);
  command.size = bytes;
  group_.set_memory(std::move(command));
}

void handler::require_no_bundle() const {
  if (group_.bundle_values)
    throw runtime_error(errc::invalid, "the command group uses a kernel bundle, so that its "
                                       "constants are the bundle's");
}

} // namespace sycl

namespace sycl::detail {

void require_memory(handler &cgh, const std::shared_ptr<buffer_part> &of, access_mode mode,
                    bool is_all) {
  cgh.group_.memory.add(of, mode, is_all);
}

std::size_t require_local_memory(handler &cgh, std::size_t size, std::size_t alignment) {
  return cgh.group_.local_memory.add(size, alignment);
}

} // namespace sycl::detail
