#pragma once

#include <tessera/matrix/sell.h>
#include <tessera/operators/row_operator.h>

#include <optional>

namespace tessera
{
  /// How products are launched on the device; the host has no use for it.
  struct SellLaunch
  {
    std::optional<int> block =
      {}; ///< threads, 32 to 256 by 32; empty: as tuned
    /// Whether x is read as what no one writes (WongKuhlDarve2015, section 7,
    /// by textures); else by plain loads, in blocks as tuned.
    bool read_only = true;
  };

  /// y = A x with sliced ELLPACK, whatever its slices, sorting windows and
  /// lanes a row are (WongKuhlDarve2015, section 5, listings 2 and 3): on the
  /// device a thread a lane, neighbouring threads reading neighbouring words;
  /// the lanes of a row are summed by shuffles, and sums of sorted rows go to
  /// where their rows are.
  template <class Number>
  class Sell : public RowOperator<Number>
  {
  public:
    /// Takes over an assembled matrix; `n_tail` is that of its vectors. Throws
    /// ParameterError for a block that is not legal, and for plain loads in
    /// blocks of another size than the tuned one.
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

    /// Threads of a block on the device.
    int
    block() const
    {
      return how.block;
    }

    /// Whether x is read as what no one writes.
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

    /// Throws ParameterError.
    static How
    make_how(const SellLaunch &launch);

    Sell(SellMatrix<Number> &&matrix, int n_tail, const How &how);

    SellMatrix<Number> sell;
    How how;
  };
} // namespace tessera
