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

echo "::group::mynah's log"
if [ -e "$MYNAH_FOLDER/container" ]; then
    container=$(cat "$MYNAH_FOLDER/container")
    docker logs "$container" 2>&1
    docker rm --force "$container" >/dev/null
else
    cat "$MYNAH_FOLDER/mynah.log"
    kill "$(cat "$MYNAH_FOLDER/pid")" || code=$((code ? code : 1))
fi
echo "::endgroup::"
rm "$MYNAH_FOLDER/ready"
exit "$code"
