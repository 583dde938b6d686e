// The bar over a recorded run: what is shown, and a slider that moves through it.

import { el, fill } from "./dom.js";
import { toast } from "./toast.js";

/** `moved()` is called when another place of the run is shown. */
export function makeRecordedBar(api, moved) {
    const name = el("span", {});
    const place = el("output", {});
    const slider = el("input", { type: "range", "aria-label": "Sequence number", oninput: () => move() });
    const bar = el(
        "div", { class: "recorded", role: "region", "aria-label": "Recorded run", hidden: true },
        el("strong", {}, "Recorded run"), name, slider, place);
    let isMoving = false;

    function show(run) {
        bar.hidden = false;
        name.title = run.file;
        fill(name, `${run.file.split("/").at(-1)}, read-only`);
        slider.min = run.first.sequence;
        slider.max = run.last.sequence;
        if (!isMoving) slider.value = run.sequence;
        fill(place, `number ${run.sequence} of ${run.last.sequence}, ${run.time}`);
    }

    /** One call at a time; the slider's place by then is the next. */
    async function move() {
        if (isMoving) return;
        isMoving = true;
        let shown = null;
        try {
            while (shown !== slider.value) {
                shown = slider.value;
                show(await api.put("/v1/recorded", { sequence: Number(shown) }));
                moved();
            }
        } catch (error) {
            toast(error.message, { kind: "error" });
        } finally {
            isMoving = false;
        }
    }

    return { bar, show };
}
