"""`problem`: errors as ``application/problem+json`` (RFC 9457), and what the schema says about them."""

from __future__ import annotations

import json
import math
from typing import Any

from starlette.responses import Response

MEDIA_TYPE = "application/problem+json"

#: Status: name of the reason, title.
_KINDS = {
    400: ("bad_request", "The request cannot be read"),
    401: ("unauthorized", "A token is needed"),
    404: ("not_found", "There is no such address"),
    405: ("method_not_allowed", "The address takes other methods"),
    408: ("request_timeout", "The request did not arrive in time"),
    413: ("too_large", "The request is too large"),
    415: ("not_json", "The request is no JSON"),
    421: ("wrong_host", "The request is for another host"),
    422: ("invalid_input", "The request asks for something that cannot be"),
    429: ("busy", "The server is busy"),
    503: ("stopping", "The server has no time for it"),
    500: ("internal_error", "The server failed"),
}

#: As pydantic would make it; written by hand, because the schema refers to it under its own media type.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "Problem",
    "required": ["title", "status", "reason", "detail"],
    "properties": {
        "title": {"type": "string", "description": "What kind of error it is, in words."},
        "status": {"type": "integer", "description": "The HTTP status."},
        "reason": {"type": "string", "description": "What kind of error it is, for programs."},
        "detail": {"type": "string", "description": "What is wrong, and what would be right."},
    },
}


def problem(status: int, detail: str, reason: str | None = None, headers: dict[str, str] | None = None) -> Response:
    """An answer that says what is wrong."""
    name, title = _KINDS.get(status, ("error", "The request failed"))
    content = {"title": title, "status": status, "reason": reason or name, "detail": detail}
    # ASCII only: what is quoted from a request may be no text that UTF-8 has.
    return Response(json.dumps(content), status, headers=headers, media_type=MEDIA_TYPE)


def unauthorized() -> Response:
    """Of a request without the token."""
    return problem(401, "send the header: Authorization: Bearer TOKEN", headers={"WWW-Authenticate": "Bearer"})


def busy(detail: str, retry_after: float) -> Response:
    """Of a request that has to come again."""
    return problem(429, detail, headers={"Retry-After": str(math.ceil(retry_after))})


def described(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What the schema says about answers with these statuses."""
    told: dict[int | str, dict[str, Any]] = {}
    for status in statuses:
        told[status] = {"description": _KINDS[status][1], "content": {MEDIA_TYPE: {"schema": SCHEMA}}}
    if 429 in told:
        told[429]["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    if 401 in told:
        told[401]["headers"] = {"WWW-Authenticate": {"description": "Bearer.", "schema": {"type": "string"}}}
    return told
