"""The growth of a push's cost as an SVG: a panel for each axis, with the band in which a cost counts as flat."""

import html
import math

# Flat is what stays this close to the first point.
FLAT = 0.10

WIDTH, PANEL_HEIGHT, LEGEND_HEIGHT, GAP = 780, 200, 14, 20
LEFT, RIGHT, TOP, BOTTOM = 52, 18, 40, 54
COLUMNS = 2
# A ground of its own, so that it can be read whatever is around it.
STYLE = """
    .ground { fill: #ffffff } .panel { fill: #f6f7f9 } .band { fill: #cfe8d5 } .line { stroke: #1f5fbf; fill: none }
    .point { fill: #1f5fbf } .rule { stroke: #d5d8dd } text { fill: #1d2129 } .quiet { fill: #5b6470 }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #17191d } .panel { fill: #20242a } .band { fill: #23452e } .line { stroke: #7fb2ff }
      .point { fill: #7fb2ff } .rule { stroke: #3a4049 } text { fill: #eceef1 } .quiet { fill: #a9b1bc }
    }
    text { font: 12px system-ui, "Liberation Sans", sans-serif } .title { font-weight: 600; font-size: 13px }
"""


def chart(axes: list[tuple[str, str, dict[str, float]]]) -> str:
    """The text of an SVG of costs by value, for each axis and its unit."""
    rows = math.ceil(len(axes) / COLUMNS)
    height = GAP + rows * (PANEL_HEIGHT + GAP)
    width = (WIDTH - GAP * (COLUMNS + 1)) / COLUMNS
    panels = []
    for number, (axis, unit, costs) in enumerate(axes):
        x = GAP + (number % COLUMNS) * (width + GAP)
        y = GAP + (number // COLUMNS) * (PANEL_HEIGHT + GAP)
        panels.append(f'<g transform="translate({x:.0f} {y})">{_panel(axis, unit, costs, width)}</g>')
    panels.append(f'<g transform="translate({GAP} {height})">{_legend()}</g>')
    height += LEGEND_HEIGHT + GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">\n'
        f'<style>{STYLE}</style>\n<rect class="ground" width="{WIDTH}" height="{height}" rx="8"/>\n'
        + "\n".join(panels) + "\n</svg>\n"
    )


def _panel(axis: str, unit: str, costs: dict[str, float], width: float) -> str:
    first = next(iter(costs.values()))
    # With room for the figure above the highest point.
    most = max([*costs.values(), first * (1 + FLAT)]) * 1.15
    step = _step(most / 3)
    top_value = step * math.ceil(most / step)
    inner_width, inner_height = width - LEFT - RIGHT, PANEL_HEIGHT - TOP - BOTTOM

    def height_of(value: float) -> float:
        return TOP + inner_height * (1 - value / top_value)

    parts = [f'<rect class="panel" width="{width:.0f}" height="{PANEL_HEIGHT}" rx="6"/>']
    parts.append(f'<text class="title" x="12" y="22">{html.escape(axis)}</text>')
    parts.append(f'<text class="quiet" x="12" y="{PANEL_HEIGHT - 8}">{html.escape(unit)} per push</text>')
    band_top, band_bottom = height_of(first * (1 + FLAT)), height_of(first * (1 - FLAT))
    parts.append(
        f'<rect class="band" x="{LEFT}" y="{band_top:.1f}" width="{inner_width:.1f}" '
        f'height="{band_bottom - band_top:.1f}"/>'
    )
    for number in range(round(top_value / step) + 1):
        y = height_of(number * step)
        parts.append(f'<line class="rule" x1="{LEFT}" x2="{width - RIGHT:.0f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(
            f'<text class="quiet" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{number * step:,.0f}</text>'
        )
    xs = [LEFT + inner_width * (number + 0.5) / len(costs) for number in range(len(costs))]
    points = [(x, height_of(value)) for x, value in zip(xs, costs.values(), strict=True)]
    parts.append(f'<polyline class="line" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>')
    for (x, y), (label, value) in zip(points, costs.items(), strict=True):
        parts.append(f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>')
        parts.append(f'<text x="{x:.1f}" y="{y - 9:.1f}" text-anchor="middle">{value:,.1f}</text>')
        text = f"{int(label):,}" if label.isdigit() else label
        parts.append(f'<text class="quiet" x="{x:.1f}" y="{PANEL_HEIGHT - BOTTOM + 20}" text-anchor="middle">{text}</text>')
    return "".join(parts)


def _legend() -> str:
    return (
        '<rect class="band" x="12" y="0" width="26" height="14"/>'
        f'<text class="quiet" x="46" y="11">within {FLAT:.0%} of the first point: flat</text>'
    )


def _step(least: float) -> float:
    """The smallest of some round numbers that is not below `least`."""
    power = 10 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 1.5, 2, 2.5, 3, 4, 5, 10) if factor * power >= least)
