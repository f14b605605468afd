#include <tessera/base/shim.h>
#include <tessera/base/shim_together.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

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

    struct Fiber
    {
      void *top = nullptr; ///< top of its stack while another fiber runs
      std::unique_ptr<char[]> stack{new char[stack_bytes]};
      State state            = State::running;
      bool together          = false; ///< waits for all blocks, not for its own
      unsigned int exchanges = 0;
      /// The sanitizer's record of this stack while another fiber runs.
      void *shadow = nullptr;
    };

    std::vector<Fiber> all_fibers;
    Fiber *fibers               = nullptr; ///< of the running block
    void *scheduler_top         = nullptr;
    void *scheduler_shadow      = nullptr;
    const void *scheduler_stack = nullptr;
    std::size_t scheduler_size  = 0;
    const std::function<void()> *body;
    std::exception_ptr failure;

    struct Word
    {
      unsigned char bytes[8];
    };
    /// The exchanged words, [exchange parity][thread]. A lane is at most one
    /// exchange ahead of the others, so two copies keep it from overwriting
    /// what they still read.
    std::vector<Word> words[2];

    /// The numbers 0, ..., n - 1, n <= 1024, in an order that is drawn anew:
    /// number k is `first` + k `step` modulo a power of two, if it is below n.
    class Order
    {
    public:
      explicit Order(const int n) : n(n)
      {
        while (size < n)
          size *= 2;
        if (seed() == 0)
          return;
        // This is xorshift, whose high bits are the better ones.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        first = static_cast<int>(state >> 40);
        step  = static_cast<int>(state >> 50) * 2 + 1;
      }

      template <class Visit>
      void
      visit(const Visit &visit) const
      {
        for (int k = 0; k < size; ++k)
          {
            const int number = (first + k * step) % size;
            if (number < n)
              visit(number);
          }
      }

      static unsigned long
      seed()
      {
        static const char *const text = std::getenv("TESSERA_SHIM_SEED");
        static const unsigned long value =
          text ? std::strtoul(text, nullptr, 10) : 1;
        return value;
      }

    private:
      static std::uint64_t state;
      int n;
      int size  = 1;
      int first = 0;
      int step  = 1;
    };

    std::uint64_t Order::state = 0x9e3779b97f4a7c15u * Order::seed();

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

    void
    to_scheduler(Fiber &fiber)
    {
      before_switch(fiber.state == State::done ? nullptr : &fiber.shadow,
                    scheduler_stack, scheduler_size);
      tessera_shim_switch(&fiber.top, scheduler_top);
      after_switch(fiber.shadow, &scheduler_stack, &scheduler_size);
    }

    void
    enter()
    {
      after_switch(nullptr, &scheduler_stack, &scheduler_size);
      Fiber &fiber = fibers[current.thread];
      try
        {
          (*body)();
        }
      catch (...)
        {
          failure = std::current_exception();
        }
      fiber.state = State::done;
      to_scheduler(fiber);
    }

    void
    resume(const int thread)
    {
      current.thread = thread;
      Fiber &fiber   = fibers[thread];
      fiber.state    = State::running;
      fiber.together = false;
      races::begin_thread(fiber.stack.get(), stack_bytes);
      before_switch(&scheduler_shadow, fiber.stack.get(), stack_bytes);
      tessera_shim_switch(&scheduler_top, fiber.top);
      after_switch(scheduler_shadow, nullptr, nullptr);
      races::end_thread();
    }

    /// Clears the sanitizer's marks of frames that never returned: the last
    /// frame of a thread that reached its end, or all frames of a thread that
    /// did not.
    void
    forget_frames([[maybe_unused]] const Fiber &fiber)
    {
#ifdef __SANITIZE_ADDRESS__
      const std::size_t bytes = fiber.state == State::done ? 1024 : stack_bytes;
      __asan_unpoison_memory_region(fiber.stack.get() + stack_bytes - bytes,
                                    bytes);
#endif
    }

    void
    start(Fiber &fiber)
    {
      forget_frames(fiber);
      fiber.state     = State::running;
      fiber.exchanges = 0;
      fiber.shadow    = nullptr;
      // Set up the stack as if `enter` had been called and had switched at
      // once: six registers, the address to continue at, and no caller. The
      // stack is aligned to 16 bytes.
      const auto end =
        reinterpret_cast<std::uintptr_t>(fiber.stack.get()) + stack_bytes;
      void **const top = reinterpret_cast<void **>(end / 16 * 16) - 8;
      std::fill(top, top + 8, nullptr);
      top[6]    = reinterpret_cast<void *>(&enter);
      fiber.top = top;
    }

    /// Returns the state that threads [first, last) share. Throws
    /// std::logic_error if their states differ.
    State
    common_state(const int first, const int last)
    {
      for (int thread = first + 1; thread < last; ++thread)
        if (fibers[thread].state != fibers[first].state ||
            fibers[thread].together != fibers[first].together)
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
          Order(last - first).visit([&](const int lane) {
            if (!failure)
              resume(first + lane);
          });
          if (failure)
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

    /// Runs the current block until it has ended or waits for the others, and
    /// returns true if it has ended.
    bool
    run_block()
    {
      for (;;)
        {
          races::begin_phase();
          Order((current.n_threads + 31) / 32).visit([](const int warp) {
            races::begin_warp_phase();
            run_warp(32 * warp, std::min(32 * (warp + 1), current.n_threads));
          });
          const State state = common_state(0, current.n_threads);
          if (state == State::done || fibers->together)
            return state == State::done;
        }
    }

    /// Makes `n_fibers` of them, as of `n_threads` threads a block.
    void
    prepare(const std::size_t n_fibers, const int n_threads,
            const std::function<void()> &thread)
    {
      if (all_fibers.size() < n_fibers)
        all_fibers.resize(n_fibers);
      words[0].resize(n_threads);
      words[1].resize(n_threads);
      body    = &thread;
      failure = nullptr;
      races::begin_all();
    }

    void
    start_block(Fiber *const of_block, const int n_threads)
    {
      fibers = of_block;
      for (int thread = 0; thread < n_threads; ++thread)
        start(fibers[thread]);
    }
  } // namespace

  void
  run(const int n_blocks, const int n_threads,
      const std::function<void()> &thread)
  {
    prepare(n_threads, n_threads, thread);
    for (int block = 0; block < n_blocks; ++block)
      {
        current = {0, block, n_threads, n_blocks};
        start_block(all_fibers.data(), n_threads);
        if (!run_block())
          throw std::logic_error("a block waits for others that are not there");
      }
  }

  void
  run_together(const int n_blocks, const int n_threads,
               const std::function<void()> &thread)
  {
    prepare(std::size_t(n_blocks) * n_threads, n_threads, thread);
    for (int block = 0; block < n_blocks; ++block)
      start_block(all_fibers.data() + std::size_t(block) * n_threads,
                  n_threads);
    for (int n_done = 0; n_done < n_blocks;)
      {
        n_done = 0;
        races::begin_all();
        for (int block = 0; block < n_blocks; ++block)
          {
            current = {0, block, n_threads, n_blocks};
            fibers  = all_fibers.data() + std::size_t(block) * n_threads;
            n_done += run_block();
          }
        if (n_done != 0 && n_done != n_blocks)
          throw std::logic_error("some blocks wait for others that have ended");
      }
  }

  void
  wait_for_all_blocks()
  {
    fibers[current.thread].together = true;
    wait(State::at_barrier);
  }

  void
  wait(const State state)
  {
    Fiber &fiber = fibers[current.thread];
    fiber.state  = state;
    to_scheduler(fiber);
  }

  void
  exchange(const void *value, const std::size_t bytes, const int source,
           void *result)
  {
    const int thread    = current.thread;
    unsigned int parity = fibers[thread].exchanges++ % 2;
    std::memcpy(words[parity][thread].bytes, value, bytes);
    wait(State::at_exchange);
    std::memcpy(result, words[parity][thread - thread % 32 + source].bytes,
                bytes);
  }
} // namespace tessera::shim
