# Sourced by run.sh: GitHub's action with the image, as a runner runs its steps.

# A step: its script with the variables of the runner, and those of the steps before it.
step() {
    env "PATH=$work/job/commands:$work/job/temp/mynah/bin:$PATH" "RUNNER_TEMP=$work/job/temp" \
        "GITHUB_WORKSPACE=$work/job/workspace" "GITHUB_ENV=$work/job/env" "GITHUB_PATH=$work/job/path" \
        "GITHUB_OUTPUT=$work/job/output" "GITHUB_STEP_SUMMARY=$work/job/summary.md" \
        $(cat "$work/job/env") "$@" 9>&-
}

action() {
    command -v slirp4netns >/dev/null || {
        echo "skipped: GitHub's action with the image, because podman publishes no ports without slirp4netns"
        return
    }
    local here=$root/docker/actions/mynah
    mkdir -p "$work/job/commands" "$work/job/temp" "$work/job/workspace"
    touch "$work/job/env" "$work/job/summary.md"
    # podman in place of docker, with a network that publishes ports also within a container.
    cat >"$work/job/commands/docker" <<'END'
#!/bin/sh
case "$*" in
"run --detach"*) shift 2 && exec podman run --detach --network slirp4netns "$@" ;;
esac
exec podman "$@"
END
    chmod +x "$work/job/commands/docker"
    pushd "$work/job/workspace" >/dev/null || return
    check "action: starts the image" step INPUT_IMAGE=localhost/mynah bash "$here/start.sh"
    check "action: a certificate is of the server's CA" step sh -c \
        'mynah certs provider --topic a.b --out ../made && openssl verify -CAfile "$MYNAH_CA_FILE" ../made/a.b.pem'
    expect "action: a loop keeps its input" 3 step sh -c \
        'seq 3 | while read -r number; do mynah device add "kim-$number"; done | wc -l'
    check "action: a payload comes by standard input" step sh -c \
        'echo "{\"aps\":{}}" | mynah send --body @- --topic a.b --to "$(printf %064d 7)"'
    expect "action: what would be lost is refused" 78 step sh -c \
        'mynah expect --count 1 --within 0s --report "/nowhere-$$/report.xml" >/dev/null 2>&1; echo $?'
    echo 'expectations: [{name: it came, match: {topic: a.b}}]' >expectations.yaml
    check "action: finishes" step INPUT_EXPECTATIONS=expectations.yaml "INPUT_REPORT=$work/job/temp/reports/report.xml" \
        bash "$here/finish/finish.sh"
    check "action: the report is there" test -s "$work/job/temp/reports/report.xml"
    popd >/dev/null || return
}
