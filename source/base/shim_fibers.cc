#include <tessera/base/shim.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#ifdef __SANITIZE_ADDRESS__
#  include <sanitizer/common_interface_defs.h>
#endif

/// Saves the registers that a call preserves on this stack, leaves the stack
/// pointer in *from and goes on where the stack `to` was left. swapcontext()
/// does the same but asks the kernel for the signal mask, which takes most of
/// the time of a test.
extern "C" [[gnu::visibility("hidden")]] void
tessera_switch_stack(void **from, void *to);

asm(R"(
.text
.type tessera_switch_stack, @function
tessera_switch_stack:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
.size tessera_switch_stack, . - tessera_switch_stack
)");

namespace tessera::shim
{
  Position current = {0, 0, 0, 0};

  namespace
  {
    constexpr std::size_t stack_bytes = 512 * 1024;

    struct Fiber
    {
      void *stack_pointer = nullptr;
      std::unique_ptr<char[]> stack{new char[stack_bytes]};
      State state            = State::running;
      unsigned int exchanges = 0;
      /// What the sanitizer keeps of this stack while another one runs.
      void *shadow = nullptr;
    };

    std::vector<Fiber> fibers;
    void *scheduler_pointer     = nullptr;
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
      tessera_switch_stack(&fiber.stack_pointer, scheduler_pointer);
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
      tessera_switch_stack(&scheduler_pointer, fiber.stack_pointer);
      after_switch(scheduler_shadow, nullptr, nullptr);
    }

    void
    start(Fiber &fiber)
    {
      fiber.state     = State::running;
      fiber.exchanges = 0;
      fiber.shadow    = nullptr;
      // From the top: a return address that is never used, `enter` as the one
      // of the first switch, and six registers. At `enter`, the stack pointer
      // is 8 below a multiple of 16, as after a call.
      const auto top =
        reinterpret_cast<std::uintptr_t>(fiber.stack.get() + stack_bytes) &
        ~std::uintptr_t(15);
      auto *const frame = reinterpret_cast<std::uintptr_t *>(top) - 8;
      std::fill_n(frame, 8, std::uintptr_t(0));
      frame[6]            = reinterpret_cast<std::uintptr_t>(&enter);
      fiber.stack_pointer = frame;
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
