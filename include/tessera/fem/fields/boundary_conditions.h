#pragma once

#include <tessera/fem/fields/named_ids.h>
#include <tessera/fem/fields/node_selection.h>
#include <tessera/fem/input/expression.h>
#include <tessera/fem/mesh/mesh.h>
#include <tessera/space/boundary_faces.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/vector.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tessera
{
  /// The boundary conditions of an equation, and their names in parameter
  /// files.
  struct BoundaryKinds
  {
    enum class Kind
    {
      dirichlet,   ///< u = g, for all components or some
      neumann,     ///< (kappa grad u) . n = g
      pressure,    ///< (kappa grad u) . n = -g n, with as many components as n
      robin,       ///< (kappa grad u) . n + alpha u = g, for scalars
      robin_tensor ///< sigma n + K (u - u0) = t with the tensor K, for vectors;
                   ///< t is the value of a Neumann condition there
    };

    struct Entry
    {
      Kind kind;
      std::string name;     ///< of subsections, without a number
      std::string sentence; ///< the meaning of their formula
      /// The entries of u0 and K of `robin_tensor`, and the meaning of K.
      std::string at_rest = {}, coefficient = {}, coefficient_sentence = {};
    };

    /// The value has dim components; otherwise one.
    bool vector_valued = false;
    std::vector<Entry> entries;
    std::string natural; ///< the condition on all other boundaries

    /// `Dirichlet`, `Neumann` and `Robin`.
    static const BoundaryKinds &
    scalar();
  };

  /// The section `Boundary conditions` of a parameter file. For each kind of
  /// condition it has numbered subsections, such as `Dirichlet 1`, each for
  /// some boundaries or for the faces that a formula chooses, and an entry for
  /// the remaining boundaries. Faces chosen by a formula have priority over ids
  /// and names of other subsections that exclude its condition.
  ///
  /// Dirichlet conditions also hold selected nodes (`NodeSelection`); sets of
  /// nodes may stand among their boundaries, too. If several conditions hold a
  /// node, the first subsection gives the value.
  template <int dim>
  class BoundaryConditions
  {
  public:
    static void
    declare(Parameters &parameters,
            const BoundaryKinds &kinds = BoundaryKinds::scalar());

    /// Reads the section. Throws ParameterError if an expression cannot be
    /// parsed, or if components are held that do not exist.
    explicit BoundaryConditions(
      const Parameters &parameters,
      const BoundaryKinds &kinds = BoundaryKinds::scalar());

    /// Throws MeshError if a named boundary does not exist or two subsections
    /// claim the same part of it, if a boundary is neither covered nor declared
    /// natural, or if nothing fixes the value of a scalar u. Throws
    /// ParameterError if alpha is negative at the centre of a face.
    void
    check(const Mesh<dim> &mesh) const;

    /// Returns the ids of the boundaries that fix the value of u: Dirichlet
    /// boundaries, and Robin boundaries with alpha > 0 at the centre of some
    /// face. Throws what `check` throws. Cells of all processes of a `division`
    /// count; the processes call this together.
    std::set<dealii::types::boundary_id>
    fixed_boundaries(const Mesh<dim> &mesh,
                     const Division &division = {}) const;

    /// Returns the ids of the Dirichlet boundaries. Throws what `check` throws,
    /// but does not check that something fixes the value of u.
    std::set<dealii::types::boundary_id>
    dirichlet_boundaries(const Mesh<dim> &mesh) const;

    /// Returns the closed constraints u_i = g(x_i). Throws ParameterError
    /// naming the place if g is not finite, and what `check` throws. Missing
    /// supports of a vector are found by `check_rigid_motions`. If `must_fix`
    /// is false, no boundary has to fix u, or `fixed_boundaries` has examined
    /// the cells of all processes.
    dealii::AffineConstraints<double>
    constraints(const Mesh<dim> &mesh, const CellNodes<dim> &cells,
                bool must_fix = true) const;

    /// Returns the faces of the Neumann and Robin boundaries in the order of
    /// the cells, with the quadrature rule of `cell_rule`. Throws
    /// ParameterError naming the place if g or alpha is not finite or alpha is
    /// negative, or a tensor K has a negative eigenvalue, and MeshError if the
    /// boundaries do not fit the conditions; see `check`. The part K u0 of a
    /// `robin_tensor` is no load, because next to K u the loads would be
    /// rounded away; `tensor_faces` has it. The measure of faces is multiplied
    /// by `weight` if it is given.
    BoundaryFaces
    faces(const Mesh<dim> &mesh, const CellNodes<dim> &cells,
          const std::function<double(const dealii::Point<dim> &)> &weight = {})
      const;

    /// Returns true if selected nodes are held.
    bool
    holds_nodes(const Mesh<dim> &mesh) const;

    /// Throws what `NodeSelection::check` throws if selected nodes are held.
    /// All processes call it together.
    void
    check_nodes(const Mesh<dim> &mesh, const CellNodes<dim> &cells) const;

    /// Returns true if a value depends on t.
    bool
    varies_in_time() const;

    /// Sets the time of Dirichlet values and the time of loads.
    void
    set_time(double t, double t_of_loads);

    /// The quadrature points of the faces of a `robin_tensor`.
    struct TensorFaces
    {
      std::string name;                                  ///< of its subsection
      std::vector<unsigned int> cells;                   ///< [n_faces]
      std::vector<dealii::types::global_dof_index> dofs; ///< [n_faces][n][dim]
      std::vector<double> points;                        ///< [n_faces][nq][dim]
      std::vector<double> dS;                            ///< [n_faces][nq]
      std::vector<dealii::SymmetricTensor<2, dim>> K;    ///< [n_faces][nq]
      std::vector<dealii::Tensor<1, dim>> at_rest;       ///< u0, [n_faces][nq]
    };

    /// Returns the faces of each condition of the kind `robin_tensor`; on a
    /// divided mesh, only the faces of own cells. Throws what `faces` throws.
    std::vector<TensorFaces>
    tensor_faces(const Mesh<dim> &mesh, const CellNodes<dim> &cells) const;

    /// Returns the names of subsections with Dirichlet values, and for every
    /// degree of freedom of deal.II the number of the one that holds it, or -1,
    /// [n_dofs]. On a divided mesh a process sets this for its own degrees of
    /// freedom only. Throws what `check` throws.
    std::vector<std::string>
    holders(const Mesh<dim> &mesh, const CellNodes<dim> &cells,
            std::vector<int> &holder) const;

  private:
    using Kind = BoundaryKinds::Kind;

    struct Condition
    {
      Kind kind;
      std::string section;
      std::vector<std::string> boundaries;     ///< ids, names or a formula
      std::optional<NodeSelection<dim>> nodes; ///< of a Dirichlet condition
      Expression<dim> value;                   ///< the function g or u0
      std::optional<Expression<dim>> alpha;    ///< or the tensor K
      std::vector<bool> held; ///< of a Dirichlet condition, [n_components]
    };

    /// The conditions on each boundary with conditions.
    using Where =
      std::map<dealii::types::boundary_id, std::vector<const Condition *>>;

    std::vector<bool>
    read_components(const Parameters &parameters,
                    const std::string &section) const;

    /// Evaluates alpha at points, [n], or the upper halves of a tensor K,
    /// [n][dim (dim + 1) / 2]. Throws ParameterError naming the place if it is
    /// not finite or not positive semidefinite.
    static std::vector<double>
    coefficients(const Condition &condition, const std::vector<double> &points);

    /// Returns true if two subsections exclude each other on one boundary.
    bool
    exclude(const Condition &a, const Condition &b) const;

    /// Adds a condition to the boundaries that its formula or, if not
    /// `by_formula`, its ids and names choose. Throws MeshErrors of `check`.
    void
    add_to(Where &where, const Condition &condition, bool by_formula,
           const NamedIds &existing, const Mesh<dim> &mesh) const;

    /// Returns true if a condition names a set of nodes that is no boundary.
    /// Throws MeshError if the condition is for faces.
    bool
    is_node_set(const Condition &condition, const std::string &name,
                const NamedIds &existing, const Mesh<dim> &mesh) const;

    /// Throws the MeshErrors of `check`, except the one about the value of u.
    Where
    conditions_of(const Mesh<dim> &mesh) const;

    /// Returns the ids of boundaries that fix u, by the faces that this process
    /// knows.
    std::set<dealii::types::boundary_id>
    fixed_by(const Mesh<dim> &mesh, const Where &where) const;

    /// Throws MeshError if there are no such ids for a scalar u.
    void
    check_fixed(const Mesh<dim> &mesh,
                const std::set<dealii::types::boundary_id> &fixed) const;

    /// Returns the sets of nodes among the boundaries of a condition.
    std::vector<const NodeSet *>
    node_sets(const Condition &condition, const Mesh<dim> &mesh) const;

    /// Calls visit(condition number, index of the degree of freedom, its
    /// component, point) for every degree of freedom that a Dirichlet condition
    /// is the first to hold, condition by condition.
    template <class Visit>
    void
    for_held(const Mesh<dim> &mesh, const Where &where,
             const CellNodes<dim> &cells, const Visit &visit) const;

    BoundaryKinds kinds;
    std::vector<Condition> conditions;
    bool remaining_natural;
  };
} // namespace tessera
