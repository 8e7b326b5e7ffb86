"""The first process of a sandbox container: starts one untrusted command at a time, each as a user of its own, and cleans up after it.

Frames on stdin and stdout: a kind (one byte), a length (four bytes, big endian), then so many bytes.
In:  R  a run as JSON {argv, user, limits, private, writable}     I  bytes for its stdin     E  end of its stdin     K  kill it
Out: O  bytes of its stdout     F  of its stderr     X  its end as JSON {code, out_of_memory}
Standard library only; the end of stdin ends the container.
"""

import json
import os
import resource
import selectors
import shutil
import signal
import struct
import sys

ROOM = 1 << 16


def main():
    inbox = Inbox()
    while True:
        kind, body = inbox.frame()
        if kind == b"R":
            serve(json.loads(body), inbox)


class Inbox:
    """Frames from the host."""

    def __init__(self):
        self.buffer = b""

    def frame(self):
        while True:
            if len(self.buffer) >= 5:
                size = struct.unpack(">I", self.buffer[1:5])[0]
                if len(self.buffer) >= 5 + size:
                    kind, body = self.buffer[:1], self.buffer[5 : 5 + size]
                    self.buffer = self.buffer[5 + size :]
                    return kind, body
            self.fill()

    def waiting(self):
        return len(self.buffer) >= 5 and len(self.buffer) >= 5 + struct.unpack(">I", self.buffer[1:5])[0]

    def fill(self):
        chunk = os.read(0, ROOM)
        if not chunk:
            os._exit(0)
        self.buffer += chunk


def send(kind, body):
    view = memoryview(kind + struct.pack(">I", len(body)) + body)
    while view:
        view = view[os.write(1, view) :]


def serve(run, inbox):
    """Run one command to its end, or until the host has it killed."""
    kills = oom_kills()
    stdin, stdout, stderr = os.pipe(), os.pipe(), os.pipe()
    grant(run)
    child = os.fork()
    if child == 0:
        become(run, stdin[0], stdout[1], stderr[1])
    for end in (stdin[0], stdout[1], stderr[1]):
        os.close(end)
    os.set_blocking(stdin[1], False)
    code = pump(child, stdin[1], {stdout[0]: b"O", stderr[0]: b"F"}, inbox)
    sweep(run)
    send(b"X", json.dumps({"code": code, "out_of_memory": oom_kills() > kills}).encode())


def grant(run):
    """A private folder is read by this run's group alone, a writable one belongs to it."""
    for folder in run["private"]:
        os.chown(folder, -1, run["user"])
        os.chmod(folder, 0o750)
    for folder in run["writable"]:
        os.chown(folder, run["user"], run["user"])


def become(run, *ends):
    """In the child: limits, an unprivileged user, then the command."""
    try:
        for target, end in enumerate(ends):
            os.dup2(end, target)
        os.closerange(3, 1024)
        os.setsid()
        for name, (soft, hard) in run["limits"].items():
            resource.setrlimit(getattr(resource, "RLIMIT_" + name), (soft, hard))
        os.setgroups([])
        os.setresgid(run["user"], run["user"], run["user"])
        os.setresuid(run["user"], run["user"], run["user"])
        os.umask(0o077 if run["private"] else 0o022)
        os.chdir("/tmp")
        os.execve(run["argv"][0], run["argv"], {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"})
    except BaseException as error:
        os.write(2, ("sandbox: " + repr(error)).encode())
    os._exit(125)


def pump(child, stdin, outputs, inbox):
    """Carry bytes both ways until the command has ended; returns its exit code, negative for a signal."""
    chooser = selectors.DefaultSelector()
    chooser.register(0, selectors.EVENT_READ)
    ended = os.pidfd_open(child)
    chooser.register(ended, selectors.EVENT_READ)
    for end in outputs:
        chooser.register(end, selectors.EVENT_READ)
    pending, closing, code = bytearray(), False, None
    while code is None:
        while inbox.waiting():
            kind, body = inbox.frame()
            if kind == b"I" and stdin is not None:
                pending += body
            closing = closing or kind == b"E"
            if kind == b"K":
                os.kill(child, signal.SIGKILL)
        if stdin is not None and pending:
            try:
                del pending[: os.write(stdin, pending)]
            except BlockingIOError:
                pass
            except BrokenPipeError:
                pending.clear()
        if stdin is not None and closing and not pending:
            os.close(stdin)
            stdin = None
        for key, _ in chooser.select(0.01 if pending else None):
            if key.fd == 0:
                inbox.fill()
            elif key.fd == ended:
                status = os.waitpid(child, 0)[1]
                code = os.waitstatus_to_exitcode(status)
            else:
                forward(chooser, key.fd, outputs[key.fd])
    kill_all()  # daemons hold the pipes open
    for end in outputs:
        while end in chooser.get_map():
            forward(chooser, end, outputs[end])
        os.close(end)
    os.close(ended)
    if stdin is not None:
        os.close(stdin)
    return code


def forward(chooser, end, kind):
    chunk = os.read(end, ROOM)
    if chunk:
        send(kind, chunk)
    else:
        chooser.unregister(end)


def kill_all():
    """Kill everything else in the container: this process is its first, so the signal spares it alone."""
    while True:
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            return
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass


def sweep(run):
    """Empty the container's /tmp, its only writable place, and give the host's folders back."""
    for entry in os.scandir("/tmp"):
        if os.path.ismount(entry.path):  # the host's workspace
            continue
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)
    for folder in run["writable"]:
        for path, names, files in os.walk(folder):
            for name in [".", *names, *files]:
                os.chown(os.path.join(path, name), run["owner"], run["owner"], follow_symlinks=False)


def oom_kills():
    """How often the kernel has killed for the container's memory limit."""
    for path, key in (("/sys/fs/cgroup/memory.events", "oom_kill"), ("/sys/fs/cgroup/memory/memory.oom_control", "oom_kill")):
        try:
            with open(path) as file:
                return sum(int(line.split()[1]) for line in file if line.split()[0] == key)
        except OSError:
            continue
    return 0


sys.dont_write_bytecode = True
main()
