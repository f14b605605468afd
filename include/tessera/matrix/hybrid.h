#pragma once

#include <tessera/matrix/ell.h>

#include <optional>

namespace tessera
{
  /// Hybrid of ELLPACK and the rest (RegulyGiles2015, section 4.2, after Bell
  /// and Garland): the first entries of every row, up to `width`, stand in
  /// ELLPACK, those of longer rows behind them, row after row, so that a row of
  /// the rest needs no atomics as a coordinate format does.
  /// values, columns: [ceil(n_rows / 32)][width][32], padded as ELLPACK; then
  /// [rest]. lengths: [n_rows], whole rows.
  template <class Number>
  class HybridMatrix : public RowMatrix<Number>
  {
  public:
    /// `width`, at most that of the longest row; empty: the largest that at
    /// least a third of the rows fill (Bell and Garland). Throws ParameterError
    /// for a negative one.
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

    /// Rows that are longer than `width`.
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

    /// [n_rest_rows], increasing
    const int *
    rest_rows() const
    {
      return layout.rest_rows.data();
    }

    /// [n_rest_rows + 1]: places where their rests begin, and the end.
    const std::int64_t *
    rest_start() const
    {
      return layout.rest_start.data();
    }

    /// position(row, k) = ell_place(row, k, width) for k < width, else
    /// ell_base(row, width) + rest(row) + k
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
    /// All but values; columns move on to the base class.
    struct Layout
    {
      int width           = 0;
      std::int64_t n_rest = 0;
      Array<int> columns;
      Array<std::int32_t> lengths;
      Array<std::int64_t> rest; ///< [n_rows], as in RowAddressing
      Array<int> rest_rows;
      Array<std::int64_t> rest_start;
    };

    static Layout
    make_layout(const CsrPattern &pattern, const std::optional<int> &width);

    HybridMatrix(const CsrPattern &pattern, Layout &&layout);

    Layout layout;
  };
} // namespace tessera
