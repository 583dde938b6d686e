#!/usr/bin/env bash
# Checks the pushes, writes reports and the job's summary, and stops the server; fails if an expectation is unmet.
set -euo pipefail

if [ ! -e "${MYNAH_FOLDER:-}/ready" ]; then
    echo "::error title=mynah::no Mynah was started in this job, or it is finished"
    exit 1
fi
code=0

if [ -n "${INPUT_EXPECTATIONS:-}" ]; then
    scope=()
    [ -z "${INPUT_SCOPE:-}" ] || scope=(--scope "$INPUT_SCOPE")
    report=${INPUT_REPORT:-mynah-junit.xml}
    # It writes the annotations and the summary's table.
    mynah expect --file "$INPUT_EXPECTATIONS" "${scope[@]}" --report "$report" || code=$?
    echo "report=$report" >>"$GITHUB_OUTPUT"
fi

dump=${INPUT_DUMP:-$MYNAH_FOLDER/pushes.jsonl}
mynah dump >"$dump" || code=$((code ? code : $?))
echo "dump=$dump" >>"$GITHUB_OUTPUT"

# A row for each answer to pushes since the start, also to those that a test has reset.
authorization=()
[ -z "${MYNAH_CONTROL_TOKEN:-}" ] || authorization=(--header "Authorization: Bearer $MYNAH_CONTROL_TOKEN")
{
    echo "### mynah: answers to pushes"
    echo
    echo "| pushes | answer |"
    echo "| ---: | --- |"
    curl --silent --show-error --fail "${authorization[@]}" "$MYNAH_URL/metrics" |
        sed -n 's/^mynah_pushes_total{status="\([^"]*\)",reason="\([^"]*\)"} \([1-9][0-9]*\)$/| \3 | \1 \2 |/p'
    echo
} >>"$GITHUB_STEP_SUMMARY" || code=$((code ? code : 1))

kept=$MYNAH_FOLDER/data/run.mynah
echo "::group::mynah's log"
if [ -e "$MYNAH_FOLDER/container" ]; then
    container=$(cat "$MYNAH_FOLDER/container")
    docker stop "$container" >/dev/null || code=$((code ? code : 1))
    docker logs "$container" 2>&1
    mkdir -p "$MYNAH_FOLDER/data"
    docker cp "$container:/data/run.mynah" "$kept" >/dev/null 2>&1 || rm -f "$kept"
    docker rm --force "$container" >/dev/null
else
    pid=$(cat "$MYNAH_FOLDER/pid")
    kill "$pid" || code=$((code ? code : 1))
    # It isn't a child of this step.
    timeout 30 tail --pid="$pid" --follow /dev/null || code=$((code ? code : 1))
    cat "$MYNAH_FOLDER/mynah.log"
fi
echo "::endgroup::"
if [ "$code" = 0 ] && [ "${JOB_STATUS:-success}" = success ]; then
    rm -rf "$MYNAH_FOLDER/data"
elif [ -e "$kept" ]; then
    echo "run=$kept" >>"$GITHUB_OUTPUT"
    opens="the whole run is kept; once it is downloaded, this shows it: mynah open run.mynah"
    echo "::notice title=mynah::$opens"
    printf '%s\n\n' "$opens" >>"$GITHUB_STEP_SUMMARY"
fi
rm "$MYNAH_FOLDER/ready"
exit "$code"
