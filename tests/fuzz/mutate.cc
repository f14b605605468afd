#include "mutate.h"

#include <array>
#include <cstring>
#include <vector>

namespace tessera::fuzz
{
  namespace
  {
    const std::string digits = "0123456789.+-eE";

    /// Replaces a number of the text.
    void
    replace_number(std::string &text, Random &random)
    {
      static const std::array<std::string, 22> values = {
        {"-1",          "0",
         "1",           "2",
         "1e308",       "-1e308",
         "nan",         "inf",
         "-inf",        "2147483647",
         "2147483648",  "4294967295",
         "-2147483648", "99999999999999999999",
         "1e-320",      "",
         "0.5",         "1.",
         "x",           "1000000",
         "1e",          "9223372036854775807"}};
      const auto start = text.find_first_of(digits, below(random, text.size()));
      if (start == std::string::npos)
        return;
      const auto end = text.find_first_not_of(digits, start);
      const auto n   = (end == std::string::npos ? text.size() : end) - start;
      // A small number is often another vertex, which changes how cells meet.
      text.replace(start, n,
                   below(random, 2) == 0
                     ? std::to_string(below(random, 20))
                     : values[below(random, values.size())]);
    }


    void
    replace_bytes(std::string &text, Random &random)
    {
      static const std::array<long long, 8> values = {
        {0, 1, -1, 5, 0x7fffffff, 0x7fffffffffffffff, 0x7ff0000000000000, 15}};
      const std::size_t n = below(random, 2) ? 8 : 4;
      if (text.size() < n)
        return;
      const long long value = values[below(random, values.size())];
      std::memcpy(&text[below(random, text.size() - n + 1)], &value, n);
    }


    void
    change_lines(std::string &text, Random &random)
    {
      const auto begin_of_line = [&] {
        const auto place = text.find('\n', below(random, text.size()));
        return place == std::string::npos ? 0 : place + 1;
      };
      const auto end_of = [&](const std::size_t begin) {
        const auto place = text.find('\n', begin);
        return place == std::string::npos ? text.size() : place + 1;
      };
      const auto from        = begin_of_line();
      const std::string line = text.substr(from, end_of(from) - from);
      const auto kind        = below(random, 4);
      if (kind == 0)
        text.erase(from, line.size());
      else if (kind == 1)
        text.insert(from, line);
      else
        {
          if (kind == 2)
            text.erase(from, line.size());
          if (!text.empty())
            text.insert(begin_of_line(), line);
        }
    }
  } // namespace


  std::string
  mutate(std::string text, Random &random)
  {
    for (std::size_t n = 1 + below(random, 6); n > 0 && !text.empty(); --n)
      switch (below(random, 8))
        {
          case 0:
            text[below(random, text.size())] ^= 1 << below(random, 8);
            break;
          case 1:
            text[below(random, text.size())] =
              static_cast<char>(below(random, 256));
            break;
          case 2:
            replace_bytes(text, random);
            break;
          case 3:
          case 4:
            change_lines(text, random);
            break;
          case 5:
            if (below(random, 4) == 0)
              text.resize(below(random, text.size()));
            break;
          default:
            replace_number(text, random);
        }
    return text;
  }
} // namespace tessera::fuzz
