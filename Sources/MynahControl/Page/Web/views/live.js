// Keeps something on the page up to date: on events of the server, and now and then, whatever the events say.

/** Events in a burst are answered by one look. */
const burstMilliseconds = 120;
/** While events do not end, there is a look so often: a load test is not to be slowed by who watches it. */
const steadyMilliseconds = 400;
/** After a look that did not succeed, events wait for the next one. */
const failedMilliseconds = 5000;

/**
 * Calls `look(signal)` now, after each event that `concerns(event)`, and every `every` milliseconds while the page can
 * be seen. One look at a time; an event during one leads to another after it. `failed(error)` hears of a look that
 * did not succeed; the next one comes all the same.
 */
export function live(app, { look, concerns = () => true, every = 5000, failed }) {
    let current = null;
    let isWanted = false;
    let isOver = false;
    let held = 0;
    let timer = 0;

    async function now() {
        if (isOver) return;
        if (current || held > 0) {
            isWanted = true;
            return;
        }
        clearTimeout(timer);
        isWanted = false;
        const mine = new AbortController();
        current = mine;
        let pause = every;
        try {
            await look(mine.signal);
            if (isWanted) pause = steadyMilliseconds;
        } catch (error) {
            if (!mine.signal.aborted) failed(error);
            pause = Math.max(every, failedMilliseconds);
        }
        if (current !== mine) return;
        current = null;
        schedule(pause);
    }

    function schedule(delay) {
        clearTimeout(timer);
        timer = setTimeout(() => (document.hidden && !isWanted ? schedule(every) : now()), delay);
    }

    function cancel() {
        clearTimeout(timer);
        current?.abort();
        current = null;
    }

    const unsubscribe = app.events.subscribe((event) => {
        const isGeneral = event.type === "reset" || event.type === "gap";
        if (isWanted || !(isGeneral || concerns(event))) return;
        isWanted = true;
        if (!current && held === 0) schedule(burstMilliseconds);
    });
    const seen = () => {
        if (!document.hidden) now();
    };
    document.addEventListener("visibilitychange", seen);
    now();

    return {
        /** Looks again at once. */
        now,
        /** Does something that changes what is looked at: what was seen before it is not shown after it any more. */
        async during(action) {
            held += 1;
            cancel();
            try {
                return await action();
            } finally {
                held -= 1;
                if (held === 0) now();
            }
        },
        /** Ends it. */
        stop() {
            isOver = true;
            cancel();
            unsubscribe();
            document.removeEventListener("visibilitychange", seen);
        },
    };
}
