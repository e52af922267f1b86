/*
 * Counts the allocations of this program, libspecpi and the plugins on the calling thread. A
 * program includes this header in one unit, to replace operator new and malloc. An allocation
 * counts for the file of its caller; if that is the C or C++ library, for the file that called the
 * library. Drivers' allocations are not counted.
 *
 *   {
 *     const allocations::counting now;
 *     ...
 *   }
 *   CHECK(allocations::by_program == 0);
 */
#ifndef TEST_SYCL_API_ALLOCATIONS_HPP
#define TEST_SYCL_API_ALLOCATIONS_HPP

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execinfo.h>
#include <link.h>
#include <new>

namespace allocations {

enum class owner { other, program, below, library };

/* The memory ranges of the code of this process's files. */
struct map {
  struct part {
    std::uintptr_t begin;
    std::uintptr_t end;
    owner of;
  };
  part parts[256];
  int count = 0;

  void read() {
    count = 0;
    dl_iterate_phdr(add, this);
  }
  owner of(const void *address) const noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    for (int i = 0; i < count; i++)
      if (at >= parts[i].begin && at < parts[i].end)
        return parts[i].of;
    return owner::other;
  }

private:
  static owner of_file(const char *name) {
    const char *slash = std::strrchr(name, '/');
    const char *file = slash ? slash + 1 : name;
    const auto begins = [&](const char *with) {
      return std::strncmp(file, with, std::strlen(with)) == 0;
    };
    if (!*name)
      return owner::program;
    if (begins("libspecpi.") || begins("libpi_"))
      return owner::below;
    return begins("libc.") || begins("libstdc++.") ? owner::library : owner::other;
  }
  static int add(dl_phdr_info *info, std::size_t, void *to) {
    map &all = *static_cast<map *>(to);
    for (int i = 0; i < info->dlpi_phnum; i++) {
      const auto &header = info->dlpi_phdr[i];
      if (header.p_type != PT_LOAD || !(header.p_flags & PF_X) || all.count == 256)
        continue;
      const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
      all.parts[all.count++] = {begin, begin + header.p_memsz, of_file(info->dlpi_name)};
    }
    return 0;
  }
};

inline map files;
inline thread_local bool is_counting = false;
inline thread_local long by_program = 0;
inline thread_local long below = 0; /* by libspecpi and the plugins */
/* Call stack of the first counted allocation. */
inline thread_local void *stack[24];
inline thread_local int stack_size = 0;

/* Counts an allocation; caller is the return address of the allocating function. */
inline void note(void *caller) noexcept {
  if (!is_counting || files.of(caller) == owner::other)
    return;
  is_counting = false; /* a backtrace may allocate */
  void *frames[24];
  const int count = backtrace(frames, 24);
  int at = 0;
  while (at < count && frames[at] != caller)
    at++;
  while (at < count && files.of(frames[at]) == owner::library)
    at++;
  const owner whose = at < count ? files.of(frames[at]) : owner::other;
  by_program += whose == owner::program;
  below += whose == owner::below;
  if (whose != owner::other && stack_size == 0) {
    std::memcpy(stack, frames, sizeof stack);
    stack_size = count;
  }
  is_counting = true;
}

/* Counts allocations during its lifetime. */
class counting {
public:
  counting() {
    void *frame;
    backtrace(&frame, 1); /* the first call loads a library */
    files.read();
    by_program = below = 0;
    stack_size = 0;
    is_counting = true;
  }
  counting(const counting &) = delete;
  counting &operator=(const counting &) = delete;
  ~counting() {
    is_counting = false;
  }
  /* Prints the number of allocations so far and the call stack of the first. */
  void print() const {
    is_counting = false;
    std::printf("%ld of the program, %ld below; the first one:\n", by_program, below);
    std::fflush(stdout);
    backtrace_symbols_fd(stack, stack_size, 1);
  }
};

} // namespace allocations

/* ---- The replaced functions ---- */

#ifndef __SYCL_DEVICE_ONLY__

extern "C" {
void *__libc_malloc(std::size_t size);
void *__libc_calloc(std::size_t count, std::size_t size);
void *__libc_realloc(void *memory, std::size_t size);
void *__libc_memalign(std::size_t alignment, std::size_t size);

__attribute__((noinline)) void *malloc(std::size_t size) noexcept {
  allocations::note(__builtin_return_address(0));
  return __libc_malloc(size);
}
__attribute__((noinline)) void *calloc(std::size_t count, std::size_t size) noexcept {
  allocations::note(__builtin_return_address(0));
  return __libc_calloc(count, size);
}
__attribute__((noinline)) void *realloc(void *memory, std::size_t size) noexcept {
  allocations::note(__builtin_return_address(0));
  return __libc_realloc(memory, size);
}
}

/* All other forms of new and delete call these. */
__attribute__((noinline)) void *operator new(std::size_t size) {
  allocations::note(__builtin_return_address(0));
  if (void *memory = __libc_malloc(size))
    return memory;
  throw std::bad_alloc();
}
__attribute__((noinline)) void *operator new(std::size_t size, std::align_val_t alignment) {
  allocations::note(__builtin_return_address(0));
  if (void *memory = __libc_memalign(static_cast<std::size_t>(alignment), size))
    return memory;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void *memory) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete(void *memory, std::size_t) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete(void *memory, std::align_val_t) noexcept {
  std::free(memory);
}
__attribute__((noinline)) void operator delete(void *memory, std::size_t,
                                               std::align_val_t) noexcept {
  std::free(memory);
}

#endif
#endif
