"""What the OpenAPI document promises, held against each answer that a test sees.

Stricter than JSON Schema in one point: an answer's member that no schema names is a failure, unless the object is one
whose members are free (`additionalProperties`, or no `properties` at all). So the document can't fall behind.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import jsonschema_rs
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import best_match

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
UNNAMED_STATUSES = (401, 403, 404, 405, 413, 414)
COMPOSITIONS = ("allOf", "oneOf", "anyOf")


class BrokenContract(AssertionError):
    """An answer that the document does not describe."""


class Contract:
    """The document of one server."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self._validators: dict[str, tuple[jsonschema_rs.Draft202012Validator, dict[str, Any]]] = {}

    # What there is

    def operations(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Method, path and description of each operation."""
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    yield method.upper(), path, item[method]

    def operation(self, method: str, target: str) -> tuple[str, dict[str, Any]] | None:
        """The path as the document writes it and the operation behind a request, when there is one."""
        method = "GET" if method == "HEAD" else method
        given = urlsplit(target).path.split("/")
        for path, item in self.document["paths"].items():
            parts = path.split("/")
            fits = len(parts) == len(given) and all(
                part == there or (part.startswith("{") and there) for part, there in zip(parts, given, strict=True)
            )
            if fits and method.lower() in item:
                return path, item[method.lower()]
        return None

    def resolved(self, schema: Any) -> Any:
        """What a reference leads to, without what is said beside it."""
        while isinstance(schema, dict) and "$ref" in schema:
            found: Any = self.document
            for step in schema["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            schema = found
        return schema

    # What is checked

    def check(self, method: str, target: str, body: bytes | None, status: int, headers: Any, answer: bytes) -> None:
        """Fails when an answer is not described, or when a request is taken that is not."""
        found = self.operation(method, target)
        where = f"{method} {target} answered {status}"
        content_type = headers.get("content-type", "").split(";")[0].strip()
        if found is None:
            self._check_unnamed(where, method, status, content_type, answer)
            return
        path, operation = found
        response = self.resolved(operation["responses"].get(str(status)))
        if response is None:
            raise BrokenContract(f"{where}, which {path} does not document: {answer[:500]!r}")
        self._check_answer(where, method, response, content_type, answer)
        for name, field in response.get("headers", {}).items():
            if field.get("required") and name.lower() not in headers:
                raise BrokenContract(f"{where} without {name}")
        if 200 <= status < 300:
            self._check_request(where, operation, target, body)

    def _check_unnamed(self, where: str, method: str, status: int, content_type: str, answer: bytes) -> None:
        if method == "OPTIONS" and status == 204:
            return
        if status not in UNNAMED_STATUSES:
            raise BrokenContract(f"{where}, and the document has no such operation")
        if method != "HEAD":
            problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
            self._check_answer(where, method, {"content": problem}, content_type, answer)

    def _check_answer(
        self, where: str, method: str, response: dict[str, Any], content_type: str, answer: bytes
    ) -> None:
        content = response.get("content", {})
        if method == "HEAD" or not content:
            if answer:
                raise BrokenContract(f"{where} with a body, and none is documented")
            return
        if content_type not in content:
            raise BrokenContract(f"{where} as '{content_type}', documented is {sorted(content)}")
        schema = content[content_type]["schema"]
        if content_type in ("application/json", "application/problem+json"):
            self.validate(where, schema, json.loads(answer))
        elif content_type == "application/x-ndjson":
            for line in answer.splitlines():
                self.validate(where, schema, json.loads(line))

    def _check_request(self, where: str, operation: dict[str, Any], target: str, body: bytes | None) -> None:
        parameters = [self.resolved(parameter) for parameter in operation.get("parameters", [])]
        in_query = {parameter["name"]: parameter for parameter in parameters if parameter["in"] == "query"}
        free = [self.resolved(parameter["schema"]) for parameter in in_query.values()]
        free = [schema for schema in free if schema.get("type") == "object"]
        for name, value in parse_qsl(urlsplit(target).query, keep_blank_values=True):
            if name in in_query:
                self.validate(f"{where}, taking {name}", in_query[name]["schema"], self._typed(in_query[name], value))
            elif not any(self._names(schema, name) for schema in free):
                raise BrokenContract(f"{where}, taking {name}, which is not documented")
        request = operation.get("requestBody")
        if not body or not body.strip():
            if request and request.get("required"):
                raise BrokenContract(f"{where} without a body, and one is documented as required")
            return
        if request is None:
            return
        self.validate(
            f"{where}, taking the body",
            request["content"]["application/json"]["schema"],
            json.loads(body),
            closed=False,
        )

    def _names(self, schema: dict[str, Any], name: str) -> bool:
        return Draft202012Validator({**schema, "propertyNames": {}}).is_valid({unquote(name): [""]})

    def _typed(self, parameter: dict[str, Any], text: str) -> Any:
        """A parameter's value as its schema has it: a number, a boolean, one element of an array, or text."""
        schema = self.resolved(parameter["schema"])
        if schema.get("type") == "array":
            return [self._typed({"schema": schema["items"]}, text)]
        if schema.get("type") == "integer":
            return int(text) if text.lstrip("-").isdigit() else text
        if schema.get("type") == "boolean":
            return {"true": True, "false": False}.get(text, text)
        return text

    def validate(self, where: str, schema: Any, value: Any, *, closed: bool = True) -> None:
        """Fails when a value is not as its schema says."""
        key = json.dumps([schema, closed], sort_keys=True)
        if key not in self._validators:
            document = {**(self.closed(schema) if closed else schema), "components": self._components(closed)}
            self._validators[key] = (jsonschema_rs.Draft202012Validator(document, validate_formats=True), document)
        validator, document = self._validators[key]
        try:
            # Every answer of every test comes by here: Rust's validator is quick, the other one explains.
            validator.validate(value)
        except jsonschema_rs.ValidationError as failure:
            errors = Draft202012Validator(document, format_checker=FormatChecker()).iter_errors(value)
            error = best_match(errors) or failure
            path = failure.instance_path if error is failure else error.absolute_path
            place = "/".join(str(step) for step in path)
            raise BrokenContract(f"{where}: /{place}: {error.message[:1500]}") from None

    # Members that nobody named

    def _components(self, closed: bool) -> dict[str, Any]:
        schemas = self.document["components"]["schemas"]
        if closed:
            schemas = {name: self.closed(schema, top=False) for name, schema in schemas.items()}
        return {"schemas": schemas}

    def closed(self, schema: Any, *, top: bool = True) -> Any:
        """The schema where nothing may be beside what it names.

        What is composed is closed where it is used, since each part must let the others' members pass.
        """
        if not isinstance(schema, dict):
            return schema
        changed: dict[str, Any] = {}
        for key, value in schema.items():
            if key in ("properties", "patternProperties"):
                changed[key] = {name: self.closed(part) for name, part in value.items()}
            elif key in ("items", "additionalProperties", "contains"):
                changed[key] = self.closed(value)
            elif key in COMPOSITIONS:
                changed[key] = [self.closed(part, top=key != "allOf") for part in value]
            else:
                changed[key] = value
        if top and self._names_members(schema):
            changed.setdefault("unevaluatedProperties", False)
        return changed

    def _names_members(self, schema: Any) -> bool:
        schema = self.resolved(schema)
        if not isinstance(schema, dict) or "additionalProperties" in schema:
            return False
        return "properties" in schema or any(self._names_members(part) for part in schema.get("allOf", []))
