"""A run as JUnit XML, for continuous integration: a test case a claim.

A case fails if its verdict is not as recorded, and is skipped if no check ran; a paper that was left out
is an error.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from verify.report.text import recorded
from verify.running.runner import ClaimResult, RunResult
from verify.typeset.words import flowed, in_words, printable
from verify.verdict import Verdict


def junit_xml(run: RunResult) -> str:
    """The run as one test suite."""
    suite = Element("testsuite", name="recallproof", time=_seconds(run.seconds))
    for result in run.results:
        _case(suite, result)
    for id_ in run.missing:
        case = SubElement(suite, "testcase", _names(id_), time="0.000")
        SubElement(case, "failure", message="missing from the catalogue")
    for id_, how in run.other_proofs.items():
        case = SubElement(suite, "testcase", _names(f"{id_}.proof"), time="0.000")
        SubElement(case, "failure", message=printable(f"not the proof on record: {how}"))
    for line in run.left_out:
        case = SubElement(
            suite, "testcase", _names(f"left-out.{line.partition(':')[0]}"), time="0.000"
        )
        SubElement(case, "error", message=printable(f"left out: {line}"))
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    root = Element("testsuites")
    root.append(suite)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _case(suite: Element, result: ClaimResult) -> None:
    claim = result.claim
    case = SubElement(suite, "testcase", _names(claim.id), time=_seconds(result.seconds))
    properties = SubElement(case, "properties")
    for name, value in (("verdict", result.verdict), ("recorded", recorded(claim))):
        SubElement(properties, "property", name=name, value=str(value))
    if not result.ok:
        message = f"{result.verdict}, recorded as {recorded(claim)}"
        failure = SubElement(case, "failure", message=message, type=str(result.verdict))
        failure.text = "\n".join(
            printable(f"{e.road}, {in_words(e.method)}: {e.verdict}, {flowed(e.summary)}")
            for e in result.evidence
        )
    elif result.verdict is Verdict.NOT_RUN:
        SubElement(case, "skipped", message=result.verdict.meaning)


def _names(id_: str) -> dict[str, str]:
    return {"classname": printable(id_.rpartition(".")[0] or id_), "name": printable(id_)}


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"
