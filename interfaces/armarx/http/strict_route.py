"""`StrictRoute`: reads JSON without guessing what was meant."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from fastapi import Request, Response
from fastapi.routing import APIRoute


class StrictRoute(APIRoute):
    """A route whose requests are refused when an object has a key twice, or a number is none.

    JSON leaves open which of two values counts, so that two programs may read the same request differently.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler of FastAPI, with a request that is read strictly."""
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handler(_StrictRequest(request.scope, request.receive))

        return strict


class _StrictRequest(Request):
    async def json(self) -> Any:
        text = await self.body()
        try:
            return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
        except json.JSONDecodeError:
            raise
        except (ValueError, RecursionError) as error:  # also no UTF-8, too many digits, nested too deeply
            told = str(error) if isinstance(error, _NotStrictError) else "no readable JSON"
            raise json.JSONDecodeError(told, "", 0) from None


class _NotStrictError(ValueError):
    """JSON that says something twice, or has what is no number."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _NotStrictError("an object has the same key twice")
    return found


def _no_number(text: str) -> NoReturn:
    raise _NotStrictError(f"{text} is no number of JSON")
