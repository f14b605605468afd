#pragma once

#include "cell_models/traces.h"
#include <tessera/base/vector_operations.h>
#include <tessera/fem/driver/discretization.h>
#include <tessera/space/coefficient.h>

#include <deal.II/base/point.h>

#include <memory>
#include <vector>

/// Records the pseudo-ECG at electrodes outside of the tissue over time,
///   phi(x_e) = - int D grad V . grad (1 / |x - x_e|) dx,
/// in the memory of the backend: a wave that comes nearer is positive. In an
/// unbounded bath of conductivity sigma_b, chi Cm / (4 pi sigma_b) phi is the
/// potential, where chi is membrane area per volume and Cm the capacitance per
/// area, if D stands for the conductivity within cells.
///
/// With 1 / |x - x_e| interpolated at the nodes as f, phi is the dot product of
/// the potentials at the nodes with w = - K f, which is computed once; K is the
/// stiffness matrix.
class Electrodes
{
public:
  /// `inverse_distances` are 1 / |x_i - x_e| of the first nodes for every
  /// electrode, or sums of them, [column][at least n_owned]. Has room for
  /// `n_samples` between two calls of `take`. Of several processes, each has
  /// its share of phi.
  Electrodes(const tessera::Problem<double> &problem,
             const tessera::Coefficient &D,
             const std::vector<std::vector<double>> &inverse_distances,
             int n_samples);

  bool
  full() const
  {
    return times.size() == capacity;
  }

  /// Records the values at a time. Does not wait for the device. Throws
  /// std::length_error if there is no room.
  void
  sample(double time, const tessera::Vector<double> &potential);

  /// Returns what was recorded, times and values [sample][column], and
  /// forgets it. Waits for the device.
  tessera::Traces<double>::Samples
  take();

private:
  std::size_t capacity;
  std::vector<tessera::Vector<double>> weights; ///< w of every column
  tessera::VectorOperations<double> operations;
  tessera::Array<double> values; ///< [capacity][column]
  std::vector<double> times;
};

/// The columns that are recorded: one for each electrode. If electrodes have
/// the names RA and LA (the arms) and LL (the left leg), also the leads of an
/// electrocardiogram,
///   I = LA - RA, II = LL - RA, III = LL - LA,
///   aVR = RA - (LA + LL) / 2, aVL = LA - (RA + LL) / 2,
///   aVF = LL - (RA + LA) / 2, and Vk - (RA + LA + LL) / 3
/// for every electrode with a name V1, V2, ... (the chest).
struct ElectrodeColumns
{
  /// Reads "x, y, z; NAME: x, y, z; ...". Throws ParameterError, which names
  /// the entry.
  ElectrodeColumns(const std::string &text, const std::string &entry);

  std::vector<dealii::Point<3>> electrodes;
  std::vector<std::string> names;           ///< "electrode 1", "lead II", ...
  std::vector<std::vector<double>> weights; ///< [column][electrode]

  /// Returns the weighted sum of the electrodes, which is the place of one and
  /// tells leads apart.
  std::vector<dealii::Point<3>>
  places() const;

  /// Throws ParameterError for an electrode within the tissue.
  template <int dim>
  void
  check(const tessera::Discretization<dim> &d) const;

  /// Returns the weighted sum of 1 / |x_i - x_e| over the electrodes x_e for
  /// every column and node x_i, of which those in the plane have z = 0,
  /// [column][node].
  template <int dim>
  std::vector<std::vector<double>>
  inverse_distances(const std::vector<dealii::Point<dim>> &nodes) const;
};
