// The clocks of the server and of scopes: their time and mode, and advancing them.
import { el } from "../core/dom.js";
import { refill } from "./refill.js";
import { live } from "../core/live.js";
import { button, choice, empty, field, form, head, select, sentence } from "./parts.js";
import { count, dateFormat, localTime, presentTime } from "./words.js";

const steps = ["1s", "1m", "15m", "1h", "1d", "30d"];
const reportsMax = 20;
const modes = [["real", "Real"], ["offset", "Offset"], ["frozen", "Frozen"]];
const modeTexts = {
    real: "Follows the system clock.",
    offset: "Runs at normal speed, ahead of the system clock.",
    frozen: "Stands still until you advance it. Waiting in tests uses real time, so nothing hangs.",
};
const recordedText = "Stands still: the run was recorded.";
const timeFormat = dateFormat("en-GB", { timeStyle: "medium" });
const dayFormat = dateFormat("en-GB", { dateStyle: "full" });

/** The API has no days in durations: a day becomes 24 hours. */
function duration(text) {
    return text.trim().replace(/^(\d+)d/, (_, days) => `${Number(days) * 24}h`);
}

function mount(root, app) {
    let clock = null;
    let readAt = 0;
    const reports = [];

    const scope = select("Clock of", [["", "the server"]], () => { clock = null; watch.restart(); }, { recorded: true });
    const time = el("p", { class: "v-clock-time" });
    const day = el("p", { class: "muted" });
    const exact = el("p", { class: "faint small mono" });
    const mode = choice("Mode", modes,
        (value) => act("Set", () => app.api.put("/v1/clock", body({ mode: value })), value));
    const says = el("p", { class: "field-hint" });
    const note = el("p", { class: "field-error", role: "alert" });
    const unread = el("p", { class: "field-error", role: "alert" });
    const report = el("ol", { class: "v-reports" });
    const by = field("By", { placeholder: "1h30m", required: true }, "250ms, 5s, 1h30m, 2d");
    const to = field("To", { type: "datetime-local", step: "1", required: true }, "In your time zone, not in the past");
    const byForm = form([{ field: by, pointer: "/by" }], "Advance",
        () => advance({ by: duration(by.input.value) }, `by ${by.input.value}`));
    const toForm = form([{ field: to, pointer: "/to" }], "Set", () => {
        const wanted = new Date(to.input.value).toISOString();
        return advance({ to: wanted }, `to ${localTime(wanted)}`);
    });
    const quick = el("div", { class: "row" }, steps.map((step) =>
        button(`+${step}`, () => act("", () => advance({ by: duration(step) }, `by ${step}`)),
            { name: `Advance by ${step}` })),
    button("To the next event", () => act("", () => advance({ to: "next" }, "to the next event")),
        { kind: "primary" }));

    root.append(
        head("Clock", el("div", { class: "v-inline" }, scope)),
        el("div", { class: "view-body" }, el(
            "div", { class: "v-single stack" },
            el("section", { class: "panel v-clock" },
                el("div", { class: "v-clock-face" }, time, day, exact, unread),
                el("div", { class: "stack-s" }, mode, says)),
            el("section", { class: "panel", recorded: false },
                el("div", { class: "panel-head" }, el("h2", {}, "Advance")),
                el("div", { class: "panel-body stack" }, quick, note,
                    el("div", { class: "v-clock-forms" }, byForm, toForm))),
            el("section", { class: "v-section", "aria-live": "polite", recorded: false }, el("h2", {}, "Advances"), report))));
    drawReports();

    function body(members) {
        return scope.input.value ? { ...members, scope: scope.input.value } : members;
    }

    async function advance(members, words) {
        noteReport(await watch.during(() => app.api.post("/v1/clock/advance", body(members))), `Advanced ${words}`);
    }

    /** Runs an action outside a form, and shows its error below the buttons. */
    async function act(word, call, value) {
        note.textContent = "";
        try {
            const answer = await watch.during(call);
            if (answer) noteReport(answer, `${word} ${value}`);
        } catch (error) {
            note.textContent = sentence(error);
            if (clock) mode.set(clock.mode);
        }
    }

    function noteReport(answer, words) {
        note.textContent = "";
        reports.unshift({ ...answer, words, scope: scope.input.value, key: performance.now() });
        reports.splice(reportsMax);
        show(answer);
        drawReports();
    }

    function drawReports() {
        if (reports.length === 0) {
            refill(report, el("li", {}, empty(
                "Nothing yet",
                "Freeze the clock and advance it. Everything that becomes due happens before the call answers: "
                    + "stored pushes expire, deferred pushes arrive, tokens age.")));
            return;
        }
        refill(report, reports.map((one) => el(
            "li", { class: "panel v-report" },
            el("strong", {}, one.words), one.scope ? el("span", { class: "chip" }, `scope ${one.scope}`) : null,
            el("span", { class: "faint small" }, localTime(one.now)),
            el("span", { class: "v-report-counts" }, [
                el("span", { class: `chip ${one.delivered ? "chip-good" : ""}` },
                    `${one.delivered.toLocaleString("en-US")} delivered`),
                el("span", { class: `chip ${one.expired ? "chip-warn" : ""}` },
                    `${one.expired.toLocaleString("en-US")} expired`),
                el("span", { class: `chip ${one.coalesced ? "chip-info" : ""}` },
                    `${one.coalesced.toLocaleString("en-US")} coalesced`),
            ]))));
    }

    function show(next) {
        clock = next;
        readAt = Date.now();
        mode.set(clock.mode);
        says.textContent = app.isRecorded ? recordedText : modeTexts[clock.mode] ?? "";
        tick();
    }

    function tick() {
        if (!clock) return;
        const now = presentTime(app, clock, readAt);
        time.textContent = timeFormat.format(now);
        day.textContent = dayFormat.format(now);
        exact.textContent = clock.mode === "frozen" || app.isRecorded ? clock.now : new Date(now).toISOString().replace(/\.\d+Z/, "Z");
        if (!to.input.value && document.activeElement !== to.input) to.input.min = localInput(now);
    }

    const watch = live(app, {
        every: 5000,
        concerns: (event) => event.type === "clock" || event.type === "device",
        async refresh(signal) {
            const chosen = scope.input.value;
            const [next, scopes] = await Promise.all([
                app.api.get("/v1/clock", { query: chosen ? { scope: chosen } : {}, signal }),
                app.api.get("/v1/scopes", { signal }),
            ]);
            unread.textContent = "";
            const options = [
                ["", "the server"],
                ...scopes.items.map((one) => [one.name, `${one.name} (${count(one.devices, "device")})`]),
            ];
            if (chosen && !scopes.items.some((one) => one.name === chosen)) options.push([chosen, chosen]);
            if (document.activeElement !== scope.input) {
                refill(scope.input, options.map(([value, title]) => el("option", { value }, title)));
                scope.set(chosen);
            }
            show(next);
        },
        failed: (error) => (unread.textContent = sentence(error)),
    });
    const clockwork = setInterval(tick, 250);
    return () => {
        clearInterval(clockwork);
        watch.stop();
    };
}

/** A time in the format of a datetime-local field. */
function localInput(time) {
    const date = new Date(time);
    return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

export default { id: "clock", title: "Clock", mount };
