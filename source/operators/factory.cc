#include <tessera/base/error.h>
#include <tessera/operators/assembler.h>
#include <tessera/operators/coo.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/csr_merge.h>
#include <tessera/operators/csr_mgpu.h>
#include <tessera/operators/ell.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>
#include <tessera/operators/hybrid.h>
#include <tessera/operators/lazy_ell.h>
#include <tessera/operators/local_matrices.h>
#include <tessera/operators/matrix_free_local.h>
#include <tessera/operators/sell_compressed.h>

#include <chrono>
#include <optional>
#include <stdexcept>

#include "operator_name.h"

namespace tessera
{
  using Name = OperatorName;

  namespace
  {
    /// Adds the seconds that `work` takes to a phase, if anyone asks.
    template <class Work>
    auto
    timed(double AssemblyTiming::*phase, AssemblyTiming *timing,
          const Backend backend, const Work &work)
    {
      const auto start = std::chrono::steady_clock::now();
      auto result      = work();
      if (backend == Backend::cuda)
        runtime::synchronize({});
      if (timing != nullptr)
        timing->*phase += std::chrono::duration<double>(
                            std::chrono::steady_clock::now() - start)
                            .count();
      return result;
    }
  } // namespace

  std::vector<std::string>
  operator_names()
  {
    return {
#define TESSERA_OPERATOR(name, sentence, paper) #name,
#include <tessera/operators/operators.def>
#undef TESSERA_OPERATOR
    };
  }

  std::vector<std::string>
  operator_choices()
  {
    std::vector<std::string> names = operator_names();
    names.push_back(auto_operator);
    return names;
  }

  bool
  stores_rows(const std::string &operator_name)
  {
    return operator_name == auto_operator ||
           stores_rows(name_from_string(operator_name));
  }

  std::vector<std::string>
  row_operator_names()
  {
    return names_where([](const Name name) { return stores_rows(name); });
  }

  bool
  has_slices(const std::string &operator_name)
  {
    return operator_name != auto_operator &&
           has_slices(name_from_string(operator_name));
  }

  bool
  is_appended(const std::string &operator_name)
  {
    return operator_name != auto_operator &&
           is_appended(name_from_string(operator_name));
  }

  bool
  stores_nothing(const std::string &operator_name)
  {
    if (operator_name == auto_operator)
      return false;
    const Name name = name_from_string(operator_name);
    return name == Name::matrix_free || name == Name::matrix_free_local;
  }

  namespace
  {
    /// True if an index of a column serves all entries of a block.
    bool
    stores_blocks(const std::string &name, const AssemblyOptions &options)
    {
      return (name == "csr" && options.threads_per_row.value_or(1) > 0) ||
             name == "ell" ||
             (name == "sell" && options.sell.threads_per_row == 1 &&
              options.sell.threshold == 0 && !options.block &&
              options.read_only);
    }
  } // namespace

  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_row_operator(const std::string &name, CsrPattern pattern,
                    const int n_tail, const AssemblyOptions &options)
  {
    check_options(name, pattern.backend(), options);
    if (pattern.block > 1 && !stores_blocks(name, options))
      pattern = without_blocks(std::move(pattern));
    if (name == auto_operator)
      return make_quickest_operator<Number>(
        pattern, n_tail, format_candidates(pattern.backend(), sizeof(Number)),
        options.choice);
    switch (name_from_string(name))
      {
        case Name::csr:
          return std::make_unique<Csr<Number>>(
            CsrMatrix<Number>(std::move(pattern)), n_tail,
            options.threads_per_row);
        case Name::ell:
          return std::make_unique<Ell<Number>>(EllMatrix<Number>(pattern),
                                               n_tail);
        case Name::hybrid:
          return std::make_unique<Hybrid<Number>>(
            HybridMatrix<Number>(pattern, options.hybrid_width), n_tail);
        case Name::sell:
          return std::make_unique<Sell<Number>>(
            SellMatrix<Number>(pattern, options.sell), n_tail,
            SellLaunch{options.block, options.read_only});
        case Name::coo:
          return std::make_unique<Coo<Number>>(
            CooMatrix<Number>(std::move(pattern)), n_tail);
        case Name::csr_merge:
          return std::make_unique<CsrMerge<Number>>(
            CsrMatrix<Number>(std::move(pattern)), n_tail);
        case Name::csr_mgpu:
          return std::make_unique<CsrMgpu<Number>>(
            CsrMatrix<Number>(std::move(pattern)), n_tail,
            options.values_per_thread);
        case Name::sell_packed:
          return std::make_unique<SellPacked<Number>>(
            SellMatrix<Number>(pattern, options.sell), n_tail,
            options.slice_values);
        case Name::sell_short:
          return std::make_unique<SellShort<Number>>(
            SellMatrix<Number>(pattern, options.sell), n_tail,
            options.slice_values);
        default:
          throw ParameterError(
            "The operator " + name + " does not store rows of a pattern; " +
            list_of(names_where([](const Name other) {
              return stores_rows(other) && !is_appended(other);
            })) +
            " does.");
      }
  }

  namespace
  {
    /// The two phases that are timed: pattern and slots, then values.
    template <class Number>
    std::unique_ptr<Operator<Number>>
    assemble_row_operator(
      const std::string &name,
      const std::shared_ptr<const CellData<Number>> &cells,
      const FormData<Number> &form, const AssemblyOptions &options,
      const std::shared_ptr<const Tail<Number>> &tail,
      const std::shared_ptr<const BoundaryMatrices<Number>> &boundary)
    {
      auto assembler = timed(
        &AssemblyTiming::pattern, options.timing, cells->backend(), [&]() {
          return Assembler<Number>(name, cells, options, boundary,
                                   form.n_components(), tail);
        });
      return timed(&AssemblyTiming::values, options.timing, cells->backend(),
                   [&]() { return assembler.make_operator(form); });
    }
  } // namespace

  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_operator(const std::string &name,
                std::shared_ptr<const CellData<Number>> cells, const Form &form,
                const AssemblyOptions &options,
                std::shared_ptr<const Tail<Number>> tail,
                std::shared_ptr<const BoundaryMatrices<Number>> boundary)
  {
    return make_operator<Number>(
      name, cells, std::make_shared<const FormData<Number>>(form, *cells),
      options, std::move(tail), std::move(boundary));
  }

  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_operator(const std::string &name,
                std::shared_ptr<const CellData<Number>> cells,
                std::shared_ptr<const FormData<Number>> form,
                const AssemblyOptions &options,
                std::shared_ptr<const Tail<Number>> tail,
                std::shared_ptr<const BoundaryMatrices<Number>> boundary)
  {
    using Result          = std::unique_ptr<Operator<Number>>;
    const Backend backend = cells->backend();
    const Conflict conflict =
      options.conflict.value_or(default_conflict(backend));
    check_options(name, backend, options);
    if (stores_rows(name))
      return assemble_row_operator(name, cells, *form, options, tail, boundary);

    const Name which = name_from_string(name);
    switch (which)
      {
        case Name::local_matrices:
        case Name::local_matrices_symmetric:
          return timed(
            &AssemblyTiming::values, options.timing, backend, [&]() -> Result {
              return std::make_unique<LocalMatrices<Number>>(
                cells, *form, which == Name::local_matrices_symmetric,
                options.strategy, conflict, tail, boundary);
            });
        case Name::matrix_free:
          return std::make_unique<MatrixFree<Number>>(cells, form, conflict,
                                                      tail, boundary);
        case Name::matrix_free_local:
          return std::make_unique<MatrixFreeLocal<Number>>(
            cells, form, options.strategy, conflict, tail, boundary);
        default:
          throw std::logic_error("make_operator: a name without a case");
      }
  }

  template std::unique_ptr<RowOperator<double>>
  make_row_operator<double>(const std::string &, CsrPattern, int,
                            const AssemblyOptions &);
  template std::unique_ptr<RowOperator<float>>
  make_row_operator<float>(const std::string &, CsrPattern, int,
                           const AssemblyOptions &);
#define INSTANTIATE(Number, FormArgument)                           \
  template std::unique_ptr<Operator<Number>> make_operator<Number>( \
    const std::string &, std::shared_ptr<const CellData<Number>>,   \
    FormArgument, const AssemblyOptions &,                          \
    std::shared_ptr<const Tail<Number>>,                            \
    std::shared_ptr<const BoundaryMatrices<Number>>);
  INSTANTIATE(double, const Form &)
  INSTANTIATE(float, const Form &)
  INSTANTIATE(double, std::shared_ptr<const FormData<double>>)
  INSTANTIATE(float, std::shared_ptr<const FormData<float>>)
#undef INSTANTIATE
} // namespace tessera
