#include <tessera/operators/descriptor.h>
#include <tessera/operators/models.h>

#include "../../matrix/place_rows_kernels.h"
#include "csr_padded_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int group = csr_padded_group;

    /// What the matrix stores besides values.
    struct PaddedRows
    {
      Array<std::int64_t> start;
      Array<std::int32_t> lengths;
      Array<int> columns;
    };

    RowAddressing
    addressing_of(const PaddedRows &rows)
    {
      return {rows.start.data(), nullptr, nullptr,
              nullptr,           1,       rows.lengths.data()};
    }

    /// Rows are counted on the host.
    PaddedRows
    make_rows(const CsrPattern &pattern)
    {
      std::vector<std::int64_t> start = pattern.row_start.to_vector();
      std::vector<std::int32_t> lengths, widths;
      std::int64_t end = 0;
      for (int row = 0; row < pattern.n_rows; ++row)
        {
          lengths.push_back(static_cast<int>(start[row + 1] - start[row]));
          widths.push_back((lengths.back() + group - 1) / group * group);
          start[row] = end;
          end += widths.back();
        }
      start.back()          = end;
      const Backend backend = pattern.backend();
      PaddedRows rows{
        {backend, start}, {backend, lengths}, Array<int>(backend, end)};
      const Array<std::int32_t> on_backend(backend, widths);
      place_columns(pattern, addressing_of(rows), rows.columns.data(),
                    on_backend.data());
      return rows;
    }

    /// Compressed rows, each padded to a multiple of 4 entries, so that it
    /// begins with a sector of memory (Baskaran and Bordawekar 2009 pad rows of
    /// compressed storage for the same reason).
    ///   values, columns: [row_start[n_rows]], row after row
    ///   row starts: [n_rows + 1]; lengths: [n_rows], for assembly
    ///   alone
    /// Padding has the value 0 and the column of its own row.
    template <class Number>
    class CsrPaddedMatrix : public RowMatrix<Number>
    {
    public:
      explicit CsrPaddedMatrix(const CsrPattern &pattern)
        : CsrPaddedMatrix(pattern, make_rows(pattern))
      {}

      const std::int64_t *
      row_start() const
      {
        return rows.start.data();
      }

      /// position(row, k) = row_start[row] + k
      RowAddressing
      addressing() const override
      {
        return addressing_of(rows);
      }

      std::size_t
      bytes() const override
      {
        return index_bytes() + rows.lengths.bytes() + this->bytes_of_places();
      }

      std::size_t
      index_bytes() const override
      {
        return rows.start.bytes();
      }

    private:
      CsrPaddedMatrix(const CsrPattern &pattern, PaddedRows &&padded)
        : RowMatrix<Number>(pattern.n_rows, pattern.n_nonzeros,
                            pattern.max_row_length, std::move(padded.columns)),
          rows(std::move(padded))
      {}

      PaddedRows rows;
    };

    /// y = A x with padded compressed rows. On the device four threads multiply
    /// a row and read a sector of values at a time; on the host a row is a loop
    /// over vectors without a remainder.
    template <class Number>
    class CsrPadded : public MatrixOperator<Number, CsrPaddedMatrix>
    {
    public:
      CsrPadded(CsrPaddedMatrix<Number> matrix, const int n_tail)
        : MatrixOperator<Number, CsrPaddedMatrix>(
            "csr_padded", std::move(matrix), matrix.backend(), n_tail,
            matrix.backend() == Backend::cuda
              ? csr_padded_blocks(matrix.n_rows())
              : host_row_blocks(matrix.n_rows()))
      {}

    protected:
      void
      launch_apply(const RowApply<Number> &apply,
                   const Stream stream) const override
      {
        const CsrPaddedMatrix<Number> &A = this->matrix();
        on_target(A.backend(), [&](const auto target) {
          apply_csr_padded(target,
                           CsrPaddedApply<Number>{apply, A.row_start(),
                                                  A.columns(),
                                                  A.values().data()},
                           stream);
        });
      }
    };
  } // namespace

  namespace
  {
    OperatorDescriptor
    describe_csr_padded()
    {
      OperatorDescriptor d{
        "csr_padded",
        "assembled compressed rows, each padded to a multiple "
        "of 4 entries, so that it begins with a sector of "
        "memory",
        "Baskaran and Bordawekar 2009"};
      d.from_pattern<CsrPadded, CsrPaddedMatrix>();
      // Three entries of a row are padding at most, half as many on average.
      // The pattern stays until the places are filled.
      d.memory = [](const MemoryCounts &n, const StorageOptions &) {
        return n.places(n.nonzeros + 1.5 * n.dofs) + 4 * n.nonzeros +
               12 * n.dofs;
      };
      d.model = models::csr;
      return d;
    }

    const Registration<OperatorDescriptor> csr_padded_registration(
      describe_csr_padded);
  } // namespace
} // namespace tessera
