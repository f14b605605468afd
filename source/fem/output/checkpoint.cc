#include "checkpoint_file.h"

#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>
#include <tessera/fem/output/checkpoint.h>
#include <tessera/parallel/write_together.h>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <utility>

namespace tessera
{
  namespace
  {
    const std::string begin      = "Tessera checkpoint, version ";
    const std::string first_line = begin + "3\n";

    using checkpoint_file::Damaged, checkpoint_file::Input,
      checkpoint_file::Output, checkpoint_file::Texts,
      checkpoint_file::for_rows;

    [[noreturn]] void
    throw_missing(const std::string &name)
    {
      throw ParameterError("The checkpoint has no '" + name +
                           "' that fits: it was written by another version of "
                           "this program.");
    }

    struct Contents
    {
      Texts problem;
      State state;
      std::string lacking; ///< places that this process has, or empty
    };

    /// Rows of a file, in its order, and the indices of these places here.
    using Rows = std::vector<std::pair<std::size_t, std::size_t>>;

    Rows
    find_rows(Input &in, const std::size_t n_rows,
              const std::vector<std::int64_t> &local)
    {
      std::vector<std::pair<std::int64_t, std::size_t>> sorted;
      for (std::size_t i = 0; i < local.size(); ++i)
        sorted.emplace_back(local[i], i);
      std::sort(sorted.begin(), sorted.end());
      Rows rows;
      for_rows<std::int64_t>(
        in, n_rows, 1, [&](const std::size_t row, const std::int64_t *number) {
          const auto found =
            std::lower_bound(sorted.begin(), sorted.end(),
                             std::make_pair(*number, std::size_t(0)));
          if (found != sorted.end() && found->first == *number)
            rows.emplace_back(row, found->second);
        });
      return rows;
    }

    /// Returns the values at the places of this process.
    std::vector<double>
    read_rows(Input &in, const std::size_t n_rows, const Rows &rows)
    {
      const std::size_t n = in.size();
      in.check(n, std::max<std::size_t>(n_rows, 1) * sizeof(double));
      std::vector<double> values(rows.size() * n);
      auto next = rows.begin();
      for_rows<double>(in, n_rows, n,
                       [&](const std::size_t row, const double *const found) {
                         if (next == rows.end() || next->first != row)
                           return;
                         std::copy_n(found, n, &values[next->second * n]);
                         ++next;
                       });
      return values;
    }

    Contents
    read_file(const std::string &name, const Checkpoint::Places &places)
    {
      std::error_code error;
      if (!std::filesystem::is_regular_file(name, error))
        throw Damaged();
      Input in(name);
      std::string line(first_line.size(), ' ');
      in.bytes(line.data(), line.size());
      if (line != first_line && line.rfind(begin, 0) == 0 &&
          line.back() == '\n' && line[begin.size()] >= '1' &&
          line[begin.size()] <= '9')
        throw ParameterError(
          "The checkpoint '" + name + "' has version " + line[begin.size()] +
          " of its format, and this program reads version 3; go on with the "
          "program that wrote it or begin anew.");
      if (line != first_line)
        throw Damaged();
      Contents contents;
      State &state     = contents.state;
      contents.problem = in.texts();
      state.texts      = in.texts();
      for (std::size_t n = in.count(2 * sizeof(std::uint64_t)); n > 0; --n)
        {
          const std::string key = in.text();
          std::vector<double> values(in.count(sizeof(double)));
          in.bytes(values.data(), values.size() * sizeof(double));
          state.arrays.emplace(key, std::move(values));
        }
      for (std::size_t n = in.count(3 * sizeof(std::uint64_t)); n > 0; --n)
        {
          const std::string kind = in.text();
          const auto found       = places.find(kind);
          const std::vector<std::int64_t> none,
            &local             = found == places.end() ? none : found->second;
          std::size_t n_arrays = in.count(2 * sizeof(std::uint64_t));
          const std::size_t n_all = in.count(sizeof(std::int64_t));
          Rows rows               = find_rows(in, n_all, local);
          if (rows.size() != local.size())
            {
              contents.lacking = kind;
              rows.clear();
            }
          for (; n_arrays > 0; --n_arrays)
            {
              const std::string key = in.text();
              state.at[kind].emplace(key, read_rows(in, n_all, rows));
            }
        }
      in.close();
      return contents;
    }

    /// Throws ParameterError if what was computed is not what is computed now.
    void
    compare(const std::string &name, const Texts &written, const Texts &now)
    {
      const auto value = [](const Texts &entries, const std::string &key) {
        const auto entry = entries.find(key);
        return entry == entries.end() ? "missing" : "'" + entry->second + "'";
      };
      Texts all = now;
      all.insert(written.begin(), written.end());
      for (const auto &[key, unused] : all)
        if (value(written, key) != value(now, key))
          throw ParameterError("The checkpoint '" + name +
                               "' is of another problem: '" + key + "' is " +
                               value(written, key) + " there and " +
                               value(now, key) + " now.");
    }

    /// The numbers of places and the values there, which processes send.
    struct Sections
    {
      const std::vector<std::uint64_t> &sizes;
      const CollectBytes &collect;

      void
      write(Output &out, const std::size_t section) const
      {
        out.size(sizes[section]);
        collect(static_cast<int>(section),
                [&out](const char *const bytes, const std::size_t n) {
                  out.bytes(bytes, n);
                });
      }
    };

    /// Returns false if the disk has not taken it.
    bool
    write_generation(const std::string &name,
                     const std::map<std::string, std::string> &problem,
                     const State &state, const Sections &sections)
    {
      Output out(name);
      out.bytes(first_line.data(), first_line.size());
      out.texts(problem);
      out.texts(state.texts);
      out.size(state.arrays.size());
      for (const auto &[key, values] : state.arrays)
        {
          out.text(key);
          out.size(values.size());
          out.bytes(values.data(), values.size() * sizeof(double));
        }
      std::size_t section = 0;
      out.size(state.at.size());
      for (const auto &[kind, arrays] : state.at)
        {
          out.text(kind);
          out.size(arrays.size());
          sections.write(out, section++);
          for (const auto &[key, values] : arrays)
            {
              out.text(key);
              sections.write(out, section++);
            }
        }
      return out.close();
    }
  } // namespace


  const std::vector<double> &
  State::array(const std::string &name, const long size) const
  {
    const auto entry = arrays.find(name);
    if (entry == arrays.end() ||
        (size >= 0 && entry->second.size() != static_cast<std::size_t>(size)))
      throw_missing(name);
    return entry->second;
  }


  const std::vector<double> &
  State::values_at(const std::string &places, const std::string &name,
                   const std::size_t size) const
  {
    const auto arrays_there = at.find(places);
    if (arrays_there == at.end())
      throw_missing(name);
    const auto entry = arrays_there->second.find(name);
    if (entry == arrays_there->second.end() || entry->second.size() != size)
      throw_missing(name);
    return entry->second;
  }


  double
  State::number(const std::string &name) const
  {
    return array(name, 1)[0];
  }


  const std::string &
  State::text(const std::string &name) const
  {
    const auto entry = texts.find(name);
    if (entry == texts.end())
      throw_missing(name);
    return entry->second;
  }


  void
  Checkpoint::write(const State &state) const
  {
    // Sections are the numbers of places and values there, as in the file, each
    // behind its number of places or of values at a place.
    std::vector<std::pair<const char *, std::size_t>> sections;
    std::vector<std::uint64_t> sizes;
    const auto add = [&](const double size, const auto &of_process) {
      sizes.push_back(static_cast<std::uint64_t>(size));
      sections.emplace_back(reinterpret_cast<const char *>(of_process.data()),
                            of_process.size() * sizeof of_process[0]);
    };
    for (const auto &[kind, arrays] : state.at)
      {
        const auto &local = places.at(kind);
        std::vector<double> n(1, local.size());
        processes.sum(n);
        add(n[0], local);
        for (const auto &[key, values] : arrays)
          {
            const double size =
              local.empty() ? 0 : values.size() / local.size();
            add(processes.largest(size), values);
          }
      }
    const auto write_all = [&](const CollectBytes &collect) {
      replace_file(path, "checkpoint", [&](const std::string &temporary) {
        // The file before becomes the older generation once the new one is
        // whole.
        return write_generation(temporary, problem, state, {sizes, collect}) &&
               (std::rename(path.c_str(), (path + ".previous").c_str()) == 0 ||
                errno == ENOENT);
      });
    };
    const CollectBytes produce = [&](const int section, const TakeBytes &take) {
      take(sections[section].first, sections[section].second);
    };
    write_together(processes, write_all, produce);
  }


  std::optional<State>
  Checkpoint::read() const
  {
    bool any = false;
    for (const std::string &name : {path, path + ".previous"})
      {
        std::error_code error;
        if (!std::filesystem::exists(name, error) && !error)
          continue;
        any = true;
        try
          {
            Contents contents = read_file(name, places);
            compare(name, contents.problem, problem);
            if (!contents.lacking.empty())
              throw_missing(contents.lacking);
            return std::move(contents.state);
          }
        catch (const Damaged &)
          {
            std::cerr << "warning: the checkpoint '" << name
                      << "' is damaged or not one." << std::endl;
          }
      }
    if (any)
      throw ParameterError("No checkpoint of '" + path + "' can be read.");
    return {};
  }


  void
  SumOfHashes::add(const std::int64_t number, const std::vector<double> &values)
  {
    // FNV-1a
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto take    = [&hash](const void *const data, const std::size_t n) {
      const auto *const bytes = static_cast<const unsigned char *>(data);
      for (std::size_t i = 0; i < n; ++i)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    };
    take(&number, sizeof number);
    take(values.data(), values.size() * sizeof(double));
    sum += hash;
  }


  std::string
  SumOfHashes::of_all(const Processes &processes) const
  {
    // Sums of halves are exact in double.
    std::vector<double> halves{double(sum >> 32), double(sum & 0xffffffff)};
    processes.sum(halves);
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx",
                  (static_cast<unsigned long long>(halves[0]) << 32) +
                    static_cast<unsigned long long>(halves[1]));
    return digits;
  }
} // namespace tessera
