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
  /// Points and the cells of a mesh that hold them.
  template <int dim>
  class PointLocator
  {
  public:
    using Cell = typename dealii::Triangulation<dim>::active_cell_iterator;

    /// Points on a boundary, up to 1e-8 of their cell's size, are inside. The
    /// work grows with the cells times the logarithm of the points.
    PointLocator(const dealii::Mapping<dim> &mapping,
                 const dealii::Triangulation<dim> &triangulation,
                 const std::vector<dealii::Point<dim>> &points);

    /// False where no cell holds the point.
    bool
    inside(const std::size_t point) const
    {
      return places[point].distance <= tolerance;
    }

    /// Whether the point is inside or, as a point of a curved boundary may be,
    /// outside by at most a quarter of a cell.
    bool
    near(const std::size_t point) const
    {
      return places[point].distance <= 0.25;
    }

    /// u_h at the points, continued from the cell where they are `near`, else
    /// NaN; `dof_handler` lives on the same mesh.
    std::vector<double>
    values(const dealii::DoFHandler<dim> &dof_handler,
           const dealii::Vector<double> &u) const;

  private:
    static constexpr double tolerance = 1e-8;

    struct Place
    {
      Cell cell;
      dealii::Point<dim> point; ///< in the reference cell
      double distance;          ///< from the reference cell
    };

    std::vector<Place> places;
  };

  /// Section `Output`: values at points, `Probes`, and along lines, subsections
  /// `Line 1` to `Line 4`.
  template <int dim>
  class Sampling
  {
  public:
    /// The same entries for both dimensions.
    static void
    declare(Parameters &parameters);

    /// Throws ParameterError where a point has another number of coordinates,
    /// or a line only one end or no length.
    explicit Sampling(const Parameters &parameters);

    /// Throws ParameterError where a probe is not `near` the mesh or a whole
    /// line lies outside.
    void
    check(const dealii::Mapping<dim> &mapping,
          const dealii::Triangulation<dim> &triangulation) const;

    /// Values at the probes. Writes the lines of this case as
    /// FOLDER/line1_NAME.csv, ..., with the columns s (distance from the first
    /// point), x, y, z and u, which is `nan` outside of the mesh; and the
    /// probes of all cases so far as FOLDER/probes.csv. Throws what `check`
    /// throws, and Error where a file cannot be written.
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

    /// Of the probes, then of the lines.
    PointLocator<dim>
    locate(const dealii::Mapping<dim> &mapping,
           const dealii::Triangulation<dim> &triangulation) const;

    std::vector<dealii::Point<dim>> probes;
    std::vector<Line> lines;
    std::string probe_rows; ///< of the cases so far
  };
} // namespace tessera
