#include <tessera/base/shim.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "shim_order.h"
#include "shim_races.h"

#ifdef __SANITIZE_ADDRESS__
#  include <sanitizer/asan_interface.h>
#  include <sanitizer/common_interface_defs.h>
#endif

// Switches stacks: saves the registers that a call preserves (System V ABI,
// x86-64) on the current stack, stores its top in *from and continues where the
// stack `to` was left. swapcontext does the same with two more system calls.
extern "C" void
tessera_shim_switch(void **from, void *to);
asm(R"(
  .text
  .globl tessera_shim_switch
  .type tessera_shim_switch, @function
tessera_shim_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size tessera_shim_switch, .-tessera_shim_switch
)");

namespace tessera::shim
{
  Position current = {0, 0, 0, 0};

  namespace
  {
    constexpr std::size_t stack_bytes = 512 * 1024;
    /// Below each stack, so that it does not grow into the next one unnoticed.
    constexpr std::size_t guard_bytes = 4096;

    struct Fiber
    {
      void *top              = nullptr; ///< of its stack while another one runs
      char *stack            = nullptr;
      State state            = State::running;
      unsigned int exchanges = 0;
      /// In the first thread of a warp: the sanitizer's record of its stacks
      /// while the scheduler runs.
      void *shadow = nullptr;
    };

    /// Stacks are side by side: to the sanitizer, the stacks of a warp are one,
    /// and it need not be told which of them is in use.
    std::unique_ptr<char[]> stacks;
    std::vector<Fiber> all_fibers;
    Fiber *fibers               = nullptr; ///< of the running block
    void *scheduler_top         = nullptr;
    void *scheduler_shadow      = nullptr;
    const void *scheduler_stack = nullptr;
    std::size_t scheduler_size  = 0;
    bool from_scheduler         = false; ///< the first lane is about to run
    const std::function<void()> *body;
    std::exception_ptr failure;
    bool failed = false; ///< there is a `failure`

    struct Word
    {
      unsigned char bytes[8];
    };
    /// The exchanged words, [exchange parity][thread]. A lane is at most one
    /// exchange ahead of the others, so two copies keep it from overwriting
    /// what they still read.
    constexpr int max_threads = 1024; ///< of a block
    Word words[2][max_threads];

    TESSERA_UNWATCHED void
    copy_word(void *const to, const void *const from, const std::size_t bytes)
    {
      if (bytes == 8)
        __builtin_memcpy(to, from, 8);
      else if (bytes == 4)
        __builtin_memcpy(to, from, 4);
      else
        for (std::size_t i = 0; i < bytes; ++i)
          static_cast<char *>(to)[i] = static_cast<const char *>(from)[i];
    }

    int warp = 0;   ///< the first thread of the running warp
    Order lanes(0); ///< of the running warp, whose turn it will be

    void
    before_switch([[maybe_unused]] void **shadow,
                  [[maybe_unused]] const void *stack,
                  [[maybe_unused]] std::size_t bytes)
    {
#ifdef __SANITIZE_ADDRESS__
      __sanitizer_start_switch_fiber(shadow, stack, bytes);
#endif
    }

    void
    after_switch([[maybe_unused]] void *shadow,
                 [[maybe_unused]] const void **stack,
                 [[maybe_unused]] std::size_t *bytes)
    {
#ifdef __SANITIZE_ADDRESS__
      __sanitizer_finish_switch_fiber(shadow, stack, bytes);
#endif
    }

    /// Continues the next lane of the running warp and stores the top of the
    /// stack that is left in *from. Returns false if all have had their turn,
    /// and otherwise when it is the turn of this stack again.
    TESSERA_UNWATCHED bool
    run_next_lane(void **const from)
    {
      int lane;
      if (!lanes.next(lane))
        return false;
      current.thread = warp + lane;
      Fiber &fiber   = fibers[current.thread];
      fiber.state    = State::running;
      races::begin_thread(fiber.stack, stack_bytes);
      tessera_shim_switch(from, fiber.top);
      return true;
    }

    /// Tells the sanitizer if the scheduler has continued this fiber.
    TESSERA_UNWATCHED void
    arrive()
    {
      if (!from_scheduler)
        return;
      from_scheduler = false;
      after_switch(fibers[warp].shadow, &scheduler_stack, &scheduler_size);
    }

    /// Runs the other lanes, and the scheduler after the last one or a failure.
    TESSERA_UNWATCHED void
    give_way(Fiber &fiber)
    {
      races::end_thread();
      if (failed || !run_next_lane(&fiber.top))
        {
          before_switch(fiber.state == State::done ? nullptr
                                                   : &fibers[warp].shadow,
                        scheduler_stack, scheduler_size);
          tessera_shim_switch(&fiber.top, scheduler_top);
        }
      arrive();
    }

    /// The sanitizer leaves no marks of this frame, which never returns.
    TESSERA_UNWATCHED void
    enter()
    {
      arrive();
      Fiber &fiber = fibers[current.thread];
      try
        {
          (*body)();
          fiber.state = State::done;
        }
      catch (...)
        {
          failure = std::current_exception();
          failed  = true;
        }
      give_way(fiber);
    }

    /// Runs the lanes of a warp until each of them has given way.
    void
    resume(const int first, const int last)
    {
      warp             = first;
      lanes            = Order(last - first);
      from_scheduler   = true;
      char *const low  = fibers[first].stack;
      char *const high = fibers[last - 1].stack + stack_bytes;
      before_switch(&scheduler_shadow, low, high - low);
      run_next_lane(&scheduler_top);
      after_switch(scheduler_shadow, nullptr, nullptr);
    }

    /// Clears the sanitizer's marks of frames of a thread that did not reach
    /// its end, and marks what is below the stack.
    void
    forget_frames([[maybe_unused]] const Fiber &fiber)
    {
#ifdef __SANITIZE_ADDRESS__
      __asan_unpoison_memory_region(fiber.stack, stack_bytes);
      __asan_poison_memory_region(fiber.stack - guard_bytes, guard_bytes);
#endif
    }

    void
    start(Fiber &fiber)
    {
      if (fiber.state != State::done)
        forget_frames(fiber);
      fiber.state     = State::running;
      fiber.exchanges = 0;
      fiber.shadow    = nullptr;
      // Set up the stack as if `enter` had been called and had switched at
      // once: six registers, the address to continue at, and no caller. The
      // stack is aligned to 16 bytes.
      const auto end =
        reinterpret_cast<std::uintptr_t>(fiber.stack) + stack_bytes;
      void **const top = reinterpret_cast<void **>(end / 16 * 16) - 8;
      std::fill(top, top + 8, nullptr);
      top[6]    = reinterpret_cast<void *>(&enter);
      fiber.top = top;
    }

    /// Returns the state that threads [first, last) share. Throws
    /// std::logic_error if their states differ.
    TESSERA_UNWATCHED State
    common_state(const int first, const int last)
    {
      for (int thread = first + 1; thread < last; ++thread)
        if (fibers[thread].state != fibers[first].state)
          throw std::logic_error(
            "divergent threads: not all reached the same barrier or shuffle");
      return fibers[first].state;
    }

    /// Runs the threads of a warp until all of them wait at the block's barrier
    /// or have ended.
    void
    run_warp(const int first, const int last)
    {
      for (;;)
        {
          resume(first, last);
          if (failed)
            std::rethrow_exception(failure);
          if (races::found())
            throw std::logic_error(
              races::take_report() +
              " (TESSERA_SHIM_SEED=" + std::to_string(Order::seed()) + ")");
          const State state = common_state(first, last);
          if (state == State::at_warp_barrier)
            races::begin_warp_phase();
          else if (state != State::at_exchange)
            return;
        }
    }

    /// Runs the current block until it has ended.
    void
    run_block()
    {
      for (;;)
        {
          races::begin_phase();
          Order warps((current.n_threads + 31) / 32);
          for (int number; warps.next(number);)
            {
              races::begin_warp_phase();
              run_warp(32 * number,
                       std::min(32 * (number + 1), current.n_threads));
            }
          if (common_state(0, current.n_threads) == State::done)
            return;
        }
    }

    /// Makes the fibers of a block, which will run `thread`. Throws
    /// std::logic_error if it has more threads than a device allows.
    void
    prepare(const int n_threads, const std::function<void()> &thread)
    {
      const auto n_fibers = static_cast<std::size_t>(n_threads);
      if (n_threads > max_threads)
        throw std::logic_error("a block of more than 1024 threads");
      if (all_fibers.size() < n_fibers)
        {
          constexpr std::size_t bytes = guard_bytes + stack_bytes;
          all_fibers.assign(n_fibers, Fiber());
          stacks.reset(); // before the new ones, for memory
          stacks.reset(new char[n_fibers * bytes]);
          for (std::size_t i = 0; i < n_fibers; ++i)
            all_fibers[i].stack = &stacks[i * bytes + guard_bytes];
        }
      body    = &thread;
      failure = nullptr;
      failed  = false;
      races::begin_all();
    }

    void
    start_block(const int n_threads)
    {
      fibers = all_fibers.data();
      for (int thread = 0; thread < n_threads; ++thread)
        start(fibers[thread]);
    }
  } // namespace

  void
  run(const int n_blocks, const int n_threads,
      const std::function<void()> &thread)
  {
    prepare(n_threads, thread);
    for (int block = 0; block < n_blocks; ++block)
      {
        current = {0, block, n_threads, n_blocks};
        start_block(n_threads);
        run_block();
      }
  }

  TESSERA_UNWATCHED void
  wait(const State state)
  {
    Fiber &fiber = fibers[current.thread];
    fiber.state  = state;
    give_way(fiber);
  }

  TESSERA_UNWATCHED void
  exchange(const void *value, const std::size_t bytes, const int source,
           void *result)
  {
    const int thread = current.thread;
    const int from   = thread - thread % 32 + source;
    if (from < 0 || from >= current.n_threads)
      throw std::logic_error("a shuffle reads a lane that is not there");
    const unsigned int parity = fibers[thread].exchanges++ % 2;
    copy_word(words[parity][thread].bytes, value, bytes);
    wait(State::at_exchange);
    copy_word(result, words[parity][from].bytes, bytes);
  }
} // namespace tessera::shim
