/*
 * Random programs over several queues, devices and threads. Each command waits only for the
 * commands that it needs: for their events, or by its queue's order, barriers and markers. So the
 * resulting bytes are those of the same commands run one after the other.
 *
 * SPECPI_TEST_SEEDS: number of programs for each test instead of its own number.
 */
#define _DEFAULT_SOURCE /* nanosleep */
#include "world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum {
  BYTES = 96,
  BUFFERS = 4,
  OWN = 4,    /* queues of one program */
  SHARED = 2, /* queues of all threads */
  QUEUES = OWN + SHARED,
  OPS = 192,
  STEPS = 400,
  THREADS = 4,
};

typedef struct bits {
  uint64_t words[OPS / 64];
} bits;

/* A command; its number is its index in the program's list. */
typedef struct op {
  unsigned serial; /* of its queue */
  pi_event event;  /* NULL: not requested, or released */
  int cover;       /* number of a marker after it whose event is kept, or -1 */
  bits before;     /* the commands that come before it */
  bool is_read;
  unsigned char host[BYTES]; /* the memory that it reads into or writes from */
  unsigned char expected[BYTES];
} op;

typedef struct slot {
  pi_queue queue;
  unsigned serial;
  bool is_in_order;
  int last, barrier; /* of the commands, or -1 */
} slot;

typedef struct content {
  pi_mem mem;
  unsigned char model[BYTES];
  int writer;
  bits readers;
} content;

typedef struct program {
  pi_context context;
  pi_device devices[4];
  slot slots[QUEUES];
  content contents[BUFFERS];
  op ops[OPS];
  bits done;
  pi_event gate;
  unsigned seed, random, serials, device_count;
  unsigned count; /* of ops */
  atomic_uint due, called;
  bool is_broken;
} program;

/* cmocka's own checks must not fail outside the main thread. */
static void check(program *p, bool is_right, const char *text, int line) {
  if (is_right || p->is_broken)
    return;
  p->is_broken = true;
  fprintf(stderr, "%s:%d: program %u, command %u: %s\n", __FILE__, line, p->seed, p->count, text);
}

#define CHECK(condition) check(p, (condition), #condition, __LINE__)
#define WORKS(call) check(p, (call) == PI_SUCCESS, #call, __LINE__)

static unsigned pick(program *p, unsigned count) {
  p->random = p->random * 1664525u + 1013904223u;
  return (p->random >> 8) % count;
}

static bool has(const bits *set, unsigned i) {
  return set->words[i / 64] >> (i % 64) & 1;
}

static void put(bits *set, unsigned i) {
  set->words[i / 64] |= (uint64_t)1 << (i % 64);
}

static void join(bits *set, const bits *more) {
  for (int i = 0; i < OPS / 64; i++)
    set->words[i] |= more->words[i];
}

static void come_after(program *p, op *op, int before) {
  if (before < 0)
    return;
  join(&op->before, &p->ops[before].before);
  put(&op->before, (unsigned)before);
}

/* ---- The host's part ---- */

static void called(pi_event event, pi_int32 status, void *user_data) {
  (void)event;
  if (status == PI_EVENT_COMPLETE)
    atomic_fetch_add((atomic_uint *)user_data, 1);
}

static void open_gate(program *p) {
  if (!p->gate)
    return;
  WORKS(piEventSetStatus(p->gate, PI_EVENT_COMPLETE));
  WORKS(piEventRelease(p->gate));
  p->gate = NULL;
}

/* Marks a command that is known to have ended, and those before it. */
static void end(program *p, unsigned number) {
  bits now = p->ops[number].before;
  put(&now, number);
  for (unsigned i = 0; i < p->count; i++)
    if (has(&now, i) && !has(&p->done, i) && p->ops[i].is_read)
      CHECK(memcmp(p->ops[i].host, p->ops[i].expected, BYTES) == 0);
  join(&p->done, &now);
}

static void finish(program *p, const slot *on) {
  open_gate(p);
  WORKS(piQueueFinish(on->queue));
  for (unsigned i = 0; i < p->count; i++)
    if (p->ops[i].serial == on->serial)
      end(p, i);
}

static void forget_event(program *p, op *op) {
  if (!op->event)
    return;
  WORKS(piEventRelease(op->event));
  op->event = NULL;
}

/* Waits for everything and starts a new list of commands. */
static void synchronize(program *p) {
  for (int i = 0; i < QUEUES; i++)
    finish(p, &p->slots[i]);
  for (unsigned i = 0; i < p->count; i++) {
    if (p->ops[i].event && !has(&p->done, i)) { /* of a released queue */
      WORKS(piEventsWait(1, &p->ops[i].event));
      end(p, i);
    }
  }
  for (unsigned i = 0; i < p->count; i++) {
    CHECK(has(&p->done, i));
    forget_event(p, &p->ops[i]);
  }
  p->count = 0;
  memset(&p->done, 0, sizeof p->done);
  for (int i = 0; i < BUFFERS; i++) {
    p->contents[i].writer = -1;
    memset(&p->contents[i].readers, 0, sizeof(bits));
  }
  for (int i = 0; i < QUEUES; i++)
    p->slots[i].last = p->slots[i].barrier = -1;
}

/* ---- Commands ---- */

typedef struct call {
  op *op;
  slot *on;
  pi_uint32 count;
  pi_event waits[OPS + 2];
  bool wants_event;
} call;

static call begin(program *p, slot *on) {
  op *op = &p->ops[p->count];
  memset(op, 0, sizeof *op);
  op->serial = on->serial;
  op->cover = -1;
  call made = {.op = op, .on = on, .wants_event = pick(p, 3) != 0};
  come_after(p, op, on->is_in_order ? on->last : on->barrier);
  return made;
}

static pi_event *event_of(call *made) {
  return made->wants_event ? &made->op->event : NULL;
}

static const pi_event *waits_of(const call *made) {
  return made->count ? made->waits : NULL;
}

static int add(program *p, call *made) {
  const int number = (int)p->count++;
  made->on->last = number;
  if (made->op->event && pick(p, 8) == 0) {
    atomic_fetch_add(&p->due, 1);
    WORKS(piEventSetCallback(made->op->event, PI_EVENT_COMPLETE, called, &p->called));
  }
  return number;
}

/* Enqueues a marker after all commands of a queue, and keeps its event. */
static int cover(program *p, slot *on) {
  call made = begin(p, on);
  made.wants_event = true;
  for (unsigned i = 0; i < p->count; i++)
    if (p->ops[i].serial == on->serial)
      come_after(p, made.op, (int)i);
  WORKS(piEnqueueEventsWait(on->queue, 0, NULL, &made.op->event));
  const int number = add(p, &made);
  for (int i = 0; i < number; i++)
    if (p->ops[i].serial == on->serial && p->ops[i].cover < 0)
      p->ops[i].cover = number;
  p->ops[number].cover = number;
  return number;
}

/* Before a new command: makes sure that each command it may have to wait for has an event. */
static void cover_all(program *p, const int *needed, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    const op *op = needed[i] < 0 ? NULL : &p->ops[needed[i]];
    if (!op || op->event || op->cover >= 0)
      continue;
    for (int k = 0; k < QUEUES; k++)
      if (p->slots[k].serial == op->serial)
        cover(p, &p->slots[k]);
  }
}

static void wait_for(program *p, call *made, int number) {
  if (number < 0)
    return;
  if (has(&made->op->before, (unsigned)number) || (has(&p->done, (unsigned)number) && pick(p, 2)))
    return;
  const int known = p->ops[number].event ? number : p->ops[number].cover;
  if (known < 0) {
    CHECK(has(&p->done, (unsigned)number));
    return;
  }
  made->waits[made->count++] = p->ops[known].event;
  come_after(p, made->op, known);
}

/*
 * Lists the commands that a command on a buffer has to wait for, at most OPS; returns their number.
 */
static unsigned needs_of(program *p, const content *of, bool writes, int *needed) {
  unsigned count = 0;
  needed[count++] = of->writer;
  for (unsigned i = 0; writes && i < p->count; i++)
    if (has(&of->readers, i))
      needed[count++] = (int)i;
  return count;
}

/* Begins a command that uses one buffer, or two, the second of which it reads. */
static call begin_on(program *p, slot *on, content *of, bool writes, content *source) {
  int needed[2 * OPS + 2];
  unsigned count = needs_of(p, of, writes, needed);
  if (source)
    count += needs_of(p, source, false, needed + count);
  cover_all(p, needed, count);
  call made = begin(p, on);
  for (unsigned i = 0; i < count; i++)
    wait_for(p, &made, needed[i]);
  if (p->gate && pick(p, 3) == 0)
    made.waits[made.count++] = p->gate;
  return made;
}

static void note(content *of, bool writes, int number) {
  if (!writes) {
    put(&of->readers, (unsigned)number);
    return;
  }
  of->writer = number;
  memset(&of->readers, 0, sizeof of->readers);
}

static void make_bytes(program *p, unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    bytes[i] = (unsigned char)pick(p, 256);
}

static void fill(program *p, slot *on, content *of) {
  static const unsigned sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48};
  unsigned char pattern[BYTES];
  const size_t size = sizes[pick(p, sizeof sizes / sizeof sizes[0])];
  const size_t from = pick(p, (unsigned)(BYTES / size)) * size;
  const size_t length = (1 + pick(p, (unsigned)((BYTES - from) / size))) * size;
  make_bytes(p, pattern, size);
  call made = begin_on(p, on, of, true, NULL);
  WORKS(piEnqueueMemBufferFill(on->queue, of->mem, pattern, size, from, length, made.count,
                               waits_of(&made), event_of(&made)));
  for (size_t i = 0; i < length; i++)
    of->model[from + i] = pattern[i % size];
  note(of, true, add(p, &made));
}

static void write_or_read(program *p, slot *on, content *of, bool writes) {
  const size_t from = pick(p, BYTES);
  const size_t length = pick(p, (unsigned)(BYTES - from) + 1);
  const bool blocks = pick(p, 10) == 0;
  if (blocks)
    open_gate(p);
  call made = begin_on(p, on, of, writes, NULL);
  made.op->is_read = !writes;
  if (writes) {
    make_bytes(p, made.op->host, length);
    memcpy(of->model + from, made.op->host, length);
    WORKS(piEnqueueMemBufferWrite(on->queue, of->mem, blocks, from, length, made.op->host,
                                  made.count, waits_of(&made), event_of(&made)));
  } else {
    memcpy(made.op->expected, of->model + from, length);
    WORKS(piEnqueueMemBufferRead(on->queue, of->mem, blocks, from, length, made.op->host,
                                 made.count, waits_of(&made), event_of(&made)));
  }
  const int number = add(p, &made);
  note(of, writes, number);
  if (blocks)
    end(p, (unsigned)number);
}

static void copy(program *p, slot *on, content *to, content *from) {
  const size_t length = 1 + pick(p, BYTES / 2);
  const size_t source = pick(p, (unsigned)(BYTES - length) + 1);
  const size_t target = pick(p, (unsigned)(BYTES - length) + 1);
  if (to == from)
    return;
  call made = begin_on(p, on, to, true, from);
  WORKS(piEnqueueMemBufferCopy(on->queue, from->mem, to->mem, source, target, length, made.count,
                               waits_of(&made), event_of(&made)));
  memcpy(to->model + target, from->model + source, length);
  const int number = add(p, &made);
  note(from, false, number);
  note(to, true, number);
}

static void map(program *p, slot *on, content *of) {
  open_gate(p);
  call made = begin_on(p, on, of, true, NULL);
  void *mapped = NULL;
  WORKS(piEnqueueMemBufferMap(on->queue, of->mem, PI_TRUE, PI_MAP_READ | PI_MAP_WRITE, 0, BYTES,
                              made.count, waits_of(&made), event_of(&made), &mapped));
  const int number = add(p, &made);
  note(of, true, number);
  end(p, (unsigned)number);
  CHECK(mapped && memcmp(mapped, of->model, BYTES) == 0);
  if (!mapped)
    return;
  make_bytes(p, of->model, BYTES);
  memcpy(mapped, of->model, BYTES);
  call back = begin(p, on);
  WORKS(piEnqueueMemUnmap(on->queue, of->mem, mapped, 0, NULL, event_of(&back)));
  note(of, true, add(p, &back));
}

/* Enqueues a barrier or a marker, with or without a list. */
static void order(program *p, slot *on) {
  const bool is_barrier = pick(p, 2);
  call made = begin(p, on);
  if (pick(p, 2)) {
    for (unsigned i = 0; i < p->count; i++)
      if (p->ops[i].event && pick(p, 8) == 0) {
        made.waits[made.count++] = p->ops[i].event;
        come_after(p, made.op, (int)i);
      }
  }
  for (unsigned i = 0; made.count == 0 && i < p->count; i++)
    if (p->ops[i].serial == on->serial)
      come_after(p, made.op, (int)i);
  WORKS((is_barrier ? piEnqueueEventsWaitWithBarrier : piEnqueueEventsWait)(
      on->queue, made.count, waits_of(&made), event_of(&made)));
  const int number = add(p, &made);
  if (is_barrier)
    on->barrier = number;
}

/* ---- Between commands ---- */

static void new_slot(program *p, slot *made) {
  static const pi_queue_properties flags[] = {0,
                                              OUT_OF_ORDER,
                                              OUT_OF_ORDER | PROFILING,
                                              PROFILING,
                                              OUT_OF_ORDER |
                                                  PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE,
                                              PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE};
  const pi_queue_properties chosen = flags[pick(p, sizeof flags / sizeof flags[0])];
  pi_queue_properties list[] = {PI_QUEUE_FLAGS, chosen, 0};
  WORKS(piextQueueCreate(p->context, p->devices[pick(p, p->device_count)], list, &made->queue));
  made->serial = ++p->serials;
  made->is_in_order = !(chosen & OUT_OF_ORDER);
  made->last = made->barrier = -1;
}

/* The released queue's commands go on. */
static void replace_queue(program *p, slot *old) {
  cover(p, old);
  WORKS(piQueueRelease(old->queue));
  new_slot(p, old);
}

static void new_content(program *p, content *made) {
  make_bytes(p, made->model, BYTES);
  WORKS(piMemBufferCreate(p->context, PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, BYTES,
                          made->model, &made->mem, NULL));
  made->writer = -1;
  memset(&made->readers, 0, sizeof made->readers);
}

static void look(program *p) {
  if (p->count == 0)
    return;
  const unsigned number = pick(p, p->count);
  const pi_event event = p->ops[number].event;
  pi_int32 status = 99;
  if (!event)
    return;
  if (pick(p, 4) == 0) {
    open_gate(p);
    WORKS(piEventsWait(1, &event));
    end(p, number);
    return;
  }
  WORKS(
      piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  CHECK(status == PI_EVENT_COMPLETE || status == PI_EVENT_SUBMITTED);
  if (status == PI_EVENT_COMPLETE)
    end(p, number);
  if (p->ops[number].cover < 0 && pick(p, 2))
    forget_event(p, &p->ops[number]);
}

static void step(program *p, bool may_replace) {
  slot *on = &p->slots[pick(p, QUEUES)];
  content *of = &p->contents[pick(p, BUFFERS)];
  if (p->count + 8 > OPS)
    synchronize(p);
  switch (pick(p, 16)) {
  case 0:
  case 1:
  case 2:
    fill(p, on, of);
    break;
  case 3:
  case 4:
    write_or_read(p, on, of, true);
    break;
  case 5:
  case 6:
    write_or_read(p, on, of, false);
    break;
  case 7:
  case 8:
    copy(p, on, of, &p->contents[pick(p, BUFFERS)]);
    break;
  case 9:
  case 10:
    order(p, on);
    break;
  case 11:
    look(p);
    break;
  case 12:
    if (p->gate)
      open_gate(p);
    else
      WORKS(piEventCreate(p->context, &p->gate));
    break;
  case 13:
    WORKS(piQueueFlush(on->queue));
    break;
  case 14:
    if (pick(p, 4) == 0)
      finish(p, on);
    else
      map(p, on, of);
    break;
  default:
    if (pick(p, 2) && may_replace && on < p->slots + OWN) {
      replace_queue(p, on);
    } else {
      WORKS(piMemRelease(of->mem));
      new_content(p, of);
    }
  }
}

static void *run(void *argument) {
  program *p = argument;
  for (int i = 0; i < OWN; i++)
    new_slot(p, &p->slots[i]);
  for (int i = OWN; i < QUEUES; i++)
    p->slots[i].serial = ++p->serials;
  for (int i = 0; i < BUFFERS; i++)
    new_content(p, &p->contents[i]);
  for (int i = 0; i < QUEUES; i++)
    p->slots[i].last = p->slots[i].barrier = -1;
  for (unsigned i = 0; i < STEPS && !p->is_broken; i++)
    step(p, true);
  synchronize(p);
  for (int i = 0; i < BUFFERS; i++) {
    unsigned char got[BYTES];
    WORKS(piEnqueueMemBufferRead(p->slots[0].queue, p->contents[i].mem, PI_TRUE, 0, BYTES, got, 0,
                                 NULL, NULL));
    CHECK(memcmp(got, p->contents[i].model, BYTES) == 0);
    WORKS(piMemRelease(p->contents[i].mem));
  }
  for (int i = 0; i < OWN; i++)
    WORKS(piQueueRelease(p->slots[i].queue));
  for (int i = 0; i < 2000 && atomic_load(&p->called) < atomic_load(&p->due); i++)
    nanosleep(&(struct timespec){0, 1000 * 1000}, NULL);
  CHECK(atomic_load(&p->called) == atomic_load(&p->due));
  return NULL;
}

/* Finds the devices, and parts of the first one. */
static unsigned find_devices(pi_device *devices) {
  pi_uint32 count = 0;
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, devices, &count));
  unsigned all = count < 2 ? count : 2;
  const pi_device_partition_property by_numa[] = {PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                  PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
  must(piDevicePartition(devices[0], by_numa, 0, NULL, &count));
  if (count >= 2) {
    must(piDevicePartition(devices[0], by_numa, 2, devices + all, NULL));
    all += 2;
  }
  return all;
}

static unsigned seeds(unsigned own) {
  const char *given = getenv("SPECPI_TEST_SEEDS");
  return given ? (unsigned)strtoul(given, NULL, 10) : own;
}

static program programs[THREADS];

/* Runs count programs at a time, which share two queues. */
static void run_programs(unsigned seed, unsigned count) {
  static const pi_queue_properties flags[SHARED] = {IN_ORDER, OUT_OF_ORDER};
  pi_context context = context_of_all();
  pi_device devices[4];
  const unsigned device_count = find_devices(devices);
  pthread_t threads[THREADS];
  pi_queue shared[SHARED];
  for (int i = 0; i < SHARED; i++)
    must(piQueueCreate(context, devices[0], flags[i], &shared[i]));
  for (unsigned t = 0; t < count; t++) {
    program *p = &programs[t];
    memset(p, 0, sizeof *p);
    p->seed = p->random = seed * THREADS + t;
    p->context = context;
    p->device_count = device_count;
    memcpy(p->devices, devices, sizeof devices);
    for (int i = 0; i < SHARED; i++)
      p->slots[OWN + i] = (slot){shared[i], 0, flags[i] == IN_ORDER, -1, -1};
  }
  for (unsigned t = 1; t < count; t++)
    assert_int_equal(pthread_create(&threads[t], NULL, run, &programs[t]), 0);
  run(&programs[0]);
  for (unsigned t = 1; t < count; t++)
    pthread_join(threads[t], NULL);
  for (unsigned t = 0; t < count; t++)
    assert_false(programs[t].is_broken);
  for (int i = 0; i < SHARED; i++)
    must(piQueueRelease(shared[i]));
  must(piContextRelease(context));
}

WORLD_TEST(one_thread_s_bytes_are_right) {
  for (unsigned seed = 1; seed <= seeds(12); seed++)
    run_programs(seed, 1);
}

WORLD_TEST(many_threads_bytes_are_right) {
  for (unsigned seed = 1; seed <= seeds(3); seed++)
    run_programs(1000 + seed, THREADS);
}
