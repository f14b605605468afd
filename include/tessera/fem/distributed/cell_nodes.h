#pragma once

#include <tessera/fem/bridge/mesh_arrays.h>
#include <tessera/fem/distributed/division.h>
#include <tessera/space/mesh_arrays.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe.h>
#include <deal.II/fe/mapping.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tessera
{
  /// The cells of a problem that this process knows, with their corners,
  /// materials, boundary faces and nodes. These are arrays of the host, which
  /// all loops read, whether arrays or deal.II refined and numbered the mesh.
  /// Cell c is deal.II's active cell c. Corners and nodes of a cell have the
  /// order of its `CellType`.
  template <int dim>
  class CellNodes
  {
  public:
    using Triangulation = dealii::Triangulation<dim>;

    /// All cells of a conforming mesh, in one process. Component c of node i is
    /// the degree of freedom i n_components + c. Keeps references.
    ///
    /// If boundaries are curved, `triangulation` returns deal.II's mesh of the
    /// same cells, which provides points beside the mesh. `mapping` curves
    /// cells of `parts` or, if there are none, cells of that mesh.
    CellNodes(const MeshArrays &mesh, const ElementNodes &nodes,
              int n_components                                     = 1,
              const dealii::Mapping<dim> *mapping                  = nullptr,
              std::function<const Triangulation &()> triangulation = {},
              const Triangulate<dim> &parts                        = {});

    /// The cells of deal.II's objects, which are read now and kept as
    /// references. Nodes may hang. If a mesh is divided, its subdomain ids have
    /// to be set; `dofs` then tells how its degrees of freedom are shared,
    /// which some functions need. The element is one of `make_element` or a
    /// system of equal elements.
    CellNodes(const dealii::Mapping<dim> &mapping,
              const dealii::DoFHandler<dim> &dof_handler,
              const Division &division = {},
              std::shared_ptr<const SharedDofs> dofs =
                std::make_shared<const SharedDofs>());

    /// Says how several processes share the cells of arrays, and who owns
    /// each of them (`Mesh::owner`). One process shares none.
    void
    share(const Division &division, std::shared_ptr<const SharedDofs> dofs,
          const std::vector<int> &owner);

    /// Vertices may hang if deal.II made the mesh.
    const MeshArrays &
    mesh() const
    {
      return *arrays;
    }

    CellType
    cell_type() const
    {
      return arrays->cell_type;
    }

    int
    n_cells() const
    {
      return arrays->n_cells();
    }

    int
    n_nodes() const
    {
      return n_known_nodes;
    }

    int
    n_components() const
    {
      return n_c;
    }

    std::size_t
    n_dofs() const
    {
      return static_cast<std::size_t>(n_known_nodes) * n_c;
    }

    int
    degree() const
    {
      return static_cast<int>(fe->degree);
    }

    int
    nodes_per_cell() const
    {
      return static_cast<int>(local.size());
    }

    /// Returns the nodes of a cell, [nodes_per_cell()].
    const int *
    nodes(const std::size_t cell) const
    {
      return of_cells + cell * local.size();
    }

    /// Returns the index of component c of a node in a vector that has all
    /// `n_components()` of each node, or n components as [n_nodes][n].
    std::size_t
    place(const std::size_t node, const int c, const int n) const
    {
      const std::size_t i = node * n + c;
      return dofs.empty() || n != n_c ? i : dofs[i];
    }

    std::size_t
    dof(const std::size_t node, const int c) const
    {
      return place(node, c, n_c);
    }

    /// Returns the number of components of a vector with values at all nodes.
    /// Throws std::logic_error, naming the vector, if it is not a whole number.
    int
    components_of(std::size_t size, const std::string &name) const;

    /// Returns the element of one component, and its nodes in the reference
    /// cell in the order of the cells' nodes.
    const dealii::FiniteElement<dim> &
    element() const
    {
      return *fe;
    }

    std::vector<dealii::Point<dim>>
    unit_nodes() const;

    /// Returns for a node of a cell its place in deal.II's order.
    unsigned int
    place_of_dealii(const int i) const
    {
      return local[i];
    }

    /// Returns the processes among which the cells are divided.
    const Division &
    division() const
    {
      return of_processes;
    }

    /// Returns how the processes share the degrees of freedom.
    const SharedDofs &
    shared_dofs() const
    {
      return *of_dofs;
    }

    /// Returns true if this process owns a degree of freedom.
    bool
    owns(const std::size_t dof) const
    {
      return of_dofs->are_owned(of_processes, dof);
    }

    /// Returns true for a cell that this process solves and writes.
    bool
    is_own(const std::size_t cell) const
    {
      return knowledge.empty() || knowledge[cell] == own;
    }

    /// Returns false for an artificial cell, which represents cells that this
    /// process does not know.
    bool
    is_known(const std::size_t cell) const
    {
      return knowledge.empty() || knowledge[cell] != unknown;
    }

    /// Returns the element of the maps of cells; it has degree 1 if corners map
    /// the cells.
    const dealii::FiniteElement<dim> &
    map_element() const
    {
      return *map_fe;
    }

    /// Sets `support` to the points that map a cell: the images of the support
    /// points of `map_element()`, in deal.II's order.
    void
    map_points(std::size_t cell,
               std::vector<dealii::Point<dim>> &support) const;

    /// Returns the image of a point of the reference cell in a cell with such
    /// points. Row i of the matrix, if given, becomes the derivatives of x_i.
    dealii::Point<dim>
    map(const std::vector<dealii::Point<dim>> &support,
        const dealii::Point<dim> &unit,
        dealii::Tensor<2, dim> *jacobian = nullptr) const;

    /// Returns deal.II's mesh if boundaries may be curved, or null.
    const Triangulation *
    curved_mesh() const
    {
      return triangulation ? &triangulation() : nullptr;
    }

    /// Returns deal.II's degrees of freedom if nodes hang, or null.
    const dealii::DoFHandler<dim> *
    with_hanging_nodes() const
    {
      return hanging;
    }

    /// Returns the ids of boundaries. All processes know all boundaries.
    std::set<unsigned int>
    boundary_ids() const;

    /// Returns the faces of known cells on these boundaries, in the order of
    /// the cells.
    std::vector<MeshFace>
    boundary_faces(const std::set<unsigned int> &ids) const;

    /// Returns the faces of cells next to another material, with the id of that
    /// material, in the order of the cells. A face between two cells is listed
    /// for both of them.
    std::vector<MeshFace>
    faces_between_materials() const;

    /// Returns the points of all nodes, [n_nodes]. The first cell at a node
    /// determines its point.
    std::vector<dealii::Point<dim>>
    points() const;

  private:
    enum : char
    {
      unknown,
      known,
      own
    };

    void
    set_element(std::unique_ptr<const dealii::FiniteElement<dim>> element);

    void
    set_map(const dealii::Mapping<dim> *mapping,
            const Triangulate<dim> &parts = {});

    std::unique_ptr<const MeshArrays> own_arrays;
    std::vector<int> own_nodes;
    const MeshArrays *arrays;
    const int *of_cells; ///< [n_cells][n]
    int n_known_nodes, n_c;
    std::vector<int> dofs; ///< [n_nodes][n_c], or empty: equal to places
    std::unique_ptr<const dealii::FiniteElement<dim>> fe;
    std::vector<unsigned int> local; ///< places of nodes in deal.II's order
    std::unique_ptr<const dealii::FiniteElement<dim>> map_fe;
    /// The points of curved maps, [n_cells][n of a cell], or empty.
    std::vector<dealii::Point<dim>> curves;
    std::function<const Triangulation &()> triangulation;
    const dealii::DoFHandler<dim> *hanging = nullptr;
    Division of_processes;
    std::shared_ptr<const SharedDofs> of_dofs; ///< of several processes
    std::vector<char> knowledge; ///< of cells, or empty if this process has all
  };


  /// The maps of cells, and the shape functions of their nodes, at given points
  /// of the reference cell. Every thread needs its own.
  template <int dim>
  class CellValues
  {
  public:
    /// A shape function at a point, and its gradient in the reference cell.
    struct Shape
    {
      int node; ///< number of the node in the cell
      double value;
      dealii::Tensor<1, dim> gradient;
    };

    /// `cells` must live longer.
    CellValues(const CellNodes<dim> &cells,
               const std::vector<dealii::Point<dim>> &points);

    /// Moves to a cell.
    void
    reinit(std::size_t cell);

    std::size_t
    n_points() const
    {
      return of_nodes.size();
    }

    /// Returns the nodes of the cell.
    const int *
    nodes() const
    {
      return of_cells.nodes(current);
    }

    /// Returns the shape functions with a nonzero value or a gradient at point
    /// q. At a node one of them is 1 and others are exactly 0.
    const std::vector<Shape> &
    shapes(const std::size_t q) const
    {
      return of_nodes[q];
    }

    /// Returns the image of point q in the cell.
    dealii::Point<dim>
    point(const std::size_t q) const
    {
      dealii::Point<dim> result;
      for (const Shape &shape : of_map[q])
        result += shape.value * support[shape.node];
      return result;
    }

    /// Returns the matrix of the derivatives dx_i / dxi_k. A gradient in the
    /// cell is a reference gradient times its inverse.
    dealii::Tensor<2, dim>
    jacobian(const std::size_t q) const
    {
      dealii::Tensor<2, dim> result;
      for (const Shape &shape : of_map[q])
        result += outer_product(support[shape.node], shape.gradient);
      return result;
    }

  private:
    const CellNodes<dim> &of_cells;
    std::size_t current = 0;
    std::vector<dealii::Point<dim>> support; ///< points of the map
    std::vector<std::vector<Shape>> of_map, of_nodes;
  };
} // namespace tessera
