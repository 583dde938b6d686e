"""The load: what is sent, by h2load, and what it saw."""

import base64
import os
import re
import subprocess
import time

from .processes import BenchmarkError

# Beyond this h2load hangs: the slowest server here does not need a tenth of it.
RUN_SECONDS_MAX = 300
CONNECTIONS = 4
STREAMS = 100
TOPIC = "com.example.mynah"
# The same on every request: h2load knows one set of header fields.
APNS_ID = "3C6E7B5A-0C1D-4E55-9D5B-7A1F6E2B8C90"


def stand_in_provider_token():
    """A text of a provider token's shape and length, for runs in which nobody verifies it."""
    def part(size):
        return base64.urlsafe_b64encode(os.urandom(size)).rstrip(b"=").decode("ascii")
    return ".".join([part(42), part(45), part(64)])


def payload_of(size):
    """A payload of exactly that many bytes."""
    frame = b'{"aps":{"alert":"%s"}}'
    text_size = size - (len(frame) - 2)
    if text_size < 0:
        raise BenchmarkError(f"a payload has at least {len(frame) - 2} bytes, not {size}")
    return frame % (b"x" * text_size)


def headers_of(provider_token):
    """The header fields of every push, without pseudo-header fields."""
    return [
        f"authorization: bearer {provider_token}",
        f"apns-id: {APNS_ID}",
        f"apns-topic: {TOPIC}",
        "apns-push-type: alert",
        f"apns-expiration: {int(time.time()) + 86_400}",
        "apns-priority: 10",
    ]


class Load:
    """Files and header fields of the requests; the same for every server."""

    def __init__(self, folder, tokens, payload_sizes, provider_token):
        self._folder = folder
        self._paths = {}
        for separator in "/?":
            path = os.path.join(folder, f"uris-{ord(separator)}")
            with open(path, "w", encoding="ascii") as file:
                file.writelines(f"https://localhost/3/device{separator}{token}\n" for token in tokens)
            self._paths[separator] = path
        self._payloads = {}
        for size in payload_sizes:
            self._payloads[size] = os.path.join(folder, f"payload-{size}")
            with open(self._payloads[size], "wb") as file:
                file.write(payload_of(size))
        self._headers = headers_of(provider_token)

    def run(self, port, separator, payload_size, requests, rate=None, connections=CONNECTIONS):
        """Sends the requests, at a rate per second if one is given; gives what h2load measured.

        Raises BenchmarkError unless every request was answered with a 2xx.
        """
        log = os.path.join(self._folder, "h2load.log")
        if os.path.exists(log):
            os.remove(log)
        command = [
            "h2load", "-c", str(connections), "-m", str(STREAMS), "-n", str(requests),
            "-i", self._paths[separator], "-B", f"https://127.0.0.1:{port}", "-d", self._payloads[payload_size],
            "--log-file", log,
        ]
        for header in self._headers:
            command += ["-H", header]
        if rate is not None:
            command += ["--rps", f"{max(1, round(rate / connections))}"]
        try:
            answer = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=RUN_SECONDS_MAX, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise BenchmarkError(f"h2load did not end within {RUN_SECONDS_MAX} s") from error
        finished = re.search(r"finished in \S+, ([\d.]+) req/s", answer.stdout)
        accepted = re.search(r"status codes: (\d+) 2xx", answer.stdout)
        if answer.returncode != 0 or not finished or not accepted or int(accepted[1]) != requests:
            said = "\n  ".join(answer.stdout.splitlines()[-12:] + answer.stderr.splitlines()[-5:])
            raise BenchmarkError(f"not every one of {requests} requests was answered with 2xx:\n  {said}")
        with open(log, encoding="ascii") as file:
            latencies = sorted(int(line.split("\t")[2]) for line in file)
        if len(latencies) != requests:
            raise BenchmarkError(f"h2load logged {len(latencies)} of {requests} requests")
        return {
            "requestsPerSecond": float(finished[1]),
            "p50Microseconds": quantile(latencies, 0.50),
            "p99Microseconds": quantile(latencies, 0.99),
        }


def quantile(ordered, fraction):
    """The smallest value that at least that fraction of all does not exceed."""
    index = -int(-fraction * len(ordered) // 1) - 1
    return ordered[max(0, index)]
