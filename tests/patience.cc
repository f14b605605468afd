#include <ctime>
#include <sched.h>

// Open MPI has no way to wait that leaves a core idle: a process that waits for
// messages polls, and offers its core to others between two polls. Tests load
// this library before it, so that such a process sleeps for as long as the
// kernel's timers take, about 50 microseconds. Several processes then work on
// few cores, beside other tests, without taking cores from each other.
extern "C" int
sched_yield() noexcept
{
  const timespec shortest{0, 1};
  return nanosleep(&shortest, nullptr);
}
