#pragma once

#include <string>
#include <vector>

#include "formula.cuh"

namespace tessera
{
  /// What a formula is compiled into.
  struct CompiledFormula
  {
    std::vector<FormulaStep> steps;
    std::vector<double> constants;
    int n_registers; ///< the variables first
    int result;      ///< an operand
  };

  /// A part of a formula: the number `offset`; the function factor * v + offset
  /// of one variable v, or v itself; or a register with an intermediate result.
  struct FormulaPart
  {
    enum class Kind
    {
      number,
      variable,
      linear,
      result
    };
    Kind kind;
    int index; ///< of the variable or register
    double factor, offset;

    bool
    is_number() const
    {
      return kind == Kind::number;
    }

    bool
    is_linear() const
    {
      return kind == Kind::variable || kind == Kind::linear;
    }
  };

  /// Emits the steps of a formula, such that they compute what muParser
  /// computes, in the same order: it combines numbers, and sums and products of
  /// a variable and numbers, at once. A part may be used once.
  class FormulaEmitter
  {
  public:
    using Operation = FormulaOperation;
    using Part      = FormulaPart;

    explicit FormulaEmitter(int n_variables);

    static Part
    number(const double value)
    {
      return {Part::Kind::number, -1, 0, value};
    }

    static Part
    variable(const int index)
    {
      return {Part::Kind::variable, index, 1, 0};
    }

    /// Emits a binary operator, or combines its operands at once.
    Part
    combine(Operation operation, const Part &a, const Part &b);

    /// Emits a function, unless its arguments are numbers.
    Part
    call(Operation operation, const std::vector<Part> &arguments);

    /// Emits a step in any case.
    Part
    emit(Operation operation, const std::vector<Part> &of);

    /// Returns the formula whose value is `whole`.
    CompiledFormula
    finish(const Part &whole);

  private:
    /// Returns the register of a part, or -1 - k for constant k.
    int
    operand(const Part &part);

    int
    constant(double value);

    int
    new_register();

    struct Step
    {
      Operation operation;
      int to, a, b, c;
    };

    int n_variables;
    std::vector<Step> steps;
    std::vector<int> free; ///< registers whose values are not needed any more
    CompiledFormula compiled;
  };

  /// Returns the value of an operation of numbers.
  double
  value_of(FormulaOperation operation, double a, double b = 0, double c = 0);

  /// Compiles a formula of the variables. Throws ParameterError, with a reason,
  /// if the text is none.
  CompiledFormula
  compile_formula(const std::string &text,
                  const std::vector<std::string> &variables);
} // namespace tessera
