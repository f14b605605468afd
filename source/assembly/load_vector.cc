#include <tessera/assembly/load_vector.h>
#include <tessera/space/element.h>
#include <tessera/space/point_evaluator.h>

#include <stdexcept>

#include "add_components.cuh"
#include "load_vector_kernels.h"

namespace tessera
{
  namespace
  {
    template <class Number>
    void
    check_size(const Vector<Number> &b, const Space &space, const int n)
    {
      if (b.size() != space.n_local() * n)
        throw std::length_error("a load of " + std::to_string(n) +
                                " components for a vector of another size");
    }

    /// The load vectors of all cells, added to `y` or, by `gather`, written.
    template <class Number>
    void
    launch_load(Number *const y, const CellData<Number> &cells,
                const CoefficientView<Number> &source, const Route route,
                const Conflict conflict, const Stream stream)
    {
      const Space &space = cells.space();
      on_target(cells.backend(), [&](const auto target) {
        on_element(space.cell_type, space.degree, [&](auto e) {
          for (const BlockList &blocks : cells.launches(conflict))
            add_load_on<decltype(e), Number>(target,
                                             {cells.view(conflict),
                                              cells.batches_per_block(),
                                              blocks,
                                              conflict,
                                              nullptr,
                                              y,
                                              true,
                                              {}},
                                             source, route, stream);
        });
      });
    }
  } // namespace

  template <class Number>
  void
  add_load_vector(Vector<Number> &b, const CellData<Number> &cells,
                  const CoefficientView<Number> &source,
                  const Conflict conflict, const Stream stream)
  {
    check_conflict(conflict, cells.backend(), "the load vector");
    check_size(b, cells.space(), 1);
    launch_load(b.data(), cells, source, Route::scatter, conflict, stream);
  }

  template <class Number>
  void
  add_load_vector(Vector<Number> &b, const CellData<Number> &cells,
                  const CoefficientView<Number> &source,
                  GatherVector<Number> &gather, const Stream stream)
  {
    check_size(b, cells.space(), 1);
    // Every entry has one writer: atomics are named for a parallel loop and
    // never used.
    launch_load(gather.values(), cells, source, Route::gather,
                Conflict::atomics, stream);
    gather.add_to(b, stream);
  }

  template <class Number>
  void
  add_load_vector(Vector<Number> &b, const CellData<Number> &cells,
                  const Coefficient &source, const Conflict conflict,
                  const Route route, const Stream stream)
  {
    check_route(route, "the load vector", {Route::scatter, Route::gather});
    const int n = source.n_components;
    check_size(b, cells.space(), n);
    if (n > 1)
      return add_components(
        b, cells.space(), n,
        [&](const int c, Vector<Number> &of_component) {
          add_load_vector(of_component, cells,
                          sum_of_terms(1, {{0, 1., &source, c}}, cells.space()),
                          conflict, route, stream);
        },
        stream);
    const CoefficientData<Number> data(source, cells);
    std::optional<GatherVector<Number>> gather;
    if (route == Route::gather)
      add_load_vector(b, cells, data.view(), gather.emplace(cells), stream);
    else
      add_load_vector(b, cells, data.view(), conflict, stream);
    // The memory behind must outlive what was issued.
    if (cells.backend() == Backend::cuda)
      runtime::synchronize(stream);
  }

#define INSTANTIATE(Number)                                                    \
  template void add_load_vector<Number>(                                       \
    Vector<Number> &, const CellData<Number> &,                                \
    const CoefficientView<Number> &, Conflict, Stream);                        \
  template void add_load_vector<Number>(                                       \
    Vector<Number> &, const CellData<Number> &,                                \
    const CoefficientView<Number> &, GatherVector<Number> &, Stream);          \
  template void add_load_vector<Number>(                                       \
    Vector<Number> &, const CellData<Number> &, const Coefficient &, Conflict, \
    Route, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
