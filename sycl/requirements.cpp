// Buffers that a command requires.
#include <sycl/sycl.hpp>

namespace sycl::detail {

/* An accessor's use of the memory. is_all: the accessor is for the whole part. */
static memory_use use_of(const buffer_part &part, access_mode mode, bool is_all) noexcept {
  /* A write to a part of the memory must preserve the rest, and so needs the old content. */
  return {reads(mode) || !is_all || !part.is_all(), writes(mode)};
}

host_use::host_use(std::shared_ptr<buffer_part> of, access_mode mode, bool is_all)
    : part_(std::move(of)),
      turns_({turns::wish(part_->memory().whose_turn, writes(mode))}, turns::of::host) {
  const memory_use use = use_of(*part_, mode, is_all);
  address_ = part_->memory().acquire_host(use) + part_->offset();
  part_->memory().commit_host(use);
  turns_.hold();
}

void requirements::add(const std::shared_ptr<buffer_part> &part, access_mode mode, bool is_all) {
  if (std::find(parts_.begin(), parts_.end(), part) == parts_.end())
    parts_.push_back(part);
  const memory_use use = use_of(*part, mode, is_all);
  for (one &o : all_)
    if (&o.part->memory() == &part->memory())
      return o.use.add(use);
  all_.push_back({part, use});
}

const buffer_part *requirements::find(buffer_part::key key) const noexcept {
  for (const auto &part : parts_)
    if (part->get_key() == key)
      return part.get();
  return nullptr;
}

requirements_use::requirements_use(const requirements &of, specpi_queue queue)
    : of_(of), queue_(queue), turns_(wishes(of), turns::of::command) {
  try {
    for (const requirements::one &o : of_.all())
      addresses_.push_back(queue_ ? o.part->memory().acquire(queue_, o.use, waits_)
                                  : o.part->memory().acquire_host(o.use));
  } catch (...) {
    abandon();
    throw;
  }
  if (!queue_)
    turns_.hold();
}

requirements_use::~requirements_use() {
  if (!is_committed_)
    abandon();
}

void requirements_use::commit(const event_reference &done) noexcept {
  for (const requirements::one &o : of_.all())
    if (queue_)
      o.part->memory().commit(queue_, o.use, done);
    else
      o.part->memory().commit_host(o.use);
  is_committed_ = true;
}

unsigned char *requirements_use::address(const buffer_part &part) const noexcept {
  for (std::size_t i = 0; i < of_.all().size(); i++)
    if (&of_.all()[i].part->memory() == &part.memory())
      return addresses_[i] + part.offset();
  return nullptr;
}

void requirements_use::resolve(void *object, std::size_t size) const {
  auto *bytes = static_cast<unsigned char *>(object);
  std::uint64_t words[2];
  for (std::size_t i = 0; i + sizeof words <= size; i += sizeof words[0]) {
    std::memcpy(words, bytes + i, sizeof words);
    if (!buffer_part::looks_like_key(words[0]))
      continue;
    const buffer_part *part = of_.find(words[0]);
    if (!part) {
      if (!buffer_part::is_key(words[0]))
        continue;
      throw runtime_error(errc::kernel_argument, "the command has an accessor of a buffer that "
                                                 "its command group does not require");
    }
    const void *const there = address(*part) + words[1];
    std::memcpy(bytes + i, &there, sizeof there);
  }
}

turns::wishes requirements_use::wishes(const requirements &of) {
  turns::wishes list;
  for (const requirements::one &o : of.all())
    list.push_back(turns::wish(o.part->memory().whose_turn, o.use.writes));
  return list;
}

void requirements_use::abandon() const noexcept {
  if (queue_)
    for (const requirements::one &o : of_.all())
      o.part->memory().abandon();
}

} // namespace sycl::detail
