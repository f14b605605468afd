#include <tessera/assembly/slot_map.h>
#include <tessera/base/names.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/local_matrices.h>
#include <tessera/operators/matrix_free.h>

#include <chrono>
#include <optional>
#include <stdexcept>

namespace tessera
{
  namespace
  {
    enum class Name
    {
#define TESSERA_OPERATOR(name, sentence, paper) name,
#include <tessera/operators/operators.def>
#undef TESSERA_OPERATOR
    };

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

  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_operator(const std::string &name,
                std::shared_ptr<const CellData<Number>> cells,
                const Coefficient &kappa, const AssemblyOptions &options,
                std::shared_ptr<const Tail<Number>> tail,
                std::shared_ptr<const BoundaryMatrices<Number>> boundary)
  {
    using Result = std::unique_ptr<Operator<Number>>;
    const Name which =
      static_cast<Name>(index_of_name(name, operator_names(), "operator"));
    const Backend backend = cells->backend();
    const Conflict conflict =
      options.conflict.value_or(default_conflict(backend));
    const Conflict of_rows = options.conflict.value_or(
      default_row_conflict(cells->space().cell_type, backend));

    switch (which)
      {
          case Name::csr: {
            struct Prepared
            {
              SlotMap<Number> slots;
              std::optional<SlotMap<Number>> face_slots;
              std::unique_ptr<Csr<Number>> matrix;
            };
            auto prepared =
              timed(&AssemblyTiming::pattern, options.timing, backend, [&]() {
                CsrPattern pattern = make_csr_pattern(*cells);
                Prepared result{SlotMap<Number>(pattern, *cells), {}, {}};
                if (boundary)
                  result.face_slots.emplace(pattern, boundary->faces());
                result.matrix = std::make_unique<Csr<Number>>(
                  CsrMatrix<Number>(std::move(pattern)),
                  cells->space().n_tail());
                return result;
              });
            return timed(
              &AssemblyTiming::values, options.timing, backend,
              [&]() -> Result {
                const CoefficientData<Number> data(
                  kappa.as_tensor(cells->space().dim()), *cells);
                CsrMatrix<Number> &matrix = prepared.matrix->matrix();
                assemble_rows(prepared.slots.sink(matrix.values().data(),
                                                  matrix.addressing()),
                              *cells, data.view(), options.strategy, of_rows);
                if (boundary)
                  boundary->add_to_rows(
                    prepared.face_slots->sink(matrix.values().data(),
                                              matrix.addressing()),
                    vector_conflict(options.conflict, backend));
                if (backend == Backend::cuda)
                  runtime::synchronize({});
                return std::move(prepared.matrix);
              });
          }
        case Name::local_matrices:
        case Name::local_matrices_symmetric:
          return timed(
            &AssemblyTiming::values, options.timing, backend, [&]() -> Result {
              return std::make_unique<LocalMatrices<Number>>(
                cells, kappa, which == Name::local_matrices_symmetric,
                options.strategy, conflict, tail, boundary);
            });
        case Name::matrix_free:
          return std::make_unique<MatrixFree<Number>>(cells, kappa, conflict,
                                                      tail, boundary);
      }
    throw std::logic_error("make_operator: a name without a case");
  }

  template std::unique_ptr<Operator<double>>
  make_operator<double>(const std::string &,
                        std::shared_ptr<const CellData<double>>,
                        const Coefficient &, const AssemblyOptions &,
                        std::shared_ptr<const Tail<double>>,
                        std::shared_ptr<const BoundaryMatrices<double>>);
  template std::unique_ptr<Operator<float>>
  make_operator<float>(const std::string &,
                       std::shared_ptr<const CellData<float>>,
                       const Coefficient &, const AssemblyOptions &,
                       std::shared_ptr<const Tail<float>>,
                       std::shared_ptr<const BoundaryMatrices<float>>);
} // namespace tessera
