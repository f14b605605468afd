"""The header of a cell model: a class as cell_rates.h describes it."""
import re

from easyml.models import Model
from easyml.parsing import parts

HEADER = """#pragma once

// scripts/cell_model made this from {name}.model.
#include "cell_model.h"
#include "cell_rates.h"

namespace tessera
{{
  struct {class_name}
  {{
    static constexpr int n_states = {n_states}, n_gates = {n_gates},
                         n_parameters = {n_parameters}, n_tabulated = {n_tabulated},
                         n_constants = {n_constants}, n_axes = {n_axes};
    static constexpr TableAxis axes[] = {{{axes}}};
    static constexpr const char *time_unit = "{time_unit}";
    static constexpr double activation = {activation}, repolarisation = {repolarisation};

    static std::vector<CellQuantity>
    states()
    {{
      return {{{states}}};
    }}

    static std::vector<CellQuantity>
    parameters()
    {{
      return {{{parameters}}};
    }}

    static std::vector<CellVariant>
    variants()
    {{
      return {{{variants}}};
    }}

    template <class T, class P>
    TESSERA_HOST_DEVICE static void
    rates(const T (&y)[n_states], const P (&p)[n_parameters], const P stimulus,
          CellRates<T, n_states> &rates)
    {{
      using std::exp;
      using std::log;
      using std::sqrt;
      {lines}
    }}

    template <class P>
    static void
    constants([[maybe_unused]] const P (&p)[n_parameters], [[maybe_unused]] P *constants)
    {{
      using std::exp;
      using std::log;
      using std::sqrt;
      {constants}
    }}

    template <int axis, class T, class P = T>
    static void
    functions([[maybe_unused]] const T x, [[maybe_unused]] const T (&p)[n_parameters],
              [[maybe_unused]] T *functions)
    {{
      using std::exp;
      using std::log;
      using std::sqrt;
      {functions}
    }}

    template <class T, class Tables, class P = T>
    TESSERA_HOST_DEVICE static void
    rates_by_tables(const T (&y)[n_states], const Tables &tables, const T stimulus,
                    CellRates<T, n_states> &rates)
    {{
      using std::exp;
      using std::log;
      using std::sqrt;
      {by_tables}
    }}
  }};
}} // namespace tessera
"""


class Statements:
    """Writes expressions of a model as statements. What depends on a state has the type T, and
    what depends on parameters alone the type P. `given` names what has a place in C++."""

    def __init__(self, model, given=()):
        self.model, self.lines, self.done = model, [], dict(given)
        self.calls, self.n_locals = {}, 0
        self.count_calls()

    def rates(self, first_gate=1):
        """Writes the rates, of gates from that number on."""
        model = self.model
        for i, x in enumerate(model.states):
            if x in model.gates and i >= first_gate:
                for what, node in zip(("limit", "rate"), model.pairs[x]):
                    self.set(f"rates.{what}[{i}]", node, x)
        name = next(name for name in ("diff_" + model.V, model.externals.get("Iion", "Iion"))
                    if name in model.values)
        self.set("rates.derivative[0]", model.change_of_V, name, "stimulus + ")
        for i, x in enumerate(model.states):
            if i > 0 and x not in model.gates:
                self.set(f"rates.derivative[{i}]", model.values["diff_" + x][0], x)
        return self

    def count_calls(self):
        """Counts every call in all that rates need, to compute what is called twice once."""
        left, seen = [self.model.change_of_V], set()
        left += [part for pair in self.model.pairs.values() for part in pair]
        left += [value for name, (value, _) in self.model.values.items()
                 if name.startswith("diff_")]
        while left:
            node = left.pop()
            if node[0] == "var" and node[1] not in seen and not self.is_given(node[1]):
                seen.add(node[1])
                left.append(self.model.values.get(node[1], (("num", 0.), 0))[0])
            if node[0] == "call":
                self.calls[node] = self.calls.get(node, 0) + 1
            if node[0] != "call" or self.calls[node] == 1:
                left += parts(node)

    def is_given(self, name):
        return name in self.model.states or name in self.model.parameters or (
            name == self.model.stimulus)

    def kind(self, *nodes):
        return "T" if any(self.model.depends(node, self.model.V) for node in nodes) else "P"

    def set(self, place, node, user, before=""):
        self.model.depends(node, user)
        self.lines.append(f"{place} = {before}{self.text(node)};")

    def local(self, text, kind):
        """Returns a name for what a text computes."""
        if re.fullmatch(r"\w+", text):
            return text
        self.n_locals += 1
        self.lines.append(f"const {kind} local_{self.n_locals} = {text};")
        return f"local_{self.n_locals}"

    def variable(self, name):
        if name in self.done:
            return self.done[name]
        model, result = self.model, f"{name}_"
        if name in model.states:
            self.lines.append(f"const T {result} = y[{model.states.index(name)}];")
        elif name in model.parameters:
            self.lines.append(f"const P {result} = p[{model.parameters.index(name)}];")
        elif name == model.stimulus:
            result = "stimulus"
        else:
            node = model.values[name][0]
            text = self.text(node)
            self.lines.append(f"const {self.kind(node)} {result} = {text};")
        self.done[name] = result
        return result

    def text(self, node):
        """Returns the C++ of an expression, after the statements that it needs."""
        if node[0] == "num":
            return f"P({node[1]!r})"
        if node[0] == "var":
            return self.variable(node[1])
        if node[0] == "neg":
            return f"(-{self.text(node[1])})"
        if node[0] == "op":
            return f"({self.text(node[2])} {node[1]} {self.text(node[3])})"
        if node[0] == "call":
            if node in self.done:
                return self.done[node]
            text = f"{node[1]}({self.text(node[2])})"
            if self.calls.get(node, 1) > 1:
                text = self.done[node] = self.local(text, self.kind(node))
            return text
        if node[0] == "power":
            kind = self.kind(node)
            return self.power(self.local(self.text(node[1]), kind), node[2], kind)
        test, yes, no = node[1:] if node[0] == "if" else (node, ("num", 1.), ("num", 0.))
        kind = self.kind(test, yes, no)
        return self.choice(test, self.of_kind(yes, kind), self.of_kind(no, kind), kind)

    def power(self, base, n, kind):
        if n == 1:
            return base
        if n % 2 == 1:
            return f"({self.power(base, n - 1, kind)} * {base})"
        half = base if n == 2 else self.local(self.power(base, n // 2, kind), kind)
        return f"({half} * {half})"

    def of_kind(self, node, kind):
        text = self.text(node)
        return text if self.kind(node) == kind else f"{kind}({text})"

    def choice(self, test, yes, no, kind):
        """Returns what chooses between two texts of that kind; both are computed."""
        if test[0] == "not":
            return self.choice(test[1], no, yes, kind)
        if test[0] in ("and", "or"):
            yes, no = self.local(yes, kind), self.local(no, kind)
            inner = self.choice(test[2], yes, no, kind)
            return (self.choice(test[1], inner, no, kind) if test[0] == "and" else
                    self.choice(test[1], yes, inner, kind))
        sign, a, b = test[1:] if test[0] == "cmp" else ("!=", test, ("num", 0.))
        a, b = (self.of_kind(side, kind) for side in (a, b))
        if sign in ("==", "!="):
            a, b, yes, no = (self.local(part, kind) for part in (a, b, yes, no))
            if sign == "!=":
                yes, no = no, yes
            return (f"select_less({a}, {b}, {no}, select_less({b}, {a}, {no}, {yes}))")
        if sign in (">", "<="):
            a, b = b, a
        return f"select_less({a}, {b}, " + (f"{yes}, {no})" if sign in "<>" else f"{no}, {yes})")


class ByTables(Statements):
    """Writes rates in which tables have what depends on one variable alone, an axis, and on
    parameters; what depends on parameters alone is a constant. An expression is as large as it
    can be, and only those with calls or divisions have a function."""

    def __init__(self, model, class_name):
        super().__init__(model)
        self.class_name = class_name
        self.constants, self.functions, self.known = {}, [{} for _ in model.axes], {}
        self.rates(1 + model.n_tabulated)

    def kind(self, *_):
        return "T"

    def is_costly(self, node):
        if node[0] in ("call", "if") or node[:2] == ("op", "/"):
            return True
        if node[0] == "var":
            name, model = node[1], self.model
            return (name not in model.axes and name not in model.parameters and
                    name in model.values and self.is_costly(model.values[name][0]))
        return any(self.is_costly(part) for part in parts(node))

    def text(self, node):
        leaves = {None} if node[0] == "num" else self.model.leaves(node, self.model.axes, self.known)
        if not leaves:
            return f"tables.constant({self.constants.setdefault(node, len(self.constants))})"
        axis = next(iter(leaves))
        if len(leaves) > 1 or axis not in self.model.axes or not self.is_costly(node):
            return super().text(node)
        a = list(self.model.axes).index(axis)
        if ("row", a) not in self.done:
            of = self.variable(axis)
            self.lines.append(f"const auto row_{a} = tables.template row<"
                              f"{self.class_name}, {a}>({of});")
            self.done["row", a] = True
        functions = self.functions[a]
        if node not in functions:
            k = len(functions) + (2 * self.model.n_tabulated if a == 0 else 0)
            self.lines.append(f"const T of_{axis}_{len(functions)} = row_{a}({k});")
            functions[node] = f"of_{axis}_{len(functions)}"
        return functions[node]


def class_name_of(name):
    return "".join(part.capitalize() for part in name.split("_"))


def header(name, text):
    """Returns the header of the model of that name. Throws Mistake."""
    model = Model(text)
    quantity = lambda of, value: f'{{"{of}", "{model.unit(of)}", {value!r}}}'
    of_flag = [{p: model.number_of(p, p, float(k))
                for p in model.parameters} for k in range(max(1, len(model.names)))]
    variants = []
    for variant, values in zip(model.names, of_flag):
        others = ", ".join(f'{{"{p}", {value!r}}}' for p, value in values.items()
                           if value != of_flag[0][p])
        variants.append(f'{{"{variant}", {{{others}}}}}')
    by_tables = ByTables(model, class_name_of(name))
    constants = Statements(model)
    for k, node in enumerate(by_tables.constants):
        constants.set(f"constants[{k}]", node, model.V)
    axes, functions = [], ""
    for a, (axis, of_axis) in enumerate(zip(model.axes, by_tables.functions)):
        first = 2 * model.n_tabulated if a == 0 else 0
        axes.append("{%r, %r, %d, %d, %s}" % (*model.axes[axis], first + len(of_axis),
                                              "true" if a == 0 else "false"))
        statements = Statements(model, {axis: "x"})
        for k, node in enumerate(of_axis):
            statements.set(f"functions[{first + k}]", node, axis)
        functions += "\n      if constexpr (axis == %d)\n        {\n          %s\n        }" % (
            a, "\n          ".join(statements.lines))
    lines = Statements(model).rates().lines
    if not model.parameters:
        model.fail(model.V, "No variable is a parameter, '.param()'; a model has at least one.")
    return HEADER.format(
        name=name, class_name=class_name_of(name), n_states=len(model.states),
        n_gates=len(model.gates), n_parameters=len(model.parameters),
        n_tabulated=model.n_tabulated, time_unit=model.time_unit, activation=model.activation,
        repolarisation=model.repolarisation,
        states=", ".join(quantity(x, model.initial[x]) for x in model.states),
        parameters=", ".join(quantity(p, of_flag[0][p]) for p in model.parameters),
        variants=", ".join(variants), n_constants=len(by_tables.constants), n_axes=len(axes),
        axes=", ".join(axes or ["{0, 1, 0, 0, true}"]), functions=functions.lstrip("\n "),
        lines="\n      ".join(lines),
        constants="\n      ".join(constants.lines), by_tables="\n      ".join(by_tables.lines))
