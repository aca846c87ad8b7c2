"""Evaluates short Python expressions of numbers without running them.

Some evaluators hand a model's coordinates to Python's `eval`. To judge as they do, the same text
must give the same value. To be safe, none of it may run. The text is parsed, and a closed list of
node types is evaluated with bounded sizes: literals, tuples, lists, sets, arithmetic, comparisons,
choices, an index, and a few pure functions by name. Everything else is refused.
"""

from __future__ import annotations

import ast
import operator
import threading
import warnings
from collections.abc import Callable
from typing import Any

MAX_CHARACTERS = 1_000
MAX_WEIGHT = 4_000
MAX_BITS = 8_192
MAX_DIGITS = 400
MAX_DEPTH = 150


class NoValue(ValueError):
    """The text is not an expression, or its evaluation fails as it would in Python."""


class Beyond(NoValue):
    """The text may be an expression, but it is not supported here."""


def value_of(text: str) -> Any:
    """Returns the value of an expression: a number, text, bytes, None, or a collection of such.

    >>> value_of("(250*2, 1000/2)")
    (500, 500.0)

    Raises:
        Beyond: it is too long, too large, or uses what is not on the list.
        NoValue: Python would raise an error, too.
    """
    if len(text) > MAX_CHARACTERS:
        raise Beyond(f"{len(text)} characters are more than are read as coordinates")
    try:
        return _Reader().value(_parsed(text).body, 0)
    except NoValue:
        raise
    except (TypeError, ValueError, ArithmeticError, IndexError) as error:
        raise NoValue(_words(error)) from error


_PARSING = threading.Lock()


def _parsed(text: str) -> ast.Expression:
    # Python's parser warns about odd literals; what the program does with warnings must not
    # change a verdict.
    with _PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text, mode="eval")
        except SyntaxError as error:
            raise NoValue(f"it is not an expression ({error.msg})") from error
        except (RecursionError, MemoryError) as error:
            raise Beyond("it is nested too deeply") from error
        except ValueError as error:
            raise NoValue(_words(error)) from error


class _Reader:
    """Evaluates one expression; each method takes a node and its depth."""

    def value(self, node: ast.expr, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise Beyond("it is nested too deeply")
        match node:
            case ast.Constant(value=found):
                return found
            case ast.Tuple(elts=items):
                return tuple(self._items(items, depth))
            case ast.List(elts=items):
                return self._items(items, depth)
            case ast.Set(elts=items):
                return set(self._items(items, depth))
            case ast.Dict(keys=[]):
                return {}
            case ast.JoinedStr(values=parts):
                return _bounded("".join(self._formatted(part, depth) for part in parts))
            case ast.UnaryOp():
                return self._unary(node, depth)
            case ast.BinOp():
                return self._binary(node, depth)
            case ast.BoolOp():
                return self._choice(node, depth)
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                return self.value(body if self.value(test, depth + 1) else otherwise, depth + 1)
            case ast.Compare():
                return self._comparison(node, depth)
            case ast.Attribute(value=ast.Name(id="np"), attr="nan" | "inf" as name):
                return float(name)
            case ast.Subscript(value=of, slice=index):
                return self._item(of, index, depth)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._call(name, arguments, depth)
            case ast.Name(id=name):
                raise NoValue(f"there is nothing called “{name[:40]}”")
        raise Beyond(f"{type(node).__name__} is not worked out")

    def _items(self, nodes: list[ast.expr], depth: int) -> list[Any]:
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                inner = self.value(node.value, depth + 1)
                if not isinstance(inner, tuple | list | str | bytes):
                    raise NoValue("what follows the star has no items")
                found.extend(inner)
            else:
                found.append(self.value(node, depth + 1))
            _bounded(found)
        return found

    def _formatted(self, part: ast.expr, depth: int) -> str:
        match part:
            case ast.Constant(value=str(text)):
                return text
            case ast.FormattedValue(value=inner, conversion=-1, format_spec=None):
                return str(_bounded(self.value(inner, depth + 1)))
        raise Beyond("formatting is not worked out")

    def _unary(self, node: ast.UnaryOp, depth: int) -> Any:
        inner = self.value(node.operand, depth + 1)
        return _UNARY[type(node.op)](inner)

    def _binary(self, node: ast.BinOp, depth: int) -> Any:
        left = self.value(node.left, depth + 1)
        right = self.value(node.right, depth + 1)
        work = _BINARY.get(type(node.op))
        if work is None:
            raise Beyond(f"{type(node.op).__name__} is not worked out")
        _bounded_work(node.op, left, right)
        return _bounded(work(left, right))

    def _choice(self, node: ast.BoolOp, depth: int) -> Any:
        stops_at = isinstance(node.op, ast.Or)
        for part in node.values[:-1]:
            found = self.value(part, depth + 1)
            if bool(found) is stops_at:
                return found
        return self.value(node.values[-1], depth + 1)

    def _comparison(self, node: ast.Compare, depth: int) -> Any:
        left = self.value(node.left, depth + 1)
        found: Any = True
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.value(comparator, depth + 1)
            found = _COMPARES[type(op)](left, right)
            if not found:
                return found
            left = right
        return found

    def _item(self, of: ast.expr, index: ast.expr, depth: int) -> Any:
        if isinstance(index, ast.Slice):
            raise Beyond("a slice is not worked out")
        return self.value(of, depth + 1)[self.value(index, depth + 1)]

    def _call(self, name: str, arguments: list[ast.expr], depth: int) -> Any:
        work = _FUNCTIONS.get(name)
        if work is None:
            raise Beyond(f"{name[:40]}() is not worked out")
        return _bounded(work(*self._items(arguments, depth)))


def _rounded(number: Any, digits: Any = None) -> Any:
    if isinstance(digits, int) and abs(digits) > MAX_DIGITS:
        raise Beyond("it is rounded to too many digits")
    return round(number) if digits is None else round(number, digits)


_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_COMPARES: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda one, many: one in many,
    ast.NotIn: lambda one, many: one not in many,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "float": float,
    "int": int,
    "len": len,
    "list": list,
    "max": max,
    "min": min,
    "round": _rounded,
    "sum": sum,
    "tuple": tuple,
}


def _bounded(value: Any) -> Any:
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise Beyond("a number has too many digits")
    _weight(value)
    return value


def _weight(value: Any) -> int:
    """Returns the size of a value; shared members are counted once per reference.

    Python stores `[[0] * 9] * 9` as ten lists, but iterating over it yields 81 numbers.
    """
    weight, left = 0, [value]
    while left:
        found = left.pop()
        if isinstance(found, str | bytes):
            weight += 4 * len(found)
        elif isinstance(found, int):
            weight += 1 + found.bit_length() // 64
        else:
            weight += 1
        if isinstance(found, tuple | list | set | dict):
            weight += len(found)
            if weight <= MAX_WEIGHT:
                left.extend(found)
        if weight > MAX_WEIGHT:
            raise Beyond("a list or text has too many items")
    return weight


def _bounded_work(op: ast.operator, left: Any, right: Any) -> None:
    """Refuses an operation whose result could be huge, before it begins."""
    if isinstance(op, ast.Mod) and isinstance(left, str | bytes):
        raise Beyond("formatting is not worked out")
    whole = isinstance(left, int) and isinstance(right, int)
    if isinstance(op, ast.Pow) and whole and left.bit_length() * right > MAX_BITS:
        raise Beyond("a power is too large")
    if isinstance(op, ast.LShift) and whole and right > MAX_BITS:
        raise Beyond("a shift is too large")
    if isinstance(op, ast.Mult):
        for items, times in ((left, right), (right, left)):
            held = isinstance(items, tuple | list | str | bytes) and isinstance(times, int)
            if held and _weight(items) * times > MAX_WEIGHT:
                raise Beyond("a list or text has too many items")


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]
