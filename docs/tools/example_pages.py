"""Puts each example on a page of the site: what it shows, its source, and what it printed.

MkDocs calls this as a hook. `python docs/tools/example_pages.py` runs all examples, prints what they print, and keeps
it under `build/examples/` for the next build of the site. What is kept counts only for the sources it came from.
"""

import ast
import hashlib
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
KEPT = ROOT / "build" / "examples"
LAYERS = ("kinematics", "models", "solvers", "interfaces")
TIME_LIMIT = 300.0  # s; an example takes less than 10, and the first ones on a machine compile kernels
PROPER_NAMES = {"coppelia": "CoppeliaSim:", "jacobians": "Jacobians", "ikfast": "IKFast", "robot ik": "RobotIK"}
LINK = re.compile(r"\]\(\.\./examples(?:/(\w+)\.py)?/?\)")
# Pages that are files of the repository outside of docs/.
BORROWED = {"changes.md": "CHANGELOG.md"}


def example_files() -> list[Path]:
    """Numbered scripts, in order."""
    return sorted(EXAMPLES.glob("[0-9]*.py"))


def title_of(example: Path) -> str:
    """`Solve a pose` of `01_solve_a_pose.py`."""
    words = example.stem.partition("_")[2].replace("_", " ")
    for name, proper in PROPER_NAMES.items():
        words = words.replace(name, proper)
    return words[0].upper() + words[1:]


def parts_of(source: str) -> tuple[str, str]:
    """The docstring of an example, and its code without that."""
    tree = ast.parse(source)
    about = ast.get_docstring(tree)
    if about is None:
        raise ValueError("an example begins with a docstring that says what it shows")
    code = "\n".join(source.splitlines()[tree.body[0].end_lineno :]).strip("\n")
    return about, code


@cache
def library_hash() -> str:
    """Of all sources of the package, because the output of an example depends on them."""
    digest = hashlib.sha256()
    for path in sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def kept_file(example: Path) -> Path:
    """Where the output of an example is kept, for its source and that of the package."""
    key = hashlib.sha256(example.read_bytes() + library_hash().encode()).hexdigest()[:16]
    return KEPT / f"{example.stem}-{key}.txt"


def output_of(example: Path) -> str:
    """What an example prints: as it is kept, or by running it.

    Raises:
        RuntimeError: The example failed; with its output.
    """
    kept = kept_file(example)
    if kept.is_file():
        return kept.read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(example)],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "110", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{example.name} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    kept.parent.mkdir(parents=True, exist_ok=True)
    for old in KEPT.glob(f"{example.stem}-*.txt"):
        old.unlink()
    kept.write_text(done.stdout, encoding="utf-8")
    return done.stdout


def page_of(example: Path, run: bool) -> str:
    """The Markdown of the page of an example; without `run`, with its output only where that is kept."""
    about, code = parts_of(example.read_text(encoding="utf-8"))
    # Without a table of contents there is room for whole lines of code.
    page = f"---\nhide: [toc]\n---\n\n# {title_of(example)}\n\n{about}\n\n```python\n{code}\n```\n\n"
    page += f"Run it with `python examples/{example.name}`. "
    if run or kept_file(example).is_file():
        page += f"It prints:\n\n```{{ .text .output .no-copy }}\n{output_of(example).rstrip()}\n```\n"
    return page


def index_page() -> str:
    """The page that lists the examples."""
    rows = []
    for example in example_files():
        about, _ = parts_of(example.read_text(encoding="utf-8"))
        rows.append(f"| {example.stem[:2]} | [{title_of(example)}]({example.stem}.md) | {' '.join(about.split())} |")
    return (
        "# Examples\n\nScripts of less than a minute to read and some seconds to run, in the folder `examples/` of the "
        "repository. Each page has the source of one, and what it printed when this site was built; times are those "
        "of that machine.\n\n| | example | shows |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def on_config(config: Any) -> Any:
    """Adds the pages of the examples to the navigation, behind their index."""
    for entry in config.nav:
        if "Examples" in entry:
            entry["Examples"] += [
                {f"{each.stem[:2]} {title_of(each)}": f"examples/{each.stem}.md"} for each in example_files()
            ]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Adds the pages themselves, and those that are files outside of docs/."""
    from mkdocs.structure.files import File

    run = bool(config.extra["run_examples"])
    pages = {f"examples/{example.stem}.md": page_of(example, run) for example in example_files()}
    pages["examples/index.md"] = index_page()
    pages |= {page: (ROOT / source).read_text(encoding="utf-8") for page, source in BORROWED.items()}
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links from the guide to files of examples lead to their pages; on a code host they lead to the files."""
    if page.file.src_uri == "index.md":
        page.meta["hide"] = ["navigation"]  # it would list this page alone
    to_pages = "../" * page.file.src_uri.count("/") + "examples/"
    return LINK.sub(lambda match: f"]({to_pages}{match.group(1) or 'index'}.md)", markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Docstrings announce code by two colons, of which Markdown would show both."""
    return html.replace("::</p>", ":</p>").replace("<p>:</p>", "")


def main() -> int:
    """Runs all examples and prints what they print; 1 when one failed."""
    failed = 0
    for example in example_files():
        print(f"-- {example.relative_to(ROOT)}", flush=True)
        try:
            print(output_of(example), flush=True)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(error, flush=True)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
