"""Follows a page word for word: runs its shell blocks in one shell, writes its Python blocks to the files they name.

`python docs/tools/follow.py docs/index.md` does so in the present folder. A block with a title that was there already
is added to that file; its title may say so behind a comma ("first.py, at the end"). A Python block without a title is
for reading and is left out.
"""

import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r'^```(bash|python)(?: title="([^"]+)")?\n(.*?)^```', flags=re.MULTILINE | re.DOTALL)
END = "END_OF_BLOCK"


def script_of(page: str) -> str:
    """The shell script that does what the Markdown of a page says, in its order.

    Raises:
        ValueError: The page has no shell block.
    """
    lines = ["set -euo pipefail"]
    has_command = False
    for language, title, text in BLOCK.findall(page):
        if language == "bash":
            has_command = True
            lines += [f"cat <<'{END}'", *(f"$ {line}" for line in text.splitlines()), END, text.rstrip("\n")]
        elif title:
            lines += [f"cat >>'{title.partition(',')[0]}' <<'{END}'", text.rstrip("\n"), END]
    if not has_command:
        raise ValueError("the page has no shell block")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Follows the page that is named."""
    (page,) = arguments
    return subprocess.run(["bash", "-c", script_of(Path(page).read_text(encoding="utf-8"))], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
