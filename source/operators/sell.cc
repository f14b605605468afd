#include <tessera/base/error.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/models.h>
#include <tessera/operators/sell.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "sell_kernels.h"

namespace tessera
{
  namespace
  {
    /// The number of partial sums.
    template <class Number>
    int
    blocks(const SellMatrix<Number> &matrix, const int block)
    {
      return matrix.backend() == Backend::cuda
               ? sell_blocks(sell_lanes(matrix.n_slices(), matrix.log2_lanes()),
                             block)
               : host_blocks(matrix.n_slices(), host_slices);
    }

    /// Checks the launch parameters. Throws ParameterError.
    int
    block_of(const SellLaunch &launch, const int size_of_blocks)
    {
      if (size_of_blocks > 1 && (launch.block || !launch.read_only))
        throw ParameterError(
          "Slices of blocks are multiplied by the tuned "
          "launch; another one was asked for.");
      const int block = launch.block.value_or(tuning::sell_threads);
      if (block < 32 || block > 256 || block % 32 != 0)
        throw ParameterError("The block size of sliced ELLPACK was given as " +
                             std::to_string(block) +
                             "; legal are multiples of 32 from 32 to 256.");
      if (!launch.read_only && block != tuning::sell_threads)
        throw ParameterError("Plain loads of x were asked for in blocks of " +
                             std::to_string(block) + " threads; legal is " +
                             std::to_string(tuning::sell_threads) + '.');
      return block;
    }
  } // namespace

  template <class Number>
  Sell<Number>::Sell(SellMatrix<Number> matrix, const int n_tail,
                     const SellLaunch &launch, const std::string &name)
    : MatrixOperator<Number, SellMatrix>(
        name, std::move(matrix), matrix.backend(), n_tail,
        blocks(matrix, block_of(launch, matrix.blocks().size))),
      block(block_of(launch, this->matrix().blocks().size)),
      read_only(launch.read_only)
  {}

  template <class Number>
  RecordValues
  Sell<Number>::layout_parameters() const
  {
    const SellShape &shape = this->matrix().shape();
    RecordValues found     = {{"C", std::int64_t(shape.lanes)},
                              {"sigma", std::int64_t(shape.window)}};
    if (shape.threshold > 0)
      found["threshold"] = std::int64_t(shape.threshold);
    else
      found["T"] = std::int64_t(shape.threads_per_row);
    return found;
  }

  template <class Number>
  RecordValues
  Sell<Number>::product_parameters() const
  {
    RecordValues found;
    if (this->backend() == Backend::host)
      return found;
    found["block"] = std::int64_t(block);
    if (!read_only)
      found["read_only"] = std::int64_t(0);
    return found;
  }

  template <class Number>
  void
  Sell<Number>::launch_apply(const RowApply<Number> &apply,
                             const Stream stream) const
  {
    const SellMatrix<Number> &sell = this->matrix();
    on_target(sell.backend(), [&](const auto target) {
      if (const int b = sell.blocks().size; b > 1)
        apply_sell_blocks(target,
                          SellBlocksApply<Number>{apply, sell.slices(),
                                                  sell.columns(),
                                                  sell.values().data(), b},
                          stream);
      else
        apply_sell(
          target,
          SellApply<Number>{apply, sell.slices(), sell.most_log2_threads(),
                            SellColumns{sell.columns()}, sell.values().data(),
                            this->n_owned() + this->n_tail() - 1,
                            has_many<SellColumns>(sell), block, read_only},
          stream);
    });
  }

  template class Sell<double>;
  template class Sell<float>;

  const OptionSet &
  slice_options()
  {
    constexpr int any          = std::numeric_limits<int>::max();
    static const OptionSet set = {
      {{"Slice lanes",
        "places of a slice for each entry of its rows, a power of two",
        "32",
        {},
        1,
        SellShape::most_lanes},
       {"Slice window",
        "rows that are sorted by length among themselves; 1: none, 0: all",
        "1",
        {},
        0,
        any},
       {"Slice threads per row",
        "lanes that a row has, a power of two",
        "1",
        {},
        1,
        SellShape::most_threads},
       {"Slice threshold",
        "entries that a lane has at most, where more lanes a row can see to "
        "it; 0: none",
        "0",
        {},
        0,
        any}},
      false,
      "Slices",
      true,
      [](const StorageOptions &options) { check_shape(slice_shape(options)); }};
    return set;
  }

  const OptionSet &
  slice_width_options()
  {
    static const OptionSet set = {
      {{"Slice width",
        "own: a slice is as wide as its longest row, or common: as the longest "
        "of all",
        "own",
        {"own", "common"}}}};
    return set;
  }

  SellShape
  slice_shape(const StorageOptions &options)
  {
    const auto number = [&](const int i) {
      return *slice_options().options[i].number(options);
    };
    return {number(0), number(1), number(2), number(3),
            slice_width_options().options[0].value(options) == "common"};
  }

  StorageOptions
  options_of(const SellShape &shape)
  {
    StorageOptions options;
    const int values[] = {shape.lanes, shape.window, shape.threads_per_row,
                          shape.threshold};
    for (std::size_t i = 0; i < std::size(values); ++i)
      if (const Option &option = slice_options().options[i];
          std::to_string(values[i]) != option.default_value)
        options[option.name] = std::to_string(values[i]);
    if (shape.one_width)
      options["Slice width"] = "common";
    return options;
  }

  const OptionSet &
  sell_launch_options()
  {
    static const OptionSet set = {
      {{"Block size",
        "threads of a block, a multiple of 32; auto: as tuned",
        "auto",
        {"auto"},
        32,
        256},
       {"Loads of x",
        "how x is loaded: read_only, through a cache of its own, or plain, in "
        "blocks of the tuned size only",
        "read_only",
        {"read_only", "plain"}}},
      true};
    return set;
  }

  SellLaunch
  sell_launch(const StorageOptions &options)
  {
    const auto &set = sell_launch_options().options;
    return {set[0].number(options), set[1].value(options) == "read_only"};
  }

  double
  bytes_of_slices(const MemoryCounts &n, const StorageOptions &options)
  {
    return n.places(places_of_slices(n, options)) + 4 * n.nonzeros +
           13 * n.dofs;
  }

  double
  places_of_slices(const MemoryCounts &n, const StorageOptions &options)
  {
    const SellShape shape = slice_shape(options);
    const int lanes       = shape.threshold > 0
                              ? std::min(shape.lanes, SellShape::most_threads)
                              : shape.threads_per_row;
    return n.dofs * lanes * std::ceil(n.longest_row / lanes);
  }

  namespace
  {
    OperatorDescriptor
    describe_sell()
    {
      OperatorDescriptor d{
        "sell",
        "assembled rows in slices, each as wide as its longest row (sliced "
        "ELLPACK); on request sorted by length or with several threads per row",
        "WongKuhlDarve2015, sections 4 and 5",
        {&slice_options(), &slice_width_options(), &sell_launch_options()}};
      d.from_pattern([](auto number, CsrPattern &&pattern, const int n_tail,
                        const AssemblyOptions &options) {
        using Number = decltype(number);
        return std::make_unique<Sell<Number>>(
          SellMatrix<Number>(pattern, slice_shape(options.storage)), n_tail,
          sell_launch(options.storage));
      });
      d.stores_blocks = [](const StorageOptions &options) {
        const SellShape shape   = slice_shape(options);
        const SellLaunch launch = sell_launch(options);
        return shape.threads_per_row == 1 && shape.threshold == 0 &&
               !launch.block && launch.read_only;
      };
      d.memory = bytes_of_slices;
      d.model  = models::csr;
      return d;
    }

    const Registration<OperatorDescriptor> sell_registration(describe_sell);
  } // namespace
} // namespace tessera
