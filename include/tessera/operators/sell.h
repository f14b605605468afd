#pragma once

#include <tessera/matrix/sell.h>
#include <tessera/operators/row_operator.h>

#include <optional>

namespace tessera
{
  /// Launch parameters of the product on the device. The host ignores them.
  struct SellLaunch
  {
    std::optional<int> block =
      {}; ///< threads, a multiple of 32 up to 256; empty: tuned
    /// If true, x is loaded through the read-only cache (WongKuhlDarve2015,
    /// section 7, used textures for this); if false, by plain loads, in blocks
    /// of the tuned size only.
    bool read_only = true;
  };

  /// y = A x with sliced ELLPACK for every SellShape: any slice height, sorting
  /// window and number of lanes per row (WongKuhlDarve2015, section 5, listings
  /// 2 and 3). On the device one thread takes a lane, and neighbouring threads
  /// read neighbouring words. The lanes of a row are summed by shuffles. If
  /// rows are sorted, the sum is written to the original index of its row.
  template <class Number>
  class Sell : public RowOperator<Number>
  {
  public:
    /// Takes ownership of an assembled matrix. The vectors of the operator have
    /// `n_tail` tail entries. Throws ParameterError for an illegal block size,
    /// for plain loads together with a block size other than the tuned one, and
    /// for either of them if the matrix has blocks of entries.
    Sell(SellMatrix<Number> matrix, int n_tail, const SellLaunch &launch = {});

    std::string
    name() const override
    {
      return "sell";
    }

    const SellMatrix<Number> &
    matrix() const override
    {
      return sell;
    }

    SellMatrix<Number> &
    matrix() override
    {
      return sell;
    }

    /// Returns the number of threads of a block on the device.
    int
    block() const
    {
      return how.block;
    }

    /// True if x is loaded through the read-only cache.
    bool
    read_only() const
    {
      return how.read_only;
    }

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;

  private:
    struct How
    {
      int block;
      bool read_only;
    };

    /// Checks the launch parameters for blocks of that size. Throws
    /// ParameterError.
    static How
    make_how(const SellLaunch &launch, int blocks);

    Sell(SellMatrix<Number> &&matrix, int n_tail, const How &how);

    SellMatrix<Number> sell;
    How how;
  };
} // namespace tessera
