"""Code with one thing wrong: each condition, comparison, operand and statement of a module in its turn."""

from __future__ import annotations

import ast
import copy
import itertools

OPPOSITE = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.IsNot: ast.Is,
}
AT_THE_LIMIT = {ast.Gt: ast.GtE, ast.LtE: ast.Lt, ast.Lt: ast.LtE}


def altered(node, **fields):
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def of_condition(node):
    for value in (True, False):
        yield f"condition always {value}", altered(node, test=ast.Constant(value))


def of_loop(node):
    yield "loop never entered", altered(node, test=ast.Constant(False))


def of_filter(node):
    if node.ifs:
        yield "filter dropped", altered(node, ifs=[])


def of_operands(node):
    for place in range(len(node.values)):
        rest = node.values[:place] + node.values[place + 1 :]
        yield f"operand {place} dropped", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def of_comparison(node):
    for table, place in itertools.product((OPPOSITE, AT_THE_LIMIT), range(len(node.ops))):
        operators = list(node.ops)
        if type(operators[place]) in table:
            operators[place] = table[type(operators[place])]()
            yield f"comparison {place}", altered(node, ops=operators)


def of_negation(node):
    if isinstance(node.op, ast.Not):
        yield "not dropped", node.operand


def of_intersection(node):
    if isinstance(node.op, ast.BitAnd):
        yield "intersection to union", altered(node, op=ast.BitOr())


def of_statement(node):
    if isinstance(node.value, ast.Yield | ast.YieldFrom):
        yield "yield dropped", ast.Expr(ast.YieldFrom(ast.Tuple([], ast.Load())))


def of_set(node):
    for place in range(len(node.elts)):
        yield f"member {place} dropped", ast.Set(node.elts[:place] + node.elts[place + 1 :])


def of_table(node):
    for place, value in itertools.product(range(len(node.values)), (True, False)):
        values = list(node.values)
        values[place] = ast.Constant(value)
        yield f"entry {place} is {value}", altered(node, values=values)


CHANGES = {
    ast.If: of_condition,
    ast.IfExp: of_condition,
    ast.While: of_loop,
    ast.comprehension: of_filter,
    ast.BoolOp: of_operands,
    ast.Compare: of_comparison,
    ast.UnaryOp: of_negation,
    ast.BinOp: of_intersection,
    ast.Expr: of_statement,
    ast.Set: of_set,
    ast.Dict: of_table,
}


class _Place(ast.NodeTransformer):
    """Collects the nodes in order, or puts something in the place of one."""

    def __init__(self, position=None, replacement=None):
        self.position, self.replacement, self.nodes = position, replacement, []

    def generic_visit(self, node):
        self.nodes.append(node)
        if len(self.nodes) - 1 == self.position:
            return self.replacement
        return super().generic_visit(node)


def mutants(source, words):
    """Return (name, tree) for each change; words maps a text constant to the one it is exchanged for."""
    collected = _Place()
    collected.visit(ast.parse(source))
    for position, node in enumerate(collected.nodes):
        changes = list(CHANGES.get(type(node), lambda _: ())(node))
        if isinstance(node, ast.Constant) and node.value in words:
            changes.append(("another word", ast.Constant(words[node.value])))
        for what, replacement in changes:
            if ast.dump(replacement) != ast.dump(node):
                tree = _Place(position, replacement).visit(ast.parse(source))
                line = getattr(node, "lineno", "?")
                yield f"line {line}: {what}: {ast.unparse(node)[:80]}", ast.fix_missing_locations(tree)
