#pragma once

#include <tessera/fem/fields/derived_quantities.h>
#include <tessera/fem/fields/point_locator.h>
#include <tessera/program/parameters.h>

#include <deal.II/lac/vector.h>

#include <functional>
#include <iosfwd>
#include <memory>
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

  /// Makes the quantities of these names, which the application has declared.
  template <int dim>
  using Derive = std::function<std::unique_ptr<DerivedQuantities<dim>>(
    const std::vector<std::string> &names)>;

  /// A solution that is sampled. The objects that members refer to must live
  /// longer.
  template <int dim>
  struct SampledSolution
  {
    const CellNodes<dim> &cells;
    const dealii::Vector<double> &u; ///< [n_dofs]
    Derive<dim> derive = {};         ///< if quantities were declared
  };

  /// The name of a quantity, such as "u_x" or "stress_yy", and its values.
  struct Samples
  {
    std::string name;
    std::vector<double> values; ///< [n_points], NaN outside of the mesh
  };

  /// The part of the section `Output` that asks for values at points (`Probes`)
  /// and along lines (subsections `Line 1`, `Line 2` and so on): values of u
  /// and, by `Quantities`, others that the application derives from it. Each
  /// derived quantity has two names: NAME is smoothed (see `smooth`), and
  /// NAME_in_cell is the value in the cell at the point.
  template <int dim>
  class Sampling
  {
  public:
    /// Declares the entries, which are the same for both dimensions; the entry
    /// `Quantities` only if the application has names of derived quantities.
    static void
    declare(Parameters &parameters,
            const std::vector<std::string> &derived = {});

    /// Reads the entries. Throws ParameterError if a point has the wrong number
    /// of coordinates, if a line has only one end or no length, or if
    /// quantities are there twice or without a point.
    explicit Sampling(const Parameters &parameters);

    /// Throws ParameterError if a probe is not `near` the mesh or a line has no
    /// point inside. A note on stderr names the probes outside of a curved
    /// boundary, with their distances. If the mesh is divided among processes,
    /// all call this function and `write`.
    void
    check(const CellNodes<dim> &cells) const;

    /// Samples u and the quantities, and writes files. The lines of this case
    /// become FOLDER/line1_NAME.csv and so on, with the columns s (distance
    /// from the first point), x, y, z and u, or a vector's u_x, u_y, u_z, and
    /// the quantities, which are `nan` outside of the mesh. The probes of all
    /// cases so far are written to FOLDER/probes.csv. Returns the samples:
    /// first at the probes, then along the lines. Throws what `check` throws,
    /// and Error if a file cannot be written.
    std::vector<Samples>
    write(const SampledSolution<dim> &solution, const std::string &folder,
          const std::string &name);

    /// True if neither probes nor lines are asked for.
    bool
    empty() const
    {
      return probes.empty() && lines.empty();
    }

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
    /// `check` throws, and prints on `out` the probes that are outside.
    PointLocator<dim>
    locate(const CellNodes<dim> &cells, std::ostream *out) const;

    /// Returns the samples at all points.
    std::vector<Samples>
    sample(const PointLocator<dim> &locator,
           const SampledSolution<dim> &solution) const;

    /// Writes the files, with the values at all points.
    void
    write_files(const PointLocator<dim> &locator,
                const std::vector<Samples> &samples, const std::string &folder,
                const std::string &name);

    std::vector<dealii::Point<dim>> probes;
    std::vector<Line> lines;
    std::vector<std::string> smoothed, in_cells; ///< names of quantities
    std::string probe_rows;                      ///< rows of the cases so far
  };
} // namespace tessera
