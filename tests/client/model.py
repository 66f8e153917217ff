"""A model for the real client to talk to: the Messages API on loopback, answered by the rules of a test.

It keeps every request, so that a test can say what the model was shown.
"""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.client.loopback import Loopback

NO_RULE = "no rule of the test answers this"
# How both clients under test begin their request for a summary, which still offers tools on the newer one.
_COMPACTION = "Respond with TEXT ONLY. Do NOT call any tools."


@dataclass
class Call:
    """A tool call as the model's reply: `Call("Bash", command="ls")`."""

    tool: str
    input: dict[str, Any]

    def __init__(self, tool: str, /, **given: Any) -> None:
        self.tool, self.input = tool, given


class Request:
    """One request of the client to the model."""

    def __init__(self, body: dict[str, Any], headers: dict[str, str]) -> None:
        self.body = body
        self.agent = headers.get("x-claude-code-agent-id", "")
        self.tools = [tool.get("name", "") for tool in body.get("tools") or []]
        self.system = _text(body.get("system"))
        messages = body.get("messages") or []
        answers = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
        self.turn = len(answers)
        new = messages[answers[-1] + 1 :] if answers else messages
        self.news = "\n".join(_text(message["content"]) for message in new)
        self.results = "\n".join(
            _text(block.get("content")) for message in new for block in _blocks(message["content"], "tool_result")
        )
        self.failed = any(
            block.get("is_error") for message in new for block in _blocks(message["content"], "tool_result")
        )
        self.text = "\n".join([self.system, *(_text(message["content"]) for message in messages)])

    @property
    def asker(self) -> str:
        """`sub` for a subagent, `aux` for a side request (a title, a summary), `main` for the conversation."""
        if self.agent:
            return "sub"
        return "main" if self.tools and _COMPACTION not in self.news else "aux"


Reply = str | Call | list["str | Call"]


@dataclass
class Rule:
    """Answers the requests of `asker` whose news match the regular expression `shown`, `times` times (0: always)."""

    reply: Reply | Callable[[Request], Reply]
    asker: str = "main"
    shown: str = ""
    times: int = 1
    usage: int = 0
    delay: float = 0.0
    used: int = field(default=0, init=False)

    def takes(self, request: Request) -> bool:
        """Whether this rule has a use left and is about this request."""
        free = not self.times or self.used < self.times
        return free and self.asker == request.asker and re.search(self.shown, request.news, re.DOTALL) is not None


class Model(Loopback):
    """The server, in a `with`; the first rule that takes a request answers it."""

    def __init__(self, rules: list[Rule]) -> None:
        self.rules = rules
        self.requests: list[Request] = []
        self.unmatched: list[Request] = []
        self._lock = threading.Lock()
        super().__init__(self._handler())

    def unused(self) -> list[Rule]:
        """The rules that never answered, those for any number of times aside."""
        return [rule for rule in self.rules if rule.times and not rule.used]

    def answer(self, request: Request) -> dict[str, Any]:
        """The message of the first rule that takes the request."""
        with self._lock:
            self.requests.append(request)
            rule = next((rule for rule in self.rules if rule.takes(request)), None)
            if rule is None:
                rule = Rule("a title" if request.asker == "aux" else NO_RULE)
                self.unmatched += [request] if request.asker != "aux" else []
            rule.used += 1
        time.sleep(rule.delay)
        reply = rule.reply(request) if callable(rule.reply) else rule.reply
        content = [_block(part) for part in (reply if isinstance(reply, list) else [reply])]
        calls = any(block["type"] == "tool_use" for block in content)
        return {
            "id": f"msg_{uuid.uuid4().hex[:20]}",
            "type": "message",
            "role": "assistant",
            "model": request.body.get("model", ""),
            "content": content,
            "stop_reason": "tool_use" if calls else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": rule.usage or len(request.text) // 4, "output_tokens": 20},
        }

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_arguments: object) -> None:
                pass

            def do_HEAD(self) -> None:
                self._send(200, "application/json", b"")

            def do_GET(self) -> None:
                self._send(404, "application/json", b"{}")

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
                if self.path.partition("?")[0] != "/v1/messages":
                    self._send(404, "application/json", b"{}")
                    return
                try:
                    message = model.answer(Request(body, {name.lower(): value for name, value in self.headers.items()}))
                except Exception as error:  # noqa: BLE001 - a rule that fails must show in the test, not hang the client
                    model.unmatched.append(Request({}, {}))
                    said = {"type": "error", "error": {"type": "invalid_request_error", "message": repr(error)}}
                    self._send(400, "application/json", json.dumps(said).encode())
                    return
                if body.get("stream"):
                    self._send(200, "text/event-stream", "".join(_events(message)).encode())
                else:
                    self._send(200, "application/json", json.dumps(message).encode())

            def _send(self, status: int, kind: str, body: bytes) -> None:
                try:
                    self.send_response(status)
                    self.send_header("content-type", kind)
                    self.send_header("content-length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # the client was killed; the request is kept all the same

        return Handler


def _block(part: str | Call) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex[:20]}", "name": part.tool, "input": part.input}


def _events(message: dict[str, Any]) -> Iterator[str]:
    """The message as the API streams it: each block begun, given whole, ended."""

    def event(kind: str, **more: Any) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n"

    yield event("message_start", message={**message, "content": [], "stop_reason": None})
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            yield event("content_block_start", index=index, content_block={"type": "text", "text": ""})
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            yield event("content_block_start", index=index, content_block={**block, "input": {}})
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield event("message_delta", delta=end, usage={"output_tokens": message["usage"]["output_tokens"]})
    yield event("message_stop")


def _blocks(content: Any, kind: str) -> list[dict[str, Any]]:
    return [block for block in content if block.get("type") == kind] if isinstance(content, list) else []


def _text(content: Any) -> str:
    """All text of a message's content, tool results and the arguments of calls included."""
    if isinstance(content, str):
        return content
    parts = []
    for block in content or []:
        if block.get("type") == "text":
            parts.append(block["text"])
        elif block.get("type") == "tool_result":
            parts.append(_text(block.get("content")))
        elif block.get("type") == "tool_use":
            parts.append(json.dumps(block.get("input"), ensure_ascii=False))
    return "\n".join(parts)
