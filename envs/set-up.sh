#!/bin/sh
# Set-up for `make`: system packages, then a virtual environment with pinned dependencies.
# Usage: envs/set-up.sh VENV EXTRAS   (EXTRAS: "" or "dev")
set -eu
venv=$1 extras=$2

python() { # the first Python that is new enough
    for name in python3 python3.13 python3.12 python3.11; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
}

missing=""
[ -x /usr/bin/bwrap ] || missing="$missing bubblewrap"
[ -x /usr/bin/prlimit ] || missing="$missing util-linux"
[ -x /usr/bin/g++ ] || missing="$missing g++"
[ -x /usr/bin/javac ] || missing="$missing default-jdk-headless"
[ -e /usr/include/openssl/md5.h ] || missing="$missing libssl-dev"
if [ -z "$(python)" ]; then
    missing="$missing python3.11 python3.11-venv"
elif ! "$(python)" -c 'import ensurepip' 2>/dev/null; then
    missing="$missing $("$(python)" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
fi

if [ -n "$missing" ]; then
    command="apt-get update && apt-get install --yes --no-install-recommends$missing"
    if [ "$(id -u)" -ne 0 ]; then
        echo "set-up: system packages are missing; run this, then make again:  sudo sh -c '$command'" >&2
        exit 1
    fi
    echo "set-up: installing$missing" >&2
    export DEBIAN_FRONTEND=noninteractive
    sh -c "$command"
fi

[ -x "$venv/bin/python" ] || "$(python)" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet torch==2.13.0
"$venv/bin/python" -m pip install --quiet --constraint constraints.txt --editable ".${extras:+[$extras]}"
