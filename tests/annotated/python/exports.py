"""A list of names decides what is handed out."""
# total: definitions 6, exports 4
from .core import imported

__all__ = [
    "listed",
    'Kept',  # "not_this_one" stands in a comment
]
__all__ += ["_odd"]
__all__.extend(["imported"])


def listed(): ...
#   ^ exported: yes
#   ^ exports: listed listed
def unlisted(): ...
#   ^ exported: no
def _odd(): ...
#   ^ exported: yes
class Kept:
#     ^ exported: yes
    def method(self): ...
#       ^ exported: yes
