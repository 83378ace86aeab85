"""The page of a real run in a real browser: nothing breaks, nothing is fetched, everything answers.

Without a Chromium on the machine the tests are skipped.
"""

import json
import re

import pytest

from verify.catalogue import catalogue
from verify.claim import Claim, Evidence, Registry
from verify.report.page.html import write_page
from verify.running.runner import ClaimResult, RunResult, run
from verify.running.settings import Settings
from verify.verdict import Verdict

pytestmark = pytest.mark.slow

#: One of each kind: measured with pictures, refuted with its correction, an argument, and two with
#: formulas wider than a phone.
CLAIMS = [
    "nichani.thm1.mean",
    "nichani.thm1.second-moment",
    "nichani.thm1.second-moment.corrected",
    "nichani.thm1.variance-bound",
    "nichani.thm1.union",
    "nichani.thm1.explicit.general-map",
    "nichani.lem6.u-ode",
]
REFUTED = {"nichani.thm1.second-moment", "nichani.lem6.u-ode"}
MARKUP = "own.markup"
ATTACK = "<script>window.attacked = 1</script><img src=x onerror='window.attacked = 1'> $<b>$"
WIDTHS = [400, 1400]
SCHEMES = ["light", "dark"]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The page of a run of a few claims, one of which has markup wherever a claim has text."""
    registry = catalogue()
    registry.add(Claim(MARKUP, ATTACK, ATTACK, paper=ATTACK, where=ATTACK, hypotheses=(ATTACK,)))

    @registry.check(MARKUP, "proofs")
    def attack(printed, context):
        return Evidence(Verdict.PROVED, "", ATTACK, scope=ATTACK, steps=(ATTACK,))

    found = run(registry, registry.select([*CLAIMS, MARKUP]), Settings(workers=0))
    assert found.ok
    folder = tmp_path_factory.mktemp("page")
    return write_page(found, registry, folder, command="verify run").as_uri()


@pytest.fixture
def opened(browser, address):
    """The page on a desk, freshly opened."""
    browser.open(address)
    return browser


def open_all(browser):
    browser.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")


def labelled(label):
    """JavaScript for the field of the filter that has a label."""
    return (
        "Array.from(document.querySelectorAll('form label'))"
        f".find(l => l.firstChild.textContent.trim() === {json.dumps(label)})"
        ".querySelector('select, input')"
    )


def choose(browser, label, value):
    browser.evaluate(
        f"(() => {{ const field = {labelled(label)}; field.value = {json.dumps(value)};"
        " field.dispatchEvent(new Event('input', { bubbles: true })); })()"
    )


def rows(browser):
    """The ids of the claims that the table shows."""
    return browser.evaluate(
        "Array.from(document.querySelectorAll('#claims tbody tr'))"
        ".filter(r => r.getClientRects().length)"
        ".map(r => r.querySelector('a').textContent.trim())"
    )


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_opens_without_a_complaint_and_asks_for_nothing_else(
    browser, address, width, scheme
):
    browser.open(address, width=width, scheme=scheme)
    assert not browser.complaints()
    fetched = [url for url in browser.requests() if not url.startswith(("about:", "data:"))]
    assert fetched == [address]


def test_a_request_would_be_seen_and_is_refused_by_the_page_itself(opened):
    outcome = opened.evaluate(
        "fetch('https://example.org/').then(() => 'fetched', () => 'refused')"
    )
    assert outcome == "refused"
    assert any("Content Security Policy" in str(text) for text in opened.complaints())


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window_with_all_claims_open(browser, address, width):
    browser.open(address, width=width)
    open_all(browser)
    assert browser.overflow() <= 0


@pytest.mark.parametrize(("width", "wanted"), [(400, 3), (1400, 5)])
def test_the_table_leaves_out_source_and_time_on_a_phone(browser, address, width, wanted):
    browser.open(address, width=width)
    shown = browser.evaluate(
        "Array.from(document.querySelector('#claims tbody tr').children)"
        ".filter(cell => cell.getClientRects().length).length"
    )
    assert shown == wanted


def test_no_formula_is_cut_off_without_a_way_to_scroll(browser, address):
    browser.open(address, width=400)
    open_all(browser)
    cut = browser.evaluate(
        """Array.from(document.querySelectorAll('main math')).filter(m => {
          for (let box = m; box; box = box.parentElement) {
            if (getComputedStyle(box).overflowX === 'auto') return false;
          }
          return m.getBoundingClientRect().right > document.documentElement.clientWidth;
        }).length"""
    )
    assert cut == 0
    boxes = browser.evaluate(
        "Array.from(document.querySelectorAll('.long'))"
        ".filter(box => box.scrollWidth > box.clientWidth).length"
    )
    assert boxes > 0


def test_no_part_of_a_formula_is_too_small_to_read(opened):
    open_all(opened)
    sizes = opened.evaluate(
        "Array.from(document.querySelectorAll('math *')).filter(e => !e.children.length)"
        ".map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert len(sizes) > 500
    assert min(sizes) >= 10.5
    # The numbers of a fraction in the statement of the second moment, beside text of 16 pixels.
    fraction = "document.querySelector('[id=\"claim-nichani.thm1.second-moment\"] mfrac mn')"
    assert opened.evaluate(f"parseFloat(getComputedStyle({fraction}).fontSize)") > 13


def test_a_picture_wider_than_the_window_says_that_it_scrolls(browser, address):
    said = "Array.from(document.querySelectorAll('.graph.scrolls')).length"
    for width, wanted in ((400, True), (1400, False)):
        browser.open(address, width=width)
        open_all(browser)
        browser.evaluate("new Promise(done => setTimeout(done, 300))")
        assert (browser.evaluate(said) > 0) is wanted


def test_something_wider_than_the_window_would_be_noticed(opened):
    opened.evaluate("document.querySelector('h1').style.width = '1500px'")
    assert opened.overflow() > 0


def test_the_filters_leave_what_they_say(opened):
    assert sorted(rows(opened)) == sorted([*CLAIMS, MARKUP])
    choose(opened, "Verdict", "refuted")
    assert set(rows(opened)) == REFUTED
    assert f"2 of {len(CLAIMS) + 1}" in opened.evaluate(
        "document.querySelector('form.filter output').textContent"
    )
    choose(opened, "Verdict", "")
    choose(opened, "Text", "thm1.union pairs")
    assert rows(opened) == ["nichani.thm1.union"]
    choose(opened, "Text", "reproduce")
    assert rows(opened) == []
    choose(opened, "Text", "")
    choose(opened, "Road", "numerics")
    assert MARKUP not in rows(opened)
    choose(opened, "Road", "")
    assert len(rows(opened)) == len(CLAIMS) + 1


def click(browser, element):
    """Click what a JavaScript expression gives, and wait for what it leads to."""
    browser.evaluate(
        f"({element}).dispatchEvent(new MouseEvent('click', {{ bubbles: true, cancelable: true }}));"
        " new Promise(done => setTimeout(done, 300))"
    )


def look_for(browser, words):
    browser.evaluate(
        f"(() => {{ const field = document.getElementById('find'); field.value = {json.dumps(words)};"
        " field.dispatchEvent(new Event('input', { bubbles: true })); })()"
    )


def headings(browser, id_):
    """The headings of a claim that a reader sees."""
    return browser.evaluate(
        f"Array.from(document.getElementById('claim-{id_}').querySelectorAll('h5'))"
        ".filter(h => h.getClientRects().length).map(h => h.textContent.trim())"
    )


BOUND, FALSE = "nichani.thm1.variance-bound", "nichani.thm1.second-moment"


def test_a_newcomer_finds_what_is_known_of_the_variance_by_its_name(opened):
    look_for(opened, "Theorem 1 variance")
    assert found_ids(opened) == [FALSE, f"{FALSE}.corrected", BOUND]
    assert "3 claims" in opened.evaluate("document.getElementById('found-count').textContent")
    click(opened, f"document.querySelector('#found a[href=\"#claim-{BOUND}\"]')")
    assert {"How sure", "What would have been rejected"} <= set(headings(opened, BOUND))
    assert "C = 7/4" in opened.evaluate(f"document.getElementById('claim-{BOUND}').innerText")
    click(opened, f'document.querySelector(\'[id="claim-{BOUND}"] a[href="#claim-{FALSE}"]\')')
    said = ["What is false", "What is right", "What follows", "How sure"]
    assert headings(opened, FALSE)[:4] == said
    worked = opened.evaluate(
        f"document.getElementById('claim-{FALSE}').querySelector('.worked').innerText"
    )
    assert "the printed line" in worked


def test_a_newcomer_finds_it_by_the_map_as_well(opened):
    click(opened, "document.querySelector('.papergraph a.block[href=\"#part-nichani.thm1\"]')")
    click(opened, f'document.querySelector(\'[id="part-nichani.thm1"] a[href="#claim-{BOUND}"]\')')
    assert {"How sure", "What would have been rejected"} <= set(headings(opened, BOUND))


def test_an_erratum_is_worked_by_hand_in_its_place(opened):
    box = f"document.querySelector('#errata details[data-worked=\"claim-{FALSE}\"]')"
    click(opened, f"{box}.querySelector('summary')")
    in_claim = f"document.getElementById('claim-{FALSE}').querySelector('.worked')"
    assert opened.evaluate(f"{box}.querySelectorAll('ol.worked li').length") >= 2
    assert opened.evaluate(f"{box}.lastElementChild.isEqualNode({in_claim})")
    click(opened, f"{box}.querySelector('summary')")
    click(opened, f"{box}.querySelector('summary')")
    assert opened.evaluate(f"{box}.querySelectorAll('ol.worked').length") == 1


def test_what_is_looked_for_can_be_shown_in_the_table(opened):
    choose(opened, "Verdict", "refuted")
    look_for(opened, "theorem  1 variance")
    click(opened, "document.querySelector('.find button')")
    assert sorted(rows(opened)) == sorted([FALSE, f"{FALSE}.corrected", BOUND])
    top = opened.evaluate("document.getElementById('claims').getBoundingClientRect().top")
    assert -5 <= top < 900
    for words in ("Theorem 11", "((((", "variance [a-z]", ".*", "\\d"):
        look_for(opened, words)
        assert "0 claims" in opened.evaluate("document.getElementById('found-count').textContent")
    assert not opened.complaints()


def found_ids(browser):
    return browser.evaluate(
        "Array.from(document.querySelectorAll('#found a'), a => a.textContent.trim())"
    )


@pytest.mark.parametrize("words", ["thm 1", "thm1", "Theorem 1", "thm. 1", "theorem  1"])
def test_a_part_is_found_by_its_short_name_and_what_it_names_comes_first(opened, words):
    look_for(opened, words)
    assert sorted(found_ids(opened)) == sorted(c for c in CLAIMS if ".thm1." in c)


@pytest.fixture
def lemma(tmp_path):
    """The page of a run of claims that speak of Lemma 14, the lemma itself last."""
    registry = Registry()
    registry.add_paper(catalogue().papers["nichani"], list)
    for name in ("own.thm1.use", "nichani.lem14.step", "nichani.lem14"):
        registry.add(Claim(name, "t", "s", where="by Lemma 14", recorded=Verdict.PROVED))
    results = [ClaimResult(claim, Verdict.PROVED, (), ok=True) for claim in registry]
    found = RunResult(Settings(), results)
    return write_page(found, registry, tmp_path, command="verify run").as_uri()


def test_what_is_named_comes_before_what_mentions_it(browser, lemma):
    browser.open(lemma)
    look_for(browser, "lem 14")
    assert found_ids(browser) == ["nichani.lem14", "nichani.lem14.step", "own.thm1.use"]


def test_the_table_of_results_is_closed_on_a_phone(browser, lemma):
    for width, wanted in ((400, False), (1400, True)):
        browser.open(lemma, width=width)
        assert browser.evaluate("document.querySelector('details.results').open") is wanted


def test_a_claim_is_found_by_its_verdict_and_its_id_and_its_appendix(opened):
    look_for(opened, "refuted")
    assert set(found_ids(opened)) == REFUTED
    look_for(opened, "nichani.thm1.union")
    assert found_ids(opened) == ["nichani.thm1.union"]
    look_for(opened, "app d")
    assert found_ids(opened) == ["nichani.lem6.u-ode"]


def press(browser, key):
    """Press a key where the focus is; what has the focus then."""
    return browser.evaluate(
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown',"
        f" {{ key: {json.dumps(key)}, bubbles: true, cancelable: true }}));"
        " new Promise(done => setTimeout(() => done(document.activeElement.textContent), 300))"
    )


def test_the_arrows_walk_through_what_is_found(opened):
    look_for(opened, "Theorem 1 variance")
    opened.evaluate("document.getElementById('find').focus()")
    first, second = found_ids(opened)[:2]
    assert press(opened, "ArrowDown") == first
    assert press(opened, "ArrowDown") == second
    assert press(opened, "ArrowUp") == first
    press(opened, "ArrowUp")
    assert opened.evaluate("document.activeElement.id") == "find"


def test_enter_leads_to_the_first_that_is_found(opened):
    look_for(opened, "Theorem 1 variance")
    opened.evaluate("document.getElementById('find').focus()")
    press(opened, "Enter")
    assert opened.evaluate("location.hash") == f"#claim-{FALSE}"
    assert opened.evaluate(f"document.getElementById('claim-{FALSE}').open")
    # The second time the key does what it does in any form.
    refused = "new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })"
    assert opened.evaluate(f"document.getElementById('find').dispatchEvent({refused})")
    assert len(rows(opened)) == len(CLAIMS) + 1


def test_where_nothing_is_found_the_page_says_what_to_try(opened):
    look_for(opened, "zzz")
    said = opened.evaluate("document.getElementById('found-count').textContent")
    assert said.startswith("0 claims: try ")
    look_for(opened, "")
    assert opened.evaluate("document.getElementById('found-count').textContent") == ""


def test_a_library_leads_to_the_claims_of_its_road(opened):
    click(opened, "document.querySelector('a[data-show-road=\"numerics\"]')")
    shown = rows(opened)
    assert BOUND in shown
    assert MARKUP not in shown


def test_a_click_on_a_claim_opens_it_with_its_mathematics(opened):
    id_ = "nichani.thm1.second-moment"
    detail = f"document.getElementById('claim-{id_}')"
    assert not opened.evaluate(f"{detail}.open")
    click(opened, f"document.querySelector('#claims a[href=\"#claim-{id_}\"]')")
    assert opened.evaluate(f"{detail}.open")
    top = opened.evaluate(f"{detail}.getBoundingClientRect().top")
    assert -5 <= top < 900
    mathematics = opened.evaluate(
        f"Array.from({detail}.querySelectorAll('math'))"
        ".map(m => m.getBoundingClientRect()).map(r => r.width * r.height)"
    )
    assert mathematics
    assert all(area > 0 for area in mathematics[:3])
    text = opened.evaluate(f"{detail}.innerText")
    assert "nichani.thm1.second-moment.corrected" in text
    assert "3/2" in text
    assert not re.search(r"\\(mathbb|frac|gamma)", text)


@pytest.mark.parametrize("prefix", ["claim-", ""])
def test_the_address_of_a_claim_opens_it(browser, address, prefix):
    browser.open(f"{address}#{prefix}nichani.thm1.union")
    assert browser.evaluate("document.getElementById('claim-nichani.thm1.union').open")


def test_pictures_are_drawn(opened):
    open_all(opened)
    widths = opened.evaluate(
        "Array.from(document.querySelectorAll('figure.case svg'))"
        ".map(s => s.getBoundingClientRect().width)"
    )
    assert len(widths) > 4
    assert min(widths) > 50


def test_the_graph_has_every_claim_of_the_run_with_its_verdict_in_words(opened):
    open_all(opened)
    nodes = opened.evaluate(
        """Array.from(document.querySelectorAll('.papergraph a[href^="#claim-"]'), a => ({
          id: decodeURIComponent(a.getAttribute('href').slice(7)),
          words: a.getAttribute('title') || a.querySelector('title').textContent,
          area: a.getBoundingClientRect().width * a.getBoundingClientRect().height,
          focus: a.tabIndex,
        }))"""
    )
    assert {node["id"] for node in nodes} == {*CLAIMS, MARKUP}
    assert all(node["area"] > 100 and node["focus"] == 0 for node in nodes)
    for node in nodes:
        assert ("refuted" in node["words"]) is (node["id"] in REFUTED)


def test_a_node_of_the_graph_leads_to_its_claim(opened):
    id_ = "nichani.thm1.union"
    click(opened, f"document.querySelector('.papergraph a[href=\"#claim-{id_}\"]')")
    assert opened.evaluate(f"document.getElementById('claim-{id_}').open")


def test_what_a_claim_says_is_shown_and_never_run(opened):
    open_all(opened)
    assert opened.evaluate("typeof window.attacked") == "undefined"
    assert opened.evaluate("document.scripts.length") == 1
    assert opened.evaluate("document.images.length") == 0
    shown = opened.evaluate(f"document.getElementById('claim-{MARKUP}').innerText")
    assert "<script>window.attacked = 1</script>" in shown


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_stands_out_from_its_ground(browser, address, scheme):
    """The contrast of text and page, as the accessibility guidelines reckon it: 7 is their best mark."""
    browser.open(address, scheme=scheme)
    contrast = browser.evaluate(
        """(() => {
          const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
          const light = c => {
            const [r, g, b] = c.match(/[\\d.]+/g).slice(0, 3).map(Number).map(channel);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const style = getComputedStyle(document.body);
          const pair = [light(style.color), light(style.backgroundColor)].sort((a, b) => a - b);
          return [(pair[1] + 0.05) / (pair[0] + 0.05), pair[1] === light(style.backgroundColor)];
        })()"""
    )
    assert contrast[0] >= 7
    assert contrast[1] is (scheme == "light")
