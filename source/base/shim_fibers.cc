#include <tessera/base/shim.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <ucontext.h>
#include <vector>

#ifdef __SANITIZE_ADDRESS__
#  include <sanitizer/common_interface_defs.h>
#endif

namespace tessera::shim
{
  Position current = {0, 0, 0, 0};

  namespace
  {
    constexpr std::size_t stack_bytes = 512 * 1024;

    struct Fiber
    {
      ucontext_t context;
      std::unique_ptr<char[]> stack{new char[stack_bytes]};
      State state            = State::running;
      unsigned int exchanges = 0;
      /// What the sanitizer keeps of this stack while another one runs.
      void *shadow = nullptr;
    };

    std::vector<Fiber> fibers;
    ucontext_t scheduler;
    void *scheduler_shadow      = nullptr;
    const void *scheduler_stack = nullptr;
    std::size_t scheduler_size  = 0;
    const std::function<void()> *body;
    std::exception_ptr failure;

    struct Word
    {
      unsigned char bytes[8];
    };
    /// [exchange parity][thread]: a lane is at most one exchange ahead of the
    /// others, so two copies keep it from overwriting what they read.
    std::vector<Word> words[2];

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
      swapcontext(&fiber.context, &scheduler);
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
      before_switch(&scheduler_shadow, fiber.stack.get(), stack_bytes);
      swapcontext(&scheduler, &fiber.context);
      after_switch(scheduler_shadow, nullptr, nullptr);
    }

    void
    start(Fiber &fiber)
    {
      fiber.state     = State::running;
      fiber.exchanges = 0;
      fiber.shadow    = nullptr;
      getcontext(&fiber.context);
      fiber.context.uc_stack.ss_sp   = fiber.stack.get();
      fiber.context.uc_stack.ss_size = stack_bytes;
      fiber.context.uc_link          = nullptr;
      makecontext(&fiber.context, enter, 0);
    }

    /// The state that threads [first, last) share; throws where they differ.
    State
    common_state(const int first, const int last)
    {
      for (int thread = first + 1; thread < last; ++thread)
        if (fibers[thread].state != fibers[first].state)
          throw std::logic_error(
            "divergent threads: not all reached the same barrier or shuffle");
      return fibers[first].state;
    }

    /// Runs the threads of a warp until all wait at the block's barrier or are
    /// done.
    void
    run_warp(const int first, const int last)
    {
      do
        {
          for (int thread = first; thread < last && !failure; ++thread)
            resume(thread);
          if (failure)
            std::rethrow_exception(failure);
      } while (common_state(first, last) == State::at_exchange);
    }

    void
    run_block()
    {
      for (Fiber &fiber : fibers)
        start(fiber);
      do
        for (int warp = 0; warp < current.n_threads; warp += 32)
          run_warp(warp, std::min(warp + 32, current.n_threads));
      while (common_state(0, current.n_threads) != State::done);
    }
  } // namespace

  void
  run(const int n_blocks, const int n_threads,
      const std::function<void()> &thread)
  {
    fibers.resize(n_threads);
    words[0].resize(n_threads);
    words[1].resize(n_threads);
    body    = &thread;
    failure = nullptr;
    for (int block = 0; block < n_blocks; ++block)
      {
        current = {0, block, n_threads, n_blocks};
        run_block();
      }
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
