"""signals.py SPECPI-CC OPTION SOURCE DIRECTORY [WORD...]: ends specpi-cc by signals while a program that it runs,
named by OPTION, sleeps."""

import os
import shutil
import signal
import subprocess
import sys
import time

compiler, option, source, directory = sys.argv[1:5]
words = sys.argv[5:]
shutil.rmtree(directory, ignore_errors=True)
temporary = os.path.join(directory, "tmp")
os.makedirs(temporary)
out = os.path.join(directory, "out")
pids = os.path.join(directory, "pids")
sleeper = os.path.join(directory, "sleeper")
with open(sleeper, "w", encoding="utf-8") as file:
    # The program leaves a file, starts a child of its own, and waits.
    file.write(
        "#!/bin/sh\n"
        # specpi-cc first calls the host's compiler with -dM. Later it gives it a directory for temporary files.
        '[ "$1" != -dM ] || exit 0\n'
        + ('echo part > "$TMPDIR/part"\n' if option == "--host-compiler" else "")
        + 'while [ "$1" != -o ]; do shift; done\n'
        'echo part > "$2.part"\n'
        "sleep 60 &\n"
        f'echo $$ $! > "{pids}.new" && mv "{pids}.new" "{pids}"\n'
        "wait\n"
    )
os.chmod(sleeper, 0o755)


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for(condition, what):
    end = time.monotonic() + 30
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"in vain: {what}")
        time.sleep(0.01)


def check(number, ignored=False):
    with open(out, "w", encoding="utf-8") as file:
        file.write("old")
    if os.path.exists(pids):
        os.remove(pids)
    before = signal.signal(number, signal.SIG_IGN) if ignored else None
    ran = subprocess.Popen(
        [compiler, *words, f"{option}={sleeper}", source, "-o", out],
        env={**os.environ, "TMPDIR": temporary},
        stderr=subprocess.DEVNULL,
    )
    if ignored:
        signal.signal(number, before)
    wait_for(lambda: os.path.exists(pids), "clang's start")
    if not os.listdir(temporary):
        sys.exit("there is no temporary directory")
    if os.stat(os.path.join(temporary, os.listdir(temporary)[0])).st_mode & 0o077:
        sys.exit("others can enter the temporary directory")
    with open(pids, encoding="utf-8") as file:
        children = [int(pid) for pid in file.read().split()]
    ran.send_signal(number)
    if ignored:
        time.sleep(0.2)
        if ran.poll() is not None:
            sys.exit(f"it ended by signal {number}, which is ignored")
        ran.send_signal(signal.SIGTERM)
        number = signal.SIGTERM
    status = ran.wait(30)
    if status != -number:
        sys.exit(f"signal {number}: status {status}")
    for pid in children:
        wait_for(lambda pid=pid: not is_running(pid), f"the end of {pid}")
    if os.listdir(temporary) or open(out, encoding="utf-8").read() != "old":
        sys.exit(f"signal {number}: {os.listdir(temporary)}")
    if any("specpi-cc" in name for name in os.listdir(directory)):
        sys.exit(f"left: {os.listdir(directory)}")


NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
for number in NUMBERS:
    # The parent may ignore some signals, as shells do for background commands.
    signal.signal(number, signal.SIG_DFL)
for number in NUMBERS:
    check(number)
check(signal.SIGHUP, ignored=True)

# If the compiling process is killed, specpi-cc reports that and leaves no files or processes either.
ran = subprocess.Popen(
    [compiler, *words, f"{option}={sleeper}", source, "-o", out],
    env={**os.environ, "TMPDIR": temporary},
    stderr=subprocess.PIPE,
    text=True,
)
os.remove(pids)
wait_for(lambda: os.path.exists(pids), "clang's start")
with open(f"/proc/{ran.pid}/task/{ran.pid}/children", encoding="utf-8") as file:
    os.kill(int(file.read().split()[0]), signal.SIGKILL)
_, errors = ran.communicate(timeout=30)
if ran.returncode != 1 or "the compilation was ended by signal 9" not in errors:
    sys.exit(f"status {ran.returncode}: {errors}")
if os.listdir(temporary):
    sys.exit(f"left: {os.listdir(temporary)}")
