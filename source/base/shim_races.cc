#include <tessera/base/shim.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "shim_races.h"

namespace tessera::shim
{
  using namespace races;

  namespace
  {
    constexpr std::uintptr_t word_bytes = 4, page_bytes = 4096;

    /// The last accesses to a word. Reads are the last one, the last of another
    /// block, and the last of another thread of the same block: a write that
    /// races with any read races with one of these.
    struct Word
    {
      Access write, atomic, reads[3];
    };

    struct Page
    {
      bool of_program; ///< static variables, which are shared memory
      Word words[page_bytes / word_bytes];
    };

    struct Fence
    {
      std::uint32_t slice = 0;
      int thread          = 0;
      unsigned int phase  = 0;
    };

    bool watching = false; ///< there is code whose accesses are seen
    bool running  = false;
    std::uintptr_t stack_begin, stack_bytes;
    std::vector<Slice> all_slices;
    Slice *slices           = nullptr; ///< of this launch, from `oldest` on
    std::uint32_t oldest    = 1;
    std::uint32_t now       = 0;
    unsigned int phase      = 0;
    unsigned int warp_phase = 0;
    std::int64_t n_races    = 0;
    std::unique_ptr<Race> race;
    std::vector<Race> unsettled; ///< depend on a write of the running thread
    std::unordered_map<int, Fence> fences; ///< the last of each block

    std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages;
    struct Recent
    {
      std::uintptr_t page = 0;
      Page *data          = nullptr;
    };
    constexpr std::size_t n_recent = 1024;
    Recent recent[n_recent];

    Page *
    find_page(const std::uintptr_t page)
    {
      auto &data = pages[page];
      if (!data)
        {
          data             = std::make_unique<Page>();
          data->of_program = is_static(page * page_bytes);
        }
      recent[page % n_recent] = {page, data.get()};
      return data.get();
    }

    TESSERA_UNWATCHED Page *
    page_of(const std::uintptr_t address)
    {
      const std::uintptr_t page = address / page_bytes;
      const Recent &found       = recent[page % n_recent];
      return found.page == page ? found.data : find_page(page);
    }

    /// Returns true if the blocks of both slices have fences between them.
    bool
    is_fenced(const Slice &first, const std::uint32_t first_slice,
              const Slice &second)
    {
      const auto left = fences.find(first.block);
      const auto came = fences.find(second.block);
      return left != fences.end() && came != fences.end() &&
             left->second.slice > first_slice &&
             (left->second.phase > first.phase ||
              left->second.thread == first.thread) &&
             came->second.slice > left->second.slice;
    }

    TESSERA_UNWATCHED bool
    has_changed(const std::uintptr_t address, const Access &since)
    {
      const std::uintptr_t word = address / word_bytes * word_bytes;
      return ((*reinterpret_cast<const std::uint32_t *>(word) ^ since.old) &
              since.bits) != 0;
    }

    /// Notes the race if `before` and what the running thread does are not
    /// ordered. Whether it changes the word is known when it has done it.
    TESSERA_UNWATCHED void
    compare(const Access &before, const Kind kind, const Access &mine,
            const Kind my_kind, const bool shared, const std::uintptr_t address)
    {
      if (before.slice < oldest || before.slice == now ||
          (before.bits & mine.bits) == 0)
        return;
      if (my_kind == Kind::read && !has_changed(address, before))
        return;
      const Slice &a = slices[before.slice - oldest];
      const Slice &b = slices[now - oldest];
      if (a.block != b.block ? shared || is_fenced(a, before.slice, b)
                             : a.thread == b.thread || a.phase != b.phase ||
                                 (a.thread / 32 == b.thread / 32 &&
                                  a.warp_phase != b.warp_phase))
        return;
      const Race found = {before, mine, kind, my_kind, a, b, address};
      if (my_kind != Kind::read)
        unsettled.push_back(found);
      else if (n_races++ == 0)
        race = std::make_unique<Race>(found);
    }

    /// Decides about the writes of a thread that is about to give way.
    void
    settle()
    {
      for (const Race &found : unsettled)
        if (has_changed(found.address, found.second) && n_races++ == 0)
          race = std::make_unique<Race>(found);
      unsettled.clear();
    }

    TESSERA_UNWATCHED void
    note_read(Word &word, const Access &mine)
    {
      Access &last = word.reads[0];
      if (last.slice >= oldest && last.slice != now)
        {
          const Slice &a = slices[last.slice - oldest];
          const Slice &b = slices[now - oldest];
          if (a.block != b.block)
            {
              word.reads[1] = last;
              word.reads[2] = {};
            }
          else if (a.thread != b.thread)
            word.reads[2] = last;
        }
      const std::uint32_t bits = last.slice == now ? last.bits : 0;
      last                     = mine;
      last.bits |= bits;
    }

    TESSERA_UNWATCHED void
    note_word(const Kind kind, Word &word, const Access &mine,
              const bool shared, const std::uintptr_t address)
    {
      compare(word.write, Kind::write, mine, kind, shared, address);
      if (kind != Kind::atomic)
        compare(word.atomic, Kind::atomic, mine, kind, shared, address);
      if (kind == Kind::read)
        return note_read(word, mine);
      for (const Access &read : word.reads)
        compare(read, Kind::read, mine, kind, shared, address);
      Access &last = kind == Kind::write ? word.write : word.atomic;
      if (last.slice == now)
        last.bits |= mine.bits;
      else
        last = mine;
    }

    TESSERA_UNWATCHED void
    note(const Kind kind, const void *const pointer, const std::size_t n_bytes,
         const void *const code)
    {
      const auto address = reinterpret_cast<std::uintptr_t>(pointer);
      if (!running || address - stack_begin < stack_bytes)
        return;
      const std::uintptr_t end = address + n_bytes;
      for (std::uintptr_t at = address; at < end;)
        {
          const std::uintptr_t first = at % word_bytes;
          const std::uintptr_t word  = at - first;
          const std::uintptr_t last =
            end - word < word_bytes ? end - word : word_bytes;
          const std::uint32_t bits = (~0u >> 8 * (word_bytes - (last - first)))
                                     << 8 * first;
          const Access mine = {
            now, bits, *reinterpret_cast<const std::uint32_t *>(word), code};
          Page *const page = page_of(at);
          note_word(kind, page->words[at % page_bytes / word_bytes], mine,
                    page->of_program, at);
          at = word + word_bytes;
        }
    }

    void
    begin_slice(const Slice &slice)
    {
      all_slices.push_back(slice);
      slices = all_slices.data();
      now    = oldest + static_cast<std::uint32_t>(all_slices.size()) - 1;
    }

  } // namespace

  namespace races
  {
    void
    begin_all()
    {
      oldest += static_cast<std::uint32_t>(all_slices.size());
      all_slices.clear();
      fences.clear();
    }

    void
    begin_phase()
    {
      ++phase;
    }

    void
    begin_warp_phase()
    {
      ++warp_phase;
    }

    TESSERA_UNWATCHED void
    begin_thread(const void *const stack, const std::size_t bytes)
    {
      if (!watching)
        return;
      stack_begin = reinterpret_cast<std::uintptr_t>(stack);
      stack_bytes = bytes;
      begin_slice({current.block, current.thread, phase, warp_phase});
      running = true;
    }

    TESSERA_UNWATCHED void
    end_thread()
    {
      if (!running)
        return;
      running = false;
      settle();
    }

    bool
    found()
    {
      return n_races > 0;
    }

    std::string
    take_report()
    {
      const std::string text = race ? describe(*race, n_races) : "";
      race.reset();
      n_races = 0;
      return text;
    }
  } // namespace races

  void
  note_atomic(const void *const word, const std::size_t bytes,
              const void *const code)
  {
    note(Kind::atomic, word, bytes, code);
  }

  void
  note_fence()
  {
    if (!running)
      return;
    begin_slice({current.block, current.thread, phase, warp_phase});
    fences[current.block] = {now, current.thread, phase};
  }
} // namespace tessera::shim

#ifdef TESSERA_SANITIZED // only the library of the tests defines these
// Code that is compiled with -fsanitize=thread calls these functions.
using tessera::shim::note;
using tessera::shim::races::Kind;

#  define TESSERA_ACCESSES(bytes)                                \
    TESSERA_UNWATCHED void __tsan_read##bytes(void *p)           \
    {                                                            \
      note(Kind::read, p, bytes, __builtin_return_address(0));   \
    }                                                            \
    TESSERA_UNWATCHED void __tsan_write##bytes(void *p)          \
    {                                                            \
      note(Kind::write, p, bytes, __builtin_return_address(0));  \
    }                                                            \
    TESSERA_UNWATCHED void __tsan_volatile_read##bytes(void *p)  \
    {                                                            \
      note(Kind::atomic, p, bytes, __builtin_return_address(0)); \
    }                                                            \
    TESSERA_UNWATCHED void __tsan_volatile_write##bytes(void *p) \
    {                                                            \
      note(Kind::atomic, p, bytes, __builtin_return_address(0)); \
    }

extern "C"
{
  void
  __tsan_init()
  {
    tessera::shim::watching = true;
  }
  TESSERA_ACCESSES(1)
  TESSERA_ACCESSES(2)
  TESSERA_ACCESSES(4)
  TESSERA_ACCESSES(8)
  TESSERA_ACCESSES(16)
  TESSERA_UNWATCHED void
  __tsan_read_range(void *p, std::size_t bytes)
  {
    note(Kind::read, p, bytes, __builtin_return_address(0));
  }
  TESSERA_UNWATCHED void
  __tsan_write_range(void *p, std::size_t bytes)
  {
    note(Kind::write, p, bytes, __builtin_return_address(0));
  }
  void
  __tsan_vptr_update(void *, void *)
  {}
}
#endif
