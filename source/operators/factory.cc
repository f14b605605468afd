#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/operators/assembler.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>

#include <chrono>

namespace tessera
{
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

  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_row_operator(const std::string &name, CsrPattern pattern,
                    const int n_tail, const AssemblyOptions &options)
  {
    check_options(name, pattern.backend(), options);
    const OperatorDescriptor &d = descriptor(name);
    const auto &make            = d.template maker<Number>().from_pattern;
    if (!make)
      throw ParameterError(
        "The operator " + name + " does not store rows of a pattern; " +
        list_of(
          names_where([](const auto &other) { return other.has_pattern(); })) +
        " does.");
    if (pattern.block > 1 && (options.single_entries || !d.stores_blocks ||
                              !d.stores_blocks(options.storage)))
      pattern = without_blocks(std::move(pattern));
    return make(std::move(pattern), n_tail, options);
  }

  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  make_row_operator(const std::string &name, const SparseMatrix &matrix,
                    const Backend backend, const AssemblyOptions &options)
  {
    CsrPattern pattern(matrix.pattern, backend);
    auto A = make_row_operator<Number>(name, std::move(pattern), 0, options);
    const Array<std::int64_t> row_start(backend, matrix.pattern.row_start);
    const Array<Number> values(
      backend, std::vector<Number>(matrix.values.begin(), matrix.values.end()));
    place_values(A->matrix(), row_start, values);
    A->values_changed();
    if (backend == Backend::cuda)
      runtime::synchronize({}); // what was copied from goes away
    return A;
  }

  namespace
  {
    /// The two phases that are timed: pattern and slots, then values.
    template <class Number>
    std::unique_ptr<Operator<Number>>
    assemble_row_operator(
      const std::string &name,
      const std::shared_ptr<const CellData<Number>> &cells,
      const FormData<Number> &form, AssemblyOptions options,
      const Parts<Number> &parts,
      const std::shared_ptr<const BoundaryMatrices<Number>> &boundary)
    {
      const auto make_assembler =
        [=, n = form.n_components()](const std::string &of, const auto &on,
                                     const AssemblyOptions &with) {
          return std::make_shared<Assembler<Number>>(of, on, with, boundary, n,
                                                     parts);
        };
      auto assembler =
        timed(&AssemblyTiming::pattern, options.timing, cells->backend(),
              [&]() { return make_assembler(name, cells, options); });
      auto A = timed(&AssemblyTiming::values, options.timing, cells->backend(),
                     [&]() { return assembler->make_operator(form); });
      if (!options.keeps_assembler)
        assembler.reset();
      options.timing = nullptr;
      options.choice = nullptr;
      A->set_writer([=, on = std::weak_ptr(cells)](
                      RowOperator<Number> &op, const FormData<Number> &values,
                      const Stream stream) mutable {
        if (!assembler && on.expired())
          throw std::logic_error("the cells of the operator are gone");
        if (!assembler)
          assembler = make_assembler(op.name(), on.lock(), options);
        assembler->assemble(op, values, stream);
      });
      return A;
    }
  } // namespace

  void
  check_form(const OperatorDescriptor &d, const CompiledForm &form)
  {
    const auto suits = [&](const OperatorDescriptor &op) {
      return !op.works_with.forms || op.works_with.forms(form);
    };
    if (!suits(d))
      throw ParameterError("The operator " + d.name + " is for " +
                           d.works_with.needs_of_forms + ", which " +
                           form.name + " is not one of; legal with it are " +
                           list_of(names_where(suits)) + '.');
  }

  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_operator(const std::string &name,
                std::shared_ptr<const CellData<Number>> cells, const Form &form,
                const AssemblyOptions &options, const Parts<Number> &parts,
                std::shared_ptr<const BoundaryMatrices<Number>> boundary)
  {
    return make_operator<Number>(
      name, cells, std::make_shared<const FormData<Number>>(form, *cells),
      options, parts, std::move(boundary));
  }

  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_operator(const std::string &name,
                std::shared_ptr<const CellData<Number>> cells,
                std::shared_ptr<const FormData<Number>> form,
                const AssemblyOptions &options, const Parts<Number> &parts,
                std::shared_ptr<const BoundaryMatrices<Number>> boundary)
  {
    const Backend backend       = cells->backend();
    const OperatorDescriptor &d = descriptor(name);
    check_options(name, backend, options);
    check_form(d, form->form());
    if (d.stores_rows())
      return assemble_row_operator(name, cells, *form, options, parts,
                                   boundary);
    const auto make = [&]() {
      auto A = d.template maker<Number>().from_cells(
        {cells, form, options.strategy,
         options.conflict.value_or(default_conflict(backend)), parts.ghosts(),
         boundary, options.storage});
      A->set_parts(parts);
      A->set_form(form->form().name, form->form().symmetric);
      return A;
    };
    return d.stores_nothing
             ? make()
             : timed(&AssemblyTiming::values, options.timing, backend, make);
  }

  template std::unique_ptr<RowOperator<double>>
  make_row_operator<double>(const std::string &, CsrPattern, int,
                            const AssemblyOptions &);
  template std::unique_ptr<RowOperator<float>>
  make_row_operator<float>(const std::string &, CsrPattern, int,
                           const AssemblyOptions &);
  template std::unique_ptr<RowOperator<double>>
  make_row_operator<double>(const std::string &, const SparseMatrix &, Backend,
                            const AssemblyOptions &);
  template std::unique_ptr<RowOperator<float>>
  make_row_operator<float>(const std::string &, const SparseMatrix &, Backend,
                           const AssemblyOptions &);
#define INSTANTIATE(Number, FormArgument)                           \
  template std::unique_ptr<Operator<Number>> make_operator<Number>( \
    const std::string &, std::shared_ptr<const CellData<Number>>,   \
    FormArgument, const AssemblyOptions &, const Parts<Number> &,   \
    std::shared_ptr<const BoundaryMatrices<Number>>);
  INSTANTIATE(double, const Form &)
  INSTANTIATE(float, const Form &)
  INSTANTIATE(double, std::shared_ptr<const FormData<double>>)
  INSTANTIATE(float, std::shared_ptr<const FormData<float>>)
#undef INSTANTIATE
} // namespace tessera
