#include <tessera/program/nearest.h>

#include <algorithm>
#include <cctype>

namespace tessera::program
{
  namespace
  {
    std::string
    lower(std::string word)
    {
      for (char &c : word)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return word;
    }
  } // namespace

  int
  edit_distance(const std::string &first, const std::string &second)
  {
    const std::string a = lower(first), b = lower(second);
    const std::size_t n = b.size();
    std::vector<int> before(n + 1), last(n + 1), row(n + 1);
    for (std::size_t j = 0; j <= n; ++j)
      row[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i)
      {
        before.swap(last);
        last.swap(row);
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= n; ++j)
          {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1,
                               last[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
              row[j] = std::min(row[j], before[j - 2] + 1);
          }
      }
    return row[n];
  }

  std::string
  nearest(const std::string &name, const std::vector<std::string> &candidates)
  {
    std::string best;
    int limit = std::max(2, static_cast<int>(name.size()) / 3) + 1;
    for (const std::string &candidate : candidates)
      {
        const int distance = edit_distance(name, candidate);
        if (distance < limit && distance < static_cast<int>(candidate.size()))
          {
            limit = distance;
            best  = candidate;
          }
      }
    return best;
  }

  std::string
  did_you_mean(const std::string &name,
               const std::vector<std::string> &candidates)
  {
    const std::string candidate = nearest(name, candidates);
    return candidate.empty() ? "." : "; did you mean '" + candidate + "'?";
  }
} // namespace tessera::program
