"""The long description: the README with links that hold where it is shown, away from the repository.

A link to a file becomes one below the address that ``[project.urls]`` has under ``Source``. As long as
there is none, the words of such a link stay, and the link, which would be dead, goes.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

#: A link that is no address: the path of a file, and its words.
_TO_A_FILE = re.compile(r"\[([^\]]+)\]\((?![a-z]+:)([^)\s]+)\)")


def away(readme: str, source: str) -> str:
    """The *readme* with links to files below the address *source*, or without them where it is empty."""
    base = source.rstrip("/")
    return _TO_A_FILE.sub(rf"[\1]({base}/\2)" if base else r"\1", readme)


class LongDescription(MetadataHookInterface):
    """Writes it into the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme of *metadata*."""
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        source = metadata.get("urls", {}).get("Source", "")
        metadata["readme"] = {"content-type": "text/markdown", "text": away(readme, source)}
