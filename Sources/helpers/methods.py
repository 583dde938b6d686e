"""The calls with what the OpenAPI document says of them: where each value goes, and its schema."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from calls import Argument, Call
from description import FILTERS, Description, Types
from operations import all_calls


@dataclass(frozen=True)
class Method:
    """A call, and where its values go."""

    call: Call
    told: Description

    def query(self) -> dict[str, dict[str, Any]]:
        """The schemas of what the query may have, by their names; filters may be in one parameter."""
        return self.told.flat_query(self.call.method, self.call.template)

    def place(self, one: Argument) -> str:
        """Where an argument goes: `path`, `query` or `body`."""
        if one.api_name in self.call.in_path:
            return "path"
        return "body" if self.has_body and not one.is_query else "query"

    def arguments(self, place: str) -> list[Argument]:
        """The arguments that go there."""
        return [one for one in self.call.arguments if self.place(one) == place]

    @property
    def has_filters(self) -> bool:
        """Whether the named arguments are filters."""
        return self.call.keywords in FILTERS

    @property
    def has_body(self) -> bool:
        """Whether the request has a body."""
        return self.call.method in ("POST", "PUT", "PATCH")

    @property
    def has_options(self) -> bool:
        """Whether it takes named arguments."""
        return bool(self.call.options or self.call.keywords or self.call.scope == "given")

    @property
    def options(self) -> dict[str, str]:
        """The named arguments of the query that aren't filters, and their names there."""
        pairs = (one.partition("=") for one in self.call.options)
        return {name: member or name for name, _, member in pairs}

    def option_schemas(self) -> dict[str, dict[str, Any]]:
        """The schemas of the named arguments of the query that aren't filters."""
        query = self.query()
        for member in self.options.values():
            if member not in query:
                raise SystemExit(f"{self.call.request} has no parameter {member}: change Sources/helpers/calls.py")
        return {name: query[member] for name, member in self.options.items()}

    def keyword_schemas(self, types: Types) -> dict[str, dict[str, Any]]:
        """The names of the other named arguments, and for members of the body their schemas."""
        if not self.call.keywords:
            return {}
        if self.has_filters:
            return {name: {} for name in self.told.filters(self.call.keywords)}
        return self.told.keywords(types, self.call.keywords)

    def known(self, types: Types) -> list[str]:
        """All named arguments."""
        scope = ["scope"] if self.call.scope == "given" else []
        return [*scope, *self.options, *self.keyword_schemas(types)]

    @property
    def scope_place(self) -> str:
        """Where the scope goes."""
        return "query" if "scope" in self.query() else "body"


def methods(told: Description, of: str) -> Iterator[Method]:
    """The methods of a class."""
    for call in all_calls(told):
        if call.of == of:
            yield Method(call, told)
