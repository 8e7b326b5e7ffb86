#!/usr/bin/env bash
# Installs Debian's Docker engine and starts it if none answers. As root, for continuous integration.
set -euo pipefail

missing=()
command -v dockerd >/dev/null || missing+=(docker.io)
command -v debootstrap >/dev/null || missing+=(debootstrap)
command -v iptables >/dev/null || missing+=(iptables)
if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

docker info >/dev/null 2>&1 && exit 0
log=$(mktemp --suffix=.dockerd.log)
nohup dockerd >"$log" 2>&1 </dev/null &
for _ in $(seq 60); do
    docker info >/dev/null 2>&1 && exit 0
    sleep 1
done
tail -20 "$log" >&2
echo "dockerd did not come up within 60 s" >&2
exit 1
