// The unit in which the build's compile time is counted (compile_time.py). The
// file never runs: it only parses common headers and instantiates their
// templates, as the project's sources do. Whoever changes it has to measure all
// budgets again.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

int
main(int argc, char **argv)
{
  std::mt19937 engine(argc);
  std::normal_distribution<double> normal;
  std::map<std::string, std::size_t> counts;
  std::unordered_map<std::size_t, float> seen;
  std::vector<double> values(100);
  for (double &value : values)
    value = normal(engine);
  const std::regex word("([a-z]+)[-_]?([0-9]*)");
  for (int i = 0; i < argc; ++i)
    {
      std::istringstream in(argv[i]);
      for (std::string text; in >> text;)
        {
          std::smatch match;
          if (std::regex_match(text, match, word))
            ++counts[match[1]];
          seen[text.size()] += 1;
        }
    }
  std::sort(values.begin(), values.end(), std::greater<>());
  const auto result =
    std::make_shared<std::tuple<std::string, double>>("value", values.front());
  std::cout << std::get<0>(*result) << ' ' << std::get<1>(*result) << ' '
            << counts.size() << ' ' << seen.size() << '\n';
}
