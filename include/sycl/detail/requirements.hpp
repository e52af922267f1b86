// The buffers that a command group needs, and their use by its command.
#ifndef SYCL_DETAIL_REQUIREMENTS_HPP
#define SYCL_DETAIL_REQUIREMENTS_HPP

#include <sycl/detail/buffer_part.hpp>

namespace sycl::detail {

/* What an accessor does with the memory. is_all: it is for all of the part. */
inline memory_use use_of(const buffer_part &part, access_mode mode, bool is_all) noexcept {
  /* Who writes some of the memory only needs the rest. */
  return {reads(mode) || !is_all || !part.is_all(), writes(mode)};
}

/* A host accessor's use, until this ends. */
class host_use {
public:
  host_use(std::shared_ptr<buffer_part> of, access_mode mode, bool is_all)
      : part_(std::move(of)),
        turns_({turns::wish(part_->memory().whose_turn, writes(mode))}, turns::of::host) {
    const memory_use use = use_of(*part_, mode, is_all);
    address_ = part_->memory().acquire_host(use) + part_->offset();
    part_->memory().commit_host(use);
    turns_.hold();
  }
  /* The part's first byte. */
  unsigned char *address() const noexcept {
    return address_;
  }

private:
  std::shared_ptr<buffer_part> part_;
  turns turns_;
  unsigned char *address_;
};

/* What the accessors of a command group ask for. Nothing is done to a buffer. */
class requirements {
public:
  struct one {
    std::shared_ptr<buffer_part> part; /* any of the memory */
    memory_use use;
  };

  void add(const std::shared_ptr<buffer_part> &part, access_mode mode, bool is_all) {
    if (std::find(parts_.begin(), parts_.end(), part) == parts_.end())
      parts_.push_back(part);
    const memory_use use = use_of(*part, mode, is_all);
    for (one &o : all_)
      if (&o.part->memory() == &part->memory())
        return o.use.add(use);
    all_.push_back({part, use});
  }
  /* Each memory once. */
  const few<one, 8> &all() const noexcept {
    return all_;
  }
  /* NULL: it is not required. */
  const buffer_part *find(buffer_part::key key) const noexcept {
    for (const auto &part : parts_)
      if (part->get_key() == key)
        return part.get();
    return nullptr;
  }

private:
  few<one, 8> all_;
  few<std::shared_ptr<buffer_part>, 8> parts_;
};

/*
 * The use by one command, which is given while this exists: nobody else's comes in between. For a
 * device: waits for the turn, makes the device's bytes ready; then the command is given, after
 * waits(), and commit. Without commit nothing has happened to the content. queue NULL: for the
 * host device, whose command is complete when this ends.
 */
class requirements_use {
public:
  requirements_use(const requirements &of, specpi_queue queue)
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
  requirements_use(const requirements_use &) = delete;
  requirements_use &operator=(const requirements_use &) = delete;
  ~requirements_use() {
    if (!is_committed_)
      abandon();
  }

  const event_references &waits() const noexcept {
    return waits_;
  }
  /* The command was given; of the host device: it begins, or it is complete or has failed. */
  void commit(const event_reference &done) noexcept {
    for (const requirements::one &o : of_.all())
      if (queue_)
        o.part->memory().commit(queue_, o.use, done);
      else
        o.part->memory().commit_host(o.use);
    is_committed_ = true;
  }
  /* Where the part's first byte is for the command. */
  unsigned char *address(const buffer_part &part) const noexcept {
    for (std::size_t i = 0; i < of_.all().size(); i++)
      if (&of_.all()[i].part->memory() == &part.memory())
        return addresses_[i] + part.offset();
    return nullptr;
  }
  /*
   * Puts addresses in the place of keys in a function object's bytes: an accessor begins with the
   * key and the bytes from the part's first one to the accessor's.
   *
   * errc::kernel_argument: the key of a buffer that is not required.
   */
  void resolve(void *object, std::size_t size) const {
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

private:
  static turns::wishes wishes(const requirements &of) {
    turns::wishes list;
    for (const requirements::one &o : of.all())
      list.push_back(turns::wish(o.part->memory().whose_turn, o.use.writes));
    return list;
  }
  void abandon() const noexcept {
    if (queue_)
      for (const requirements::one &o : of_.all())
        o.part->memory().abandon();
  }

  const requirements &of_;
  specpi_queue queue_;
  turns turns_;
  few<unsigned char *, 8> addresses_;
  event_references waits_;
  bool is_committed_ = false;
};

} // namespace sycl::detail

#endif
