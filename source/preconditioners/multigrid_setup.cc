#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>
#include <tessera/base/registry_definitions.h>
#include <tessera/preconditioners/geometric_levels.h>
#include <tessera/preconditioners/multigrid_setup.h>

#include <cmath>

#include "multigrid_memory.h"

namespace tessera
{
  template class Registry<LevelMaker>;

  namespace
  {
    const char *const own_aggregates = "mis2";

    const OptionSet &
    multigrid_options()
    {
      static const OptionSet set = {
        {{"Cycle",
          "whether a level is visited once (V) or twice (W) for each visit of "
          "the next finer one; auto: once where no aggregates follow levels "
          "that are spaces, or two of these have larger cells",
          "auto",
          {"auto", "V", "W"}},
         {"Smoother degree",
          "the degree of the Chebyshev polynomial that smooths, which is the "
          "number of its products; auto: 1 in a V above levels that are "
          "spaces, for one unknown a node on cells that are not stretched, "
          "and 2 elsewhere and for full multigrid",
          "auto",
          {"auto"},
          1,
          64},
         {"Coarsening",
          "at degree 2 and higher: the space of degree 1 on the same mesh, "
          "whose matrix is aggregated, or aggregates of all nodes; geometric: "
          "the form itself on spaces of lower degree and of larger cells, "
          "without a matrix, and aggregates below the last one; auto: "
          "geometric where cells and coefficients suit it, as far as they do",
          "auto",
          {"auto", "degree_first", "aggregation", "geometric"}},
         {"Start",
          "what a solve without a former solution begins with: zero, or the "
          "answer of one pass of full multigrid, which solves on the coarsest "
          "level and improves the solution by a cycle on every finer one",
          "zero",
          {"zero", "full_multigrid"}}}};
      return set;
    }

    /// Returns the option that says who makes the levels, this library or one
    /// of the others that are linked.
    const OptionSet &
    aggregates_options()
    {
      static const OptionSet set = []() {
        Option option{
          "Aggregates",
          "who makes them: independent sets of distance 2 on the backend",
          own_aggregates,
          {own_aggregates}};
        for (const LevelMaker &other : Registry<LevelMaker>::all())
          {
            option.sentence += ", or " + other.sentence;
            option.words.push_back(other.name);
          }
        OptionSet result{{option}};
        if (option.words.size() > 1)
          result.default_of_processes =
            option.default_value + ", since others have one process";
        return result;
      }();
      return set;
    }

    std::string
    coarsening_name(const OptionValues &values)
    {
      return multigrid_options().options[2].value(values);
    }

    /// Returns the coarsening of the options; for auto, degree_first.
    Coarsening
    coarsening_of(const OptionValues &values)
    {
      const std::string value = coarsening_name(values);
      return value == "geometric"     ? Coarsening::geometric
             : value == "aggregation" ? Coarsening::aggregation
                                      : Coarsening::degree_first;
    }

    MultigridOptions
    cycle_of(const OptionValues &values, const GeometricLevels *const spaces)
    {
      const auto &options = multigrid_options().options;
      MultigridOptions result;
      const std::string cycle = options[0].value(values);
      const bool once = spaces != nullptr && (spaces->below() == nullptr ||
                                              spaces->n_refinements() >= 2);
      if (cycle != "auto")
        result.cycle = multigrid_cycle_from_string(cycle);
      else if (once)
        result.cycle = MultigridCycle::V;
      result.smoother_degree = options[1].number(values);
      result.full            = options[3].value(values) == "full_multigrid";
      // More steps would take longer than the rest of the set-up; one pass of
      // full multigrid comes closer to the answer with better bounds.
      if (once)
        result.lanczos_steps = result.full ? 6 : 4;
      return result;
    }

    /// Returns the maker that replaces this library's levels, or null.
    const LevelMaker *
    other_maker(const OptionValues &values)
    {
      const std::string name = aggregates_options().options[0].value(values);
      for (const LevelMaker &other : Registry<LevelMaker>::all())
        if (other.name == name)
          return &other;
      return nullptr;
    }

    AlgebraicLevels
    levels_on(const Backend backend, const OtherParts &others,
              const PreconditionerProblem &problem, const Coarsening coarsening)
    {
      if (others.are_several())
        return make_divided_levels(problem.matrix(), *problem.space, others,
                                   backend, coarsening);
      const auto levels_of = [&](const auto &A) -> AlgebraicLevels {
        if (!problem.space)
          return {A, backend};
        return make_algebraic_levels(A, *problem.space, backend, coarsening);
      };
      if (!problem.rows)
        return levels_of(problem.matrix());
      const SparseRows rows = problem.rows();
      return levels_of(rows.view());
    }

    [[noreturn]] void
    refuse_geometric(const std::string &reason)
    {
      throw ParameterError("'Coarsening' = geometric " + reason +
                           "; legal are auto, degree_first and aggregation.");
    }

    template <class Number>
    GeometricLevels
    spaces_below(const Operator<Number> &A,
                 const PreconditionerProblem &problem)
    {
      GeometricLevelsOptions options;
      options.conflict = A.repeatable() && descriptor(A.name()).stores_nothing
                           ? Conflict::coloring
                           : default_conflict(A.backend());
      options.cells    = problem.cells;
      options.others   = A.parts().others();
      options.ends_at_hindrances =
        coarsening_name(problem.options) != "geometric";
      return {problem.space, *problem.form, A.backend(), options};
    }

    /// Returns why levels cannot be spaces in some part: a noun phrase for the
    /// missing condition, or a sentence. Returns "" if they can.
    template <class Number>
    std::string
    refusal_of_spaces(const OtherParts &others,
                      const PreconditionerProblem &problem)
    {
      std::string refusal;
      if (problem.form == nullptr || problem.space == nullptr)
        refusal =
          "a linear form on a mesh without hanging nodes, faces that "
          "have a matrix and rows that are changed";
      else
        try
          {
            problem.form->compiled->template kernels<Number>().check(
              *problem.space);
            GeometricLevels::check(*problem.space, *problem.form);
          }
        catch (const ParameterError &error)
          {
            refusal = error.what();
          }
      for (const Messages::Bytes &text :
           others.messages->gather({refusal.begin(), refusal.end()}))
        if (!text.empty())
          return {text.begin(), text.end()};
      return refusal;
    }

    /// Returns levels that are spaces if the options ask for them or they suit
    /// the problem, otherwise null. Unless asked for, sets the reason for the
    /// choice, and the coarsening by aggregates in place of spaces.
    template <class Number>
    std::unique_ptr<const GeometricLevels>
    choose_spaces(const Operator<Number> &A,
                  const PreconditionerProblem &problem, Coarsening &coarsening,
                  std::string &reason)
    {
      const bool asked              = coarsening == Coarsening::geometric;
      const LevelMaker *const other = other_maker(problem.options);
      if (!asked &&
          (coarsening_name(problem.options) != "auto" || other != nullptr))
        return {};
      if (other != nullptr)
        refuse_geometric("makes its levels itself, without 'Aggregates' = " +
                         other->name);
      const std::string refusal =
        refusal_of_spaces<Number>(*A.parts().others(), problem);
      if (!refusal.empty())
        {
          const bool is_sentence = refusal.back() == '.';
          if (asked && is_sentence)
            throw ParameterError(refusal);
          if (asked)
            refuse_geometric("needs " + refusal);
          reason =
            (is_sentence ? "aggregates. " : "aggregates, since spaces need ") +
            refusal;
          return {};
        }
      auto levels =
        std::make_unique<const GeometricLevels>(spaces_below(A, problem));
      const bool exist = !levels->levels().empty();
      if (!asked || !exist)
        reason = !exist ? "aggregates, since " + levels->end()
                 : levels->below() != nullptr
                   ? "spaces, and aggregates below, since " + levels->end()
                   : "spaces, since cells are not stretched and "
                     "coefficients do not jump within larger ones";
      if (exist)
        return levels;
      if (levels->hindrance() == Hindrance::stretched &&
          problem.n_components == 1)
        coarsening = Coarsening::aggregation;
      return {};
    }

    void
    check_parts(const OtherParts &others, const PreconditionerProblem &problem)
    {
      if (problem.space == nullptr || !others.are_several())
        throw ParameterError(
          "Multigrid in several processes needs to know the "
          "space of its part and how to reach the others.");
      if (const LevelMaker *const other = other_maker(problem.options))
        throw ParameterError(
          "In several processes 'Aggregates' = " + other->name +
          " is not legal, since it has one process; legal "
          "is " +
          own_aggregates + '.');
    }

    /// Measured on a host, and derived for a device from the time of aggregates
    /// at degree 1, doc/multigrid.md. On a device set-up passes over the matrix
    /// entries, (p + 2)^dim per row and component; an iteration with Jacobi may
    /// avoid them.
    Savings
    savings_of_multigrid(const SolveShape &shape)
    {
      if (shape.backend == Backend::host)
        return {10000, 400};
      const double entries = // relative to degree 1
        std::pow((shape.degree + 2) / 3., dimension(shape.cell_type));
      return {100000, static_cast<int>(
                        std::lround(2000 * shape.n_components * entries))};
    }

    PreconditionerDescriptor
    describe_multigrid()
    {
      PreconditionerDescriptor d{
        "multigrid",
        "a cycle over levels that are coarser spaces or smoothed aggregates, "
        "with Chebyshev smoothing",
        "VanekMandelBrezina1996"};
      d.options      = {&multigrid_options(), &aggregates_options()};
      d.start        = &multigrid_options().options[3];
      d.needs_matrix = true;
      d.made_by([](auto number, const auto &A,
                   const PreconditionerProblem &problem, const Stream stream) {
        using Cycle                   = Multigrid<decltype(number)>;
        Coarsening coarsening         = coarsening_of(problem.options);
        const LevelMaker *const other = other_maker(problem.options);
        auto cycle                    = cycle_of(problem.options, nullptr);
        const OtherParts &others      = *A.parts().others();
        if (A.parts().are_several())
          check_parts(others, problem);
        // Other processes cannot open memory of a pool.
        const ReusedDeviceMemory reused(A.parts().are_several() ? Backend::host
                                                                : A.backend());
        std::string reason;
        if (const auto levels = choose_spaces(A, problem, coarsening, reason))
          {
            cycle        = cycle_of(problem.options, levels.get());
            cycle.reason = reason;
            return std::make_unique<Cycle>(A, *levels, cycle, stream);
          }
        cycle.reason = reason;
        if (other != nullptr)
          return std::make_unique<Cycle>(A, other->make(problem, coarsening),
                                         cycle, stream);
        return std::make_unique<Cycle>(
          A, levels_on(A.backend(), others, problem, coarsening), cycle,
          stream);
      });
      d.memory = [](const PreconditionerCounts &n) {
        return memory_of_levels(n, coarsening_of(n.options),
                                other_maker(n.options) != nullptr);
      };
      d.savings = savings_of_multigrid;
      return d;
    }

    const Registration<PreconditionerDescriptor> multigrid_registration(
      describe_multigrid);
  } // namespace
} // namespace tessera
