#include "formula_emitter.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace tessera
{
  namespace
  {
    using Operation = FormulaOperation;
    using Part      = FormulaPart;
    using Kind      = FormulaPart::Kind;

    /// Returns the product that is the power `exponent`, or `power` for others.
    Operation
    power_of(const Part &exponent)
    {
      if (exponent.is_number())
        for (const auto &[number, product] : {std::pair(2., Operation::square),
                                              {3., Operation::cube},
                                              {4., Operation::fourth}})
          if (exponent.offset == number)
            return product;
      return Operation::power;
    }

    /// muParser truncates the numbers of a logical operator.
    double
    truth_of_number(const double a)
    {
      return std::abs(a) < 1 ? 0 : 1;
    }
  } // namespace


  FormulaEmitter::FormulaEmitter(const int n_variables)
    : n_variables(n_variables)
  {
    compiled.n_registers = n_variables;
  }


  Part
  FormulaEmitter::combine(const Operation operation, const Part &a,
                          const Part &b)
  {
    const bool is_variable = a.kind == Kind::variable,
               same =
                 is_variable && b.kind == Kind::variable && a.index == b.index;
    switch (operation)
      {
        case Operation::both:
        case Operation::either:
          if (a.is_number() && b.is_number())
            return number(value_of(operation, truth_of_number(a.offset),
                                   truth_of_number(b.offset)));
          break;
        case Operation::both_rounded:
        case Operation::either_rounded:
          return emit(operation, {a, b}); // deal.II's own, also of numbers
        case Operation::add:
        case Operation::subtract:
          if ((a.is_number() || a.is_linear()) &&
              (b.is_number() || b.is_linear()) &&
              (a.is_number() != b.is_number() ||
               (a.is_linear() && a.index == b.index)))
            return {Kind::linear, a.is_number() ? b.index : a.index,
                    value_of(operation, a.factor, b.factor),
                    value_of(operation, a.offset, b.offset)};
          break;
        case Operation::multiply:
          if (same)
            return emit(Operation::square, {a});
          if (b.is_number() && a.is_linear())
            return {Kind::linear, a.index, a.factor * b.offset,
                    is_variable ? 0 : a.offset * b.offset};
          if (a.is_number() && b.is_linear())
            return combine(operation, b, a);
          break;
        case Operation::divide:
          if (a.kind == Kind::linear && b.is_number() && b.offset != 0)
            return {Kind::linear, a.index, a.factor / b.offset,
                    a.offset / b.offset};
          break;
        case Operation::power:
          if (is_variable && b.is_number() && b.offset == 0)
            return number(1);
          if (is_variable && b.is_number() && b.offset == 1)
            return a;
          break;
        default:
          break;
      }
    return call(operation, {a, b});
  }


  Part
  FormulaEmitter::call(const Operation operation,
                       const std::vector<Part> &arguments)
  {
    double numbers[3] = {};
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].is_number())
        numbers[i] = arguments[i].offset;
      else
        return emit(operation, arguments);
    return number(value_of(operation, numbers[0], numbers[1], numbers[2]));
  }


  Part
  FormulaEmitter::emit(const Operation operation, const std::vector<Part> &of)
  {
    if (operation == Operation::power && power_of(of[1]) != Operation::power)
      return emit(power_of(of[1]), {of[0]});
    int operands[3] = {};
    for (std::size_t i = 0; i < 3; ++i)
      operands[i] = i < of.size() ? operand(of[i]) : operands[0];
    // The register is new: none of the operands.
    const int to = new_register();
    steps.push_back({operation, to, operands[0], operands[1], operands[2]});
    for (std::size_t i = 0; i < of.size(); ++i)
      if (operands[i] >= n_variables)
        free.push_back(operands[i]);
    return {Kind::result, to, 0, 0};
  }


  CompiledFormula
  FormulaEmitter::finish(const Part &whole)
  {
    const int result       = operand(whole);
    const auto n_constants = static_cast<int>(compiled.constants.size());
    // Registers count from the constants on.
    const auto place = [=](const int operand) {
      return static_cast<std::uint16_t>(operand < 0 ? -1 - operand
                                                    : n_constants + operand);
    };
    for (const auto &[operation, to, a, b, c] : steps)
      compiled.steps.push_back({static_cast<std::uint16_t>(operation),
                                static_cast<std::uint16_t>(to), place(a),
                                place(b), place(c)});
    compiled.result = place(result);
    return compiled;
  }


  int
  FormulaEmitter::operand(const Part &part)
  {
    if (part.is_number())
      return constant(part.offset);
    if (part.kind != Kind::linear)
      return part.index;
    const int factor = constant(part.factor), offset = constant(part.offset),
              to = new_register();
    steps.push_back({Operation::linear, to, part.index, factor, offset});
    return to;
  }


  int
  FormulaEmitter::constant(const double value)
  {
    // Bits are compared, because 0 and -0 differ.
    auto &all = compiled.constants;
    const auto found =
      std::find_if(all.begin(), all.end(), [=](const double c) {
        return std::memcmp(&value, &c, sizeof(double)) == 0;
      });
    const auto k = static_cast<int>(found - all.begin());
    if (found == all.end())
      all.push_back(value);
    return -1 - k;
  }


  int
  FormulaEmitter::new_register()
  {
    if (free.empty())
      return compiled.n_registers++;
    const int last = free.back();
    free.pop_back();
    return last;
  }
} // namespace tessera
