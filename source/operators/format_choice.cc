#include <tessera/operators/csr.h>
#include <tessera/operators/format_choice.h>
#include <tessera/operators/product_model.h>

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "operator_name.h"

namespace tessera
{
  namespace
  {
    std::string
    label(const FormatCandidate &candidate)
    {
      std::string text   = candidate.name;
      const auto &shape  = candidate.options.sell;
      const auto &on_csr = candidate.options.threads_per_row;
      if (on_csr)
        text += *on_csr > 0 ? " T " + std::to_string(*on_csr)
                            : ' ' + to_string(on_csr);
      if (!has_slices(candidate.name))
        return text;
      text += shape.window == SellShape::all_rows
                ? " sigma all"
                : " sigma " + std::to_string(shape.window);
      if (shape.threads_per_row > 1)
        text += " T " + std::to_string(shape.threads_per_row);
      if (shape.threshold > 0)
        text += " threshold " + std::to_string(shape.threshold);
      return text;
    }

    std::string
    percent(const double more, const double than)
    {
      std::ostringstream text;
      text << std::fixed << std::setprecision(more / than < 1.1 ? 1 : 0)
           << 100 * (more / than - 1) << " %";
      return text.str();
    }

    /// What the other has most more of.
    std::string
    reason(const FormatCandidate &chosen, const FormatCandidate &other)
    {
      const struct
      {
        double ProductWork::*part;
        const char *words;
      } parts[] = {
        {&ProductWork::stored, " more bytes stored"},
        {&ProductWork::gathered, " more of x for its blocks"},
        {&ProductWork::requests, " more sectors of x asked for"},
        {&ProductWork::longest, " more entries for its busiest thread"},
        {&ProductWork::starts, " more warps that begin"},
        {&ProductWork::steps, " more steps of warps"}};
      const auto *most = parts;
      const auto ratio = [&](const auto &p) {
        return (other.work.*p.part + 1) / (chosen.work.*p.part + 1);
      };
      for (const auto &p : parts)
        if (ratio(p) > ratio(*most))
          most = &p;
      if (ratio(*most) < 1.005)
        return "its kernel takes less for the same work";
      return label(other) + " has " +
             percent(other.work.*most->part + 1, chosen.work.*most->part + 1) +
             most->words;
    }
  } // namespace

  std::optional<Product>
  product_of(const std::string &operator_name, const StorageOptions &options,
             const Backend backend)
  {
    switch (name_from_string(operator_name))
      {
        case OperatorName::csr:
          if (backend == Backend::host)
            return Product{ProductKernel::rows_by_threads};
          if (!options.threads_per_row)
            return {};
          if (*options.threads_per_row > 0)
            return Product{
              ProductKernel::rows_by_threads, {}, *options.threads_per_row};
          return Product{*options.threads_per_row == staged_rows
                           ? ProductKernel::rows_staged
                           : ProductKernel::rows_streamed};
        case OperatorName::ell:
          return Product{ProductKernel::ellpack, {32, 1, 1, 0, true}};
        case OperatorName::sell:
          if (options.block || !options.read_only)
            return {};
          return Product{ProductKernel::slices, options.sell};
        case OperatorName::sell_packed:
          if (options.slice_values != SliceValues::number)
            return {};
          return Product{ProductKernel::packed_slices, options.sell};
        case OperatorName::sell_short:
          if (options.slice_values != SliceValues::number)
            return {};
          return Product{ProductKernel::short_slices, options.sell};
        case OperatorName::coo:
          return Product{ProductKernel::coo};
        case OperatorName::csr_merge:
          return Product{ProductKernel::csr_merge};
        case OperatorName::csr_mgpu:
          if (options.values_per_thread)
            return {};
          return Product{ProductKernel::csr_mgpu};
        default:
          return {};
      }
  }

  std::vector<FormatCandidate>
  format_candidates(const Backend backend, const int number_bytes)
  {
    std::vector<FormatCandidate> result;
    const auto add = [&](const std::string &name,
                         const StorageOptions &options) {
      result.push_back(
        {name, options, product_of(name, options, backend).value(), {}, 0});
    };
    StorageOptions options;
    if (backend == Backend::host)
      {
        add("csr", options);
        add("ell", options);
        for (const int window : {1, 256, 4096})
          {
            options.sell = {32, window};
            add("sell", options);
          }
        return result;
      }
    const auto add_if = [&](const bool in_double, const bool in_float,
                            const std::string &name, const int threads_per_row,
                            const int threshold) {
      options = {};
      if (name == "csr")
        options.threads_per_row = threads_per_row;
      if (threshold > 0)
        options.sell = {32, SellShape::all_rows, 1, threshold};
      if (number_bytes == 8 ? in_double : in_float)
        add(name, options);
    };
#define TESSERA_CANDIDATE(in_double, in_float, name, threads, threshold) \
  add_if(in_double, in_float, name, threads, threshold);
#include "format_candidates.def"
#undef TESSERA_CANDIDATE
    return result;
  }

  std::vector<FormatCandidate>
  rank_formats(const CsrPattern &pattern, const int number_bytes)
  {
    std::vector<FormatCandidate> ranking =
      format_candidates(pattern.backend(), number_bytes);
    const RowSample sample = sample_rows(pattern);
    for (FormatCandidate &candidate : ranking)
      {
        candidate.work =
          count_work(sample, candidate.product, number_bytes, 128);
        candidate.seconds =
          predict_seconds(candidate.work, candidate.product, pattern.backend());
      }
    std::stable_sort(
      ranking.begin(), ranking.end(),
      [](const auto &a, const auto &b) { return a.seconds < b.seconds; });
    return ranking;
  }

  std::string
  describe(const std::vector<FormatCandidate> &ranking)
  {
    std::ostringstream text;
    text << std::left << std::setw(28) << "format" << std::right
         << std::setw(12) << "predicted us" << std::setw(12) << "stored MB"
         << std::setw(14) << "x fetched MB" << std::setw(12) << "longest"
         << '\n';
    for (const FormatCandidate &c : ranking)
      text << std::left << std::setw(28) << label(c) << std::right
           << std::setprecision(4) << std::setw(12) << 1e6 * c.seconds
           << std::setw(12) << 1e-6 * c.work.stored << std::setw(14)
           << 1e-6 * c.work.gathered << std::setw(12) << c.work.longest << '\n';
    const FormatCandidate &chosen = ranking.front();
    const auto other =
      std::find_if(ranking.begin(), ranking.end(),
                   [&](const auto &c) { return c.name != chosen.name; });
    text << "chosen: " << label(chosen);
    if (other != ranking.end())
      text << ", by " << percent(other->seconds, chosen.seconds) << ": "
           << reason(chosen, *other);
    return text.str();
  }
} // namespace tessera
