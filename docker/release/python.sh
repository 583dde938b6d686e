# Sourced by the scripts that make Python's packages. A virtual environment with the build backend of the tests' version:
# python_environment FOLDER [REQUIREMENT]…
python_environment() {
    python3 -m venv "$1" && "$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}" \
        "$(grep '^hatchling==' "$root/Tests/clients/requirements.txt")"
}
