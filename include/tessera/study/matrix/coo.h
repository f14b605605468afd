#pragma once

#include <tessera/matrix/csr.h>

namespace tessera
{
  /// Coordinate format: the row, column and value of every entry, sorted by
  /// rows and by columns within a row. Row starts are stored as well, since
  /// assembly writes as into compressed rows; the product does not read them.
  ///   rows, columns, values: [n_nonzeros]
  template <class Number>
  class CooMatrix : public CsrMatrix<Number>
  {
  public:
    /// Takes ownership of a pattern. `force_64` means the same as in CsrMatrix.
    explicit CooMatrix(CsrPattern pattern, bool force_64 = false);

    /// [n_nonzeros]: the row of each entry.
    const int *
    rows() const
    {
      return listed.rows.data();
    }

    /// True if there are rows without entries. The product needs to know,
    /// because the rows of the entries do not reveal them.
    bool
    has_empty_rows() const
    {
      return listed.empty_rows;
    }

    std::size_t
    bytes() const override
    {
      return CsrMatrix<Number>::index_bytes() + index_bytes() +
             this->bytes_of_places();
    }

    std::size_t
    index_bytes() const override
    {
      return listed.rows.bytes();
    }

  private:
    struct Listed
    {
      Array<int> rows; ///< [n_nonzeros]
      bool empty_rows;
    };

    static Listed
    list_rows(const CsrPattern &pattern);

    CooMatrix(CsrPattern &&pattern, bool force_64, Listed &&listed);

    Listed listed;
  };
} // namespace tessera
