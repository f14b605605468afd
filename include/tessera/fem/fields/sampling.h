#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/fem/fields/point_locator.h>
#include <tessera/program/parameters.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/lac/vector.h>

#include <iosfwd>
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
    /// point inside. A note on stderr says which probes are outside of a curved
    /// boundary, and how far. Where the mesh is divided among processes, all
    /// call this function and `write`.
    void
    check(const dealii::Mapping<dim> &mapping,
          const dealii::Triangulation<dim> &triangulation,
          const Division *division = nullptr) const;

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
          const std::string &name, const Division *division = nullptr);

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
    /// `check` throws, and says on `out` which probes are outside.
    PointLocator<dim>
    locate(const dealii::Mapping<dim> &mapping,
           const dealii::Triangulation<dim> &triangulation,
           const Division *division, std::ostream *out) const;

    /// Writes the files, with the values at all points.
    void
    write_files(const PointLocator<dim> &locator,
                const std::vector<double> &values, unsigned int n_components,
                const std::string &folder, const std::string &name);

    std::vector<dealii::Point<dim>> probes;
    std::vector<Line> lines;
    std::string probe_rows; ///< rows of the cases so far
  };
} // namespace tessera
