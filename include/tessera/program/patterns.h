#pragma once

#include <tessera/operators/options.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace tessera
{
  /// The legal values of an entry of a parameter file.
  struct Pattern
  {
    std::function<bool(const std::string &)> match;
    /// Names the legal values in messages.
    std::string legal;
    /// Stands for `legal` in the tables of the manual if it is not empty.
    std::string summary = {};
  };

  // The patterns have the names and words that deal.II gives them.
  namespace Patterns
  {
    struct Anything : Pattern
    {
      Anything();
    };

    struct Bool : Pattern
    {
      Bool();
    };

    struct Integer : Pattern
    {
      explicit Integer(int least = std::numeric_limits<int>::min(),
                       int most  = std::numeric_limits<int>::max());
    };

    struct Double : Pattern
    {
      explicit Double(double least = std::numeric_limits<double>::lowest(),
                      double most  = std::numeric_limits<double>::max());
    };

    /// Matches one of the words of "a|b|c".
    struct Selection : Pattern
    {
      explicit Selection(const std::string &words);
    };

    /// Matches `least` to `most` values, separated by commas.
    struct List : Pattern
    {
      explicit List(const Pattern &value, int least = 0,
                    int most = std::numeric_limits<int>::max());
    };
  } // namespace Patterns

  /// Matches the legal values of an option, or of any other entry that takes
  /// words or integers. Real numbers match at the ends of their interval, too.
  Pattern
  option_value(const Option &option, const std::string &summary = "");

  /// Matches names separated by commas, or `all`.
  Pattern
  names_or_all(const std::vector<std::string> &names, bool may_be_empty = false,
               const std::string &summary = "");
} // namespace tessera
