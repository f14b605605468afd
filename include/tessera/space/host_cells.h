#pragma once

#include <tessera/base/simd.h>
#include <tessera/space/cells.cuh>

namespace tessera
{
  /// A batch of cells on the host. Every lane holds one cell, and values are
  /// SIMD vectors.
  template <class Target, class Number>
  struct HostCells
    : CellAccess<HostCells<Target, Number>,
                 Simd<Number, Target::template lanes<Number>>, Number>
  {
    static constexpr int lanes = Target::template lanes<Number>;
    using Value                = Simd<Number, lanes>;

    std::int64_t batch;

    TESSERA_HOST explicit HostCells(const std::int64_t batch) : batch(batch)
    {}

    TESSERA_HOST std::int64_t
    place(const int n_entries, const int entry) const
    {
      return (batch * n_entries + entry) * lanes;
    }

    TESSERA_HOST Value
    load(const Number *array, const int n_entries, const int entry) const
    {
      return Value::load(array + place(n_entries, entry));
    }

    TESSERA_HOST Value
    load_written(const Number *array, const int n_entries,
                 const int entry) const
    {
      return load(array, n_entries, entry);
    }

    TESSERA_HOST void
    store(Number *array, const int n_entries, const int entry,
          const Value value) const
    {
      value.store(array + place(n_entries, entry));
    }

    /// Reads a component of a vector, [node][component], at node i.
    template <int n_nodes, int n_components>
    TESSERA_HOST Value
    value_at_node(const CellView<Number> &view, const Number *x, const int i,
                  const int component) const
    {
      const int *dofs = view.dofs + place(n_nodes, i);
      typename Value::Vector values{};
      TESSERA_UNROLL
      for (int lane = 0; lane < lanes; ++lane)
        values[lane] = x[n_components * dofs[lane] + component];
      return Value(values, 0);
    }

    template <int n_vertices, int dim>
    TESSERA_HOST void
    vertices(const CellView<Number> &view, Value (&x)[n_vertices][dim]) const
    {
      TESSERA_UNROLL
      for (int v = 0; v < n_vertices; ++v)
        TESSERA_UNROLL
      for (int d = 0; d < dim; ++d)
        x[v][d] = load(view.coordinates, n_vertices * dim, v * dim + d);
    }
  };

  /// Calls `work(batch)` for every batch of a block list. Blocks are worked on
  /// in parallel, except by one thread if conflicts are ignored (`none`). If
  /// `partial` is not null, the sum of the return values of `work` over block k
  /// of the list is stored in partial[list.first + k].
  template <class Work>
  TESSERA_HOST void
  for_each_batch(const BlockList &list, const int batches_per_block,
                 const Conflict conflict, double *partial, const Work &work)
  {
#pragma omp parallel for schedule(static) if (conflict != Conflict::none)
    for (int k = 0; k < list.n_blocks; ++k)
      {
        const int place = list.first + k;
        const std::int64_t block =
          list.blocks != nullptr ? list.blocks[place] : place;
        double sum = 0;
        for (int b = 0; b < batches_per_block; ++b)
          sum += work(block * batches_per_block + b);
        if (partial != nullptr)
          partial[place] = sum;
      }
  }
} // namespace tessera
