"""Bindings: what may tell the type of a name."""
# total: definitions 12, bindings 35
made = Foo(1)
# ^ binds: made assign Foo(1)
other: Bar
# ^ declares: other Bar
typed: "Bar | None" = make()
# ^ declares: typed "Bar | None"
text = """a long
text"""
chained = again = Foo()
# ^ binds: chained assign Foo()
#          ^ binds: again assign Foo()


class Owner:
    shared = Foo()
#   ^ binds: shared assign Foo()
    declared: list[Foo]
#   ^ declares: declared list[Foo]

    def __init__(self, given):
        self.given = given
#       ^ binds: self.given assign given
        self.made: Foo = Foo()
#       ^ declares: self.made Foo
        self.cache["key"] = Foo()
        Owner.count = 1
#       ^ binds: Owner.count assign 1

    def method(self):
        global made
#              ^ binds: made global -
        with open(name) as file, lock:
#                          ^ binds: file with open(name)
            yield file
#                 ^ binds: - yield file
        for row in self.rows():
#           ^ binds: row for self.rows()
            pass
        for key, (left, right) in pairs:
#           ^ element: key 0
#                 ^ binds: left for -
            pass
        return [item for item in rows]
#              ^ binds: - return [item for item in rows]
#                        ^ binds: item for rows


def unpacking():
    a, b = one(), two()
#   ^ binds: a assign one()
#      ^ binds: b assign two()
    c, *d = three()
#   ^ element: c 0
#       ^ binds: d assign -
    (e, f) = four()
#       ^ element: f 1
    self.g, h[0] = five()
#   ^ element: self.g 0
    if (walrus := six()):
#       ^ binds: walrus assign six()
        pass
    try:
        pass
    except (KeyError, ValueError) as error:
#                                    ^ binds: error except (KeyError, ValueError)
        raise
    async with session() as (reader, writer):
#                            ^ element: reader 0
        pass
    def inner():
        nonlocal a
#                ^ binds: a nonlocal -
        return a.b
#              ^ binds: - return a.b
    return "a string is only a string"
#          ^ binds: - return ""


alias = pkg.name
# ^ binds: alias assign pkg.name
