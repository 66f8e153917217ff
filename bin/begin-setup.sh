# Read by bin/engram when a hook finds no environment: begin_setup_detached EVENT starts `engram setup`.
# shellcheck shell=sh disable=SC2154  # home, key, env, started, ended, root and self are bin/engram's

begin_setup_detached() {
    . "$root/bin/find-python.sh"
    absolute_path # what is started from here on must not be what the repository brought
    [ -n "$ended" ] && rm -f "$started" # that of a setup which has ended; one that came since is another hook's
    # noclobber: of the hooks that come here at once, one writes the file
    (umask 077 && mkdir -p "$home/env" && set -C && printf '%s\n' "$$" >"$started") 2>/dev/null || return 0
    apart=nohup
    command -v setsid >/dev/null 2>&1 && apart=setsid # else it would end with the client's process group
    # The marker `announce` has the next prompt or session say that everything is ready.
    "$apart" sh -c '
        note() { printf "%s %s: %s\n" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$event" "$1" >>"$home/hook.log"; }
        self=$1 home=$2 env=$3 started=$4 event=$5
        note "no environment yet: engram setup started"
        if "$self" setup >"$home/env/setup.log" 2>&1; then
            note "engram setup is done"
            rm -f "$started"
            : >"$env/announce"
        else
            note "engram setup failed: $(tail -n 1 "$home/env/setup.log")"
        fi
    ' sh "$self" "$home" "$env" "$started" "$1" </dev/null >/dev/null 2>&1 &
    printf '%s\n' "$!" >"$started"
}
