#include <tessera/matrix/near_null_space.h>

#include <algorithm>
#include <limits>

namespace tessera
{
  NearNullSpace
  constant_modes(const int n_nodes, const int n_components)
  {
    const std::size_t n = std::size_t(n_nodes) * n_components;
    NearNullSpace result{n_components, {}};
    result.modes.assign(n * n_components, 0.);
    for (int c = 0; c < n_components; ++c)
      for (int node = 0; node < n_nodes; ++node)
        result.modes[n * c + std::size_t(node) * n_components + c] = 1;
    return result;
  }


  std::vector<double>
  bounds_of(const std::vector<double> &positions, const int dim)
  {
    std::vector<double> bounds(2 * dim,
                               std::numeric_limits<double>::infinity());
    for (int d = 0; d < dim; ++d)
      bounds[dim + d] = -bounds[d];
    for (std::size_t i = 0; i < positions.size(); ++i)
      {
        double &lower = bounds[i % dim], &upper = bounds[dim + i % dim];
        lower = std::min(lower, positions[i]);
        upper = std::max(upper, positions[i]);
      }
    return bounds;
  }


  NearNullSpace
  rigid_body_modes(const std::vector<double> &positions, const int dim)
  {
    return rigid_body_modes(positions, dim, bounds_of(positions, dim));
  }


  NearNullSpace
  rigid_body_modes(const std::vector<double> &positions, const int dim,
                   const std::vector<double> &bounds)
  {
    const int n_nodes         = static_cast<int>(positions.size()) / dim;
    NearNullSpace result      = constant_modes(n_nodes, dim);
    const double *const lower = bounds.data(), *const upper = lower + dim;
    double width = 0;
    for (int d = 0; d < dim && n_nodes > 0; ++d)
      width = std::max(width, upper[d] - lower[d]);
    if (!(width > 0))
      width = 1;
    for (int a = 0; a < dim; ++a)
      for (int b = a + 1; b < dim; ++b)
        {
          const std::size_t first = result.modes.size();
          result.modes.resize(first + positions.size(), 0.);
          for (std::size_t at = 0; at < positions.size(); at += dim)
            {
              const auto from_centre = [&](const int d) {
                return (positions[at + d] - (lower[d] + upper[d]) / 2) / width;
              };
              result.modes[first + at + a] = -from_centre(b);
              result.modes[first + at + b] = from_centre(a);
            }
          ++result.n;
        }
    return result;
  }


  void
  clear_fixed(NearNullSpace &space, const std::vector<char> &is_fixed)
  {
    for (int mode = 0; mode < space.n; ++mode)
      for (std::size_t i = 0; i < is_fixed.size(); ++i)
        if (is_fixed[i])
          space.modes[is_fixed.size() * mode + i] = 0;
  }
} // namespace tessera
