"""The states, gates, parameters and variants of a cell model in EasyML."""
import re

from easyml.parsing import (FUNCTIONS, ONE, SIGNS, ZERO, Mistake, Parser, function, names_in,
                            negative, op, power)

EXTERNALS = ("Vm", "Iion", "Istim")


def folded(node, numbers):
    """Returns an expression with the values of some variables."""
    if node[0] == "var":
        return numbers.get(node[1], node)
    node = tuple(folded(part, numbers) if isinstance(part, tuple) else part for part in node)
    make = {"op": lambda: op(*node[1:]), "neg": lambda: negative(node[1]),
            "call": lambda: function(node[1])(node[2]),
            "power": lambda: power(node[1], ("num", float(node[2])))}
    return make.get(node[0], lambda: node)()


class Model:
    """What is known of a model: its states in the order of CellRates, parameters, variants, and
    the axes of its tables: {variable: (first, intervals in a unit, number of intervals)}."""

    def __init__(self, text):
        parsed = Parser(text)
        self.values, self.places, self.markups = parsed.values, parsed.places, parsed.markups
        self.externals = {self.markup(name, "external") or name: name
                          for name in self.marked("external")}
        for alias, name in self.externals.items():
            if alias not in EXTERNALS:
                self.fail(name, f"The variable '{alias}' is not known outside of the cell; legal "
                          f"are {', '.join(EXTERNALS)}.")
        if "Vm" not in self.externals:
            raise Mistake(parsed.end[2], "No variable is the potential, '.external(Vm)'.")
        self.V, self.stimulus = self.externals["Vm"], self.externals.get("Istim")
        self.parameters = self.marked("param")
        self.flags()
        for name in self.parameters:
            if name not in self.values:
                self.fail(name, f"The parameter '{name}' has no value.")
        self.fold_constants()
        self.used = {n for value, _ in self.values.values() for n in names_in(value)}
        self.find_states()
        self.find_axes()
        current = self.externals.get("Iion", "Iion")
        if self.V in self.values:
            self.fail(self.V, f"The potential '{self.V}' is a state, and no value is assigned to "
                      "it.")
        if ("diff_" + self.V in self.values) == (current in self.values):
            self.fail(self.V, f"The potential changes by either '{current}' or "
                      f"'diff_{self.V}'; one of them needs a value.")
        self.change_of_V = (self.values["diff_" + self.V][0] if "diff_" + self.V in self.values
                            else negative(self.values[current][0]))
        self.initial = {}
        for name in self.states:
            source = self.values.get(name + "_init")
            if not source and name not in self.pairs:
                self.fail(name, f"'{name}_init', the initial value, is missing.")
            self.initial[name] = self.number(source[0] if source else self.pairs[name][0],
                                             name + "_init")
        unit = self.unit(self.V)
        self.time_unit = "1" if unit == "1" else "ms"
        both = self.markup(self.V, "thresholds") or ("0.5, 0.1" if unit == "1" else "-30, -70")
        try:
            self.activation, self.repolarisation = map(float, both.split(","))
        except ValueError:
            raise Mistake(self.markups[self.V, "thresholds"][1], "'.thresholds' has two numbers: "
                          "activated above, repolarised below.") from None

    def fail(self, name, sentence):
        """Throws a sentence about the line where a variable or its change has a value."""
        lines = [self.values[key][1] for key in (name, "diff_" + name) if key in self.values]
        raise Mistake((lines or [self.places.get(name, 1)])[0], sentence)

    def marked(self, markup):
        return [name for name, of in self.markups if of == markup]

    def markup(self, name, markup):
        return self.markups.get((name, markup), ("",))[0]

    def unit(self, name):
        unit = self.markup(name, "units") or ("mV" if name == self.V else "1")
        return "1" if unit == "unitless" else unit

    def flags(self):
        """A variable with `.flag(a, b)` chooses between variants, whose names are 0, 1 and so
        on. Defaults of parameters may depend on it."""
        flags = self.marked("flag")
        if len(flags) > 1:
            self.fail(flags[1], "A second '.flag'; one names all variants.")
        self.flag = flags[0] if flags else None
        self.names = [n.strip() for n in self.markup(self.flag, "flag").split(",")] if flags else []
        for k, name in enumerate(self.names):
            if name in self.values:
                self.fail(name, f"'{name}' is a variant and has a value, too.")
            self.values[name] = (("num", float(k)), self.places[self.flag])
        if flags:
            self.values[self.flag] = (ZERO, self.places[self.flag])
            of_parameters = {n for p in self.parameters if p in self.values
                             for n in names_in(self.values[p][0])}
            others = {n for name, (value, _) in self.values.items()
                      if name not in self.parameters for n in names_in(value)}
            if self.flag in others or self.flag not in of_parameters:
                self.parameters.append(self.flag)

    def fold_constants(self):
        """Puts numbers in the places of variables that are numbers."""
        changed = True
        while changed:
            numbers = {name: value for name, (value, _) in self.values.items()
                       if value[0] == "num" and name not in self.parameters and name != self.flag}
            changed = False
            for name, (value, line) in self.values.items():
                if numbers.keys() & set(names_in(value)):
                    self.values[name] = (folded(value, numbers), line)
                    changed = True

    def find_states(self):
        """Sets the states, and the limits and rates of gates. Those that depend on the
        potential alone come first, and then the other gates."""
        values, self.pairs, self.known, found = self.values, {}, {}, []
        for name in self.places:
            for start, x in re.findall(r"^(diff_|tau_|a_|alpha_)(\w+)$", name):
                second = {"diff_": name, "tau_": x + "_inf", "a_": "b_" + x,
                          "alpha_": "beta_" + x}[start]
                if name not in values or second not in values or x == self.V or x in values:
                    continue
                a, b = values[name][0], values[second][0]
                known = x in self.used or x in self.places or x + "_init" in values
                if start == "diff_":
                    found.append(x)
                elif known:
                    found.append(x)
                    if start == "tau_" and a[:2] == ("op", "/") and a[2][0] == "num":
                        rate = op("/", a[3], a[2])
                    else:
                        rate = op("/", ONE, ("var", name)) if start == "tau_" else op(
                            "+", ("var", name), ("var", second))
                    self.pairs[x] = (("var", second), rate) if start == "tau_" else (
                        op("/", ("var", name), rate), rate)
        self.gates, others = [], []
        order = list(self.places)
        names = ("{}", "{}_init", "diff_{}", "tau_{}", "{}_inf", "a_{}", "b_{}", "alpha_{}", "beta_{}")
        for x in sorted(set(found), key=lambda x: min(order.index(name) for name in (
                form.format(x) for form in names) if name in self.places)):
            default = "fe" if "diff_" + x in values else "rush_larsen"
            method, line = self.markups.get((x, "method"), (default, self.places.get(x)))
            if method not in ("fe", "rush_larsen"):
                raise Mistake(line, f"The method of '{x}' is '{method}'; legal are fe and "
                              "rush_larsen.")
            if method == "rush_larsen" and x not in self.pairs:
                raise Mistake(line, f"Rush and Larsen's method of '{x}' needs '{x}_inf' and "
                              f"'tau_{x}', or 'a_{x}' and 'b_{x}'.")
            (self.gates if method == "rush_larsen" else others).append(x)
            if method == "fe" and "diff_" + x not in values:
                limit, rate = self.pairs[x]
                values["diff_" + x] = (op("*", rate, op("-", limit, ("var", x))),
                                       self.places.get(x, 1))
        alone = {x for x in self.gates if self.unit(self.V) == "mV" and all(
            self.depends(part, x) | self.leaves(part, {self.V}, {}) <= {self.V}
            for part in self.pairs[x])}
        self.gates.sort(key=lambda x: x not in alone)
        self.states, self.n_tabulated = [self.V, *self.gates, *others], len(alone)

    def find_axes(self):
        """The potential in mV is an axis from -200 to 300 with intervals of 0.1, if there are
        gates that depend on it alone, and so is every variable with `.lookup(first, last,
        step)`."""
        self.axes = {self.V: (-200., 10., 5000)} if self.n_tabulated else {}
        for name, (argument, line) in [(name, found) for (name, of), found in self.markups.items()
                                       if of == "lookup"]:
            if name in (self.V, self.stimulus) or name in self.parameters:
                continue
            try:
                first, last, step = map(float, argument.split(","))
                n = round((last - first) / step)
            except (ArithmeticError, ValueError):
                n = 0
            if not 1 <= n <= 200000:
                raise Mistake(line, "'.lookup(first, last, step)' has three numbers, for 1 to "
                              "200000 intervals.")
            try:
                initial = self.number(("var", name), name)
            except Mistake:
                initial = first  # of gates that begin at their limit
            if not first <= initial <= last:
                raise Mistake(line, f"'{name}' begins with {initial:g}, which is not on the axis of "
                              "its '.lookup'.")
            if self.n_tabulated:
                self.axes[name] = (first, n / (last - first), n)

    def leaves(self, node, axes, known):
        """Returns the axes, the states and the stimulus that an expression has, where an axis
        hides the variables behind it. `known` keeps the leaves of variables."""
        result = set()
        for name in names_in(node):
            if name in self.parameters:
                continue
            if name == self.stimulus or name in axes or name not in self.values:
                result.add(name)
                continue
            if name not in known:
                known[name] = self.leaves(self.values[name][0], axes, known)
            result |= known[name]
        return result

    def depends(self, node, user, within=()):
        """Returns the states that an expression depends on, where everything has a value."""
        result = set()
        for name in names_in(node):
            if name in within:
                self.fail(name, f"'{name}' depends on itself.")
            if name in self.parameters or name == self.stimulus:
                continue
            if name in self.values and name != self.V:
                if name not in self.known:
                    self.known[name] = self.depends(self.values[name][0], name, (*within, name))
                result |= self.known[name]
            elif name == self.V or name in self.pairs or "diff_" + name in self.values:
                result.add(name)
            else:
                self.fail(user, f"'{name}' has no value: it is no parameter, nothing is assigned "
                          f"to it, and it is no state with 'diff_{name}', with '{name}_inf' and "
                          f"'tau_{name}' or with 'a_{name}' and 'b_{name}'.")
        return result

    def number(self, node, user, flag=0.):
        """Returns the value of an expression of parameters and initial values."""
        value = lambda k: self.number(node[k], user, flag)
        try:
            if node[0] == "var":
                return self.number_of(node[1], user, flag)
            return {"num": lambda: node[1], "neg": lambda: -value(1),
                    "op": lambda: SIGNS[node[1]](value(2), value(3)),
                    "cmp": lambda: float(SIGNS[node[1]](value(2), value(3))),
                    "call": lambda: FUNCTIONS[node[1]](value(2)),
                    "power": lambda: value(1)**node[2], "not": lambda: float(not value(1)),
                    "and": lambda: value(1) and value(2), "or": lambda: value(1) or value(2),
                    "if": lambda: value(2) if value(1) else value(3)}[node[0]]()
        except (ArithmeticError, ValueError, RecursionError) as error:
            self.fail(user, f"'{user}' has no value: {error}.")

    def number_of(self, name, user, flag=0.):
        if name == self.flag:
            return flag
        source = self.values.get(name) or self.values.get(name + "_init")
        if not source:
            self.fail(user, f"'{user}' needs the value of '{name}', which is no constant.")
        return self.number(source[0], user, flag)
