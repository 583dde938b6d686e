// The pushes that match the search, newest first: loaded in pages as far as somebody scrolls, and kept up to date.

import { rowOf } from "./summary.js";

const firstPage = 200;
const page = 1000;
/** How many pages of news are fetched before the feed begins anew with the newest. */
const newsPages = 5;
/** Rows that are kept; with more, the feed begins anew. */
const rowsMax = 50_000;
/** Rows that are held back while the feed is paused; of further ones only the number is kept. */
const heldMax = 5000;
/** Between two looks for news: what comes within it is shown together. */
const lookPause = 120;
const changePause = 1000;
/** Keys whose answer may change after a push was received. */
const changingKeys = /(?:^|\s)-?(?:outcome|shown|status|reason|fault):/;

export class Feed {
    #app;
    #tell;
    #abort = new AbortController();
    #last = 0;
    #cursor = null;
    #look = null;
    #reload = null;
    #isLooking = false;
    #isLoadingOlder = false;
    #telling = null;
    /** Whether there is more to show than what is held: the feed begins anew when it goes on. */
    #isStale = false;

    query = "";
    rows = [];
    /** What arrived while the feed was paused, newest first, as far as it is kept. */
    held = [];
    heldCount = 0;
    isPaused = false;
    isLoaded = false;
    /** How many match, whether loaded or not. */
    matched = 0;
    evicted = 0;
    /** The problem with the search, or with the connection, or null. */
    problem = null;

    /** `tell({added, isNew})`: `added` rows were put in front, or, with `isNew`, everything is different. */
    constructor(app, tell) {
        this.#app = app;
        this.#tell = tell;
    }

    get hasOlder() { return this.#cursor !== null; }

    #ask(parameters) {
        return this.#app.api.get("/v1/notifications", {
            query: { q: this.query || undefined, ...parameters }, signal: this.#abort.signal,
        });
    }

    /** Begins anew, with another search or the same. */
    async load(query = this.query) {
        this.#abort.abort();
        const abort = this.#abort = new AbortController();
        this.query = query;
        try {
            const answer = await this.#ask({ limit: firstPage, order: "desc" });
            if (abort.signal.aborted) return;
            this.rows = answer.items.map(rowOf);
            this.held = [];
            this.heldCount = 0;
            this.#isStale = false;
            this.#cursor = answer.nextCursor;
            this.#last = answer.lastSequence;
            this.matched = answer.matched;
            this.evicted = answer.evicted;
            this.problem = null;
            this.isLoaded = true;
            this.#tell({ added: 0, isNew: true });
        } catch (error) {
            if (abort.signal.aborted) return;
            this.problem = error;
            this.#tell({ added: 0, isNew: false });
        }
    }

    /** Loads what is older than the rows; resolves to whether there was any. */
    async loadOlder() {
        if (this.#cursor === null || this.#isLoadingOlder) return false;
        this.#isLoadingOlder = true;
        const abort = this.#abort;
        try {
            const answer = await this.#ask({ limit: page, order: "desc", cursor: this.#cursor });
            if (abort.signal.aborted) return false;
            this.rows.push(...answer.items.map(rowOf));
            this.#cursor = answer.nextCursor;
            this.evicted = answer.evicted;
            this.#tell({ added: 0, isNew: false });
            return true;
        } catch (error) {
            if (abort.signal.aborted) return false;
            // 410: what would come next was evicted meanwhile. There is nothing older any more.
            if (error.status === 410) this.#cursor = null;
            else this.problem = error;
            this.#tell({ added: 0, isNew: false });
            return false;
        } finally {
            this.#isLoadingOlder = false;
        }
    }

    /** Looks for what is newer than the newest. */
    async #lookForNews() {
        if (!this.isLoaded) return;
        if (this.#isLooking) {
            this.#scheduleLook();
            return;
        }
        this.#isLooking = true;
        const abort = this.#abort;
        try {
            const found = [];
            const evictedBefore = this.evicted;
            for (let round = 0; ; round += 1) {
                if (round === newsPages || (this.rows.length > rowsMax && !this.isPaused)) {
                    if (!this.isPaused) {
                        await this.load();
                        return;
                    }
                    this.#scheduleLook();
                    break;
                }
                const answer = await this.#ask({ after: this.#last, limit: page });
                if (abort.signal.aborted) return;
                found.push(...answer.items.map(rowOf));
                this.evicted = answer.evicted;
                this.#last = answer.nextCursor ? answer.items.at(-1).sequence : answer.lastSequence;
                if (!answer.nextCursor) break;
            }
            this.problem = null;
            // Which of the matches went, a search cannot tell; without one, it is the oldest.
            const gone = this.query ? 0 : this.evicted - evictedBefore;
            this.#put(found.reverse(), gone);
        } catch (error) {
            if (abort.signal.aborted) return;
            this.problem = error;
            this.#tell({ added: 0, isNew: false });
        } finally {
            this.#isLooking = false;
        }
    }

    #put(found, gone) {
        this.matched = Math.max(0, this.matched + found.length - gone);
        if (this.isPaused) {
            this.heldCount += found.length;
            if (this.heldCount > heldMax) this.#isStale = true;
            else this.held.unshift(...found);
            this.#tell({ added: 0, isNew: false });
        } else {
            this.rows.unshift(...found);
            if (gone > 0) this.rows.length = Math.min(this.rows.length, this.matched);
            this.#tell({ added: found.length, isNew: false });
        }
    }

    #scheduleLook() {
        this.#look ??= setTimeout(() => {
            this.#look = null;
            this.#lookForNews();
        }, lookPause);
    }

    #scheduleReload() {
        this.#reload ??= setTimeout(() => {
            this.#reload = null;
            this.#reloadOrWait();
        }, changePause);
    }

    #reloadOrWait() {
        if (this.isPaused) this.#isStale = true;
        else this.load();
    }

    /** Takes note of an event of the server's. */
    note({ type, id, data }) {
        // A gap with an id is one in the stream of events alone: the journal still has what it told of.
        if (type === "notification" || (type === "gap" && id !== null)) {
            this.#scheduleLook();
        } else if (type === "outcome") {
            if (changingKeys.test(this.query)) this.#scheduleReload();
            else this.#change(data);
        } else if (type === "gap" || type === "reset") {
            this.#reloadOrWait();
        }
    }

    #change(push) {
        if (!Array.isArray(push.warnings)) return;
        for (const rows of [this.rows, this.held]) {
            const index = indexOf(rows, push.sequence);
            if (index < 0) continue;
            rows[index] = rowOf(push);
            // Outcomes come by the thousand when a clock is advanced.
            this.#telling ??= setTimeout(() => {
                this.#telling = null;
                this.#tell({ added: 0, isNew: false });
            }, lookPause);
        }
    }

    /** Holds back what arrives, or shows what was held back. */
    setPaused(isPaused) {
        this.isPaused = isPaused;
        if (!isPaused && this.#isStale) {
            this.load();
            return;
        }
        const { held } = this;
        this.held = [];
        this.heldCount = 0;
        if (!isPaused) this.rows.unshift(...held);
        this.#tell({ added: isPaused ? 0 : held.length, isNew: false });
    }

    close() {
        this.#abort.abort();
        clearTimeout(this.#look);
        clearTimeout(this.#reload);
        clearTimeout(this.#telling);
    }
}

/** Where a push is in rows that go down from the newest, or -1. */
export function indexOf(rows, sequence) {
    let low = 0;
    let high = rows.length - 1;
    while (low <= high) {
        const middle = (low + high) >> 1;
        const found = rows[middle].sequence;
        if (found === sequence) return middle;
        if (found > sequence) low = middle + 1;
        else high = middle - 1;
    }
    return -1;
}
