#include <tessera/assembly/assemble.h>
#include <tessera/base/error.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/local_matrices.h>
#include <tessera/operators/models.h>
#include <tessera/space/element.h>
#include <tessera/space/local_entry.h>

#include "launch_diagonals.h"
#include "local_matrices_kernels.h"
#include "round_values.h"

#include <algorithm>

namespace tessera
{
  namespace
  {
    template <class Number>
    std::unique_ptr<LocalMatrices<Number>>
    make_local_matrices(const CellProblem<Number> &p, const bool symmetric,
                        const bool in_float = false)
    {
      return std::make_unique<LocalMatrices<Number>>(
        p.cells, *p.form, symmetric, p.strategy, p.conflict, p.tail, p.boundary,
        0, in_float);
    }
  } // namespace

  template <class Number>
  LocalMatrices<Number>::LocalMatrices(
    std::shared_ptr<const CellData<Number>> cells_in,
    const FormData<Number> &form, const bool symmetric,
    const std::string &strategy, const Conflict conflict,
    std::shared_ptr<const Tail<Number>> tail,
    std::shared_ptr<const BoundaryMatrices<Number>> boundary,
    const int n_blocks_of_cells, const bool in_float)
    : CellOperator<Number>(std::move(cells_in), conflict, std::move(tail),
                           std::move(boundary), form.n_components(),
                           n_blocks_of_cells),
      symmetric(symmetric), in_float(in_float && std::is_same_v<Number, double>)
  {
    check_components("The operator " + name(), this->cells->space(),
                     this->n_components);
    if (&form.cells() != this->cells.get())
      throw std::logic_error("a form on other cells than the operator's");
    const std::size_t size =
      static_cast<std::size_t>(this->cells->n_batches()) *
      this->cells->lanes() *
      n_local_entries(symmetric, this->cells->space().dofs_per_cell() *
                                   this->n_components);
    if (this->in_float)
      rounded = {this->backend(), size};
    else
      local_values = {this->backend(), size};
    assemble(form, strategy);
    if (this->backend() == Backend::cuda)
      runtime::synchronize({});
  }

  template <class Number>
  void
  LocalMatrices<Number>::assemble(const FormData<Number> &form,
                                  const std::string &strategy,
                                  const Stream stream)
  {
    this->strategy = strategy;
    if (in_float)
      assemble_rounded(form, strategy, stream);
    else
      assemble_local(local_values.data(), symmetric, form, strategy, stream);
  }

  template <class Number>
  void
  LocalMatrices<Number>::assemble_rounded(const FormData<Number> &form,
                                          const std::string &strategy,
                                          const Stream stream)
  {
    if constexpr (std::is_same_v<Number, double>)
      {
        const int n_blocks = this->cells->n_blocks();
        const auto n       = static_cast<std::int64_t>(
          n_blocks > 0 ? rounded.size() / n_blocks : 0); // values of a block
        Array<double> whole(this->backend(), static_cast<std::size_t>(
                                               blocks_of_part(n_blocks) * n));
        Array<unsigned int> beyond(this->backend(), 1);
        for_each_cell_part(n_blocks, [&](const int first, const int count) {
          assemble_local(whole.data(), true, form, strategy, first, count,
                         stream);
          round_values_on_device(whole.data(), rounded.data() + first * n,
                                 count * n, beyond.data(), stream);
        });
        check_rounded(beyond, stream); // before memory of parts goes away
      }
  }

  template <class Number>
  void
  LocalMatrices<Number>::launch(const CellApply<Number> &apply,
                                const bool diagonal, Number *of_cells,
                                const Stream stream) const
  {
    const Space &space = this->cells->space();
    on_target(this->backend(), [&](const auto target) {
      on_element(space.cell_type, space.degree, [&](auto e) {
        using E = decltype(e);
        if constexpr (std::is_same_v<Number, double> &&
                      std::is_same_v<std::decay_t<decltype(target)>, Cuda>)
          if (in_float)
            return apply_local_matrices<E>(
              target, apply,
              LocalValues<Number, float>{
                rounded.data(), true, this->n_components, diagonal, of_cells},
              stream);
        apply_local_matrices<E>(
          target, apply,
          LocalValues<Number>{local_values.data(), symmetric,
                              this->n_components, diagonal, of_cells},
          stream);
      });
    });
  }

  template <class Number>
  void
  LocalMatrices<Number>::launch_apply(const CellApply<Number> &apply,
                                      const Stream stream) const
  {
    launch(apply, false, nullptr, stream);
  }

  template <class Number>
  void
  LocalMatrices<Number>::launch_apart(const CellApply<Number> &apply,
                                      Number *of_cells,
                                      const Stream stream) const
  {
    launch(apply, false, of_cells, stream);
  }

  template <class Number>
  void
  LocalMatrices<Number>::diagonal(Vector<Number> &d, const Stream stream) const
  {
    launch_diagonals(*this->cells, this->conflict, d, stream,
                     [&](const CellApply<Number> &apply) {
                       launch(apply, true, nullptr, stream);
                     });
    this->finish_diagonal(d, stream);
  }

  /// Compulsory: x and y once, the degrees of freedom and the values of every
  /// cell: 16 + 4 n / p^2 + 8 n^2 / p^2 bytes a degree of freedom in double.
  template <class Number>
  Traffic
  LocalMatrices<Number>::traffic() const
  {
    const Space &space    = this->cells->space();
    const std::uint64_t n = space.dofs_per_cell();
    const std::uint64_t cell =
      4 * n + (in_float ? sizeof(float) : sizeof(Number)) *
                n_local_entries(symmetric, n * this->n_components);
    return this->with_boundary(
      {2 * sizeof(Number) * this->n_owned() + space.n_cells() * cell,
       this->cells->bytes() + local_values.bytes() + rounded.bytes()});
  }

  template <class Number>
  Precision
  LocalMatrices<Number>::precision() const
  {
    return in_float ? precision_of<float>() : precision_of<Number>();
  }

  template <class Number>
  RecordValues
  LocalMatrices<Number>::layout_parameters() const
  {
    return in_float ? RecordValues{{"stored_number", "float"}} : RecordValues{};
  }

  template class LocalMatrices<double>;
  template class LocalMatrices<float>;

  const OptionSet &
  cell_values_options()
  {
    static const OptionSet set = {
      {{"Cell matrix values",
        "how the entries of cell matrices are stored, in the type Number or "
        "in 4 bytes; vectors, products and sums stay of the type Number",
        "number",
        {"number", "float"}}},
      true,
      "Cell matrix values",
      true};
    return set;
  }

  bool
  stores_float(const StorageOptions &options)
  {
    return cell_values_options().options[0].value(options) == "float";
  }

  namespace
  {
    /// Returns the bytes per cell of so many entries, of vertex indices and of
    /// the coordinates of a vertex.
    double
    bytes_of_assembly(const double n_entries, const int number_bytes)
    {
      return number_bytes * n_entries + 16 + 2 * number_bytes;
    }

    OperatorDescriptor
    describe_local_matrices()
    {
      OperatorDescriptor d{
        "local_matrices",
        "the dense matrix of every cell, applied cell by cell (LMA)",
        "RegulyGiles2015, sections 3.3 and 8.2"};
      d.from_cells([](auto number, const auto &problem) {
        return make_local_matrices<decltype(number)>(problem, false);
      });
      d.memory = [](const MemoryCounts &n, const StorageOptions &) {
        return n.nodes * n.nodes * n.number_bytes;
      };
      d.model          = models::local_matrices;
      d.assembly_model = [](const int degree, const int s) {
        const double n = (degree + 1) * (degree + 1);
        return bytes_of_assembly(n * n, s);
      };
      return d;
    }

    const Registration<OperatorDescriptor> local_matrices_registration(
      describe_local_matrices);

    OperatorDescriptor
    describe_local_matrices_symmetric()
    {
      OperatorDescriptor d{
        "local_matrices_symmetric",
        "the upper half of the matrix of every cell, applied cell by cell; on "
        "request values in float",
        "RegulyGiles2015, section 8.2; KiranGautamSharma2020 (EbE_sym)",
        {&cell_values_options()}};
      d.takes_symmetric_forms();
      d.from_cells([](auto number, const auto &problem) {
        return make_local_matrices<decltype(number)>(
          problem, true, stores_float(problem.storage));
      });
      d.memory = [](const MemoryCounts &n, const StorageOptions &options) {
        return n.nodes * (n.nodes + 1) / 2 *
               (stores_float(options)
                  ? sizeof(float) + 1. * sizeof(double) / n_cell_parts
                  : n.number_bytes);
      };
      d.model          = models::local_matrices_symmetric;
      d.assembly_model = [](const int degree, const int s) {
        const double n = (degree + 1) * (degree + 1);
        return bytes_of_assembly(n * (n + 1) / 2, s);
      };
      return d;
    }

    const Registration<OperatorDescriptor>
      local_matrices_symmetric_registration(describe_local_matrices_symmetric);
  } // namespace
} // namespace tessera
