#!/usr/bin/env bash
# Installs Debian's Chromium if there is none. As root, for continuous integration: the report is opened in it.
set -euo pipefail
command -v chromium >/dev/null && exit 0
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium
