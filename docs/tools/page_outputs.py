"""Shows under the blocks of the guide what they print, from a run of the blocks of each page in their order.

MkDocs calls this as a hook. Nothing is written into the pages: what a run printed is kept under `build/pages/` for the
next build of the site, and counts only for the blocks and the sources that it came from. `python
docs/tools/page_outputs.py docs/paths.md` prints what a page gets, as JSON.

A Python block is followed by its own output. One whose title names a file is followed by nothing; what it printed
stands where the page runs that file. Commands that answer at once are run as well.
"""

import contextlib
import hashlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from example_pages import ROOT, TIME_LIMIT, library_hash

DOCS = ROOT / "docs"
KEPT = ROOT / "build" / "pages"
BLOCK = re.compile(
    r'^```(?P<language>python|bash|console)(?: title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL
)
# Commands that end by themselves, and soon.
QUICK = re.compile(r"(?:\$ )?kinetree (?P<words>(?:robots|info|fk|solve|collisions)\b.*)")
BORDER = re.compile("[│┃]")
RUN_FILE = re.compile(r"python (?P<file>\S+\.py)")


def blocks_of(page: str) -> list[re.Match[str]]:
    """The blocks of a page that may be run, in their order."""
    return list(BLOCK.finditer(page))


def prints(page: str) -> bool:
    """Whether there is anything to show."""
    return any("print(" in block["text"] or QUICK.match(block["text"]) for block in blocks_of(page))


def answer_of(command: str) -> str:
    """What a command prints.

    Raises:
        RuntimeError: It was used in a wrong way.
    """
    from typer.testing import CliRunner

    from kinetree.interfaces.cli import app

    done = CliRunner().invoke(app, shlex.split(command))
    if done.exit_code > 1:
        raise RuntimeError(f"`kinetree {command}` ended with {done.exit_code}:\n{done.output}")
    return done.stdout


def outputs_of(page: str) -> list[str]:
    """Runs the blocks of a page in the present folder; what is to be shown under each of them."""
    names: dict[str, Any] = {"__name__": "__main__"}
    of_file: dict[str, str] = {}
    shown = []
    for block in blocks_of(page):
        text, output = block["text"], ""
        lines = text.splitlines()
        commands = [match["words"] for line in lines if (match := QUICK.fullmatch(line))]
        if block["language"] == "python":
            # Empty lines before it make the numbers of lines in a traceback those of the page.
            code = "\n" * page.count("\n", 0, block.start("text")) + text
            with contextlib.redirect_stdout(io.StringIO()) as written:
                exec(compile(code, "page", "exec"), names)
            output = written.getvalue()
            if block["title"]:
                file = block["title"].partition(",")[0]
                of_file[file], output = of_file.get(file, "") + output, ""
        elif match := RUN_FILE.fullmatch(text.strip()):
            output = of_file.get(match["file"], "")
        elif len(commands) == len(lines):
            output = "\n".join(
                (f"$ kinetree {command}\n" if len(commands) > 1 else "") + answer_of(command) for command in commands
            )
        shown.append(output)
    return shown


def kept_file(path: Path) -> Path:
    """Where the outputs of a page are kept, for its blocks and the sources of the package."""
    code = "".join(block.group() for block in blocks_of(path.read_text(encoding="utf-8")))
    key = hashlib.sha256(code.encode() + library_hash().encode() + Path(__file__).read_bytes()).hexdigest()[:16]
    return KEPT / f"{path.stem}-{key}.json"


def run_page(path: Path) -> None:
    """Runs a page in a process and a folder of its own, and keeps what its blocks print.

    Raises:
        RuntimeError: A block failed; with the traceback.
    """
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, str(Path(__file__).resolve()), str(path.resolve())],
            cwd=folder,
            env={**os.environ, "COLUMNS": "110", "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT,
            check=False,
        )
    if done.returncode != 0:
        raise RuntimeError(f"the blocks of {path.name} ended with {done.returncode}:\n{done.stderr}")
    # Paths of this machine say nothing to a reader.
    outputs = done.stdout.replace(f"{folder}/", "").replace(f"{ROOT}/", "")
    kept = kept_file(path)
    kept.parent.mkdir(parents=True, exist_ok=True)
    for old in KEPT.glob(f"{path.stem}-*.json"):
        old.unlink()
    kept.write_text(outputs, encoding="utf-8")


def with_outputs(page: str, outputs: list[str]) -> str:
    """The Markdown of a page with a block of output behind each block that has any."""
    parts, end = [], 0
    for block, output in zip(blocks_of(page), outputs, strict=True):
        parts.append(page[end : block.end()])
        end = block.end()
        if output.strip():
            # Long sentences are read in several lines, tables are not.
            kind = ".output" if BORDER.search(output) else ".output .wrapped"
            parts.append(f"\n\n```{{ .text {kind} .no-copy }}\n{output.rstrip()}\n```")
    return "".join(parts) + page[end:]


def on_files(files: Any, config: Any) -> Any:
    """Runs the pages whose outputs are not kept already, some at a time."""
    if config.extra["run_examples"]:
        pages = [path for path in sorted(DOCS.glob("*.md")) if prints(path.read_text(encoding="utf-8"))]
        with ThreadPoolExecutor(os.cpu_count()) as executor:
            list(executor.map(run_page, [path for path in pages if not kept_file(path).is_file()]))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Called for each page before its Markdown becomes HTML."""
    path = DOCS / page.file.src_uri
    if path.parent != DOCS or not path.is_file() or not kept_file(path).is_file():
        return markdown
    return with_outputs(markdown, json.loads(kept_file(path).read_text(encoding="utf-8")))


def main(arguments: list[str]) -> int:
    """Runs the page that is named, in the present folder."""
    (page,) = arguments
    print(json.dumps(outputs_of(Path(page).read_text(encoding="utf-8")), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
