// Keeps something on the page up to date: on events of the server, and now and then, whatever the events say.

/** Events in a burst are answered by one look. */
const burstMilliseconds = 120;
/** While events do not end, there is a look so often at most. */
const steadyMilliseconds = 400;
/** And the longer a look takes, the more seldom: a load test is not to be slowed by who watches it. */
const steadyFactor = 20;
const steadyMax = 2000;
/** So long after a look that did not succeed there is another one. */
const failedMilliseconds = 5000;

/**
 * Calls `look(signal)` as soon as events are told, after each event that `concerns(event)`, and every `every`
 * milliseconds while the page can be seen. `failed(error)` hears of a look that did not succeed.
 *
 * Nothing is missed: events are told before the first look asks for anything; there is one look at a time, and an event
 * during one, whose answers may have been given before it, leads to another look. A look throws once its signal is
 * aborted, before it shows anything.
 */
export function live(app, { look, concerns = () => true, every = 5000, failed }) {
    let current = null;
    let isWanted = false;
    let isReady = false;
    let isOver = false;
    let held = 0;
    let timer = 0;

    async function now() {
        if (!isReady || isOver) return;
        if (current || held > 0) {
            isWanted = true;
            return;
        }
        clearTimeout(timer);
        isWanted = false;
        const mine = new AbortController();
        current = mine;
        let pause = every;
        const began = performance.now();
        try {
            await look(mine.signal);
            if (isWanted) pause = steadyPause(performance.now() - began);
        } catch (error) {
            if (!mine.signal.aborted) failed(error);
            pause = failedMilliseconds;
        }
        if (current !== mine) return;
        current = null;
        schedule(pause);
    }

    function steadyPause(took) {
        return Math.min(Math.max(took * steadyFactor, steadyMilliseconds), steadyMax);
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
        const isGeneral = event.type === "reset" || event.type === "gap" || event.type === "news";
        if (isWanted || !(isGeneral || concerns(event))) return;
        isWanted = true;
        if (!current && held === 0) schedule(burstMilliseconds);
    });
    const seen = () => {
        if (!document.hidden) now();
    };
    document.addEventListener("visibilitychange", seen);
    app.events.opened.then(() => {
        isReady = true;
        now();
    });

    return {
        /** Looks again at once. */
        now,
        /** Looks again at once, for something else: a look that is under way comes to nothing. */
        restart() {
            cancel();
            now();
        },
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
