#include <tessera/fem/driver/linear_solver.h>

namespace tessera
{
  namespace
  {
    /// Returns deal.II's index of a component of a node.
    int
    dof_of(const FlatProblem &flat, const std::size_t entry)
    {
      return flat.dofs.empty() ? static_cast<int>(entry) : flat.dofs[entry];
    }

    /// Computes the values of hanging nodes from those that they follow from.
    void
    add_hanging_values(std::vector<double> &values,
                       const std::vector<double> &given,
                       const FlatProblem &flat)
    {
      const LinearConstraints &hanging = flat.connectivity.hanging;
      for (int k = 0; k < hanging.size(); ++k)
        {
          const int dof = dof_of(flat, hanging.entry[k]);
          double value  = given[dof];
          for (auto m = hanging.start[k]; m < hanging.start[k + 1]; ++m)
            value +=
              hanging.weight[m] * values[dof_of(flat, hanging.source[m])];
          values[dof] = value;
        }
    }
  } // namespace


  void
  DiscreteProblem::complete(std::vector<double> &values,
                            const std::vector<double> &given) const
  {
    const auto &constrained = flat.connectivity.constrained;
    for (std::size_t i = 0; i < constrained.size(); ++i)
      if (constrained[i] != 0)
        values[dof_of(flat, i)] = given[dof_of(flat, i)];
    import(values);
    add_hanging_values(values, given, flat);
    // A process may know of hanging nodes that none of its cells has.
    import(values);
  }
} // namespace tessera
