// The pushes that match the search, newest first: loaded in pages as the user scrolls, and kept up to date.

import { live } from "../core/live.js";
import { filterKeys } from "../made/filters.js";
import { rowOf } from "./summary.js";

const firstPage = 200;
const page = 1000;
/** Up to this many new pushes are loaded page by page; beyond that the feed is reloaded. */
const newsMax = 5000;
/** The most rows that are kept; beyond that the feed is reloaded. */
const rowsMax = 50_000;
/** How often to update without an event. */
const refreshPause = 60_000;
/** Advancing a clock changes thousands of outcomes: those within this time are shown together. */
const outcomePause = 120;
/** Keys whose values may change after a push was received. */
const changingKeys = new RegExp(
    `(?:^|\\s)-?(?:${filterKeys.filter(({ changes }) => changes).map(({ key }) => key).join("|")})~?:`);

/**
 * `live` decides when to update. An update reloads everything if the rows are of another search or if anything other
 * than new pushes has happened since; otherwise it loads what is newer than the rows.
 */
export class Feed {
    #app;
    #tell;
    #watch = null;
    /** The search that the rows belong to; undefined before the first one. */
    #shownQuery;
    /** The number of changes other than new pushes, and how many of them the rows reflect. */
    #changes = 0;
    #shownChanges = 0;
    /** The sequence numbers up to which the rows, and `heldCount`, are complete. */
    #last = 0;
    #counted = 0;
    /** Where older rows begin, `{cursor, isAsked}`, or null. */
    #end = null;
    /** For each pending call, the rows that have changed since it was made, by sequence number. */
    #questions = new Set();
    #closing = new AbortController();
    #telling = null;
    /** Whether more than `newsMax` pushes came at the last update. */
    #isFlooded = false;

    /** The search; null before the first one. */
    query = null;
    rows = [];
    isPaused = false;
    /** How many arrived while the feed was paused. */
    heldCount = 0;
    /** How many match, whether loaded or not. */
    matched = 0;
    evicted = 0;
    /** The error of the last update, or null. */
    problem = null;

    /** Calls `tell({added, isNew})`: `added` rows were put in front, or, with `isNew`, everything was replaced. */
    constructor(app, tell) {
        this.#app = app;
        this.#tell = tell;
    }

    /** Whether the rows belong to the current search. */
    get isLoaded() { return this.#shownQuery === this.query; }

    /** Reloads, with another search or the same. */
    load(query = this.query) {
        this.query = query;
        this.#shownQuery = undefined;
        this.#end = null;
        this.problem = null;
        if (this.#watch) {
            this.#watch.restart();
            return;
        }
        this.#watch = live(this.#app, {
            refresh: (signal) => this.#refresh(signal),
            concerns: ({ type }) => type === "notification" || (type === "outcome" && this.#dependsOnOutcomes),
            every: refreshPause,
            failed: (error) => {
                this.problem = error;
                this.#tell({ added: 0, isNew: false });
            },
        });
    }

    async #refresh(signal) {
        // A search that was refused would be refused again.
        if (this.problem?.status === 400) return;
        const isCurrent = this.#shownChanges === this.#changes;
        if (!this.isLoaded || !(isCurrent || this.isPaused)) await this.#begin(signal);
        else if (this.isPaused) await this.#countNews(signal);
        else await this.#takeNews(signal);
    }

    /** Calls `take(answer, rows)`, with the rows' changes since the call was made. */
    async #ask(parameters, signal, take) {
        const changed = new Map();
        this.#questions.add(changed);
        try {
            const answer = await this.#app.api.get("/v1/notifications", {
                query: { q: this.query || undefined, ...parameters }, signal,
            });
            signal.throwIfAborted();
            this.problem = null;
            take(answer, answer.items.map((item) => changed.get(item.sequence) ?? rowOf(item)));
        } finally {
            this.#questions.delete(changed);
        }
    }

    async #begin(signal) {
        const changes = this.#changes;
        await this.#ask({ limit: firstPage, order: "desc" }, signal, (answer, rows) => {
            this.#shownQuery = this.query;
            this.#shownChanges = changes;
            this.#last = this.#counted = answer.lastSequence;
            this.#end = endOf(answer);
            this.rows = rows;
            this.heldCount = 0;
            this.matched = answer.matched;
            this.evicted = answer.evicted;
            this.#tell({ added: 0, isNew: true });
        });
    }

    /** Loads what is newer than the rows. */
    async #takeNews(signal) {
        let isBehind = true;
        let isTooMuch = false;
        // In a flood loading a full first page would be wasted each time.
        for (let limit = this.#isFlooded ? 1 : firstPage; isBehind && !isTooMuch; limit = page) {
            await this.#ask({ after: this.#last, limit }, signal, (answer, rows) => {
                isTooMuch = this.#isFlooded = answer.matched > newsMax;
                if (isTooMuch) return;
                isBehind = answer.nextCursor !== null;
                this.#last = isBehind ? answer.items.at(-1).sequence : answer.lastSequence;
                this.#put(rows.reverse(), answer.evicted);
            });
        }
        if (isTooMuch || this.rows.length > rowsMax) await this.#begin(signal);
    }

    #put(found, evicted) {
        // With a search it is unknown which matches were evicted; without one, it is the oldest.
        const gone = this.query ? 0 : evicted - this.evicted;
        this.evicted = evicted;
        this.matched = Math.max(0, this.matched - gone) + found.length;
        this.rows.unshift(...found);
        if (gone > 0) this.rows.length = Math.min(this.rows.length, this.matched);
        this.#tell({ added: found.length, isNew: false });
    }

    async #countNews(signal) {
        await this.#ask({ after: this.#counted, limit: 1 }, signal, (answer) => {
            this.#counted = answer.lastSequence;
            this.heldCount += answer.matched;
            this.#tell({ added: 0, isNew: false });
        });
    }

    /** Loads what is older than the rows. */
    async loadOlder() {
        const end = this.#end;
        if (!end || end.isAsked) return;
        end.isAsked = true;
        try {
            const older = { limit: page, order: "desc", cursor: end.cursor };
            await this.#ask(older, this.#closing.signal, (answer, rows) => {
                // The rows may have been replaced meanwhile.
                if (this.#end !== end) return;
                this.#end = endOf(answer);
                this.rows.push(...rows);
                this.#tell({ added: 0, isNew: false });
            });
        } catch (error) {
            end.isAsked = false;
            // 410: the next page was evicted meanwhile, so there is nothing older.
            if (error.status === 410 && this.#end === end) this.#end = null;
        }
    }

    /** Takes an event into account, whether it leads to an update or not. */
    note({ type, data }) {
        if (type === "gap" || (type === "reset" && data.only.includes("notifications"))) this.#changes += 1;
        if (type !== "outcome") return;
        if (this.#dependsOnOutcomes) this.#changes += 1;
        else this.#change(rowOf(data));
    }

    get #dependsOnOutcomes() { return changingKeys.test(this.query); }

    #change(row) {
        for (const changed of this.#questions) changed.set(row.sequence, row);
        const index = indexOf(this.rows, row.sequence);
        if (index < 0) return;
        this.rows[index] = row;
        this.#telling ??= setTimeout(() => {
            this.#telling = null;
            this.#tell({ added: 0, isNew: false });
        }, outcomePause);
    }

    /** Holds back what arrives, or shows what was held back. */
    setPaused(isPaused) {
        this.isPaused = isPaused;
        this.heldCount = 0;
        this.#counted = this.#last;
        this.#watch?.restart();
        this.#tell({ added: 0, isNew: false });
    }

    close() {
        this.#watch?.stop();
        this.#closing.abort();
        clearTimeout(this.#telling);
    }
}

/** Where the page after this one begins. */
function endOf({ nextCursor }) {
    return nextCursor === null ? null : { cursor: nextCursor, isAsked: false };
}

/** The index of a push in rows with the newest first, or -1. */
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
