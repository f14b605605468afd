#include <tessera/preconditioners/multigrid_setup.h>

#include <algorithm>
#include <utility>

namespace tessera
{
  namespace
  {
    std::vector<double>
    positions_of(const std::vector<int> &nodes, const Space &space)
    {
      const int dim        = space.dim();
      const auto all_nodes = node_positions(space);
      std::vector<double> positions;
      for (const int node : nodes)
        for (int d = 0; d < dim; ++d)
          positions.push_back(all_nodes[std::size_t(node) * dim + d]);
      return positions;
    }

    /// The space of a part and how its nodes are numbered.
    struct PartOfSpace
    {
      const Messages &messages;
      const SharedNodes &shared;
      const Space &space;

      /// Sets the n values of each ghost, [n_owned + n_ghosts][n].
      template <class T>
      void
      import(std::vector<T> &values, const int n = 1) const
      {
        import_values(messages, shared, space.n_owned, values.data(), n);
      }

      /// Returns the numbers of some owned nodes, which `first` begins, at all
      /// nodes; -1 where there is none.
      std::vector<std::int64_t>
      numbers(const std::vector<int> &nodes, std::int64_t first) const
      {
        std::vector<std::int64_t> result(space.n_owned + space.n_ghosts, -1);
        for (const int node : nodes)
          result[node] = first++;
        import(result);
        return result;
      }
    };

    std::vector<std::int64_t>
    times(std::vector<std::int64_t> numbers, const int n)
    {
      for (std::int64_t &number : numbers)
        number *= n;
      return numbers;
    }

    /// Returns the rows of the owned entries in the whole matrix.
    DividedRows
    rows_of_whole(SparseMatrix local, const PartOfSpace &part)
    {
      const Space &space = part.space;
      const int nc       = space.n_components;
      DividedNodes nodes{number_nodes(part.messages, space.n_owned),
                         part.messages.part(),
                         {},
                         {}};
      std::vector<int> owned(space.n_owned);
      for (int node = 0; node < space.n_owned; ++node)
        owned[node] = node;
      const auto numbers = part.numbers(owned, nodes.first[nodes.part]);
      nodes.first        = times(nodes.first, nc);
      for (std::size_t node = space.n_owned; node < numbers.size(); ++node)
        for (int c = 0; c < nc; ++c)
          nodes.ghosts.push_back(numbers[node] * nc + c);
      // Two copies of the entries exist at a time.
      NumberedRows rows = number_columns(view(local), nodes);
      local             = {};
      rows = sum_rows(part.messages, entries_of_nodes(part.shared, nc),
                      space.n_owned * nc, rows);
      return divide_rows(part.messages, rows, nodes.first, nc);
    }

    /// Returns 1 for entries of [owned | ghosts] whose rows couple to no other
    /// one, such as rows of given values.
    std::vector<char>
    entries_alone(const SparseRows &A, const PartOfSpace &part)
    {
      const int nc            = part.space.n_components;
      std::vector<char> alone = rows_alone(A.view(), Backend::host).to_vector();
      alone.resize(std::size_t(part.space.n_owned + part.space.n_ghosts) * nc);
      part.import(alone, nc);
      return alone;
    }

    /// The prolongation from the space of degree 1.
    struct VertexLevel
    {
      std::vector<int> nodes;          ///< owned ones, at vertices
      std::vector<std::int64_t> first; ///< numbers of entries of each part
      NumberedRows rows;
    };

    VertexLevel
    vertex_level(const SparseRows &A, const PartOfSpace &part)
    {
      VertexLevel result;
      result.nodes = vertex_nodes(part.space);
      const auto first =
        number_nodes(part.messages, static_cast<int>(result.nodes.size()));
      const auto numbers =
        part.numbers(result.nodes, first[part.messages.part()]);
      result.first = times(first, part.space.n_components);
      result.rows  = insert_rows_of_ghosts(
         part.messages, part.space, part.shared,
         vertex_rows(part.space, numbers, entries_alone(A, part)));
      return result;
    }

    /// Returns the rigid-body modes at some nodes of a body that all parts
    /// have.
    NearNullSpace
    modes_of_body(const std::vector<double> &positions, const PartOfSpace &part)
    {
      const int dim              = part.space.dim();
      std::vector<double> bounds = bounds_of(positions, dim);
      Messages::Bytes mine;
      append(mine, bounds.data(), bounds.size());
      for (const Messages::Bytes &bytes : part.messages.gather(mine))
        {
          std::vector<double> others;
          MessageReader(bytes).append_to(others, bounds.size());
          for (int d = 0; d < dim; ++d)
            {
              bounds[d]       = std::min(bounds[d], others[d]);
              bounds[dim + d] = std::max(bounds[dim + d], others[dim + d]);
            }
        }
      return rigid_body_modes(positions, dim, bounds);
    }
  } // namespace


  AggregatedNodes
  aggregated_nodes(const RowsView &A, const Backend backend, const Space &space,
                   const Coarsening coarsening)
  {
    AggregatedNodes result;
    if (space.degree > 1 && coarsening == Coarsening::degree_first)
      result.vertices = make_vertex_space(space, rows_alone(A, backend));
    if (space.n_components == space.dim())
      result.modes = rigid_body_modes(
        result.vertices.n_nodes() > 0
          ? positions_of(result.vertices.nodes.to_vector(), space)
          : node_positions(space),
        space.dim());
    return result;
  }


  AlgebraicLevels
  make_algebraic_levels(const RowsView &A, const Space &space,
                        const Backend backend, const Coarsening coarsening,
                        AlgebraicLevelsOptions options)
  {
    AggregatedNodes nodes = aggregated_nodes(A, backend, space, coarsening);
    options.n_components  = space.n_components;
    if (nodes.vertices.n_nodes() > 0)
      options.first = &nodes.vertices.prolongation;
    options.near_null_space = std::move(nodes.modes);
    return {A, backend, options};
  }


  AlgebraicLevels
  make_algebraic_levels(const SparseMatrix &A, const Space &space,
                        const Backend backend, const Coarsening coarsening,
                        AlgebraicLevelsOptions options)
  {
    if (backend == Backend::host)
      return make_algebraic_levels(view(A), space, backend, coarsening,
                                   std::move(options));
    const SparseRows copy(A, backend);
    return make_algebraic_levels(copy.view(), space, backend, coarsening,
                                 std::move(options));
  }


  AlgebraicLevels
  make_divided_levels(SparseMatrix local, const Space &space,
                      const OtherParts &others, const Backend backend,
                      const Coarsening coarsening,
                      AlgebraicLevelsOptions options)
  {
    const Messages &messages = *others.messages;
    const PartOfSpace part{messages, others.shared, space};
    DividedRows A        = rows_of_whole(std::move(local), part);
    options.n_components = space.n_components;
    VertexLevel vertices;
    if (space.degree > 1 && coarsening == Coarsening::degree_first)
      vertices = vertex_level(A.rows, part);
    const bool by_degree = !vertices.first.empty() && vertices.first.back() > 0;
    if (space.n_components == space.dim()) // others have the constants
      options.near_null_space = modes_of_body(
        by_degree ? positions_of(vertices.nodes, space) : node_positions(space),
        part);
    return {std::move(A),
            others,
            backend,
            options,
            by_degree ? &vertices.rows : nullptr,
            vertices.first};
  }
} // namespace tessera
