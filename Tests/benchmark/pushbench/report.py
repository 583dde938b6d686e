"""Figures to a table."""

import statistics

# A difference of fewer ticks than this says more about the kernel's clock than about the server.
CPU_SECONDS_MIN = 0.1


def cpu_microseconds(run, what="cpuSeconds"):
    """CPU time per push, or a part of it, or None when the run was too short for the kernel's ticks."""
    if run["cpuSeconds"] < CPU_SECONDS_MIN:
        return None
    return run[what] / run["requests"] * 1e6


def median(values):
    """The median of the values that are not None; None of none."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def ratio(numerator, denominator):
    """Their quotient, or None when one is not known."""
    return None if numerator is None or not denominator else numerator / denominator


def summary_of(runs, names, payloads, baselines):
    """Medians per payload and server, with ratios against each baseline: the median of the rounds' ratios."""
    rows = []
    for payload in payloads:
        rounds = {name: [run for run in runs if (run["server"], run["payload"]) == (name, payload)] for name in names}
        for name in names:
            own = rounds[name]
            row = {
                "payload": payload,
                "server": name,
                "requestsPerSecond": median([run["requestsPerSecond"] for run in own]),
                "cpuMicrosecondsPerPush": median([cpu_microseconds(run) for run in own]),
                "userMicrosecondsPerPush": median([cpu_microseconds(run, "userSeconds") for run in own]),
                "kernelMicrosecondsPerPush": median([cpu_microseconds(run, "kernelSeconds") for run in own]),
                "pushesPerRead": median([run["pushesPerRead"] for run in own]),
                "cacheMissesPerPush": median([ratio(run["cacheMisses"], run["requests"]) for run in own]),
                "p50Microseconds": median([run["p50Microseconds"] for run in own]),
                "p99Microseconds": median([run["p99Microseconds"] for run in own]),
                "p99AtHalfRateMicroseconds": median([run.get("p99AtHalfRateMicroseconds") for run in own]),
                "writtenBytesPerPush": median([run["writtenBytesPerPush"] for run in own]),
                "idleBytes": median([run["idleBytes"] for run in own]),
                "peakBytes": max(run["peakBytes"] for run in own),
            }
            for baseline in baselines:
                pairs = list(zip(own, rounds[baseline], strict=True))
                row[f"pushesPerCPUSecondAgainst {baseline}"] = median(
                    [ratio(cpu_microseconds(other), cpu_microseconds(run)) for run, other in pairs]
                )
                row[f"userCPUTimeAgainst {baseline}"] = median(
                    [
                        ratio(cpu_microseconds(run, "userSeconds"), cpu_microseconds(other, "userSeconds"))
                        for run, other in pairs
                    ]
                )
                row[f"requestsPerSecondAgainst {baseline}"] = median(
                    [ratio(run["requestsPerSecond"], other["requestsPerSecond"]) for run, other in pairs]
                )
            rows.append(row)
    return rows


def table(rows, baselines):
    """The rows as aligned text."""
    def number(value, format_text, scale=1):
        return "-" if value is None else format_text.format(value / scale)

    columns = [
        ("payload", lambda row: str(row["payload"])),
        ("server", lambda row: row["server"]),
        ("req/s", lambda row: number(row["requestsPerSecond"], "{:,.0f}")),
        ("CPU µs/push", lambda row: number(row["cpuMicrosecondsPerPush"], "{:.2f}")),
        ("user", lambda row: number(row["userMicrosecondsPerPush"], "{:.2f}")),
        ("kernel", lambda row: number(row["kernelMicrosecondsPerPush"], "{:.2f}")),
        ("pushes/read", lambda row: number(row["pushesPerRead"], "{:.1f}")),
        ("cache misses", lambda row: number(row["cacheMissesPerPush"], "{:.1f}")),
        ("p50 ms", lambda row: number(row["p50Microseconds"], "{:.2f}", 1000)),
        ("p99 ms", lambda row: number(row["p99Microseconds"], "{:.2f}", 1000)),
        ("p99 ms ½ rate", lambda row: number(row["p99AtHalfRateMicroseconds"], "{:.2f}", 1000)),
        ("written B/push", lambda row: number(row["writtenBytesPerPush"], "{:,.0f}")),
        ("idle MB", lambda row: number(row["idleBytes"], "{:.1f}", 1e6)),
        ("peak MB", lambda row: number(row["peakBytes"], "{:.1f}", 1e6)),
    ]
    for baseline in baselines:
        columns.append((
            f"pushes/CPU s ÷ {baseline}",
            lambda row, key=f"pushesPerCPUSecondAgainst {baseline}": number(row[key], "{:.2f}"),
        ))
        columns.append((
            f"user ÷ {baseline}",
            lambda row, key=f"userCPUTimeAgainst {baseline}": number(row[key], "{:.2f}"),
        ))
    lines = [[title for title, _ in columns]] + [[cell(row) for _, cell in columns] for row in rows]
    widths = [max(len(line[index]) for line in lines) for index in range(len(columns))]
    texts = []
    for line in lines:
        cells = [
            text.ljust(width) if columns[index][0] == "server" else text.rjust(width)
            for index, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        texts.append("  ".join(cells).rstrip())
    return "\n".join(texts)
