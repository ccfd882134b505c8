"""The page that shows the operations: nothing of it comes from elsewhere."""

import re
import shutil
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from kinetree.interfaces.armarx.http import ServerSettings
from kinetree.interfaces.armarx.http.packages import find_spec

#: Debian's, and what others call it.
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: No sandbox (tests may run as root), no connection of its own.
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync")  # fmt: skip


@pytest.fixture
def guarded(start, service):
    """A server that asks for a token."""
    return start(service, token="a-token-of-the-tests")


def test_all_that_the_page_loads_is_there_without_a_token(guarded):
    address = f"{guarded.url}/docs"
    page = httpx.get(address, trust_env=False)
    assert page.status_code == 200
    found = [urljoin(address, each) for each in re.findall(r"""(?:src|href|url)\W+["']([^"']+)["']""", page.text)]
    assert len(found) == 4
    for each in found:
        assert urlsplit(each).netloc == urlsplit(guarded.url).netloc
        assert httpx.get(each, trust_env=False).status_code == 200
    script, style = (next(each for each in found if each.endswith(end)) for end in (".js", ".css"))
    assert "SwaggerUIBundle" in httpx.get(script, trust_env=False).text
    assert httpx.get(script, trust_env=False).headers["content-type"].startswith("text/javascript")
    assert httpx.get(style, trust_env=False).headers["content-type"].startswith("text/css")


@pytest.mark.parametrize("path", ["/docs/", "/docs/redoc.standalone.js", "/docs/../core.py", "/docs/%2e%2e/core.py"])
def test_nothing_else_below_it_is_served(guarded, path):
    assert httpx.get(guarded.url + path, trust_env=False).status_code == 401


def test_it_is_no_operation(shared_server):
    paths = httpx.get(f"{shared_server.url}/openapi.json", trust_env=False).json()["paths"]
    assert not [path for path in paths if path.startswith("/docs")]


def test_the_package_with_the_files_is_asked_for(monkeypatch, service):
    from kinetree.interfaces.armarx.http import MissingServePackageError, create_app, packages

    monkeypatch.setattr(packages, "find_spec", lambda name: None if name == "fastapi_offline" else find_spec(name))
    with pytest.raises(MissingServePackageError, match=r"fastapi_offline.*kinetree\[serve\]"):
        create_app(service, ServerSettings())


def test_a_browser_shows_the_operations_and_asks_nobody_else(shared_server):
    playwright = pytest.importorskip("playwright.sync_api")
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip("there is no Chromium here")
    with playwright.sync_playwright() as running:
        window = running.chromium.launch(executable_path=browser, args=FLAGS)
        page, asked, errors = window.new_page(), [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(error))
        page.goto(f"{shared_server.url}/docs")
        page.wait_for_selector(".opblock", timeout=60_000)
        shown = page.locator(".opblock").count()
        window.close()
    assert shown == 18  # the twelve, the state of the robot, its health
    assert not errors
    assert {urlsplit(each).netloc for each in asked if not each.startswith("data:")} == {
        urlsplit(shared_server.url).netloc
    }
