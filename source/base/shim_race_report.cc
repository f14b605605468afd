#include <link.h>

#include <cstring>

#include "shim_races.h"

#ifdef __SANITIZE_ADDRESS__
#  include <sanitizer/asan_interface.h>
#  include <sanitizer/common_interface_defs.h>
#endif

namespace tessera::shim::races
{
  bool
  is_static(const std::uintptr_t address)
  {
    struct Query
    {
      std::uintptr_t address;
      bool found;
    } query            = {address, false};
    const auto segment = [](dl_phdr_info *const info, std::size_t,
                            void *const data) {
      auto &q = *static_cast<Query *>(data);
      for (int i = 0; i < info->dlpi_phnum; ++i)
        {
          const auto &header          = info->dlpi_phdr[i];
          const std::uintptr_t offset = q.address - info->dlpi_addr;
          q.found |= header.p_type == PT_LOAD &&
                     offset - header.p_vaddr < header.p_memsz;
        }
      return int(q.found);
    };
    dl_iterate_phdr(segment, &query);
    return query.found;
  }

  namespace
  {
    std::string
    describe(const Kind kind, const Slice &slice,
             [[maybe_unused]] const void *const code)
    {
      const char *const verb[] = {" reads", " writes", " adds atomically"};
      std::string text         = "thread " + std::to_string(slice.thread) +
                         " of block " + std::to_string(slice.block) +
                         verb[static_cast<int>(kind)];
#ifdef __SANITIZE_ADDRESS__
      char place[512] = "";
      void *const at  = const_cast<void *>(code);
      __sanitizer_symbolize_pc(at, "%s:%l", place, sizeof(place));
      if (place[0] == '<') // without debugging information
        __sanitizer_symbolize_pc(at, "%f", place, sizeof(place));
      const char *const file = std::strrchr(place, '/');
      text += std::string(" (") + (file ? file + 1 : place) + ")";
#endif
      return text;
    }

    std::string
    describe_place(const std::uintptr_t address)
    {
      if (is_static(address))
        return "in shared memory";
      std::string text = "in global memory";
#ifdef __SANITIZE_ADDRESS__
      char name[64];
      void *begin       = nullptr;
      std::size_t bytes = 0;
      __asan_locate_address(reinterpret_cast<void *>(address), name,
                            sizeof(name), &begin, &bytes);
      if (begin != nullptr)
        text +=
          ", byte " +
          std::to_string(address - reinterpret_cast<std::uintptr_t>(begin)) +
          " of an array of " + std::to_string(bytes);
#endif
      return text;
    }
  } // namespace

  std::string
  describe(const Race &race, const std::int64_t n)
  {
    return "a race: " +
           describe(race.first_kind, race.first_slice, race.first.code) +
           ", and " +
           describe(race.second_kind, race.second_slice, race.second.code) +
           ", the same word " + describe_place(race.address) +
           ", and nothing orders them; " + std::to_string(n) +
           " such accesses until here";
  }
} // namespace tessera::shim::races
