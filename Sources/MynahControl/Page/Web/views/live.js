// Keeps something on the page up to date: on events of the server, and now and then, whatever the events say.

/** Events in a burst are answered by one look. */
const burstMilliseconds = 120;

/**
 * Calls `look(signal)` now, after each event that `concerns(event)`, and every `every` milliseconds while the page can
 * be seen. One look at a time; an event during one leads to another after it. `failed(error)` hears of a look that
 * did not succeed; the next one comes all the same.
 */
export function live(app, { look, concerns = () => true, every = 5000, failed }) {
    const abort = new AbortController();
    let isLooking = false;
    let isWanted = false;
    let timer = 0;

    async function now() {
        if (abort.signal.aborted) return;
        if (isLooking) {
            isWanted = true;
            return;
        }
        clearTimeout(timer);
        timer = 0;
        isLooking = true;
        isWanted = false;
        try {
            await look(abort.signal);
        } catch (error) {
            if (!abort.signal.aborted) failed(error);
        }
        isLooking = false;
        if (!abort.signal.aborted) schedule(isWanted ? burstMilliseconds : every);
    }

    function schedule(delay) {
        clearTimeout(timer);
        timer = setTimeout(() => (document.hidden && !isWanted ? schedule(every) : now()), delay);
    }

    const unsubscribe = app.events.subscribe((event) => {
        const isGeneral = event.type === "reset" || event.type === "gap";
        if (!isGeneral && !concerns(event)) return;
        if (isLooking || isWanted) {
            isWanted = true;
            return;
        }
        isWanted = true;
        schedule(burstMilliseconds);
    });
    const seen = () => {
        if (!document.hidden) now();
    };
    document.addEventListener("visibilitychange", seen);
    now();

    return {
        /** Looks again at once. */
        now,
        /** Ends it. */
        stop() {
            abort.abort();
            clearTimeout(timer);
            unsubscribe();
            document.removeEventListener("visibilitychange", seen);
        },
    };
}
