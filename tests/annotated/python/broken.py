"""What can be parsed is there."""
# total: definitions 4
# issues: syntax-error
def before():
#   ^ definition: function before
    good()
#   ^ calls: good in before

def broken(a, = ):
    half(

class After(Base):
#     ^ definition: class After
#     ^ bases: Base
    def method(self):
#       ^ definition: method After.method
        self.call()
#            ^ calls: self.call in After.method
