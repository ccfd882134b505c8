"""The page that shows the operations in a browser, without anything from another server."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from fastapi import APIRouter
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.responses import FileResponse, HTMLResponse

#: Where the page is, and below it the files that it loads, with what they are.
DOCS_PATH: Final = "/docs"
DOCS_FILES: Final = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "favicon.png": "image/png",
}


def docs_page(title: str) -> APIRouter:
    """The page and its files, Swagger UI as the package ``fastapi-offline`` carries it.

    All addresses on the page are relative, so it also works below the path of a proxy.

    Args:
        title: Of the page.
    """
    spec = find_spec("fastapi_offline")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("fastapi_offline")  # create_app has looked for it
    static = Path(spec.origin).parent / "static"
    router = APIRouter(include_in_schema=False)
    below = DOCS_PATH.removeprefix("/")

    @router.get(DOCS_PATH)
    async def page() -> HTMLResponse:
        return get_swagger_ui_html(
            openapi_url="openapi.json",
            title=title,
            swagger_js_url=f"{below}/swagger-ui-bundle.js",
            swagger_css_url=f"{below}/swagger-ui.css",
            swagger_favicon_url=f"{below}/favicon.png",
        )

    def add(name: str, kind: str) -> None:
        @router.get(f"{DOCS_PATH}/{name}")
        async def file() -> FileResponse:
            return FileResponse(static / name, media_type=kind)

    for name, kind in DOCS_FILES.items():
        add(name, kind)
    return router
