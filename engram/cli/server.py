"""`engram server start|stop|status`: the graph server of this user."""

from __future__ import annotations

import argparse

from engram.config import load_config
from engram.render.server import status_json, status_text
from engram.store.server import open_connection, stop_server
from engram.store.status import server_status


def main(name: str, args: list[str]) -> int:
    """Do it and print the server's state; `status` returns 1 where none runs."""
    parser = argparse.ArgumentParser(prog=f"engram {name}", description="Start, stop or look at the graph server.")
    parser.add_argument("action", choices=["start", "stop", "status"])
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--human", action="store_true", help="text (the default)")
    wanted = parser.parse_args(args)
    config = load_config()
    if wanted.action == "start":
        open_connection(config).close()
    elif wanted.action == "stop":
        stop_server(config)
    status = server_status(config)
    print(status_json(status) if wanted.json else status_text(status))
    return 1 if wanted.action == "status" and not status.running else 0
