#!/usr/bin/env bash
# Installs pdflatex with booktabs if there is none. As root, for continuous integration: every table is compiled.
set -euo pipefail
command -v pdflatex >/dev/null && kpsewhich booktabs.sty >/dev/null && exit 0
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends texlive-latex-base texlive-latex-recommended
