"""Tables from files: what is read, what is reported, which rows are refused; the world table."""

import csv
import json
import os
import pickle
import unicodedata
from importlib.resources import files

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from numerics import FactTable, FactualRecall, InputError, read_table, world_table
from numerics.tasks import NamedTable
from numerics.tasks.named import name_facts

FACTS = [
    ("France", "capital", "Paris"),
    ("Peru", "capital", "Lima"),
    ("France", "currency", "euro"),
    ("Spain", "currency", "euro"),
]
CSV = "subject,relation,object\n" + "".join(",".join(fact) + "\n" for fact in FACTS)


@pytest.fixture
def write(tmp_path):
    def write_file(content, name="facts.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write_file


def json_line(fact):
    return json.dumps(dict(zip(("subject", "relation", "object"), fact, strict=True)))


JSON = "".join(json_line(fact) + "\n" for fact in FACTS)


def check_facts(named):
    assert named.subjects == ("France", "Peru", "Spain")
    assert named.relations == ("capital", "currency")
    assert named.answers == ("Paris", "Lima", "euro")
    assert named.table.answers.tolist() == [[0, 2], [1, -1], [-1, 2]]
    assert named.shared == {}
    assert named.overlapping == ()


@pytest.mark.parametrize(
    "content",
    [
        CSV,
        CSV.rstrip("\n"),
        CSV.replace("\n", "\r\n"),
        CSV.replace("\n", "\r"),
        "\ufeff" + CSV,
        CSV.replace("\n", "\n\n"),
        CSV.replace(",", " , "),
        CSV.replace("Paris", '"Paris"'),
        "object,subject,relation\n" + "".join(f"{o},{s},{r}\n" for s, r, o in FACTS),
    ],
    ids=["plain", "no end", "crlf", "cr", "bom", "gaps", "blanks", "quotes", "order"],
)
def test_csv_files(write, content):
    check_facts(read_table(write(content)))
    check_facts(read_table(str(write(content, "FACTS.CSV"))))


@pytest.mark.parametrize(
    "content",
    [
        JSON,
        JSON.rstrip("\n"),
        JSON.replace("\n", "\r\n"),
        "\ufeff" + JSON,
        "\n" + JSON + "  \n",
        "".join(json.dumps({"object": o, "relation": r, "subject": s}) + "\n" for s, r, o in FACTS),
    ],
    ids=["plain", "no end", "crlf", "bom", "gaps", "order"],
)
def test_json_lines_files(write, content):
    check_facts(read_table(write(content, "facts.jsonl")))
    check_facts(read_table(write(content, "facts.ndjson")))


def test_quoted_fields_hold_commas_and_quotes(write):
    named = read_table(write('subject,relation,object\n"a, b",r,"say ""x"""\n'))
    assert named.answer("a, b", "r") == 'say "x"'


def test_names_that_look_alike_are_one_name(write):
    rows = "subject,relation,object\nPeru\u0301,a,x\nPer\u00fa,b,y\n Per\u00fa ,c,z\n"
    assert read_table(write(rows)).subjects == ("Per\u00fa",)
    with pytest.raises(InputError, match="line 3: 'Per\u00fa' and 'a' stand on line 2"):
        read_table(write(rows.replace(",b,", ",a,")))


SHARED = CSV + "Peru,language,Spanish\nFrance,anthem,euro\n"


def test_shared_objects_are_kept_apart_and_reported(write):
    named = read_table(write(SHARED))
    assert named.shared == {"euro": ("currency", "anthem")}
    assert named.answer("Spain", "currency") == "euro (currency)"
    assert named.answer("France", "anthem") == "euro (anthem)"
    assert named.answer("Peru", "language") == "Spanish"
    assert named.table.answer(0, 1) != named.table.answer(0, 3)
    with pytest.raises(
        InputError, match="'euro' is shared by the relations currency, anthem, against Assumption 1"
    ):
        read_table(write(SHARED), strict=True)
    check_facts(read_table(write(CSV), strict=True))


def test_a_name_that_keeps_apart_must_be_free(write):
    with pytest.raises(InputError, match=r"'euro \(anthem\)' is an object, .* rename that object"):
        read_table(write(SHARED + "Peru,anthem,euro (anthem)\n"))


def test_names_in_two_roles_are_reported_and_stay_apart(write):
    path = write(CSV + "Singapore,capital,Singapore\nPeru,motto,capital\n")
    named = read_table(path)
    assert named.overlapping == ("Singapore", "capital")
    task = FactualRecall(named.table, noise=0, T=3)
    s, a = named.subjects.index("Singapore"), named.answers.index("Singapore")
    assert task.answer_token(s, 0) == task.answers[a]
    assert task.answer_token(s, 0) != task.subjects[s]
    with pytest.raises(InputError, match=r"'Singapore' is a name in two roles .* rename one"):
        read_table(path, strict=True)


def test_a_full_table_has_no_gaps(write):
    with pytest.raises(
        InputError, match="2 pairs have no fact, the first 'Peru' and 'currency': add them, or"
    ):
        read_table(write(CSV), full=True)
    whole = CSV + "Peru,currency,sol\nSpain,capital,Madrid\n"
    assert len(read_table(write(whole), full=True).table) == 6


HEADER = "subject,relation,object\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty: give it at least one fact"),
        ("\ufeff \n\n", "the file is empty"),
        (HEADER, "the file holds no fact: give it at least one row"),
        ("a,b,c\n", "line 1: the header is wrong (no subject, no relation, no object, 'a' is"),
        ("subject;relation;object\n", "wrong (the separator is not a comma but ';'): give"),
        ("subject\trelation\tobject\n", "wrong (the separator is not a comma but '\\t'): give"),
        ("\nsubject,object\n", "line 2: the header is wrong (no relation): give it the columns"),
        ("subject,relation,object,year\n", "the header is wrong ('year' is unknown)"),
        ("subject,relation,object,object\n", "the header is wrong (object twice)"),
        ("Subject,relation,object\n", "(no subject, 'Subject' is unknown, write subject)"),
        (HEADER + "a,b\n", "line 2: fields: 2, where the header has 3: nothing was read"),
        (HEADER + "a,b,c,d\n", "line 2: fields: 4, where the header has 3"),
        (HEADER + "a,b,c\n\na, ,\n", "line 4: relation is blank, object is blank: nothing"),
        (HEADER + "a,b,c\na,b,c\n", "line 3: 'a' and 'b' stand on line 2 already, with the same"),
        (HEADER + "a,b,c\na,b,d\n", "'b' stand on line 2 already, with 'c', not 'd'"),
        (HEADER + '"a\nz",b,c\nd,e\n', "line 2: subject = 'a\\nz' holds a character"),
        (HEADER + '"a\nz",b,c\nd,e\n', "; line 4: fields: 2, where"),
        (HEADER + "a\0,b,c\n", "line 2: subject = 'a\\x00' holds a character that cannot be shown"),
        (HEADER + "a,b,c\u2028d\n", "line 2: object = 'c\\u2028d' holds a character"),
        (
            HEADER + 'a,b,c\nd,"e"f,g\nh,i\n',
            "line 3: ',' expected after '\"', and the rest was not",
        ),
        (
            HEADER + 'a,b,c\nd,e,"f\ng,h,i\n',
            "line 3: a quote opens here and is not closed, and the",
        ),
        (HEADER + f"a,b,{'c' * 200_000}\n", "line 2: field larger than field limit"),
        (b"subject,relation,object\na,b,c\nd,e,\xe9\n", "line 3: byte 0xe9 is not UTF-8: save the"),
        (CSV.encode("utf-16"), "line 1: byte 0xff is not UTF-8"),
    ],
)
def test_bad_csv_files_are_refused(write, content, message):
    refused(write(content), message)


def refused(path, message):
    """In one line that begins with the path."""
    with pytest.raises(InputError) as found:
        read_table(path)
    assert str(found.value).startswith(f"{path}: ")
    assert message in str(found.value)
    assert "\n" not in str(found.value)


GOOD = json_line(("a", "b", "c")) + "\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("\n \n", "the file is empty"),
        (GOOD + "{\n", "line 2: not JSON (Expecting property name enclosed in double quotes, col"),
        (GOOD + "[]\n", "line 2: not an object with the keys subject, relation, object"),
        ('[["subject", 1]]\n', "line 1: not an object"),
        ("null\n", "line 1: not an object"),
        ("3\n", "line 1: not an object"),
        ('"subject"\n', "line 1: not an object"),
        ("{}\n", "line 1: wrong keys (no subject, no relation, no object)"),
        ('{"subject": "a", "relation": "b"}\n', "line 1: wrong keys (no object)"),
        (
            '{"subject": "a", "relation": "b", "object": "c", "x": 1}\n',
            "line 1: wrong keys ('x' is unknown)",
        ),
        (
            '{"subject": "a", "relation": "b", "object": "c", "object": "c"}\n',
            "line 1: wrong keys (object twice)",
        ),
        ('{"subject": 1, "relation": null, "object": "c"}\n', "subject is no string, relation is"),
        (
            '{"subject": {}, "relation": "b", "object": ["c"]}\n',
            "line 1: subject is no string, obj",
        ),
        ('{"subject": " ", "relation": "b", "object": ""}\n', "subject is blank, object is blank"),
        ('{"subject": "a\\ud800", "relation": "b", "object": "c"}\n', "subject = 'a\\ud800' holds"),
        (GOOD + GOOD, "line 2: 'a' and 'b' stand on line 1 already, with the same"),
        ("[" * 100_000 + "\n", "line 1: JSON with a number too long or too many brackets"),
        ("9" * 5000 + "\n", "line 1: JSON with a number too long"),
        (GOOD.encode() + b"\xff\n", "line 2: byte 0xff is not UTF-8"),
    ],
)
def test_bad_json_lines_are_refused(write, content, message):
    refused(write(content, "facts.jsonl"), message)


def test_every_bad_row_is_named(write):
    with pytest.raises(InputError) as refused:
        read_table(write(HEADER + "a,b,c\n,b,c\na,b\na,b,d\n"))
    message = str(refused.value)
    assert all(f"line {line}:" in message for line in (3, 4, 5))
    assert "line 2:" not in message
    assert message.endswith(": nothing was read, correct or remove these rows")
    with pytest.raises(InputError, match=r"line 11: .*; and 15 rows more: nothing was read"):
        read_table(write(HEADER + "a\n" * 25))


def test_bad_paths_are_refused(write, tmp_path):
    with pytest.raises(InputError, match=r"the suffix '.txt': pass a file that ends in .csv, .js"):
        read_table(write(CSV, "facts.txt"))
    with pytest.raises(InputError, match=r"cannot be read .*: pass a file that is there"):
        read_table(tmp_path / "none.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        read_table(tmp_path / "folder.csv")


# Without brackets no object has the name that keeps a shared one apart.
letters = st.characters(exclude_categories=["C", "Z"], exclude_characters="()")
names = st.text(letters, min_size=1, max_size=4)


@given(st.dictionaries(st.tuples(names, names), names, min_size=1, max_size=12))
def test_both_formats_give_back_what_was_written(tmp_path_factory, facts):
    def same(name):
        return unicodedata.normalize("NFC", name)

    facts = {(same(s), same(r)): same(o) for (s, r), o in facts.items()}
    rows = [(s, r, o) for (s, r), o in facts.items()]
    folder = tmp_path_factory.mktemp("formats")
    with (folder / "facts.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([("subject", "relation", "object"), *rows])
    lines = "\n".join(json_line(row) for row in rows)
    (folder / "facts.jsonl").write_text(lines, encoding="utf-8")
    for path in (folder / "facts.csv", folder / "facts.jsonl"):
        named = read_table(path)
        assert len(named.table) == len(rows)
        for s, r, o in rows:
            label = f"{o} ({r})" if o in named.shared else o
            assert named.answer(s, r) == label
        owners = {o: {r for _, r, other in rows if other == o} for _, _, o in rows}
        assert {o: set(rs) for o, rs in named.shared.items()} == {
            o: rs for o, rs in owners.items() if len(rs) > 1
        }


def test_answers_are_numbered_relation_by_relation():
    named = name_facts([("a", "r", "x"), ("a", "q", "y"), ("b", "r", "z"), ("b", "q", "y")])
    assert named.answers == ("x", "z", "y")
    assert named.table.answers.tolist() == [[0, 2], [1, 2]]


def test_names_by_hand_must_fit():
    table = FactTable([[0, 1], [0, -1]])
    named = NamedTable(table, ("a", "b"), ("p", "q"), ("x", "a"))
    assert named.overlapping == ("a",)
    assert named.answer("a", "q") == "a"
    assert pickle.loads(pickle.dumps(named)).answer("b", "p") == "x"
    with pytest.raises(InputError, match="subjects has 1 names for 2 indices: pass 2 names"):
        NamedTable(table, ("a",), ("p", "q"), ("x", "y"))
    with pytest.raises(InputError, match="relations has the name 'p' 2 times: pass different"):
        NamedTable(table, ("a", "b"), ("p", "p"), ("x", "y"))
    with pytest.raises(InputError, match="answers has 3 names for 2"):
        NamedTable(table, ("a", "b"), ("p", "q"), ("x", "y", "z"))
    with pytest.raises(InputError, match="subject = 'c' is not in the table: pass one of `subj"):
        named.answer("c", "p")
    with pytest.raises(InputError, match="relation = 'x' is not in the table"):
        named.answer("a", "x")
    with pytest.raises(InputError, match="no fact about 'b' and 'q': pass a pair"):
        named.answer("b", "q")


def test_the_world_table_is_full_and_its_names_disjoint():
    world = world_table()
    assert world.relations == (
        "capital", "continent", "currency", "internet domain", "calling code",
    )  # fmt: skip
    assert world.table.S >= 60
    assert len(world.table) == world.table.S * world.table.R
    assert world.shared == {}
    assert world.overlapping == ()
    capitals, continents, _, domains, codes = (
        world.table.answers_of_relation(r) for r in range(world.table.R)
    )
    assert len(capitals) == len(domains) == world.table.S
    assert len(codes) == world.table.S - 1
    assert {world.answers[a] for a in continents} == {
        "Africa", "Asia", "Europe", "North America", "Oceania", "South America",
    }  # fmt: skip
    assert int(world.table.collisions[torch.tensor(continents)].max()) >= 20
    assert int(world.table.collisions[torch.tensor(capitals)].max()) == 1
    assert world.table.D == world.table.S


@pytest.mark.parametrize(
    ("country", "objects"),
    [
        ("France", ("Paris", "Europe", "euro", ".fr", "+33")),
        ("United Kingdom", ("London", "Europe", "pound sterling", ".uk", "+44")),
        ("Czechia", ("Prague", "Europe", "Czech koruna", ".cz", "+420")),
        ("Japan", ("Tokyo", "Asia", "Japanese yen", ".jp", "+81")),
        ("Kenya", ("Nairobi", "Africa", "Kenyan shilling", ".ke", "+254")),
        (
            "United States",
            ("Washington, D.C.", "North America", "United States dollar", ".us", "+1"),
        ),
        ("Canada", ("Ottawa", "North America", "Canadian dollar", ".ca", "+1")),
        ("Ecuador", ("Quito", "South America", "United States dollar", ".ec", "+593")),
        ("Australia", ("Canberra", "Oceania", "Australian dollar", ".au", "+61")),
        ("Brazil", ("Bras\u00edlia", "South America", "Brazilian real", ".br", "+55")),
    ],
)
def test_facts_of_the_world(country, objects):
    world = world_table()
    assert tuple(world.answer(country, relation) for relation in world.relations) == objects


def test_the_world_has_plausible_domains_and_codes():
    text = files("numerics.tasks").joinpath("world.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    domains = [row["object"] for row in rows if row["relation"] == "internet domain"]
    codes = [row["object"] for row in rows if row["relation"] == "calling code"]
    assert all(len(d) == 3 and d[0] == "." and d[1:].isalpha() and d.islower() for d in domains)
    assert all(code[0] == "+" and code[1:].isdigit() and len(code) <= 4 for code in codes)
    # Calling codes are a prefix code: no country's code begins with another's.
    distinct = set(codes)
    assert not [(a, b) for a in distinct for b in distinct if a != b and b.startswith(a)]


def test_the_world_gives_a_task():
    world = world_table()
    task = FactualRecall(world.table, noise=20, T=8)
    sequence = task.sample(1, seed=0)[0].tolist()
    (s,) = (token for token in sequence if token in task.subjects)
    (r,) = (task.relations.index(token) for token in sequence if token in task.relations)
    named = world.answers[sequence[-1] - task.answers.start]
    assert named == world.answer(world.subjects[s], world.relations[r])


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "facts.csv")
    with pytest.raises(InputError, match=r"facts\.csv: .*it is a pipe or a device, not a file"):
        read_table(tmp_path / "facts.csv")


def test_errors_spell_signs_that_are_not_seen(write):
    content = HEADER + "a\u202e,r,x\u200b\nb,q,x\u200b\n"
    assert read_table(write(content)).shared == {"x\u200b": ("r", "q")}
    with pytest.raises(InputError) as caught:
        read_table(write(content, "f\u2066.csv"), strict=True)
    assert str(caught.value).isprintable()
    assert "f\\u2066.csv: the object 'x\\u200b' is shared" in str(caught.value)
