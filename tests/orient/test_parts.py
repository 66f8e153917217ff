from __future__ import annotations

from engram.orient.parts import MAX_CHARACTERS, MAX_TITLE, Frame, cut_text

ISSUE = """\
# Choice ignores `case_sensitive=False`

<!-- Please fill in
the template -->
### Describe the bug
`Choice.convert` compares lower case with the original in src/click/types.py.

```python
click.Choice(["Apple"], case_sensitive=False)
```

    Traceback (most recent call last):
      File "/home/u/app.py", line 3, in main
        run()
      File "/usr/lib/python3/site-packages/click/types.py", line 12, in convert
        self.fail()
    click.exceptions.BadParameter: invalid choice
ValueError: apple is not one of Apple

### Environment
- Python 3.11.2
- some words about the operating system here
"""


def test_an_issue_is_cut_into_what_it_consists_of() -> None:
    parts = cut_text(ISSUE)
    assert parts.title == "Choice ignores  case_sensitive=False "
    assert "Choice.convert" in parts.inline
    assert "case_sensitive=False" in parts.inline
    assert 'click.Choice(["Apple"], case_sensitive=False)' in parts.code
    assert parts.frames == (
        Frame("/home/u/app.py", "main"),
        Frame("/usr/lib/python3/site-packages/click/types.py", "convert"),
    )
    assert "ValueError: apple is not one of Apple" in parts.errors
    text = "\n".join((*parts.prose, *parts.code))
    assert "template" not in text
    assert "3.11.2" not in text
    assert "operating system" not in text
    assert "Describe the bug" not in text


def test_a_long_first_line_gives_its_first_sentence_as_the_title() -> None:
    parts = cut_text("The parser fails on empty input. " + "It should give nothing. " * 10)
    assert parts.title == "The parser fails on empty input."
    assert "It should give nothing." in parts.prose[0]
    assert len(cut_text("word " * 100).title) <= MAX_TITLE + 1


def test_javascript_and_compact_frames_are_read() -> None:
    parts = cut_text(
        "crash\n\nTypeError: x is undefined\n    at Parser.parse (/app/src/parser.js:10:5)\n"
        "    at /app/src/index.js:3:1\n"
        "src/pkg/io.py:44: AssertionError\n"
    )
    assert parts.frames == (
        Frame("/app/src/parser.js", "parse"),
        Frame("/app/src/index.js", ""),
        Frame("src/pkg/io.py", ""),
    )


def test_an_unclosed_fence_or_comment_ends_with_the_text() -> None:
    assert cut_text("title\n\n```\ncode_one()\ncode_two()").code == ("code_one()", "code_two()")
    assert cut_text("title\n<!-- never closed\nword").prose == ()


def test_an_empty_text_has_no_parts() -> None:
    for text in ("", "\n \n\t", "<!-- only -->"):
        assert cut_text(text).title == ""


def test_a_text_that_is_only_code_has_no_title() -> None:
    parts = cut_text("```\nrun_it()\n```")
    assert parts.title == ""
    assert parts.code == ("run_it()",)


def test_only_the_beginning_of_an_endless_text_is_read() -> None:
    parts = cut_text("title\n" + "prose\n" * 300_000)
    assert sum(len(line) + 1 for line in parts.prose) <= MAX_CHARACTERS
