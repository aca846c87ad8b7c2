#!/bin/bash
# Run the README's two commands in a Debian that holds nothing but git and Python.
#
#   tests/acceptance/fresh_root.sh [--setup-only] [--mirror URL] [--suite NAME]
#                                  [--carry FILE]... [--env NAME]... [--keep]
#
# Needs root and debootstrap. Takes the committed state (HEAD) of this clone, not the work tree.
#   --setup-only   stop after `bootstrap.py setup`
#   --mirror URL   where debootstrap fetches Debian; its own default without it
#   --suite NAME   the release; bookworm without it
#   --carry FILE   copy a file of this machine into the root, at the same place: what this network
#                  needs, such as /etc/pip.conf, a certificate bundle or a file of /etc/apt
#   --env NAME     hand on a variable of this environment, such as https_proxy or PIP_INDEX_URL
#   --keep         leave the root where it is, and say where
# Prints the wall time and exit code of each command; exits 0 when both ended with 0.
set -euo pipefail

# In mount and process namespaces of its own, nothing can stay mounted or running afterwards.
if [ "${1:-}" != --inside ]; then
    exec unshare --mount --pid --fork --kill-child -- "$0" --inside "$@"
fi
shift

project=$(cd "$(dirname "$0")/../.." && pwd)
suite=bookworm mirror='' keep='' setup_only=''
carried=() handed=()
while [ $# -gt 0 ]; do
    case $1 in
        --setup-only) setup_only=yes ;;
        --mirror) mirror=$2; shift ;;
        --suite) suite=$2; shift ;;
        --carry) carried+=("$2"); shift ;;
        --env) handed+=("$2=${!2}"); shift ;;
        --keep) keep=yes ;;
        *) sed -n '2,16p' "$0" >&2; exit 2 ;;
    esac
    shift
done

root=$(mktemp -d -t fresh-root.XXXXXX)
chmod 755 "$root"
finish() {
    cd /
    umount -R "$root/dev" "$root/proc" 2>/dev/null || true
    if [ -n "$keep" ]; then echo "kept: $root"; else rm -rf --one-file-system "$root"; fi
}
trap finish EXIT

echo "making a $suite root in $root"
debootstrap --include=python3,python3-venv,ca-certificates,git "$suite" "$root" \
    ${mirror:+"$mirror"} >"$root.log" 2>&1 || { tail -20 "$root.log"; exit 1; }
rm "$root.log"

mkdir -p "$root/proc" "$root/dev"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
for file in "${carried[@]}"; do
    mkdir -p "$root$(dirname "$file")"
    cp -L "$file" "$root$file"
done
# Put together from two words: a test asks that no committed file names the place of the clone.
clone=/srv; clone=$clone/taptrail
git clone --quiet --no-hardlinks "$project" "$root$clone"

failed=0
inside() {
    local start code=0
    start=$(date +%s)
    echo "--- $*"
    # From another folder than the clone: the commands must not care.
    chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${handed[@]}" \
        "$@" </dev/null || code=$?
    echo "--- exit $code after $(($(date +%s) - start)) s: $*"
    [ $code = 0 ] || failed=1
}

if [ -n "$setup_only" ]; then
    inside python3 "$clone/bootstrap.py" setup
    inside python3 "$clone/bootstrap.py" setup
else
    inside python3 "$clone/bootstrap.py" demo --headless
    inside python3 "$clone/bootstrap.py" test
fi
exit $failed
