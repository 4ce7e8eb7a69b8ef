#!/bin/sh
# Makes this machine ready to work on the project: system packages where they are missing (Debian and its
# relatives, as root or through sudo), the virtual environment, the locked Python packages, the project and its client.
# Last the pages that the API serves to people. Quick and silent when nothing is missing; what fails shows its
# whole output. Only some tests need more: `dev/setup.sh edge` also installs nginx and Varnish, `dev/setup.sh campaign`
# what steps clocks and splits networks for `make audit-faults`, `dev/setup.sh image` what builds the image without Docker.
set -eu
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT

fail() {
    echo "setup: $*" >&2
    exit 1
}

quietly() {
    "$@" >"$log" 2>&1 || {
        cat "$log" >&2
        fail "failed: $*"
    }
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        quietly "$@"
    elif command -v sudo >/dev/null; then
        quietly sudo -- "$@"
    else
        fail "needs root or sudo for: $*"
    fi
}

# Prints the first Python that is new enough and can make virtual environments.
find_python() {
    for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

has_postgres() {
    for folder in /usr/lib/postgresql/*/bin "$(pg_config --bindir 2>/dev/null || true)"; do
        if [ -x "$folder/postgres" ] && [ -x "$folder/pg_basebackup" ]; then
            version=$("$folder/postgres" --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
            [ "$version" -ge 15 ] && return
        fi
    done
    return 1
}

install_system_packages() {
    command -v apt-get >/dev/null || fail "please install first: $*"
    echo "setup: installing $*"
    as_root apt-get update
    forbid_service_starts
    case "$*" in
    *postgresql*)
        # Our clusters are private; the package must not create one of its own.
        apt_install postgresql-common
        as_root sed -i 's/^#* *create_main_cluster *=.*/create_main_cluster = false/' \
            /etc/postgresql-common/createcluster.conf
        ;;
    esac
    apt_install "$@"
    allow_service_starts
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@"
}

# Debian asks this program before a package starts its service; 101 means no. One that is there already stays.
policy=/usr/sbin/policy-rc.d
forbid_service_starts() {
    [ -e $policy ] && return
    trap 'allow_service_starts; rm -f "$log"' EXIT
    as_root sh -c "printf '#!/bin/sh\\n# sankofa setup\\nexit 101\\n' >$policy && chmod 755 $policy"
}

allow_service_starts() {
    if grep -qs 'sankofa setup' $policy; then as_root rm -f $policy; fi
}

missing=
command -v make >/dev/null || missing="$missing make"
has_postgres || missing="$missing postgresql"
command -v redis-server >/dev/null || missing="$missing redis-server"
command -v curl >/dev/null || missing="$missing curl" # the examples of the docs
command -v chromium >/dev/null || missing="$missing chromium"
command -v promtool >/dev/null || missing="$missing prometheus" # checks the alert rules
# Failover (`make ha`) and restores to a moment. Patroni itself is a newer one from PyPI; what it imports is Debian's:
command -v etcd >/dev/null || missing="$missing etcd-server"
command -v patroni >/dev/null || missing="$missing patroni"
[ -x /usr/sbin/haproxy ] || missing="$missing haproxy"
command -v pgbackrest >/dev/null || missing="$missing pgbackrest"
find_python >/dev/null || missing="$missing python3 python3-venv"
if [ "${1:-}" = edge ]; then
    [ -x /usr/sbin/nginx ] || missing="$missing nginx-light"
    [ -x /usr/sbin/varnishd ] || missing="$missing varnish" # brings a C compiler, which it needs to run
fi
if [ "${1:-}" = campaign ]; then
    command -v faketime >/dev/null || missing="$missing faketime"
    [ -x /usr/sbin/iptables ] || missing="$missing iptables"
fi
if [ "${1:-}" = image ]; then
    command -v buildah >/dev/null || missing="$missing buildah"
    command -v mmdebstrap >/dev/null || missing="$missing mmdebstrap" # a base image, where none can be pulled
fi
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086 # a list of words
    install_system_packages $missing
    has_postgres || fail "PostgreSQL 15 or newer is needed, and the packages of this system are older"
    find_python >/dev/null || fail "Python 3.11 or newer is needed, and the packages of this system are older"
fi

.venv/bin/python -c '' 2>/dev/null || quietly "$(find_python)" -m venv --clear .venv
wanted=$(cat requirements-dev.lock pyproject.toml clients/python/pyproject.toml | sha256sum)
if [ "$(cat .venv/installed 2>/dev/null)" != "$wanted" ]; then
    echo "setup: installing the Python packages"
    .venv/bin/python -m pip --version >/dev/null 2>&1 || quietly .venv/bin/python -m ensurepip
    quietly .venv/bin/python -m pip install --no-compile --require-hashes --requirement requirements-setup.lock
    # uv needs a tenth of pip's time. Where only pip is told of a mirror, pip does it.
    .venv/bin/uv pip install --quiet --python .venv/bin/python --require-hashes \
        --requirement requirements-dev.lock >"$log" 2>&1 ||
        quietly .venv/bin/python -m pip install --no-compile --require-hashes --requirement requirements-dev.lock
    quietly .venv/bin/python -m pip install --no-deps --no-build-isolation --editable . --editable clients/python
    echo "$wanted" >.venv/installed
fi
quietly .venv/bin/python -m dev pages
