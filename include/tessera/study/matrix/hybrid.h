#pragma once

#include <tessera/matrix/ell.h>

#include <optional>

namespace tessera
{
  /// A hybrid of ELLPACK and a rest (RegulyGiles2015, section 4.2, after Bell
  /// and Garland). The first entries of every row, up to `width`, are stored in
  /// ELLPACK. The remaining entries of longer rows follow behind, row after
  /// row; unlike a rest in coordinate format, this needs no atomics. Use it if
  /// a few rows are much longer than the others.
  ///   values, columns: [ceil(n_rows / 32)][width][32], padded as in ELLPACK,
  ///                    followed by [rest]
  ///   lengths: [n_rows], of whole rows
  template <class Number>
  class HybridMatrix : public RowMatrix<Number>
  {
  public:
    /// Places the rows of a pattern; values are zero. `width` is limited to the
    /// length of the longest row. If empty, it is the largest width that at
    /// least a third of the rows fill (Bell and Garland). Throws ParameterError
    /// if it is negative.
    explicit HybridMatrix(const CsrPattern &pattern,
                          const std::optional<int> &width = {});

    int
    width() const
    {
      return layout.width;
    }

    /// [n_rows]
    const std::int32_t *
    lengths() const
    {
      return layout.lengths.data();
    }

    /// Returns the number of rows that are longer than `width`.
    int
    n_rest_rows() const
    {
      return static_cast<int>(layout.rest_rows.size());
    }

    std::int64_t
    n_rest_entries() const
    {
      return layout.n_rest;
    }

    /// [n_rest_rows]: the rows that have a rest, increasing.
    const int *
    rest_rows() const
    {
      return layout.rest_rows.data();
    }

    /// [n_rest_rows + 1]: the places where their rests begin, and the end.
    const std::int64_t *
    rest_start() const
    {
      return layout.rest_start.data();
    }

    /// position(row, k) = ell_place(row, k, width) for k < width, and
    /// ell_base(row, width) + rest(row) + k otherwise.
    RowAddressing
    addressing() const override
    {
      return ell_addressing(width(), lengths(), layout.rest.data());
    }

    std::size_t
    bytes() const override
    {
      return index_bytes() + layout.rest.bytes() + this->bytes_of_places();
    }

    std::size_t
    index_bytes() const override
    {
      return layout.lengths.bytes() + layout.rest_rows.bytes() +
             layout.rest_start.bytes();
    }

  private:
    /// Everything except values. Columns are moved to the base class.
    struct Layout
    {
      int width           = 0;
      std::int64_t n_rest = 0;
      Array<int> columns;
      Array<std::int32_t> lengths;
      Array<std::int64_t> rest; ///< [n_rows], see RowAddressing
      Array<int> rest_rows;
      Array<std::int64_t> rest_start;
    };

    static Layout
    make_layout(const CsrPattern &pattern, const std::optional<int> &width);

    HybridMatrix(const CsrPattern &pattern, Layout &&layout);

    Layout layout;
  };
} // namespace tessera
