"""Set Taptrail up in this folder, then run it.

    python3 bootstrap.py demo [--headless] [...]   set up, then `taptrail demo` with what follows
    python3 bootstrap.py test [--core] [...]       set up, then pytest with what follows
    python3 bootstrap.py setup                     set up only

Setting up means: on Debian and Ubuntu the system packages of requirements/debian.txt, a virtual
environment in .venv, the Python packages of requirements/lock.txt (each checked against its hash)
and this project, installed so that edits take effect at once. What is there already is left
alone, so a second run starts the job within a second.

`test` also brings a browser from apt, for the tests that open reports, and installs torch (for
processors) and sam2, about 1 GB, and runs what needs them; `--core` leaves all of that out. `demo`
never needs them.

This file needs the standard library only, and knows nothing of what the program does.
"""

import contextlib
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

if os.name != "posix":
    sys.exit("bootstrap: this file sets up Linux and macOS; on Windows use pip install .")
if sys.version_info < (3, 11):  # noqa: UP036 - whoever starts this file may have an older Python
    NEWER = [n for n in ("python3.13", "python3.12", "python3.11") if shutil.which(n)]
    sys.exit(
        "bootstrap: Taptrail needs Python 3.11 or newer and this is {}.{}; {}.".format(
            sys.version_info[0],
            sys.version_info[1],
            "run the same command with " + NEWER[0] if NEWER else "install a newer one first",
        )
    )

PROJECT = Path(__file__).resolve().parent
ENVIRONMENT = PROJECT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
LOCK = PROJECT / "requirements" / "lock.txt"
SYSTEM_PACKAGES = PROJECT / "requirements" / "debian.txt"
STAMP = ENVIRONMENT / "taptrail-installed"
SAM2_PACKAGES = PROJECT / "assets" / "requirements"
SAM2_STAMP = ENVIRONMENT / "taptrail-sam2-installed"
UNFINISHED = ENVIRONMENT / "taptrail-unfinished"


class Stop(Exception):
    """Setting up cannot go on; the message is the one sentence to show."""


def main(arguments: list[str]) -> int:
    """Do what the command line asks; the exit code is 0, 1 (cannot set up) or 2 (usage)."""
    job, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if job in ("-h", "--help"):
        print(__doc__)
        return 0
    if job not in ("demo", "test", "setup"):
        print("usage: python3 bootstrap.py demo|test|setup [...]   (--help says more)")
        return 2
    try:
        set_up()
        if job == "test" and "--core" not in rest:
            install_test_packages()
            install_sam2()
    except Stop as stop:
        print(f"bootstrap: {stop}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nbootstrap: stopped; run the same command again to go on.", file=sys.stderr)
        return 130
    if job == "demo":
        # -P: a folder named like one of our packages, where the person stands, must not be taken.
        run([str(PYTHON), "-P", "-m", "taptrail", "demo", *rest])
    if job == "test":
        os.chdir(PROJECT)
        run([str(PYTHON), "-m", "pytest", "-n", "2", "--dist", "worksteal", *rest])
    return 0


def set_up() -> None:
    """Make everything that `demo` and `test` need, or raise Stop."""
    if sys.prefix == str(ENVIRONMENT):
        # It cannot rebuild itself: start again with the Python that it was made from.
        run([str(getattr(sys, "_base_executable", sys.executable)), __file__, *sys.argv[1:]])
    with one_at_a_time():
        key = environment_key()
        usable = environment_is_usable()
        install_system_packages(making_environment=not usable)
        if usable and STAMP.is_file() and STAMP.read_text() == key:
            return
        if not os.access(PROJECT, os.W_OK):
            raise Stop(
                f"{PROJECT} may not be written to, and the environment belongs in it; "
                "copy the project to a folder of your own and run it there."
            )
        try:
            make_environment()
            install_python_packages()
            STAMP.write_text(key)  # last, so that an interrupted installation is never believed
            UNFINISHED.unlink()
        except OSError as error:
            raise Stop(f"could not write the environment in {ENVIRONMENT}: {error}.") from error


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold off a second set-up of the same folder until the first is through."""
    import fcntl  # not there on Windows, which is told so above

    with LOCK.open() as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another set-up of this folder")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


# The Python side


def environment_key() -> str:
    """What an installation depends on: the pinned packages, the project's metadata, the Python."""
    digest = hashlib.sha256()
    for path in (LOCK, PROJECT / "pyproject.toml"):
        digest.update(path.read_bytes())
    # The folder counts: scripts and the link to the project hold absolute paths.
    digest.update(f"{python_version()} {PROJECT}".encode())
    return digest.hexdigest()


def python_version() -> str:
    return "{}.{}".format(*sys.version_info[:2])


def environment_is_usable() -> bool:
    """Whether .venv has a Python that starts and is of the version this file runs under."""
    if UNFINISHED.exists() or not PYTHON.exists():
        return False
    ask = "import sys; print('{}.{}'.format(*sys.version_info[:2]))"
    answer = subprocess.run([str(PYTHON), "-I", "-c", ask], capture_output=True, text=True)
    return answer.returncode == 0 and answer.stdout.strip() == python_version()


def make_environment() -> None:
    if not environment_is_usable():
        say(f"making a virtual environment with Python {python_version()} in {ENVIRONMENT}")
        if ENVIRONMENT.is_symlink() or ENVIRONMENT.is_file():
            ENVIRONMENT.unlink()
        elif ENVIRONMENT.exists():
            shutil.rmtree(ENVIRONMENT)
        made = subprocess.run(
            [sys.executable, "-I", "-m", "venv", str(ENVIRONMENT)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if made.returncode != 0:
            raise Stop(
                f"could not make a virtual environment ({last_words(made.stdout)}); "
                f"on Debian and Ubuntu install {venv_package()}."
            )
    STAMP.unlink(missing_ok=True)
    UNFINISHED.touch()


def install_python_packages() -> None:
    count = len(re.findall(r"^[A-Za-z0-9]", LOCK.read_text(), flags=re.MULTILINE))
    say(f"installing {count} Python packages; the first time this fetches about 250 MB")
    # Bytecode is written as modules are first imported: compiling all of it takes longer than
    # installing it.
    pip("--require-hashes", "--only-binary=:all:", "--no-compile", "-r", str(LOCK))
    say("installing the project itself")
    pip("--no-deps", "--no-build-isolation", "--editable", str(PROJECT))


def install_sam2() -> None:
    """Install torch and sam2 as the program itself does, unless these versions are there."""
    digest = hashlib.sha256(environment_key().encode())
    for path in sorted(SAM2_PACKAGES.glob("*.txt")):
        digest.update(path.read_bytes())
    key = digest.hexdigest()
    with one_at_a_time():
        if SAM2_STAMP.is_file() and SAM2_STAMP.read_text() == key:
            return
        done = subprocess.run(
            [str(PYTHON), "-P", "-m", "annotator.sam2.installation"],
            cwd=PROJECT,
            env={**os.environ, "PYTHONPATH": str(PROJECT)},
        )
        if done.returncode != 0:
            raise Stop("without SAM 2 run the tests with: python3 bootstrap.py test --core")
        SAM2_STAMP.write_text(key)


def pip(*arguments: str) -> None:
    """Run `pip install`, quiet while it goes well; raise Stop with its output where it does not."""
    command = [str(PYTHON), "-I", "-m", "pip", "--no-input", "install", "--no-warn-script-location"]
    environment = {**os.environ, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    process = subprocess.Popen(
        [*command, "--progress-bar=off", *arguments],
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    lines = []
    with process:
        for line in process.stdout or ():
            lines.append(line.rstrip())
            show_passing(line.strip())
    show_passing("")
    if process.returncode != 0:
        raise Stop(pip_failure("\n".join(lines)))


OFFLINE = re.compile(
    "NameResolutionError|NewConnectionError|ConnectTimeoutError|ReadTimeoutError|ProxyError"
    "|Temporary failure in name resolution|Network is unreachable|Max retries exceeded"
)


def pip_failure(output: str) -> str:
    """Say what a failed `pip install` means; its own words follow unless the cause is plain."""
    if "DO NOT MATCH THE HASHES" in output:
        cause = (
            "a package that was fetched is not the one named in requirements/lock.txt, so nothing "
            "of it was installed; check the package index that pip is set to"
        )
    elif "No space left on device" in output:
        return "the disk is full; the Python packages need about 1 GB beside the project."
    elif OFFLINE.search(output):
        return (
            "the Python packages could not be fetched, because the package index does not answer; "
            "connect to the network (or set pip's proxy or index) and run the same command again."
        )
    else:
        cause = "the Python packages could not be installed"
    return f"{cause}. pip said:\n" + "\n".join(output.splitlines()[-30:])


# The system's side


def install_system_packages(*, making_environment: bool) -> None:
    """Bring what requirements/debian.txt names, where apt and dpkg are there to ask."""
    if not (shutil.which("dpkg-query") and shutil.which("apt-get")):
        if not STAMP.exists():
            say("no apt here: bring the counterparts of requirements/debian.txt by hand")
        return
    wanted = read_system_packages(SYSTEM_PACKAGES.read_text())
    wanted.pop("tests", None)
    if making_environment and not venv_is_there():
        wanted["needed"].append([venv_package(), "python3-venv"])
    missing = missing_packages(wanted)
    if not any(missing.values()):
        return
    groups = [group for section in missing.values() for group in section]
    prefix = apt_prefix()
    failure = "only root may do that, and sudo would ask for a password"
    if prefix is not None:
        say(f"installing {len(groups)} system packages")
        failure = apt_install(prefix, groups)
        missing = missing_packages(wanted)
    if not any(missing.values()):
        return
    told = told_missing([group for section in missing.values() for group in section], failure)
    if missing["needed"]:
        raise Stop(told)
    say(told)


def install_test_packages() -> None:
    """Bring what only tests need; where a system has it not, those tests are left out."""
    if not (shutil.which("dpkg-query") and shutil.which("apt-get")):
        return
    wanted = {"tests": read_system_packages(SYSTEM_PACKAGES.read_text()).get("tests", [])}
    groups = missing_packages(wanted)["tests"] if wanted["tests"] else []
    prefix = apt_prefix() if groups else None
    if prefix is None:
        return
    say(f"installing {len(groups)} system packages for the tests")
    failure = apt_install(prefix, groups)
    left = missing_packages(wanted)["tests"]
    if left:
        say(told_missing(left, failure))


def told_missing(left: list[list[str]], failure: str) -> str:
    by_hand = shlex.join(["sudo", "apt-get", "install", "-y", *(first_known(g) for g in left)])
    return f"{len(left)} system packages are missing ({failure}); run: {by_hand}"


def read_system_packages(text: str) -> dict[str, list[list[str]]]:
    """Read the list: section -> packages, each with its alternative names, the first preferred."""
    sections: dict[str, list[list[str]]] = {}
    section = ""
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip()
        if line.startswith("["):
            section = line.strip("[]")
            sections[section] = []
        elif line:
            sections[section].append([name.strip() for name in line.split("|")])
    return sections


def missing_packages(wanted: dict[str, list[list[str]]]) -> dict[str, list[list[str]]]:
    names = [name for section in wanted.values() for group in section for name in group]
    form = "${db:Status-Abbrev}\t${Package}\n"
    # Names that dpkg does not know make it complain and exit 1; it lists the others all the same.
    answer = subprocess.run(
        ["dpkg-query", "-W", f"--showformat={form}", *names], capture_output=True, text=True
    )
    lines = (line.split("\t") for line in answer.stdout.splitlines())
    there = {name for state, name in lines if state.strip() == "ii"}
    return {
        section: [group for group in groups if not there.intersection(group)]
        for section, groups in wanted.items()
    }


def venv_is_there() -> bool:
    """Whether this Python can make environments; Debian splits that off into a package."""
    asked = [sys.executable, "-I", "-c", "import ensurepip, venv"]
    return subprocess.run(asked, stderr=subprocess.DEVNULL).returncode == 0


def venv_package() -> str:
    return f"python{python_version()}-venv"


def apt_prefix() -> list[str] | None:
    """How apt-get may be run without asking anybody: as it is, through sudo, or (None) not."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        free = subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0
        return ["sudo", "-n"] if free else None
    return None


def apt_install(prefix: list[str], groups: list[list[str]]) -> str:
    """Install one package of each group; the answer is apt's complaint, or empty."""
    if not any(Path("/var/lib/apt/lists").glob("*_Packages*")):
        apt(prefix, "update")
    failure = ""
    for attempt in range(2):
        names = [first_known(group) for group in groups]
        failure = apt(prefix, "install", "-y", "--no-install-recommends", *names)
        if not failure:
            return ""
        if attempt == 0:  # a list that is too old names files that are gone
            apt(prefix, "update")
    return failure


def apt(prefix: list[str], verb: str, *arguments: str) -> str:
    """Run apt-get; the answer is its last complaint, or empty when all went well."""
    options = ["-q", "-o", "Dpkg::Use-Pty=0", "-o", "DPkg::Lock::Timeout=300"]
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C"]
    process = subprocess.Popen(
        [*prefix, *quiet, "apt-get", *options, verb, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    lines = []
    with process:
        for line in process.stdout or ():
            lines.append(line.rstrip())
            show_passing(line.strip())
    show_passing("")
    if process.returncode == 0:
        return ""
    complaints = [line[2:].strip() for line in lines if line.startswith("E:")]
    return f"apt-get {verb}: " + (complaints[0] if complaints else last_words("\n".join(lines)))


def first_known(group: list[str]) -> str:
    """Pick the first of the alternative names that this release has; the last if it has none."""
    for name in group[:-1]:
        asked = ["apt-cache", "policy", name]
        answer = subprocess.run(
            asked, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}
        )
        candidate = re.search(r"Candidate: (.+)", answer.stdout)
        if candidate and candidate[1] != "(none)":
            return name
    return group[-1]


# Talking


def say(text: str) -> None:
    print(f"bootstrap: {text}", flush=True)


def show_passing(text: str) -> None:
    """Show the line a tool is at, where a person looks on; it is overwritten by the next."""
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns - 1
        print(f"\r\x1b[2K{text[:width]}", end="", flush=True)


def last_words(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1].rstrip(".") if lines else "it said nothing"


def run(command: list[str]) -> None:
    """Become the command, so that its exit code and the terminal's signals are its own."""
    sys.stdout.flush()
    os.execv(command[0], command)  # noqa: S606 - no shell is meant


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
