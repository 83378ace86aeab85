"""Pages of the site that are made when it is built: the reference, from docstrings, and the two files
of the repository's root that belong to the documentation.
"""

import html
import inspect
import re
from enum import Enum
from importlib import import_module
from pathlib import Path

from markdown.extensions.toc import slugify
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from verify.typeset.mathml import formula

ROOT = Path(__file__).parents[1]
#: A signature that is longer takes a line a parameter.
WIDTH = 88
#: Pages by name, each with its file in the root.
COPIED = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
#: Signs that Markdown reads, as HTML that it leaves alone.
LITERAL = {ord(sign): f"&#{ord(sign)};" for sign in "\\`*_[]"}
#: The modules whose public names are described, by package.
MODULES = {
    "proofs": [
        "proofs.contract",
        "proofs.moments",
        "proofs.moments.contract",
        "proofs.derived",
        "proofs.algebra",
        "proofs.algebra.balls",
        "proofs.argument",
        "proofs.memories.linear",
        "proofs.memories.low_rank",
        "proofs.memories.mlp",
        "proofs.memories.two_input_mlp",
        "proofs.memories.contract",
        "proofs.attention",
        "proofs.hermite",
        "proofs.capacity",
        "proofs.capacity.contract",
        "proofs.replay",
    ],
    "numerics": ["numerics", "numerics.observables", "numerics.contracts", "numerics.flow"],
    "verify": [
        "verify",
        "verify.lemma",
        "verify.claim",
        "verify.catalogue",
        "verify.printed.arithmetic",
        "verify.checks.section",
        "verify.measuring.quantities",
        "verify.measuring.measure",
        "verify.checks.identity",
        "verify.checks.inequality",
        "verify.checks.argument",
        "verify.statistics",
        "verify.strategies",
        "verify.verdict",
        "verify.auditing.power",
        "verify.auditing.power_record",
        "verify.running.stored_run",
    ],
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Anchors begin with a letter: the theme's scripts cannot find others."""
    config.mdx_configs.setdefault("toc", {})["slugify"] = anchor
    return config


def anchor(heading: str, separator: str) -> str:
    """The anchor of a heading."""
    name = slugify(heading, separator)
    return f"section{separator}{name}" if name[:1].isdigit() else name


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made here."""
    made = {name: _copied(source) for name, source in COPIED.items()}
    made |= {f"reference/{name}.md": reference(name) for name in MODULES}
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links to the copied files lead to their pages; the formulas of the errata are typeset."""
    for name, source in COPIED.items():
        markdown = markdown.replace(f"](../{source})", f"]({name})")
    # Links within a table of HTML, which MkDocs leaves as they are.
    markdown = markdown.replace('<a href="errata.md#', '<a href="errata.html#')
    return typeset(markdown) if page.file.src_uri == "errata.md" else markdown


def typeset(markdown: str) -> str:
    """Formulas between dollars as MathML, and the escapes that this Markdown does not know as HTML."""
    for sign in "<&~":
        markdown = markdown.replace(f"\\{sign}", html.escape(sign))
    # A star of a formula would begin an emphasis that ends in the next one.
    return re.sub(
        r"(?<!\\)\$(.+?)(?<!\\)\$",
        lambda match: str(formula(match[1])).translate(LITERAL),
        markdown,
    )


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """The theme's switch between light and dark looks for the styles of a highlighter: give it some."""
    return output.replace(
        "</head>", '<style id="hljs-light"></style><style id="hljs-dark"></style></head>'
    )


def _copied(source: str) -> str:
    """A file of the root, its links seen from docs/."""
    text = (ROOT / source).read_text(encoding="utf-8")
    return re.sub(r"\]\(docs/", "](", text)


# -- the reference --------------------------------------------------------------------------------


def reference(package: str) -> str:
    """The public names of a package's modules, with signatures and docstrings, in Markdown."""
    parts = [f"# {package}", prose(inspect.getdoc(import_module(package)))]
    for name in MODULES[package]:
        module = import_module(name)
        parts += [f"## {name}"]
        if name != package:
            parts.append(prose(inspect.getdoc(module)))
        for member in public(module):
            parts += described(member, getattr(module, member))
    return "\n\n".join(part for part in parts if part) + "\n"


def public(module: object) -> list[str]:
    """The classes and functions that a module offers: those in its __all__, or those it defines."""
    names = getattr(module, "__all__", None)
    own = [n for n, value in vars(module).items() if _home(value) == module.__name__]
    return [
        name
        for name in (own if names is None else names)
        if not name.startswith("_")
        and (inspect.isclass(getattr(module, name)) or inspect.isfunction(getattr(module, name)))
        and _ours(getattr(module, name))
    ]


def _home(value: object) -> str:
    return getattr(value, "__module__", None) or ""


def _ours(value: object) -> bool:
    return _home(value).partition(".")[0] in MODULES


def described(name: str, value: object) -> list[str]:
    """A heading, the signature and the docstring; for a class its methods and properties too."""
    parts = [f"### {name}", signature(name, value), prose(inspect.getdoc(value))]
    if inspect.isclass(value):
        items = [f"<li>{member}</li>" for member in members(value)]
        parts += ["<ul>" + "".join(items) + "</ul>"] if items else []
    return parts


def members(class_: type) -> list[str]:
    """Public methods and properties that have a docstring of ours, as HTML."""
    found = []
    for name, value in inspect.getmembers_static(class_):
        target = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if name.startswith("_") or not inspect.isfunction(target) or not target.__doc__:
            continue
        if not _ours(target):
            continue
        shown = "" if isinstance(value, property) else str(readable(target))
        found.append(f"<code>{html.escape(name + shown)}</code>{prose(inspect.getdoc(target))}")
    return found


def signature(name: str, value: object) -> str:
    """The call as a block of code, a parameter a line if it is long; the members of an enumeration;
    nothing for an error."""
    if inspect.isclass(value) and issubclass(value, Exception):
        return ""
    if inspect.isclass(value) and issubclass(value, Enum):
        text = ", ".join(f"{name}.{member.name}" for member in value)
        return f"<p><code>{html.escape(text)}</code></p>"
    found = readable(value)
    if inspect.isclass(value):
        found = found.replace(return_annotation=inspect.Signature.empty)
    call = f"{name}{found}"
    if len(call) > WIDTH:
        parameters = found.replace(return_annotation=inspect.Signature.empty)
        ends = str(found)[len(str(parameters)) :]
        lines = [f"    {line}," for line in _parameters(found)]
        call = "\n".join([f"{name}(", *lines, f"){ends}"])
    return f"<pre><code>{html.escape(call)}</code></pre>"


def _parameters(found: inspect.Signature) -> list[str]:
    """The parameters one by one, with the signs that separate their kinds."""
    shown: list[str] = []
    starred = False
    for parameter in found.parameters.values():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            starred = True
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            shown.append("*")
            starred = True
        shown.append(str(parameter))
    return shown


class _Text(str):
    """An annotation that is shown as it is written."""

    def __repr__(self) -> str:
        return str(self)


def readable(value: object) -> inspect.Signature:
    """The signature, its annotations without quotation marks; `self` and `cls` are left out."""
    found = inspect.signature(value)

    def shown(annotation: object) -> object:
        return _Text(annotation) if isinstance(annotation, str) else annotation

    parameters = [
        parameter.replace(annotation=shown(parameter.annotation))
        for parameter in found.parameters.values()
        if parameter.name not in ("self", "cls")
    ]
    return found.replace(parameters=parameters, return_annotation=shown(found.return_annotation))


def prose(docstring: str | None) -> str:
    """A docstring as HTML: paragraphs, code, names of arguments; indented lines as they are."""
    blocks = []
    for block in re.split(r"\n\s*\n", docstring or ""):
        if not block.strip():
            continue
        text = html.escape(block, quote=False)
        if block.startswith(" "):
            blocks.append(f"<pre><code>{text}</code></pre>")
            continue
        text = re.sub(
            r"``(.+?)``|`(.+?)`", lambda m: f"<code>{m[1] or m[2]}</code>", text, flags=re.S
        )
        text = re.sub(r"(?<![\w*])\*([A-Za-z_]\w*)\*(?![\w*])", r"<em>\1</em>", text)
        blocks.append(f"<p>{' '.join(text.split())}</p>")
    return "".join(blocks)
