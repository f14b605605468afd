#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/lac/vector.h>

#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  /// Writes solutions as FOLDER/NAME.vtu, every cell subdivided as its degree
  /// says, and after each one FOLDER/solution.pvd, which lists them all as
  /// steps 0, 1, ... Earlier files of these names are replaced.
  class SolutionWriter
  {
  public:
    using Field = std::pair<std::string, const dealii::Vector<double> *>;

    explicit SolutionWriter(const std::string &folder);

    /// Throws Error where a file cannot be written.
    void
    write(const dealii::DoFHandler<2> &dof_handler,
          const std::vector<Field> &fields, const std::string &name);

    /// The .pvd file, or empty where nothing was written.
    std::string
    file() const;

  private:
    std::string folder;
    std::vector<std::pair<double, std::string>> steps;
  };
} // namespace tessera
