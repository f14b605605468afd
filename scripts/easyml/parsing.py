"""The part of the language EasyML that cell models are written in: from text to expressions.

An expression is a tuple: ("num", value), ("var", name), ("neg", a), ("op", sign, a, b), ("call",
name, a), ("power", a, n), ("if", test, yes, no), and tests ("cmp", sign, a, b), ("and", a, b),
("or", a, b), ("not", a).
"""
import math
import operator
import re

TOKEN = re.compile(r"""(?P<space>\s+|//[^\n]*|\#[^\n]*|/\*.*?\*/)
  |(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?P<name>[A-Za-z_]\w*)
  |(?P<op>&&|\|\||[<>=!]=|[-+*/^<>=!?:;,.(){}])|(?P<wrong>.)""", re.VERBOSE | re.DOTALL)
WITHOUT_EFFECT = ("nodal", "regional", "lookup", "trace", "store")
MARKUPS = ("external", "param", "units", "method", "flag", "thresholds", *WITHOUT_EFFECT)
# Signs of operations and comparisons, and what they compute.
SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
         "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
         "==": operator.eq, "!=": operator.ne}
ONE, TWO, ZERO = ("num", 1.), ("num", 2.), ("num", 0.)


class Mistake(Exception):
    """A sentence for the user, and the line that it is about."""


def op(sign, a, b):
    """a sign b, with what is constant already computed; divisors become factors."""
    if a[0] == b[0] == "num" and not (sign == "/" and b[1] == 0):
        return ("num", SIGNS[sign](a[1], b[1]))
    if ONE in (a, b) and sign == "*":
        return a if b == ONE else b
    if sign == "/" and b[0] == "num" and b[1] != 0:
        return op("*", a, ("num", 1 / b[1]))
    return ("op", sign, a, b)


def negative(a):
    return ("num", -a[1]) if a[0] == "num" else ("neg", a)


def function(name):
    return lambda a: ("num", FUNCTIONS[name](a[1])) if a[0] == "num" else ("call", name, a)


def power(a, b):
    """a^b for a number b: products and square roots where they do, and a > 0 elsewhere."""
    if a[0] == b[0] == "num" and a[1] > 0:
        return ("num", a[1]**b[1])
    if b[0] == "num" and abs(2 * b[1]) <= 24 and (2 * b[1]).is_integer():
        whole, half = divmod(abs(int(2 * b[1])), 2)
        result = ("power", a, whole) if whole > 1 else a if whole else ONE
        if half:
            result = op("*", result, function("sqrt")(a)) if whole else function("sqrt")(a)
        return result if b[1] >= 0 else op("/", ONE, result)
    return function("exp")(op("*", b, function("log")(a)))


def less(a, b, yes, no):
    return ("if", ("cmp", "<", a, b), yes, no)


def hyperbolic(sign):
    exp = function("exp")
    return lambda a: op("*", ("num", .5), op(sign, exp(a), exp(negative(a))))


FUNCTIONS = {"exp": math.exp, "log": math.log, "sqrt": math.sqrt}
# Other functions are written with these: name, number of arguments, expression.
DERIVED = {
    **{name: (1, function(name)) for name in FUNCTIONS}, "pow": (2, power),
    "square": (1, lambda a: power(a, TWO)), "cube": (1, lambda a: power(a, ("num", 3.))),
    "log10": (1, lambda a: op("/", function("log")(a), ("num", math.log(10)))),
    "expm1": (1, lambda a: op("-", function("exp")(a), ONE)),
    "sinh": (1, hyperbolic("-")), "cosh": (1, hyperbolic("+")),
    "tanh": (1, lambda a: op("-", ONE, op("/", TWO, op(
        "+", function("exp")(op("*", TWO, a)), ONE)))),
    "fabs": (1, lambda a: less(a, ZERO, negative(a), a)),
    "min": (2, lambda a, b: less(a, b, a, b)), "max": (2, lambda a, b: less(a, b, b, a))}
DERIVED["abs"] = DERIVED["fabs"]


class Parser:
    """Reads a text into definitions, name: (expression, line), and markups,
    (name, markup): (argument, line)."""

    def __init__(self, text):
        self.tokens, self.at = [], 0
        self.values, self.markups, self.places = {}, {}, {}
        line = 1
        for match in TOKEN.finditer(text):
            if match.lastgroup == "wrong":
                raise Mistake(line, f"'{match[0]}' means nothing here.")
            if match.lastgroup != "space":
                self.tokens.append((match.lastgroup, match[0], line, match.start(), match.end()))
            line += match[0].count("\n")
        self.text, self.end = text, ("end", "the end of the file", line, len(text), len(text))
        last = []
        while self.peek()[0] != "end":
            if self.take("."):
                self.markup(last)
            elif self.peek()[1] in ("if", "group") and self.ahead()[1] in "({":
                last = self.group() if self.take("group") else self.note(self.condition())
            else:
                last = self.note(self.assignment())

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else self.end

    def ahead(self):
        return self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else self.end

    def take(self, *texts):
        if self.peek()[1] in texts and self.peek()[0] != "end":
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def expect(self, text):
        if not self.take(text):
            raise Mistake(self.peek()[2], f"'{text}' is expected, but there is {self.peek()[1]}.")

    def name(self):
        kind, text, line = self.peek()[:3]
        if kind != "name":
            raise Mistake(line, f"A name is expected, but there is {text}.")
        self.at += 1
        return text, line

    def assignment(self):
        """Returns {name: (expression or None, line)}."""
        name, line = self.name()
        value = self.expression() if self.take("=") else None
        self.expect(";")
        return {name: (value, line)}

    def condition(self):
        """if (...) {...} elif (...) {...} else {...}, as choices between the values."""
        line = self.peek()[2]
        self.at += 1
        self.expect("(")
        test = self.expression()
        self.expect(")")
        yes = self.block()
        if self.peek()[1] == "elif" or (self.peek()[1] == "else" and self.ahead()[1] == "if"):
            self.take("else")
            no = self.condition()
        else:
            no = self.block() if self.take("else") else {}
        for name in {**yes, **no}:
            if name not in yes or name not in no:
                raise Mistake(line, f"'{name}' has no value in one of the cases of this 'if'.")
        return {name: (("if", test, yes[name][0], no[name][0]), yes[name][1]) for name in yes}

    def block(self):
        self.expect("{")
        found = {}
        while not self.take("}"):
            new = self.condition() if self.peek()[1] == "if" else self.assignment()
            for name, (value, line) in new.items():
                if value is None or name in found:
                    raise Mistake(line, f"'{name}' needs one value in each case of an 'if'.")
            found.update(new)
        return found

    def group(self):
        self.expect("{")
        names, last = [], []
        while not self.take("}"):
            if self.take("."):
                self.markup(last)
            else:
                last = self.note(self.assignment())
                names += last
        self.take(";")
        return names

    def note(self, found):
        for name, (value, line) in found.items():
            self.places.setdefault(name, line)
            if value is not None:
                if name in self.values:
                    raise Mistake(line, f"'{name}' has a value already, in line "
                                  f"{self.values[name][1]}.")
                self.values[name] = (value, line)
        return list(found)

    def markup(self, names):
        name, line = self.name()
        if name not in MARKUPS:
            raise Mistake(line, f"There is no markup '.{name}'; legal are .{', .'.join(MARKUPS)}.")
        if not names:
            raise Mistake(line, f"The markup '.{name}' follows no variable.")
        self.expect("(")
        first, depth = self.peek()[3], 1
        while depth > 0:
            if self.peek()[0] == "end":
                raise Mistake(line, f"The markup '.{name}' has no end.")
            depth += {"(": 1, ")": -1}.get(self.peek()[1], 0)
            self.at += 1
        argument = self.text[first:self.tokens[self.at - 1][3]].strip()
        if not self.peek()[1] == ".":
            self.expect(";")
        for of in names:
            self.markups[of, name] = (argument, line)

    LEVELS = (("||", "or"), ("&&", "and"), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"),
              ("*", "/"))

    def expression(self, level=-1):
        if level < 0:
            test = self.expression(0)
            if not self.take("?"):
                return test
            yes = self.expression()
            self.expect(":")
            return ("if", test, yes, self.expression())
        if level == len(self.LEVELS):
            return self.unary()
        left = self.expression(level + 1)
        while sign := self.take(*self.LEVELS[level]):
            right = self.expression(level + 1)
            left = (op(sign, left, right) if level > 3 else ("cmp", sign, left, right)
                    if level > 1 else ("or" if level == 0 else "and", left, right))
        return left

    def unary(self):
        if self.take("-"):
            return negative(self.unary())
        if self.take("+"):
            return self.unary()
        if self.take("!", "not"):
            return ("not", self.unary())
        if self.take("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if self.peek()[0] == "number":
            self.at += 1
            return ("num", float(self.tokens[self.at - 1][1]))
        name, line = self.name()
        if not self.take("("):
            return ("var", name)
        arguments = [self.expression()]
        while self.take(","):
            arguments.append(self.expression())
        self.expect(")")
        n, make = DERIVED.get(name, (0, None))
        if n != len(arguments):
            raise Mistake(line, f"There is no function '{name}' of {len(arguments)} arguments; "
                          f"legal are {', '.join(DERIVED)}.")
        return make(*arguments)


def parts(node):
    return [part for part in node if isinstance(part, tuple)]


def names_in(node):
    return [node[1]] if node[0] == "var" else [n for part in parts(node) for n in names_in(part)]
