#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/parameters.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/lac/vector.h>

#include <string>
#include <vector>

namespace tessera
{
  /// Returns u, or u_x, u_y and so on if there are several components.
  std::vector<std::string>
  component_names(unsigned int n);

  /// Reads a point from the text "x, y" or "x, y, z". Throws ParameterError
  /// naming the entry if it is not one.
  template <int dim>
  dealii::Point<dim>
  read_point(const std::string &value, const std::string &entry);

  /// Finds the cells of a mesh that contain given points, and evaluates
  /// functions there.
  template <int dim>
  class PointLocator
  {
  public:
    using Cell = typename dealii::Triangulation<dim>::active_cell_iterator;

    /// Finds the cells. A point counts as inside if it is outside of a cell by
    /// at most 1e-8 of the cell's size. The work is proportional to the number
    /// of cells times the logarithm of the number of points.
    PointLocator(const dealii::Mapping<dim> &mapping,
                 const dealii::Triangulation<dim> &triangulation,
                 const std::vector<dealii::Point<dim>> &points);

    /// Returns true if some cell contains the point.
    bool
    inside(const std::size_t point) const
    {
      return places[point].distance <= tolerance;
    }

    /// Returns true if the point is inside or outside by at most a quarter of a
    /// cell, as a point on a curved boundary may be.
    bool
    near(const std::size_t point) const
    {
      return places[point].distance <= 0.25;
    }

    /// Returns u_h, [n_points][n_components], at the points that are `near`,
    /// extrapolated from the cell if necessary, and NaN at the others.
    /// `dof_handler` lives on the same mesh.
    std::vector<double>
    values(const dealii::DoFHandler<dim> &dof_handler,
           const dealii::Vector<double> &u) const;

    /// Adds forces at points, [n_points][n_components], to the load vector
    /// `loads`, [n_dofs]: the products of the force at x with phi_i(x). Points
    /// that are not `near` are left out.
    void
    add_loads(const dealii::DoFHandler<dim> &dof_handler,
              const std::vector<double> &forces,
              dealii::Vector<double> &loads) const;

  private:
    static constexpr double tolerance = 1e-8;

    /// Calls visit(point, component, index of a degree of freedom, phi at the
    /// point) for all shape functions at the points that are `near`.
    template <class Visit>
    void
    for_shape_values(const dealii::DoFHandler<dim> &dof_handler,
                     const Visit &visit) const;

    struct Place
    {
      Cell cell;
      dealii::Point<dim> point; ///< its image in the reference cell
      double distance;          ///< of `point` from the reference cell
    };

    std::vector<Place> places;
  };

  /// The part of the section `Output` that asks for values at points (`Probes`)
  /// and along lines (subsections `Line 1` to `Line 4`).
  template <int dim>
  class Sampling
  {
  public:
    /// Declares the entries, which are the same for both dimensions.
    static void
    declare(Parameters &parameters);

    /// Reads the entries. Throws ParameterError if a point has the wrong number
    /// of coordinates, or if a line has only one end or no length.
    explicit Sampling(const Parameters &parameters);

    /// Throws ParameterError if a probe is not `near` the mesh or a line has no
    /// point inside.
    void
    check(const dealii::Mapping<dim> &mapping,
          const dealii::Triangulation<dim> &triangulation) const;

    /// Returns the values at the probes, [n_probes][n_components], and writes
    /// files. The lines of this case become FOLDER/line1_NAME.csv and so on,
    /// with the columns s (distance from the first point), x, y, z and u, which
    /// is `nan` outside of the mesh and a vector's u_x, u_y, u_z. The probes of
    /// all cases so far are written to FOLDER/probes.csv. Throws what `check`
    /// throws, and Error if a file cannot be written.
    std::vector<double>
    write(const dealii::Mapping<dim> &mapping,
          const dealii::DoFHandler<dim> &dof_handler,
          const dealii::Vector<double> &u, const std::string &folder,
          const std::string &name);

    const std::vector<dealii::Point<dim>> &
    probe_points() const
    {
      return probes;
    }

  private:
    struct Line
    {
      std::string section;
      int number;
      std::vector<dealii::Point<dim>> points;
    };

    /// Finds the probes, followed by the points of the lines. Throws what
    /// `check` throws.
    PointLocator<dim>
    locate(const dealii::Mapping<dim> &mapping,
           const dealii::Triangulation<dim> &triangulation) const;

    std::vector<dealii::Point<dim>> probes;
    std::vector<Line> lines;
    std::string probe_rows; ///< rows of the cases so far
  };
} // namespace tessera
