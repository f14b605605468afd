#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/matrix/ell_layout.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>
#include <tessera/operators/sell.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <iomanip>
#include <new>
#include <sstream>

namespace tessera
{
  namespace
  {
    std::string
    label(const FormatCandidate &candidate)
    {
      std::string text = candidate.name;
      for (const auto &[name, value] : candidate.options)
        text += ", " + name + ' ' + value;
      return text;
    }

    template <class T>
    Array<T>
    copy_of(const Array<T> &from)
    {
      Array<T> to(from.backend(), from.size());
      if (from.backend() == Backend::host)
        std::copy_n(from.data(), from.size(), to.data());
      else if (from.size() > 0)
        runtime::copy(to.data(), from.data(), from.bytes(),
                      runtime::Copy::device_to_device);
      return to;
    }

    CsrPattern
    copy_of(const CsrPattern &from)
    {
      CsrPattern to;
      to.row_start      = copy_of(from.row_start);
      to.columns        = copy_of(from.columns);
      to.n_nonzeros     = from.n_nonzeros;
      to.n_rows         = from.n_rows;
      to.max_row_length = from.max_row_length;
      to.most_rows_even = from.most_rows_even;
      return to;
    }

    /// One long row would take the memory of a dense matrix.
    void
    check_padding(const std::string &name, const CsrPattern &pattern)
    {
      constexpr int most_places = 4;
      const std::int64_t places =
        ell_padded_rows(pattern.n_rows) * pattern.max_row_length;
      if (descriptor(name).pads_to_longest &&
          places > most_places * pattern.n_nonzeros)
        throw ParameterError("The format " + name + " would have " +
                             std::to_string(places) + " places for " +
                             std::to_string(pattern.n_nonzeros) +
                             " entries; at most " +
                             std::to_string(most_places) + " each are tried.");
    }

    double
    seconds_since(const std::chrono::steady_clock::time_point start)
    {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                           start)
        .count();
    }

    /// Returns the shortest of several times, after a product that warms up. On
    /// the device these are means of five products, because events take as long
    /// as a short product; on the host each product is timed alone, because
    /// other programs may disturb it.
    template <class Number>
    double
    seconds_of_product(const RowOperator<Number> &A)
    {
      const Vector<Number> x = A.make_vector();
      Vector<Number> y       = A.make_vector();
      A.vmult(y, x);
      double least = std::numeric_limits<double>::infinity();
      if (A.backend() == Backend::host)
        for (int sample = 0; sample < 15; ++sample)
          {
            const auto start = std::chrono::steady_clock::now();
            A.vmult(y, x);
            least = std::min(least, seconds_since(start));
          }
      else
        for (int sample = 0; sample < 3; ++sample)
          least = std::min(least, runtime::elapsed({},
                                                   [&]() {
                                                     for (int i = 0; i < 5; ++i)
                                                       A.vmult(y, x);
                                                   }) /
                                    5);
      return least;
    }
  } // namespace

  std::vector<FormatCandidate>
  format_candidates(const Backend backend, const int number_bytes)
  {
    std::vector<FormatCandidate> result;
    const auto add = [&](const std::string &name,
                         const StorageOptions &options) {
      result.push_back({name, options});
    };
    if (backend == Backend::host)
      {
        add("csr", {});
        add("ell", {});
        for (const int window : {1, 256, 4096})
          {
            add("sell", options_of({32, window}));
          }
        return result;
      }
    const auto add_if = [&](const bool in_double, const bool in_float,
                            const std::string &name, const int threads_per_row,
                            const int threshold) {
      if (number_bytes == 8 ? !in_double : !in_float)
        return;
      StorageOptions options;
      if (threshold > 0)
        options = options_of({32, SellShape::all_rows, 1, threshold});
      if (descriptor(name).has(threads_per_row_options()))
        options["Threads per row"] = to_string(ThreadsPerRow(threads_per_row));
      add(name, options);
    };
#define TESSERA_CANDIDATE(in_double, in_float, name, threads, threshold) \
  add_if(in_double, in_float, name, threads, threshold);
#include "format_candidates.def"
#undef TESSERA_CANDIDATE
    return result;
  }

  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_quickest_operator(const CsrPattern &pattern, const int n_tail,
                         std::vector<FormatCandidate> candidates,
                         FormatChoice *const choice)
  {
    require_single_entries(pattern.block);
    if (candidates.empty())
      throw ParameterError("There is no format to choose from.");
    for (const FormatCandidate &candidate : candidates)
      index_of_name(candidate.name, operator_names(), "operator");
    const auto start = std::chrono::steady_clock::now();
    std::unique_ptr<RowOperator<Number>> quickest;
    double least = std::numeric_limits<double>::infinity();
    std::exception_ptr failure;
    for (FormatCandidate &candidate : candidates)
      {
        std::unique_ptr<RowOperator<Number>> op;
        const auto skip = [&](const std::exception_ptr &why,
                              const std::string &reason) {
          candidate.skipped = reason;
          if (!failure)
            failure = why;
        };
        try
          {
            check_padding(candidate.name, pattern);
            op = make_row_operator<Number>(candidate.name, copy_of(pattern),
                                           n_tail,
                                           AssemblyOptions{candidate.options});
            candidate.stored_bytes = op->traffic().stored;
            candidate.seconds      = seconds_of_product(*op);
          }
        catch (const Error &error)
          {
            skip(std::current_exception(), error.what());
          }
        catch (const std::bad_alloc &)
          {
            skip(std::current_exception(), "There is not enough memory.");
          }
        if (choice != nullptr && choice->largest)
          {
            const bool is_timed = std::isfinite(candidate.seconds);
            candidate.seconds   = choice->largest(candidate.seconds);
            if (is_timed && !std::isfinite(candidate.seconds))
              skip(std::make_exception_ptr(
                     DeviceError("Another process cannot make the format.")),
                   "Another process skipped it.");
          }
        if (candidate.seconds < least)
          {
            least    = candidate.seconds;
            quickest = std::move(op);
          }
      }
    if (!quickest)
      std::rethrow_exception(failure);
    std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const auto &a, const auto &b) { return a.seconds < b.seconds; });
    if (choice != nullptr)
      {
        choice->candidates = std::move(candidates);
        choice->seconds    = seconds_since(start);
      }
    return quickest;
  }

  std::string
  describe(const FormatChoice &choice)
  {
    std::ostringstream text;
    text << std::left << std::setw(44) << "format" << std::right
         << std::setw(12) << "measured us" << std::setw(12) << "stored MB"
         << std::setprecision(4) << '\n';
    for (const FormatCandidate &c : choice.candidates)
      {
        text << std::left << std::setw(44) << label(c) << std::right;
        if (c.skipped.empty())
          text << std::setw(12) << 1e6 * c.seconds << std::setw(12)
               << 1e-6 * static_cast<double>(c.stored_bytes) << '\n';
        else
          text << "skipped: " << c.skipped << '\n';
      }
    text << "chosen: " << label(choice.candidates.front()) << ", in "
         << choice.seconds << " s";
    return text.str();
  }

  OperatorDescriptor
  describe_auto()
  {
    OperatorDescriptor d{auto_operator,
                         "the quickest of a few formats of rows, which are "
                         "timed",
                         "Tessera"};
    d.from_pattern([](auto number, const CsrPattern &pattern, const int n_tail,
                      const AssemblyOptions &options) {
      using Number = decltype(number);
      return make_quickest_operator<Number>(
        pattern, n_tail, format_candidates(pattern.backend(), sizeof(Number)),
        options.choice);
    });
    // ELLPACK needs most. While formats are timed, there are another matrix, a
    // copy of the pattern, and slices with columns in fewer bits.
    d.memory = [](const MemoryCounts &n, const StorageOptions &) {
      const double places = n.dofs * n.longest_row;
      return 2 * n.places(places) + 2.1 * places + 8 * n.nonzeros + 21 * n.dofs;
    };
    return d;
  }

  template std::unique_ptr<RowOperator<double>>
  make_quickest_operator<double>(const CsrPattern &, int,
                                 std::vector<FormatCandidate>, FormatChoice *);
  template std::unique_ptr<RowOperator<float>>
  make_quickest_operator<float>(const CsrPattern &, int,
                                std::vector<FormatCandidate>, FormatChoice *);
} // namespace tessera
