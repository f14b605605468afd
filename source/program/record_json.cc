#include "record_json.h"

namespace tessera::program
{
  namespace
  {
    using program::json;

    Json
    json(const std::map<std::string, Value> &parameters)
    {
      Json result = Json::object();
      for (const auto &[name, value] : parameters)
        result[name] = json(value);
      return result;
    }

    Json
    json(const std::optional<Counters> &counters)
    {
      if (!counters)
        return nullptr;
      Json result = Json::object();
      for (const auto &[name, value] : *counters)
        result[name] = json(value);
      return result;
    }

    Json
    json(const std::vector<Probe> &probes)
    {
      Json result = Json::array();
      for (const Probe &probe : probes)
        result.push_back(
          {{"point", probe.point}, {"value", json(probe.value)}});
      return result;
    }

    Json
    json(const std::vector<Boundary> &boundaries)
    {
      Json result = Json::array();
      for (const Boundary &boundary : boundaries)
        result.push_back({{"id", boundary.id},
                          {"names", json(boundary.names)},
                          {"faces", boundary.faces}});
      return result;
    }

    Json
    json(const std::vector<Flux> &fluxes)
    {
      Json result = Json::array();
      for (const Flux &flux : fluxes)
        result.push_back({{"boundary", flux.boundary},
                          {"name", json(flux.name)},
                          {"value", json(flux.value)}});
      return result;
    }

    Json
    json(const std::vector<Quantity> &quantities)
    {
      Json result = Json::array();
      for (const Quantity &quantity : quantities)
        result.push_back({{"name", quantity.name},
                          {"value", json(quantity.value)},
                          {"point", quantity.point}});
      return result;
    }

    Json
    json(const History &history)
    {
      Json result = Json::array();
      for (const auto &[iteration, residual] : history)
        result.push_back({Json(iteration), json(residual)});
      return result;
    }

    Json
    json(const std::optional<Solve> &solve)
    {
      if (!solve)
        return nullptr;
      return {{"preconditioner", solve->preconditioner},
              {"method", solve->method},
              {"tolerance", solve->tolerance},
              {"iterations", json(solve->iterations)},
              {"converged", solve->converged},
              {"end", json(solve->end)},
              {"operator_seconds", json(solve->operator_seconds)},
              {"solve_seconds", json(solve->solve_seconds)},
              {"iteration_seconds", json(solve->iteration_seconds)},
              {"iteration_bytes", json(solve->iteration_bytes)},
              {"residual", json(solve->residual)},
              {"true_residual", json(solve->true_residual)},
              {"error", json(solve->error)},
              {"t10", json(solve->t10)},
              {"history", json(solve->history)}};
    }
  } // namespace

  Json
  json(const Case &c)
  {
    const Problem &p = c.problem;
    const Phases &t  = c.phases;
    const Results &r = c.results;
    return {{"name", c.name},
            {"problem",
             {{"dim", p.dim},
              {"cell_type", p.cell_type},
              {"degree", p.degree},
              {"cells", p.cells},
              {"dofs", p.dofs},
              {"nonzeros", json(p.nonzeros)},
              {"colors", json(p.colors)},
              {"chosen", json(p.chosen)},
              {"numbering", json(p.numbering)},
              {"boundaries", json(p.boundaries)}}},
            {"phases",
             {{"mesh", json(t.mesh)},
              {"dofs", json(t.dofs)},
              {"flatten", json(t.flatten)},
              {"pattern", json(t.pattern)},
              {"coefficients", json(t.coefficients)},
              {"upload", json(t.upload)},
              {"assembly", json(t.assembly)},
              {"setup", json(t.setup)},
              {"solve", json(t.solve)},
              {"evaluation", json(t.evaluation)},
              {"output", json(t.output)}}},
            {"results",
             {{"iterations", json(r.iterations)},
              {"converged", json(r.converged)},
              {"ended", json(r.ended)},
              {"residual", json(r.residual)},
              {"true_residual", json(r.true_residual)},
              {"history", json(r.history)},
              {"L2_error", json(r.L2_error)},
              {"H1_error", json(r.H1_error)},
              {"maximum_error", json(r.maximum_error)},
              {"L2_rate", json(r.L2_rate)},
              {"H1_rate", json(r.H1_rate)},
              {"passed", json(r.passed)},
              {"probes", json(r.probes)},
              {"fluxes", json(r.fluxes)},
              {"quantities", json(r.quantities)}}},
            {"parameters", json(c.parameters)},
            {"counters", json(c.counters)}};
  }

  Json
  json(const Row &r)
  {
    return {{"case", r.case_name},
            {"kind", r.kind},
            {"operator", r.op},
            {"library", r.library},
            {"backend", r.backend},
            {"number", r.number},
            {"degree", r.degree == 0 ? Json(nullptr) : Json(r.degree)},
            {"strategy", json(r.strategy)},
            {"route", json(r.route)},
            {"conflict", json(r.conflict)},
            {"numbering", json(r.numbering)},
            {"dofs", r.dofs},
            {"cells", r.cells},
            {"seconds_min", json(r.seconds_min)},
            {"seconds_median", json(r.seconds_median)},
            {"seconds_spread", json(r.seconds_spread)},
            {"samples", r.samples},
            {"gdofs_per_s", json(r.gdofs_per_s)},
            {"gcells_per_s", json(r.gcells_per_s)},
            {"compulsory_bytes", json(r.compulsory_bytes)},
            {"stored_bytes", json(r.stored_bytes)},
            {"bandwidth", json(r.bandwidth)},
            {"fraction_of_copy", json(r.fraction_of_copy)},
            {"paper_bytes", json(r.paper_bytes)},
            {"fraction_of_model", json(r.fraction_of_model)},
            {"gflops", json(r.gflops)},
            {"setup_seconds", json(r.setup_seconds)},
            {"memory_bytes", json(r.memory_bytes)},
            {"padding", json(r.padding)},
            {"cg_iterations_per_s", json(r.cg_iterations_per_s)},
            {"parameters", json(r.parameters)},
            {"counters", json(r.counters)},
            {"work", r.work.empty() ? Json(nullptr) : Json(r.work)},
            {"solve", json(r.solve)},
            {"error", json(r.error)},
            {"repeatable", json(r.repeatable)},
            {"completed", r.completed},
            {"reason", json(r.reason)}};
  }

  Json
  json(const Matrix &m)
  {
    Json statistics = Json::object();
    for (const auto &[name, value] : m.statistics)
      statistics[name] = json(value);
    return {{"name", m.name},
            {"source", m.source},
            {"rows", m.rows},
            {"columns", m.columns},
            {"nonzeros", m.nonzeros},
            {"statistics", statistics},
            {"row_lengths", m.row_lengths},
            {"picture", m.picture}};
  }
} // namespace tessera::program
