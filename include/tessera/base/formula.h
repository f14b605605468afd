#pragma once

#include <tessera/base/array.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tessera
{
  /// A step of a compiled formula: entry `to` of the registers becomes the
  /// value of an operation (`formula_operations.def`) of the operands a, b and
  /// c, which are constants if they are below the number of constants, and
  /// registers otherwise.
  struct FormulaStep
  {
    std::uint16_t operation, to, a, b, c;
  };

  /// The values of a variable: its value at point i is values[i * stride]. With
  /// a stride of 0 it is one number, such as the time.
  struct FormulaArgument
  {
    const double *values;
    std::int64_t stride;
  };

  /// Shifts of one variable: the values of a formula at the shifted places are
  /// multiplied by weights and added up.
  struct FormulaShifts
  {
    int n, variable;
    double offset[4], weight[4];
  };

  /// A formula of some variables, compiled once into steps that the threads of
  /// the host or a device evaluate at many points. The language is muParser's,
  /// with the functions that deal.II adds: + - * / ^, comparisons, && || & |, a
  /// ? b : c, functions, the constants pi, e, _pi and _e. Random numbers and
  /// assignments are not supported.
  ///
  /// On the host a value has the same bits as in muParser, with two exceptions:
  /// the powers 2, 3 and 4 are products, whereas muParser uses products for
  /// variables only, and _pi has all its digits, whereas muParser 2.3.3 has 13.
  /// A device rounds functions differently, by a few units in the last place,
  /// and fuses products with additions.
  ///
  ///     const Formula f("sin(pi * x) + t", {"x", "y", "t"});
  ///     f.evaluate(n, {{x, 1}, {y, 1}, {&t, 0}}, values);
  class Formula
  {
  public:
    static constexpr int max_variables = 8;

    /// Intermediate results that a thread of a device can keep.
    static constexpr int max_registers = 32;

    /// Compiles `text`, a formula of up to `max_variables` variables. Throws
    /// ParameterError, with a reason, if it cannot be compiled, or needs more
    /// than `max_registers` on a device.
    Formula(const std::string &text, const std::vector<std::string> &variables,
            Backend backend = Backend::host);

    /// Returns the number of variables.
    int
    n_arguments() const
    {
      return n_variables;
    }

    /// Sets values[i * stride] for the points i < n. There is an argument for
    /// each variable, and all pointers are to memory of the backend; on a
    /// device, the call does not wait. Moves the arguments and the values once.
    void
    evaluate(std::int64_t n, const std::vector<FormulaArgument> &arguments,
             double *values, std::int64_t stride = 1, Stream stream = {}) const;

    /// Sets values[i] to the derivative by the variable with this number, by
    /// differences of fourth order over `step`,
    ///   (f(-2 step) - 8 f(-step) + 8 f(step) - f(2 step)) / (12 step).
    /// It costs four evaluations; otherwise it works like `evaluate`.
    void
    differentiate(std::int64_t n, const std::vector<FormulaArgument> &arguments,
                  int variable, double step, double *values,
                  Stream stream = {}) const;

    /// Returns the value at one point, from the values of the variables, on the
    /// host. Several threads may call it.
    double
    value(const double *variables) const;

  private:
    /// Sets the values to a sum of values at shifted places.
    void
    combine(std::int64_t n, const std::vector<FormulaArgument> &arguments,
            const FormulaShifts &shifts, double *values, std::int64_t stride,
            Stream stream) const;

    int n_variables, n_registers; ///< registers begin with the variables
    int result;                   ///< an operand
    Array<FormulaStep> steps;
    Array<double> constants;
  };
} // namespace tessera
