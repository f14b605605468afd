#pragma once

#include <tessera/assembly/gather.h>

// The pairs of a route and a conflict handling that suit each other.
namespace tessera::test
{
  struct Way
  {
    Route route;
    Conflict conflict;

    /// True if two runs give the same bits.
    bool
    repeats() const
    {
      return route == Route::gather || conflict != Conflict::atomics;
    }
  };

  inline std::string
  to_string(const Way &way)
  {
    return tessera::to_string(way.route) + ", " +
           tessera::to_string(way.conflict);
  }

  /// The conflict handlings that a backend has.
  inline std::vector<Conflict>
  conflicts(const Backend backend)
  {
    if (backend == Backend::cuda)
      return {Conflict::atomics, Conflict::coloring};
    return {Conflict::atomics, Conflict::coloring, Conflict::none};
  }

  /// Each of the routes with every conflict handling; `gather`, which needs it
  /// for faces beside it alone, with colours.
  inline std::vector<Way>
  ways(const std::vector<Route> &routes, const Backend backend)
  {
    std::vector<Way> result;
    for (const Route route : routes)
      if (route == Route::gather)
        result.push_back({route, Conflict::coloring});
      else
        for (const Conflict conflict : conflicts(backend))
          result.push_back({route, conflict});
    return result;
  }

  /// The ways to assemble load vectors and rows with a known pattern.
  inline std::vector<Way>
  ways(const Backend backend)
  {
    return ways({Route::scatter, Route::gather}, backend);
  }

  /// Assembles into rows whose values are zero.
  template <class Number>
  void
  assemble_rows(const SlotSink<Number> &sink, const FormData<Number> &form,
                const std::string &strategy, const Way &way)
  {
    if (way.route == Route::scatter)
      return tessera::assemble_rows(sink, form, strategy, way.conflict);
    Gather<Number>(form.cells()).assemble(sink, form, strategy);
    if (form.cells().backend() == Backend::cuda)
      runtime::synchronize({}); // its memory is still being read
  }
} // namespace tessera::test
