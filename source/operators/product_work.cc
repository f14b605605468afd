#include <tessera/matrix/slices.h>
#include <tessera/operators/product_work.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace tessera
{
  namespace
  {
    constexpr int warp = 32, warps_of_block = 4, sector = 32;

    /// The part of a row that a thread goes through: entries first, first +
    /// stride ... below end; none where first >= end.
    struct Lane
    {
      int row            = -1;
      std::int64_t first = 0, end = 0;
      int stride = 1;
      int
      n() const
      {
        return first < end
                 ? static_cast<int>((end - first + stride - 1) / stride)
                 : 0;
      }
    };

    using Warp = std::array<Lane, warp>;

    std::int64_t
    count_distinct(std::vector<std::int64_t> &values)
    {
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
      return static_cast<std::int64_t>(values.size());
    }

    /// Sums over the blocks that are looked at.
    class Counter
    {
    public:
      Counter(const SparsityPattern &pattern, const int number_bytes,
              const bool by_lanes)
        : pattern(pattern), number_bytes(number_bytes), by_lanes(by_lanes)
      {}

      void
      add(const Warp &lanes)
      {
        int n_steps = 0;
        for (const Lane &lane : lanes)
          n_steps = std::max(n_steps, lane.n());
        for (int k = 0; k < n_steps; ++k)
          step(lanes, k);
        work.steps += n_steps;
        asked.clear();
        for (const Lane &lane : lanes)
          if (lane.row >= 0)
            asked.push_back(std::int64_t(lane.row) * number_bytes / sector);
        work.vectors += static_cast<double>(sector * count_distinct(asked));
      }

      void
      end_block()
      {
        work.gathered += static_cast<double>(sector * count_distinct(of_block));
        of_block.clear();
      }

      ProductWork work;

    private:
      void
      step(const Warp &lanes, const int k)
      {
        asked.clear();
        std::uint32_t active = 0;
        for (int l = 0; l < warp; ++l)
          {
            const Lane &lane = lanes[l];
            if (k >= lane.n())
              continue;
            active |= std::uint32_t(1) << l;
            const int column =
              pattern.columns[lane.first + std::int64_t(k) * lane.stride];
            asked.push_back(std::int64_t(column) * number_bytes / sector);
          }
        work.requests += static_cast<double>(count_distinct(asked));
        of_block.insert(of_block.end(), asked.begin(), asked.end());
        if (by_lanes)
          work.stored += sector * (sectors(active, sector / number_bytes) +
                                   sectors(active, sector / 4));
      }

      /// That active lanes touch, `width` of them in each.
      static int
      sectors(const std::uint32_t active, const int width)
      {
        const std::uint32_t all = (std::uint32_t(1) << width) - 1;
        int n                   = 0;
        for (int l = 0; l < warp; l += width)
          n += (active >> l & all) != 0;
        return n;
      }

      const SparsityPattern &pattern;
      int number_bytes;
      bool by_lanes; ///< entries stand as lanes read them
      std::vector<std::int64_t> asked, of_block;
    };

    /// Lanes of slices, warp after warp.
    class SlicedRows
    {
    public:
      SlicedRows(const SparsityPattern &pattern, const SellShape &shape)
        : pattern(pattern), slices(make_slices(pattern.row_start, shape)),
          lanes(shape.lanes)
      {}

      std::int64_t
      n_warps() const
      {
        return (std::int64_t(slices.n_slices()) * lanes + warp - 1) / warp;
      }

      Warp
      at(const std::int64_t w) const
      {
        Warp result;
        for (int l = 0; l < warp; ++l)
          {
            const std::int64_t lane = w * warp + l;
            const std::int64_t s    = lane / lanes;
            if (s >= slices.n_slices())
              continue;
            const int in_slice = static_cast<int>(lane % lanes);
            const int log2     = slices.log2_threads[s];
            const int place    = slices.rows[s] + (in_slice >> log2);
            if (place >= slices.rows[s + 1])
              continue;
            const int row = slices.row_at(place), T = 1 << log2;
            result[l] = {row, pattern.row_start[row] + in_slice % T,
                         pattern.row_start[row + 1], T};
          }
        return result;
      }

      /// Lengths of rows, places of sorted ones, slices.
      double
      index_bytes() const
      {
        return 4. * pattern.n_rows() + 4. * slices.sorted.size() +
               13. * slices.n_slices();
      }

      double
      places() const
      {
        return static_cast<double>(slices.start.back());
      }

      double
      longest() const
      {
        std::int64_t result = 0;
        for (int s = 0; s < slices.n_slices(); ++s)
          for (int i = slices.rows[s]; i < slices.rows[s + 1]; ++i)
            {
              const int row = slices.row_at(i);
              const auto all =
                pattern.row_start[row + 1] - pattern.row_start[row];
              const int log2 = slices.log2_threads[s];
              result = std::max(result, (all + (1 << log2) - 1) >> log2);
            }
        return static_cast<double>(result);
      }

    private:
      const SparsityPattern &pattern;
      Slices slices;
      std::int64_t lanes;
    };

    /// Neighbouring entries, 32 a step, of rows of about so many entries a
    /// warp.
    class StreamedRows
    {
    public:
      explicit StreamedRows(const SparsityPattern &pattern) : pattern(pattern)
      {}

      std::int64_t
      n_warps() const
      {
        return (std::int64_t(pattern.n_rows()) + warp - 1) / warp;
      }

      Warp
      at(const std::int64_t w) const
      {
        Warp result;
        const std::int64_t n    = pattern.n_rows();
        const std::int64_t last = std::min<std::int64_t>((w + 1) * warp, n);
        for (int l = 0; l < warp; ++l)
          {
            const auto row = static_cast<int>(std::min(w * warp + l, n - 1));
            result[l]      = {row, pattern.row_start[w * warp] + l,
                              pattern.row_start[last], warp};
          }
        return result;
      }

    private:
      const SparsityPattern &pattern;
    };

    /// What is summed over blocks.
    constexpr double ProductWork::*const summed[] = {
      &ProductWork::stored,   &ProductWork::vectors, &ProductWork::requests,
      &ProductWork::gathered, &ProductWork::steps,   &ProductWork::padded};

    /// Of `rows`, at most `most_blocks` blocks looked at. Sums of integers, so
    /// that their order does not matter.
    template <class Rows>
    ProductWork
    count(const Rows &rows, const Counter &empty, const int most_blocks)
    {
      const std::int64_t n_warps = rows.n_warps();
      const std::int64_t n_blocks =
        (n_warps + warps_of_block - 1) / warps_of_block;
      const std::int64_t looked_at =
        std::min<std::int64_t>(n_blocks, most_blocks);
      ProductWork sum;
#pragma omp parallel
      {
        Counter counter = empty;
#pragma omp for schedule(dynamic, 4)
        for (std::int64_t i = 0; i < looked_at; ++i)
          {
            const std::int64_t first =
              i * n_blocks / looked_at * warps_of_block;
            for (std::int64_t w = first;
                 w < std::min(first + warps_of_block, n_warps); ++w)
              counter.add(rows.at(w));
            counter.end_block();
          }
#pragma omp critical
        for (const auto part : summed)
          sum.*part += counter.work.*part;
      }
      const double scale =
        looked_at > 0 ? static_cast<double>(n_blocks) / looked_at : 0;
      for (const auto part : summed)
        sum.*part *= scale;
      return sum;
    }

    int
    n_columns(const SparsityPattern &pattern)
    {
      int largest = -1;
#pragma omp parallel for reduction(max : largest)
      for (std::int64_t k = 0; k < pattern.n_nonzeros(); ++k)
        largest = std::max(largest, pattern.columns[k]);
      return largest + 1;
    }
  } // namespace

  namespace
  {
    void
    copy_to_host(int *to, const int *from, const std::size_t n,
                 const Backend backend)
    {
      if (backend == Backend::host)
        std::copy(from, from + n, to);
      else
        runtime::copy(to, from, n * sizeof(int), runtime::Copy::device_to_host);
    }
  } // namespace

  RowSample
  sample_rows(const CsrPattern &pattern, const int most_rows)
  {
    constexpr int n_pieces = 64;
    RowSample sample{{}, pattern.n_rows, pattern.max_row_length};
    const auto row_start = pattern.row_start.to_vector();
    if (pattern.n_rows <= most_rows)
      {
        sample.pattern = {row_start, pattern.columns.to_vector()};
        return sample;
      }
    sample.pattern.row_start    = {0};
    const std::int64_t of_piece = std::max(most_rows / n_pieces, 1);
    for (std::int64_t i = 0; i < n_pieces; ++i)
      {
        const std::int64_t first =
          i * (pattern.n_rows - of_piece) / (n_pieces - 1);
        const std::int64_t begin = row_start[first];
        const std::int64_t shift = sample.pattern.n_nonzeros() - begin;
        for (std::int64_t row = first; row < first + of_piece; ++row)
          sample.pattern.row_start.push_back(row_start[row + 1] + shift);
        auto &columns     = sample.pattern.columns;
        const auto before = columns.size();
        columns.resize(sample.pattern.n_nonzeros());
        if (columns.size() > before)
          copy_to_host(columns.data() + before, pattern.columns.data() + begin,
                       columns.size() - before, pattern.backend());
      }
    return sample;
  }

  namespace
  {
    bool
    in_slices(const ProductKernel kernel)
    {
      return kernel == ProductKernel::slices ||
             kernel == ProductKernel::ellpack;
    }

    /// Sums are those of `n_rows` rows, as many as `pattern` has or more.
    ProductWork
    count_of(const SparsityPattern &pattern, const Product &product,
             const int number_bytes, const int most_blocks,
             const std::int64_t n_rows)
    {
      const double n       = pattern.n_rows();
      const double entries = static_cast<double>(pattern.n_nonzeros());
      ProductWork work;
      if (product.kernel == ProductKernel::rows_streamed)
        {
          work = count(StreamedRows(pattern),
                       Counter(pattern, number_bytes, false), most_blocks);
          // A warp has 32 rows, and the steps of all.
          work.longest = pattern.max_row_length();
        }
      else
        {
          const bool sliced = in_slices(product.kernel);
          const SlicedRows rows(
            pattern, sliced ? product.shape
                            : SellShape{warp, 1, product.threads_per_row});
          work =
            count(rows, Counter(pattern, number_bytes, sliced), most_blocks);
          work.longest = rows.longest();
          work.padded = (4 + number_bytes) * rows.places() + rows.index_bytes();
          if (sliced)
            work.stored += rows.index_bytes();
        }
      if (!in_slices(product.kernel))
        {
          work.stored = (4 + number_bytes) * entries + 4 * n;
          work.padded = work.stored;
        }
      for (const auto part : summed)
        work.*part *= n > 0 ? n_rows / n : 1;
      work.vectors += static_cast<double>(number_bytes) * n_columns(pattern);
      return work;
    }
  } // namespace

  ProductWork
  count_work(const SparsityPattern &pattern, const Product &product,
             const int number_bytes, const int most_blocks)
  {
    return count_of(pattern, product, number_bytes, most_blocks,
                    pattern.n_rows());
  }

  ProductWork
  count_work(const RowSample &sample, const Product &product,
             const int number_bytes, const int most_blocks)
  {
    ProductWork work = count_of(sample.pattern, product, number_bytes,
                                most_blocks, sample.n_rows);
    // The longest row may not be in the sample.
    const int threads =
      product.kernel == ProductKernel::rows_by_threads ? product.threads_per_row
      : !in_slices(product.kernel)                     ? 1
      : product.shape.threshold > 0
        ? std::min(product.shape.lanes, SellShape::most_threads)
        : product.shape.threads_per_row;
    work.longest =
      std::max(work.longest,
               std::ceil(static_cast<double>(sample.longest_row) / threads));
    return work;
  }
} // namespace tessera
