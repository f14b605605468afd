#include <tessera/fem/driver/multigrid_setup.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/vertex_prolongation.h>
#include <tessera/preconditioners/descriptor.h>
#include <tessera/program/timing.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera
{
  namespace
  {
    /// Returns 1 for rows that couple to no other one, such as rows of given
    /// values.
    std::vector<char>
    rows_alone(const SparseMatrix &A)
    {
      std::vector<char> alone(A.n_rows(), 1);
      for (int row = 0; row < A.n_rows(); ++row)
        for (auto k = A.pattern.row_start[row];
             k < A.pattern.row_start[row + 1]; ++k)
          if (A.pattern.columns[k] != row && A.values[k] != 0.)
            alone[row] = 0;
      return alone;
    }

    /// Returns the matrix that computes all entries that have rows from those
    /// that do not hang: the identity above the rows of hanging entries.
    SparseMatrix
    expansion(const Space &space)
    {
      const int nc                     = space.n_components;
      const int n_free                 = (space.n_owned + space.n_ghosts) * nc;
      const LinearConstraints &hanging = space.hanging;
      const auto is_fixed              = [&](const int entry) {
        return std::binary_search(space.fixed.begin(), space.fixed.end(),
                                               entry);
      };
      SparseMatrix C;
      C.n_columns = n_free;
      C.pattern.row_start.push_back(0);
      int k = 0;
      for (int entry = 0; entry < space.n_stored() * nc; ++entry)
        {
          if (entry < n_free)
            {
              C.pattern.columns.push_back(entry);
              C.values.push_back(1.);
            }
          else if (k < hanging.size() && hanging.entry[k] == entry)
            {
              for (auto m = hanging.start[k]; m < hanging.start[k + 1]; ++m)
                if (const int source = hanging.source[m];
                    source < n_free && !is_fixed(source))
                  {
                    C.pattern.columns.push_back(source);
                    C.values.push_back(hanging.weight[m]);
                  }
              ++k;
            }
          C.pattern.row_start.push_back(
            static_cast<std::int64_t>(C.values.size()));
        }
      return C;
    }

    NearNullSpace
    modes_at(const std::vector<double> &positions, const Space &space)
    {
      const int dim = space.dim();
      return space.n_components == dim
               ? rigid_body_modes(positions, dim)
               : constant_modes(static_cast<int>(positions.size()) / dim,
                                space.n_components);
    }

    std::vector<double>
    vertex_positions(const VertexSpace &vertices, const Space &space)
    {
      const int dim        = space.dim();
      const auto all_nodes = node_positions(space);
      std::vector<double> positions;
      for (const int node : vertices.nodes)
        for (int d = 0; d < dim; ++d)
          positions.push_back(all_nodes[std::size_t(node) * dim + d]);
      return positions;
    }

    /// Makes the levels below those of degree 1.
    void
    append(MultigridLevels &levels, MultigridLevels coarser)
    {
      for (auto &P : coarser.prolongations)
        levels.prolongations.push_back(std::move(P));
      for (auto &A : coarser.matrices)
        levels.matrices.push_back(std::move(A));
    }
  } // namespace


  template <class Number>
  SparseMatrix
  matrix_of_owned(const RowMatrix<Number> &rows, const Space &space)
  {
    SparseMatrix A = collect_rows(rows, space.n_stored() * space.n_components);
    // The ones of given values are in A, those of ghosts at their owners.
    return space.n_hanging == 0 ? A
                                : galerkin_product(expansion(space), A, false);
  }


  MultigridLevels
  make_levels(const SparseMatrix &A, const Space &space,
              const Coarsening coarsening, AggregationOptions options)
  {
    const program::Timer timer;
    const int nc         = space.n_components;
    const auto is_given  = rows_alone(A);
    options.n_components = nc;
    MultigridLevels levels;
    VertexSpace vertices;
    if (space.degree > 1 && coarsening == Coarsening::degree_first)
      vertices = make_vertex_space(space, is_given);
    if (vertices.n_nodes() == 0)
      {
        options.near_null_space = modes_at(node_positions(space), space);
        clear_fixed(options.near_null_space, is_given);
        levels = aggregate(A, options);
      }
    else
      {
        levels.matrices.push_back(galerkin_product(vertices.prolongation, A));
        levels.prolongations.push_back(std::move(vertices.prolongation));
        levels.finest_nonzeros          = A.n_nonzeros();
        const SparseMatrix &of_degree_1 = levels.matrices.back();
        if (of_degree_1.n_rows() > options.max_coarsest)
          {
            options.near_null_space =
              modes_at(vertex_positions(vertices, space), space);
            clear_fixed(options.near_null_space, rows_alone(of_degree_1));
            append(levels, aggregate(of_degree_1, options));
          }
      }
    levels.seconds = timer.seconds();
    levels.made_by = "ml";
    return levels;
  }


  AlgebraicLevels
  make_algebraic_levels(const SparseMatrix &A, const Space &space,
                        const Backend backend, const Coarsening coarsening,
                        AlgebraicLevelsOptions options)
  {
    options.n_components = space.n_components;
    VertexSpace vertices;
    if (space.degree > 1 && coarsening == Coarsening::degree_first)
      vertices = make_vertex_space(space, rows_alone(A));
    const bool by_degree = vertices.n_nodes() > 0;
    if (by_degree)
      options.first = &vertices.prolongation;
    if (space.n_components == space.dim()) // others have the constants
      options.near_null_space = modes_at(
        by_degree ? vertex_positions(vertices, space) : node_positions(space),
        space);
    return AlgebraicLevels(A, backend, options);
  }


  template SparseMatrix
  matrix_of_owned<double>(const RowMatrix<double> &, const Space &);
  template SparseMatrix
  matrix_of_owned<float>(const RowMatrix<float> &, const Space &);


  namespace
  {
    const OptionSet &
    multigrid_options()
    {
      static const OptionSet set = {
        {{"Cycle",
          "whether a level is visited once or twice for each visit of the next "
          "finer one",
          "W",
          {"V", "W"}},
         {"Smoother degree",
          "of the Chebyshev polynomial that smooths, which is the number of "
          "its products",
          "2",
          {},
          1,
          64},
         {"Coarsening",
          "at degree 2 and higher: the space of degree 1 on the same mesh, "
          "whose matrix is aggregated, or aggregates of all nodes",
          "degree_first",
          {"degree_first", "aggregation"}}}};
      return set;
    }

    const OptionSet &
    aggregates_options()
    {
      static const OptionSet set = []() {
        OptionSet result{
          {{"Aggregates",
            "who makes them: independent sets of distance 2 on the backend, or "
            "the library ML on one thread of the host",
            "mis2",
            {"mis2", "ml"}}}};
        result.default_of_processes = "mis2, since ML has one process";
        return result;
      }();
      return set;
    }

    MultigridOptions
    cycle_of(const OptionValues &values)
    {
      const auto &options = multigrid_options().options;
      MultigridOptions result;
      result.cycle = multigrid_cycle_from_string(options[0].value(values));
      result.smoother_degree = *options[1].number(values);
      return result;
    }

    Coarsening
    coarsening_of(const OptionValues &values)
    {
      return multigrid_options().options[2].value(values) == "aggregation"
               ? Coarsening::aggregation
               : Coarsening::degree_first;
    }

    bool
    are_by_ml(const OptionValues &values)
    {
      return aggregates_options().options[0].value(values) == "ml";
    }

    MultigridLevels
    levels_by_ml(const PreconditionerProblem &problem)
    {
      return problem.space ? make_levels(problem.matrix(), *problem.space,
                                         coarsening_of(problem.options))
                           : aggregate(problem.matrix());
    }

    AlgebraicLevels
    levels_on(const Backend backend, const PreconditionerProblem &problem)
    {
      return problem.space
               ? make_algebraic_levels(problem.matrix(), *problem.space,
                                       backend, coarsening_of(problem.options))
               : AlgebraicLevels(problem.matrix(), backend);
    }

    DividedLevels
    levels_of_part(const Backend backend, const PreconditionerProblem &problem)
    {
      if (problem.space == nullptr || problem.parts == nullptr)
        throw ParameterError(
          "Multigrid in several processes needs to know the "
          "space of its part and how to reach the others.");
      if (are_by_ml(problem.options))
        throw ParameterError(
          "In several processes 'Aggregates' = ml is not "
          "legal, since ML has one process; legal is mis2.");
      return make_divided_levels(problem.matrix(), *problem.space,
                                 *problem.parts, backend,
                                 coarsening_of(problem.options));
    }

    /// The levels that smoothed aggregation makes of a matrix of scalar
    /// unknowns on a large mesh. The operator complexity is 1 + coarser.
    struct AggregationCounts
    {
      double coarser; ///< nonzeros of all coarser levels for each of the matrix
      double prolongation; ///< entries of a row
    };

    /// Measured with a million unknowns of degree 1 on distorted cells, with
    /// row starts and what else coarser levels store among the entries.
    AggregationCounts
    aggregation_counts(const CellType type)
    {
      switch (type)
        {
          case CellType::hexahedron:
            return {0.04, 5.4};
          case CellType::triangle:
            return {0.2, 3.7};
          case CellType::tetrahedron:
            return {0.19, 5.1};
          default:
            return {0.125, 3.9};
        }
    }

    /// Returns the mean number of vertex functions at a node of degree p.
    double
    functions_of_degree_1(const CellType type, const int p)
    {
      switch (type)
        {
          case CellType::triangle: // vertices, and edges thrice as many
            return (1 + 3 * 2.) / 4;
          case CellType::tetrahedron: // and six times
            return (1 + 6 * 2.) / 7;
          default:
            return std::pow((1 + 2. * (p - 1)) / p, dimension(type));
        }
    }

    /// Counts the levels without the matrix of the finest one. While they are
    /// made, rows are assembled unless they are stored anyway.
    PreconditionerMemory
    memory_of_multigrid(const PreconditionerCounts &n)
    {
      const CellType type  = n.cell.cell_type;
      const double s       = n.cell.number_bytes;
      const int dim        = dimension(type);
      const double nc      = n.n_components;
      const bool by_degree = n.cell.degree > 1 && coarsening_of(n.options) ==
                                                    Coarsening::degree_first;
      const MemoryCounts &first = by_degree ? n.linear : n.cell;
      const AggregationCounts a = aggregation_counts(type);
      // An aggregate of elastic nodes has an unknown for each rigid-body mode.
      const double modes = nc == dim ? 3. * (dim - 1) : nc;
      double nonzeros    = a.coarser * first.nonzeros * modes * modes +
                        2 * a.prolongation * modes * first.dofs * nc;
      double vectors = 4 * n.rows(); // of the smoother, and a residual
      double rows    = first.nonzeros * nc * nc; // from which levels are made
      if (by_degree)
        {
          nonzeros += first.nonzeros * nc * nc +
                      2 * functions_of_degree_1(type, n.cell.degree) * n.rows();
          vectors += 6 * first.dofs * nc;
          rows += n.cell.nonzeros * nc * nc;
        }
      return {(s + 4) * nonzeros + s * vectors,
              12 * (2 * rows + nonzeros +
                    (n.has_rows ? 0. : n.cell.nonzeros * nc * nc)),
              "making of levels"};
    }

    /// Measured on a host, doc/multigrid.md. Levels of a device were not timed.
    Savings
    savings_of_multigrid(const SolveShape &shape)
    {
      return {shape.backend == Backend::host
                ? 10000
                : std::numeric_limits<double>::infinity(),
              400};
    }

    PreconditionerDescriptor
    describe_multigrid()
    {
      PreconditionerDescriptor d{
        "multigrid",
        "a cycle over levels of smoothed aggregation, below a level of degree "
        "1, with Chebyshev smoothing",
        "VanekMandelBrezina1996"};
      d.options      = {&multigrid_options(), &aggregates_options()};
      d.needs_matrix = true;
      d.made_by([](auto number, const auto &A,
                   const PreconditionerProblem &problem, const Stream stream) {
        using Made          = Multigrid<decltype(number)>;
        const auto &options = problem.options;
        if (A.parts().are_several())
          return std::make_unique<Made>(A, levels_of_part(A.backend(), problem),
                                        cycle_of(options), stream);
        return are_by_ml(options)
                 ? std::make_unique<Made>(A, levels_by_ml(problem),
                                          cycle_of(options), stream)
                 : std::make_unique<Made>(A, levels_on(A.backend(), problem),
                                          cycle_of(options), stream);
      });
      d.memory  = memory_of_multigrid;
      d.savings = savings_of_multigrid;
      return d;
    }

    const Registration<PreconditionerDescriptor> multigrid_registration(
      describe_multigrid);
  } // namespace
} // namespace tessera
