#!/usr/bin/env bash
# Installs what pip cannot: the sandbox and the compilers. As root through apt; otherwise prints the command and stops.
set -euo pipefail

declare -A package=([bwrap]=bubblewrap [g++]=g++ [javac]=default-jdk-headless [prlimit]=util-linux)
header=/usr/include/openssl/md5.h  # one HumanEvalPack problem hashes with OpenSSL
missing=()
for command in "${!package[@]}"; do
    command -v "$command" >/dev/null || missing+=("${package[$command]}")
done
[ -e "$header" ] || missing+=(libssl-dev)
python3 -c "import ensurepip" 2>/dev/null || missing+=(python3-venv)
# GCC's headers for plugins belong to one version of it. Without them C++ programs compile half as fast, so nobody is stopped for them.
version=$(g++ -dumpversion 2>/dev/null || apt-cache depends g++ 2>/dev/null | sed -n 's/.*Depends: g++-//p' || true)
if [ -n "$version" ] && [ ! -e "$(g++ -print-file-name=plugin 2>/dev/null)/include/gcc-plugin.h" ]; then
    if [ "$(id -u)" -eq 0 ] || [ ${#missing[@]} -gt 0 ]; then missing+=("gcc-$version-plugin-dev"); fi
fi
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
else
    echo "System packages are missing. Install them and try again:" >&2
    echo "    sudo apt-get install ${missing[*]}" >&2
    exit 1
fi
