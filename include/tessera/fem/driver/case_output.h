#pragma once

#include <tessera/fem/driver/discretization.h>
#include <tessera/fem/fields/sampling.h>
#include <tessera/fem/output/solution_writer.h>

#include <deal.II/base/function.h>

#include <functional>
#include <string>
#include <vector>

namespace tessera
{
  /// Returns the number of parts per direction into which .vtu files cut cells
  /// of that degree, by `Output/Subdivisions`.
  int
  subdivisions(const Parameters &parameters, int degree);

  /// The section `Output`: the files of the cases of a study.
  template <int dim>
  class CaseOutput
  {
  public:
    /// Declares the section, to which `own_output` may add entries; `derived`
    /// are the names of the quantities that the application derives from u.
    static void
    declare(Parameters &parameters, const std::function<void()> &own_output,
            const std::vector<std::string> &derived);

    CaseOutput(const Parameters &parameters, const std::string &folder);

    /// Checks the points at which the solution is sampled; see Sampling.
    void
    check(const Discretization<dim> &d) const
    {
      if (!sampling.empty())
        sampling.check(d.cells());
    }

    /// Writes the files of a solved case: the files of Sampling, and
    /// solution_NAME.vtu with u, the error if there is an `exact` solution, and
    /// the fields of the application. Keeps the values at probes in `d.entry`;
    /// `derive` makes their quantities besides u.
    void
    write(Discretization<dim> &d, const dealii::Vector<double> &u,
          const dealii::Function<dim> *exact, const std::string &name,
          const Derive<dim> &derive);

    /// Writes the last iterate u of a solve that did not converge into a file
    /// with a telling name: KIND_NAME.vtu, where KIND is not_converged or
    /// interrupted and also begins the name of the field. Nothing is derived
    /// from u, and no .pvd file lists it. Returns the path, or an empty string
    /// if no .vtu files are asked for.
    std::string
    write_unfinished(Discretization<dim> &d, const dealii::Vector<double> &u,
                     const std::string &kind, const std::string &name) const;

    /// Returns the file to open, or an empty string if there is none.
    std::string
    file() const
    {
      return writer.file();
    }

  private:
    const Parameters &parameters;
    const std::string folder;
    Sampling<dim> sampling;
    SolutionWriter<dim> writer;
  };
} // namespace tessera
