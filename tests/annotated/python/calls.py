"""Calls: receivers, scopes, decorators, chains."""
# total: definitions 6, calls 37
start()
# ^ calls: start in <module>


def run(self, default=make()):
#                     ^ calls: make in <module>
    self.parser.parse(default, key=1)
#               ^ calls: self.parser.parse in run
    super().run()
#           ^ calls: super().run in run
#   ^ calls: super in run
    Foo(1).bar
#   ^ calls: Foo in run
    Foo(1).bar()
#          ^ calls: Foo(1).bar in run
    a[0].start()
#        ^ calls: a[0].start in run
    outer(inner(x), [each(y) for y in many()])
#   ^ calls: outer in run
#         ^ calls: inner in run
#                    ^ calls: each in run
#                                     ^ calls: many in run
    (lambda: later())()
#            ^ calls: later in run
    print(f"{shown()}")
#            ^ calls: shown in run
    return (
        query
        .filter(a=1)
#        ^ calls: query.filter in run
        .order_by("name")
#        ^ calls: query.filter(a=1).order_by in run
        .first()
#        ^ calls: query.filter(a=1).order_by("name").first in run
    )


@decorator
# ^ calls: decorator in <module>
@package.factory(depth=3)
#        ^ calls: package.factory in <module>
class Thing(make_base()):
#           ^ calls: make_base in <module>
    made = build()
#          ^ calls: build in Thing

    @functools.wraps
    #          ^ calls: functools.wraps in Thing
    def method(self, x=default()):
#                      ^ calls: default in Thing
        def nested():
            deep()
#           ^ calls: deep in Thing.method.nested
        nested()
#       ^ calls: nested in Thing.method
        await_it = [await job() for job in jobs]
#                         ^ calls: job in Thing.method


value = first().second(third())
#               ^ calls: first().second in <module>
if (match := search(text)) and match.group():
#            ^ calls: search in <module>
#                                    ^ calls: match.group in <module>
    pass


def long_receiver():
    return registry["a key that is long enough to be cut, because nobody resolves what is so long"]["and another key that goes on and on"].entries.by_name.of_this_one_and_only.find()
#                                                                                                                                                  ^ calls: registry["a key that is long enough to be cut, because nobody resolves what is so long"]["and another key that goes on and on"].entries.by_name.of_this_one_and_only.find in long_receiver


with open(path) as file:
    file.read()
#        ^ calls: file.read in <module>
