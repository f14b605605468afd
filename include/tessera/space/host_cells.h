#pragma once

#include <tessera/base/simd.h>
#include <tessera/space/cells.cuh>

namespace tessera
{
  /// A batch of cells, one a lane, whose values are vectors.
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

    TESSERA_HOST void
    store(Number *array, const int n_entries, const int entry,
          const Value value) const
    {
      value.store(array + place(n_entries, entry));
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

  /// One cell of a batch.
  template <class Target, class Number>
  struct HostLane : CellAccess<HostLane<Target, Number>, Number, Number>
  {
    static constexpr int lanes = Target::template lanes<Number>;
    using Value                = Number;

    std::int64_t batch;
    int lane;

    TESSERA_HOST
    HostLane(const CellView<Number> &, const std::int64_t cell)
      : batch(cell / lanes), lane(static_cast<int>(cell % lanes))
    {}

    TESSERA_HOST std::int64_t
    place(const int n_entries, const int entry) const
    {
      return (batch * n_entries + entry) * lanes + lane;
    }

    TESSERA_HOST Number
    load(const Number *array, const int n_entries, const int entry) const
    {
      return array[place(n_entries, entry)];
    }

    template <int n_vertices, int dim>
    TESSERA_HOST void
    vertices(const CellView<Number> &view, Number (&x)[n_vertices][dim]) const
    {
      for (int v = 0; v < n_vertices; ++v)
        for (int d = 0; d < dim; ++d)
          x[v][d] = load(view.coordinates, n_vertices * dim, v * dim + d);
    }
  };

  /// Calls `work(batch)` for every batch of a block list; blocks go in
  /// parallel unless conflicts are ignored (`none`: one thread). Returns what
  /// `work` gives, summed per block into `partial` where that is not null.
  template <class Number, class Work>
  TESSERA_HOST void
  for_each_batch(const BlockList &list, const int batches_per_block,
                 const Conflict conflict, Number *partial, const Work &work)
  {
#pragma omp parallel for schedule(static) if (conflict != Conflict::none)
    for (int k = 0; k < list.n_blocks; ++k)
      {
        const int place = list.first + k;
        const std::int64_t block =
          list.blocks != nullptr ? list.blocks[place] : place;
        Number sum = Number(0);
        for (int b = 0; b < batches_per_block; ++b)
          sum += work(block * batches_per_block + b);
        if (partial != nullptr)
          partial[place] = sum;
      }
  }
} // namespace tessera
