"""The checkouts of the indexer's tests serve here as well."""

from tests.ingest.conftest import checkout, make_checkout

__all__ = ["checkout", "make_checkout"]
