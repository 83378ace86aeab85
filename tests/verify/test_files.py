"""What is read and written: whole files, links and devices left as they are, no file named twice."""

import os
import stat
import threading
from pathlib import Path

import pytest

from verify.errors import UsageError
from verify.running.files import read_whole, require_apart, require_writable, write_atomic

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, pipes and devices of POSIX")


def test_a_link_stays_and_what_it_points_to_is_replaced(tmp_path):
    there, link = tmp_path / "there", tmp_path / "link"
    there.write_text("old", encoding="utf-8")
    link.symlink_to(there)
    require_writable("--json", link)
    write_atomic(link, "new")
    assert link.is_symlink()
    assert there.read_text(encoding="utf-8") == "new"


def test_a_link_to_what_is_not_there_yet_makes_it(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "there")
    require_writable("--json", tmp_path / "link")
    write_atomic(tmp_path / "link", "new")
    assert (tmp_path / "there").read_text(encoding="utf-8") == "new"


def test_a_link_into_no_folder_or_in_a_circle_is_refused(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "none" / "there")
    with pytest.raises(UsageError, match=r"^--json: the folder .* does not exist"):
        require_writable("--json", tmp_path / "link")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    with pytest.raises(UsageError, match=r"^--json: "):
        require_writable("--json", tmp_path / "circle")
    with pytest.raises(UsageError, match=r"^--json: cannot write"):
        write_atomic(tmp_path / "circle", "new", option="--json")


def test_a_device_stays_a_device():
    before = os.stat("/dev/null")
    require_writable("--json", Path("/dev/null"))
    write_atomic(Path("/dev/null"), "all of it")
    after = os.stat("/dev/null")
    assert stat.S_ISCHR(after.st_mode)
    assert (before.st_ino, before.st_rdev) == (after.st_ino, after.st_rdev)


def test_what_reads_a_pipe_gets_all_of_it(tmp_path):
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    require_writable("--json", pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    content = b"x" * 10**6
    for _ in range(1000):
        try:
            write_atomic(pipe, content)
            break
        except UsageError:  # the reader has not opened it yet
            threading.Event().wait(0.01)
    reader.join(timeout=10)
    assert got == [content]
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)


def test_a_pipe_that_nothing_reads_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match=r"^--junit: cannot write .*: nothing reads the pipe"):
        write_atomic(tmp_path / "pipe", "x", option="--junit")


def test_a_socket_is_refused(tmp_path, monkeypatch):
    import socket

    monkeypatch.chdir(tmp_path)  # the names of sockets are short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
        for refused in (
            require_writable,
            lambda option, path: write_atomic(path, "x", option=option),
        ):
            with pytest.raises(UsageError, match=r"^--json: .*neither a file nor a pipe"):
                refused("--json", tmp_path / "socket")


def test_the_rights_of_a_file_stay(tmp_path):
    path = tmp_path / "kept"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    write_atomic(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_file_and_folder_reach_the_disk_around_the_rename(tmp_path, monkeypatch):
    done = []
    sync, replace = os.fsync, os.replace

    def synced(handle):
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", lambda *names: (done.append("rename"), replace(*names)))
    write_atomic(tmp_path / "name", "new")
    assert done == ["file", "rename", "folder"]


def test_two_options_may_not_name_one_file(tmp_path):
    one = tmp_path / "one"
    (tmp_path / "link").symlink_to(one)
    require_apart({"--json": one, "--junit": tmp_path / "other", "--html": None})
    for other in (one, tmp_path / "link", tmp_path / "x" / ".." / "one"):
        with pytest.raises(UsageError, match=r"^--junit: .* is what --json names too"):
            require_apart({"--json": one, "--junit": other})
    null = Path("/dev/null")
    require_apart({"--json": null, "--junit": null})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "--json", "", "--dry-run"), "--json: '.' is no file name"),
        (("run", "--json", "x" * 300), "--json: xxx"),
        (("run", "--json", "a", "--junit", "a"), "--junit: a is what --json names too"),
        (("run", "--json", "p/index.html", "--html", "p"), "is what --json names too"),
        (("compare", "b", "--markdown", "b"), "--markdown: b is what BASELINE names too"),
        (("compare", "b", "--results", "b"), "--results: b is what BASELINE names too"),
        (("page", "p/index.html", "--html", "p"), "is what RESULTS names too"),
        (("export", "--format", "bibtex", "--results", "r", "--out", "r"), "--results names too"),
        (("trust", "--results", "r", "--json", "r"), "--json: r is what --results names too"),
    ],
)
def test_commands_refuse_one_file_for_two_things(verify, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    status, _, err = verify(*arguments)
    assert status == 2
    assert words in " ".join(err.split())
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_read_whole_or_from_its_start(tmp_path):
    (tmp_path / "file").write_bytes(b"all of it")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_whole(tmp_path / "link") == b"all of it"
    assert read_whole(tmp_path / "file", 3) == b"all"


def test_what_could_be_waited_for_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), Path("/dev/null")):
        with pytest.raises(OSError, match="it is a pipe or a device, not a file"):
            read_whole(path)
    with pytest.raises(IsADirectoryError):
        read_whole(tmp_path)
