"""What stands between the parentheses of each call: more than facts keep, read anew for this pass."""

from __future__ import annotations

from engram.extract.calls import captured_calls
from engram.extract.grammar import grammar_of, parse_tree
from engram.extract.languages import Language
from engram.extract.source import Source

MAX_ARGUMENTS = 600  # characters; what is cut is read as unknown, and nobody passes that much by hand


def call_arguments(source: bytes, language: Language) -> list[str]:
    """The arguments of each call as written, without their parentheses, in the order of `FileFacts.calls`.

    "" for a call without any, such as a decorator that is only named.
    """
    text = Source(source, language)
    captured = grammar_of(language).find(parse_tree(source, language).root_node)
    found = []
    for _, _, _, node, _ in captured_calls(captured):
        around = node.parent
        arguments = around.child_by_field_name("arguments") if around else None
        if arguments is None or arguments.end_byte - arguments.start_byte < 3:
            found.append("")
        else:
            found.append(text.expression(arguments.start_byte + 1, arguments.end_byte - 1, MAX_ARGUMENTS))
    return found
