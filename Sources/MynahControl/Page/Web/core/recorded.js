// The bar over a recorded run: what is shown, and how to move through it.

import { el, fill } from "./dom.js";
import { moment } from "./format.js";
import { toast } from "./toast.js";

/** `moved(run)` is called when the user has moved to another place of the run. */
export function makeRecordedBar(api, moved) {
    const name = el("span", {});
    const slider = el("input", {
        type: "range", "aria-label": "Sequence number", oninput: () => move(slider.value), recorded: true,
    });
    const number = el("input", {
        class: "input", type: "number", "aria-label": "Number to go to", recorded: true,
        oninput: () => { isTyped = true; },
        onblur: () => { isTyped = false; },
        onchange: () => {
            isTyped = false;
            if (number.reportValidity()) move(number.value);
        },
    });
    const last = el("span", {});
    const time = el("time", {});
    const warning = el("p", { class: "notice", role: "note", hidden: true });
    const bar = el(
        "div", { class: "recorded", role: "region", "aria-label": "Recorded run", hidden: true },
        el("strong", {}, "Recorded run"), name, slider,
        el("span", { class: "recorded-place" }, "number ", number, last, time), warning);
    let isMoving = false;
    /** Whether the number is being typed, so that a status that comes meanwhile must not undo it. */
    let isTyped = false;
    let wanted = null;
    /** What is shown, and the number that led there: one change may have given several. */
    let shown = null;
    let asked = null;
    let moveCount = 0;

    function show(run, by = null) {
        if (by !== null || run.sequence !== shown?.sequence) asked = by ?? run.sequence;
        shown = run;
        bar.hidden = false;
        name.title = run.file;
        fill(name, `${run.file.split("/").at(-1)}, read-only`);
        for (const input of [slider, number]) {
            input.min = run.first.sequence;
            input.max = run.last.sequence;
            if (!isMoving && !(isTyped && input === number)) input.value = asked;
        }
        fill(last, ` of ${run.last.sequence},`);
        time.dateTime = time.title = run.time;
        fill(time, moment(run.time));
        warning.hidden = run.differs === null;
        fill(warning, run.differs?.detail);
    }

    /** One call at a time; where the user wants to be by then is the next place. */
    async function move(sequence) {
        wanted = slider.value = number.value = sequence;
        if (isMoving) return;
        isMoving = true;
        let reached = null;
        try {
            while (reached !== wanted) {
                reached = wanted;
                moveCount += 1;
                const run = await api.put("/v1/recorded", { sequence: Number(reached) });
                show(run, Number(reached));
                moved(run);
            }
        } catch (error) {
            toast(error.message, { kind: "error" });
        }
        isMoving = false;
        // Where a move was refused, the fields return to what is shown.
        show(shown);
    }

    return {
        bar,
        /** Tells statuses apart that were asked for before and after a move. */
        get moveCount() { return moveCount; },
        /** Takes what a status says, unless the user has moved meanwhile; returns whether it is another place. */
        take(run, askedAt) {
            if (isMoving || askedAt !== moveCount) return false;
            const isOther = shown !== null && (run.sequence !== shown.sequence || run.time !== shown.time);
            show(run);
            return isOther;
        },
    };
}
