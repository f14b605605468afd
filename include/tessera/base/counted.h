#pragma once

#include <cstdio>
#include <string>

namespace tessera
{
  /// Returns a number with what is counted, as in "1 row" and "2 rows".
  /// `number` is the text of the number where it has another form.
  inline std::string
  counted(const long long n, const std::string &thing,
          const std::string &number = "")
  {
    const std::size_t last = thing.size() - 1;
    const std::string many = thing.back() == 'y'
                               ? thing.substr(0, last) + "ies"
                               : thing + (thing.back() == 's' ? "es" : "s");
    return (number.empty() ? std::to_string(n) : number) + ' ' +
           (n == 1 ? thing : many);
  }

  /// Returns a number with three significant digits, for use in sentences.
  inline std::string
  few_digits(const double x)
  {
    char text[32];
    std::snprintf(text, sizeof(text), "%.3g", x);
    return text;
  }
} // namespace tessera
