#include "abaqus_text.h"

#include <algorithm>
#include <cctype>

namespace tessera::mesh_files
{
  namespace
  {
    /// Returns the words between the commas of a line that are not in quotes,
    /// without surrounding blanks; empty ones at the end are left out.
    std::vector<std::string>
    split_at_commas(const std::string_view line)
    {
      std::vector<std::string> words(1);
      bool quoted = false;
      for (const char c : line)
        {
          quoted ^= c == '"';
          if (c == ',' && !quoted)
            words.emplace_back();
          else
            words.back() += c;
        }
      for (std::string &word : words)
        {
          const auto first = word.find_first_not_of(" \t");
          const auto last  = word.find_last_not_of(" \t");
          word = first == word.npos ? "" : word.substr(first, last - first + 1);
        }
      while (!words.empty() && words.back().empty())
        words.pop_back();
      return words;
    }

    std::string
    without_blanks(std::string text)
    {
      text.erase(std::remove_if(
                   text.begin(), text.end(),
                   [](const unsigned char c) { return std::isspace(c) != 0; }),
                 text.end());
      return text;
    }
  } // namespace


  std::string
  abaqus_key(const std::string_view name)
  {
    std::string key;
    bool quoted = false;
    for (const char c : name)
      if (c == '"')
        quoted = !quoted;
      else
        key +=
          quoted
            ? c
            : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return key;
  }


  std::string
  abaqus_name(const std::string_view name)
  {
    std::string result(name);
    result.erase(std::remove(result.begin(), result.end(), '"'), result.end());
    return result;
  }


  bool
  AbaqusText::find_line()
  {
    while (!in.at_end() && in.peek_line().substr(0, 2) == "**")
      in.line();
    return !in.at_end();
  }


  bool
  AbaqusText::next(AbaqusKeyword &keyword)
  {
    if (!find_line())
      return false;
    begin = in.where();
    std::string line(in.line());
    if (line[0] != '*')
      fail(line, "a keyword");
    // A line that ends with a comma goes on, but many writers end lines so.
    while (line.back() == ',' && find_line() &&
           std::isalpha(static_cast<unsigned char>(in.peek_line()[0])) != 0)
      line += in.line();
    const auto words = split_at_commas(std::string_view(line).substr(1));
    keyword.options.clear();
    keyword.shown = "*" + (words.empty() ? "" : abaqus_key(words[0]));
    keyword.name  = without_blanks(keyword.shown.substr(1));
    for (std::size_t i = 1; i < words.size(); ++i)
      {
        const auto equals = words[i].find('=');
        const auto value  = equals == std::string::npos
                              ? equals
                              : words[i].find_first_not_of(" \t", equals + 1);
        keyword
          .options[without_blanks(abaqus_key(words[i].substr(0, equals)))] =
          value == std::string::npos ? "" : words[i].substr(value);
      }
    return true;
  }


  bool
  AbaqusText::next(std::vector<std::string> &words)
  {
    if (!find_line() || in.peek_line()[0] == '*')
      return false;
    begin = in.where();
    words = split_at_commas(in.line());
    return true;
  }


  void
  AbaqusText::skip_data()
  {
    while (find_line() && in.peek_line()[0] != '*')
      in.line();
  }


  double
  AbaqusText::real(const std::string &word, const std::string &expected)
  {
    if (word.empty())
      return 0;
    try
      {
        Scanner number(word, in.name());
        const double value = number.real(expected);
        if (number.at_end())
          return value;
      }
    catch (const std::exception &)
      {}
    fail(word, expected);
  }


  long long
  AbaqusText::integer(const std::string &word, const std::string &expected)
  {
    try
      {
        Scanner number(word, in.name());
        const long long value = number.integer(expected);
        if (number.at_end())
          return value;
      }
    catch (const std::exception &)
      {}
    fail(word, expected);
  }


  void
  AbaqusText::check_options(const AbaqusKeyword &keyword,
                            const std::vector<std::string> &legal)
  {
    for (const auto &[option, value] : keyword.options)
      if (std::find(legal.begin(), legal.end(), option) == legal.end())
        fail("has the option '" + printable(option) + "' of '" +
             printable(keyword.shown) + '\'' + in_line() +
             ", which this reader does not know; legal are " + list_of(legal));
  }


  void
  AbaqusText::fail(const std::string_view found,
                   const std::string_view expected)
  {
    in.move_to(begin);
    in.fail(found, expected);
  }


  int
  AbaqusText::line() const
  {
    if (begin < counted)
      {
        counted = 0;
        number  = 1;
      }
    const auto between = text.substr(counted, begin - counted);
    number +=
      static_cast<int>(std::count(between.begin(), between.end(), '\n'));
    counted = begin;
    return number;
  }
} // namespace tessera::mesh_files
