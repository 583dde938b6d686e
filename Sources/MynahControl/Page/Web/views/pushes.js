// The feed of pushes, and the details of one push beside or instead of it.

import { el, fill, icon } from "../core/dom.js";
import { count, plural } from "../core/format.js";
import { handshakeNotice } from "../core/handshakes.js";
import { makeHash } from "../core/router.js";
import { isTyping } from "../core/shell.js";
import { makeComposer, newPushRoute } from "../pushes/compose.js";
import { makeDetail } from "../pushes/detail.js";
import { firstSteps, noMatch } from "../pushes/empty.js";
import { Feed } from "../pushes/feed.js";
import { makeList } from "../pushes/list.js";
import { makeSearch, rememberValues } from "../pushes/search.js";
import { download } from "./parts.js";

const announcePause = 2000;
const downloadPage = 1000;
/** Quick filters; each is a part of the line in the search box. */
const quickFilters = [
    { name: "Refused", term: "outcome:refused" },
    { name: "Shown", term: "shown:true" },
    { name: "Waiting", term: "outcome:stored outcome:deferred" },
];

const withoutTerm = (line, term) => term.split(" ")
    .reduce((rest, part) => rest.split(" ").filter((word) => word !== part).join(" "), line).trim();
const hasTerm = (line, term) => term.split(" ").every((part) => line.split(" ").includes(part));

class PushesView {
    constructor(root, app) {
        this.app = app;
        this.root = root;
        this.feed = new Feed(app, (change) => this.show(change));
        this.list = makeList({
            choose: (sequence) => this.open(sequence),
            reachEnd: () => this.feed.loadOlder(),
            moveAway: (isAway) => this.showNews(isAway),
            isNew: app.news.isNew,
        });
        this.detail = makeDetail(app, {
            close: () => this.close(), step: (by) => this.step(by), remove: (sequence) => this.remove(sequence),
        });
        this.composer = makeComposer(app, { close: () => this.close() });
        this.search = makeSearch({
            search: (line) => this.searchFor(line), leave: () => this.list.element.focus(),
        });
        this.unseen = 0;
        this.isAway = false;
        this.announced = 0;
        this.build();
        this.unsubscribe = app.events.subscribe((event) => {
            this.feed.note(event);
            this.detail.note(event);
        });
        this.unsubscribeNews = app.news.subscribe(() => this.list.renew());
        this.onKey = (event) => this.key(event);
        document.addEventListener("keydown", this.onKey);
        this.route();
    }

    build() {
        this.pauseButton = el("button", {
            class: "btn", type: "button", title: "Pause (p)", onclick: () => this.pause(),
        });
        this.clearButton = el("button", {
            class: "btn", type: "button", onclick: () => this.clear(), "aria-label": "Clear the journal",
        }, icon("trash"), el("span", { class: "btn-word" }, "Clear"));
        this.newLink = el("a", {
            class: "btn btn-primary", title: "Send a push (n)", "aria-label": "Send a push", recorded: false,
        }, icon("send"), el("span", { class: "btn-word" }, "Send"));
        this.chips = quickFilters.map(({ name, term }) => el("button", {
            class: "btn btn-small", type: "button", "aria-pressed": "false", title: term,
            onclick: () => this.toggle(term), recorded: true,
        }, name));
        this.counts = el("p", { class: "feed-counts muted tabular" });
        this.downloadButton = el("button", {
            class: "btn btn-small btn-quiet", type: "button", "aria-label": "Download the pushes as JSON lines",
            title: "Download as JSON lines", onclick: () => this.download(), recorded: true,
        }, icon("download"));
        this.notifyButton = el("button", {
            class: "btn btn-small btn-quiet", type: "button", "aria-label": "Notifications of this browser",
            onclick: () => this.toggleNotifications(), hidden: !this.app.news.canNotify,
        }, icon("bell"));
        this.announcer = el("p", { class: "visually-hidden", role: "status", "aria-live": "polite" });
        this.evicted = el("p", { class: "notice", role: "note", hidden: true });
        this.news = el("button", {
            class: "btn btn-primary btn-small news", type: "button", hidden: true, onclick: () => this.list.toTop(),
        });
        this.empty = el("div", { class: "feed-empty", hidden: true });
        this.feedElement = el("section", { class: "feed", "aria-label": "Feed" },
            el("div", { class: "feed-bar" },
                el("div", { class: "row", role: "group", "aria-label": "Quick filters" }, this.chips),
                el("div", { class: "row" }, this.counts, this.notifyButton, this.downloadButton)),
            this.evicted,
            el("div", { class: "feed-body" }, this.news, this.list.element, this.empty),
            this.announcer);
        this.root.classList.add("pushes");
        fill(this.root,
            el("h1", { class: "visually-hidden" }, "Pushes"),
            el("div", { class: "view-head" }, this.search.element, this.pauseButton, this.clearButton, this.newLink),
            el("div", { class: "split" }, this.feedElement, this.detail.element, this.composer.element));
        this.showPause();
        this.showNotifications();
    }

    /** Follows the address: the search, and the push that is open. */
    route() {
        const query = this.app.query.get("q") ?? "";
        const id = this.app.route[1] ?? "";
        const number = /^\d+$/.test(id) ? Number(id) : null;
        const isNew = id === newPushRoute;
        if (id && number === null && !isNew) this.find(id);
        if (query !== this.feed.query) {
            this.search.set(query);
            this.feed.load(query);
        }
        const hadDetail = this.detail.sequence !== null || this.composer.isOpen;
        this.root.classList.toggle("has-detail", number !== null || isNew);
        this.root.classList.toggle("has-composer", isNew);
        if (isNew) this.composer.open(this.app.query);
        else this.composer.clear();
        this.newLink.href = makeHash(["pushes", newPushRoute], { q: query });
        if (number !== null) {
            if (number !== this.detail.sequence) this.detail.open(number);
            this.list.setCursor(number);
            this.app.news.markSeen(number);
        } else {
            this.detail.clear();
            if (hadDetail && !isNew) this.list.element.focus({ preventScroll: true });
        }
        this.app.news.setTitle(isNew ? "Send a push · Mynah"
            : number === null ? "Pushes · Mynah" : `Push ${number} · Mynah`);
        this.showChips();
    }

    /** Opens the push of an apns-id in the address. */
    async find(id) {
        try {
            const { route } = this.app;
            const { sequence } = await this.app.api.get(`/v1/notifications/${encodeURIComponent(id)}`);
            // The user may have left the view meanwhile.
            if (route !== this.app.route) return;
            this.app.replace(["pushes", String(sequence)], { q: this.app.query.get("q") });
            this.route();
        } catch (error) {
            this.app.toast(error.message, { kind: "error" });
        }
    }

    show(change) {
        const { feed } = this;
        const hasProblem = feed.problem?.status === 400;
        this.search.showProblem(hasProblem ? feed.problem.message : null);
        if (change.isNew) this.unseen = 0;
        if (change.isNew || change.added) rememberValues(change.isNew ? feed.rows : feed.rows.slice(0, change.added));
        if (this.isAway) this.unseen += change.added;
        this.list.update(feed.rows, feed.matched, change);
        const total = plural(feed.matched, feed.query ? "match" : "push", feed.query ? "matches" : "pushes");
        this.counts.textContent = feed.isLoaded ? total : "";
        this.evicted.hidden = !feed.evicted;
        if (feed.evicted) {
            const number = plural(feed.evicted, "older push", "older pushes");
            this.evicted.textContent =
                `${number} evicted to make room; --retain and --retain-bytes set the limits.`;
        }
        const isEmpty = feed.isLoaded && !feed.rows.length;
        const kind = isEmpty ? `${feed.query}|` : null;
        if (kind !== this.emptyKind) {
            this.emptyKind = kind;
            this.handshakes?.stop();
            this.handshakes = isEmpty && !feed.query ? handshakeNotice(this.app) : null;
            if (!isEmpty) fill(this.empty);
            else if (feed.query) fill(this.empty, noMatch(feed.query, () => this.setQuery("")));
            else fill(this.empty, this.handshakes.element, firstSteps(this.app));
        }
        this.empty.hidden = !isEmpty;
        this.list.element.hidden = isEmpty;
        if (change.isNew && this.detail.sequence !== null) this.list.setCursor(this.detail.sequence);
        this.showPause();
        this.showNews(this.isAway);
        this.announce(total);
    }

    /** Announces the count to screen readers, but not at every change. */
    announce(total) {
        clearTimeout(this.announcing);
        this.announcing = setTimeout(() => { this.announcer.textContent = total; }, announcePause);
    }

    showNews(isAway) {
        this.isAway = isAway;
        if (!isAway) this.unseen = 0;
        this.news.hidden = !this.unseen;
        if (this.unseen) this.news.textContent = `${plural(this.unseen, "new push", "new pushes")} ↑`;
    }

    showPause() {
        const { isPaused, heldCount } = this.feed;
        const text = isPaused ? (heldCount ? `Resume · ${count(heldCount)} new` : "Resume") : "Pause";
        this.pauseButton.setAttribute("aria-pressed", String(isPaused));
        this.pauseButton.setAttribute("aria-label", text);
        fill(this.pauseButton, icon(isPaused ? "play" : "pause"), el("span", { class: "btn-word" }, text));
    }

    showChips() {
        for (const [index, chip] of this.chips.entries()) {
            chip.setAttribute("aria-pressed", String(hasTerm(this.feed.query, quickFilters[index].term)));
        }
    }

    toggle(term) {
        const line = this.search.value;
        this.setQuery(hasTerm(line, term) ? withoutTerm(line, term) : `${line} ${term}`.trim());
    }

    setQuery(line) {
        this.search.set(line);
        this.searchFor(line);
    }

    searchFor(line) {
        if (line === this.feed.query) return;
        this.app.replace(this.app.route.length ? this.app.route : ["pushes"], { q: line });
        this.feed.load(line);
        this.showChips();
    }

    pause() { this.feed.setPaused(!this.feed.isPaused); }

    async clear() {
        const { query, matched } = this.feed;
        const what = query ? `the ${plural(matched, "push that matches", "pushes that match")}` : "every push";
        const isSure = await this.app.confirm(
            query ? "Clear matching pushes?" : "Clear the journal?",
            `This removes ${what} from the journal, for everyone using this server. Devices keep what they received.`,
            { action: "Clear" });
        if (!isSure) return;
        try {
            const { removed } = await this.app.api.delete("/v1/notifications", { query: { q: query || undefined } });
            this.app.toast(`Removed ${plural(removed.notifications, "push", "pushes")}.`);
            this.close();
            this.feed.load();
        } catch (error) {
            this.app.toast(error.message, { kind: "error" });
        }
    }

    async remove(sequence) {
        const isSure = await this.app.confirm(
            `Remove push ${sequence}?`,
            "This removes it from the journal, for everyone using this server. Its device keeps what it received.",
            { action: "Remove" });
        if (!isSure) return;
        try {
            await this.app.api.delete(`/v1/notifications/${sequence}`);
            this.app.toast(`Removed push ${sequence}.`);
            this.close();
            this.feed.load();
        } catch (error) {
            this.app.toast(error.message, { kind: "error" });
        }
    }

    async toggleNotifications() {
        try {
            await this.app.news.setOn(!this.app.news.isOn);
        } catch (error) {
            this.app.toast(error.message, { kind: "error" });
        }
        this.showNotifications();
    }

    showNotifications() {
        const { isOn } = this.app.news;
        this.notifyButton.setAttribute("aria-pressed", String(isOn));
        this.notifyButton.title = isOn ? "Tells of new pushes while you are elsewhere"
            : "Tell of new pushes while I am elsewhere";
    }

    /** Saves all pushes of the search, oldest first, one on each line. */
    async download() {
        this.downloadButton.disabled = true;
        try {
            const lines = [];
            let cursor;
            do {
                const query = { q: this.feed.query || undefined, limit: downloadPage, cursor };
                const headers = { Accept: "application/x-ndjson" };
                const answer = await this.app.api.open("/v1/notifications", { query, headers });
                lines.push(await answer.text());
                cursor = answer.headers.get("Mynah-Next-Cursor");
            } while (cursor);
            download("mynah-journal.jsonl", lines, "application/x-ndjson");
        } catch (error) {
            this.app.toast(error.message, { kind: "error" });
        }
        this.downloadButton.disabled = false;
    }

    open(sequence) { this.app.navigate(makeHash(["pushes", String(sequence)], { q: this.feed.query })); }

    close() {
        if (this.detail.sequence === null && !this.composer.isOpen) return;
        this.app.navigate(makeHash(["pushes"], { q: this.feed.query }));
    }

    /** Moves to a neighbour, and opens it if a push is open. */
    step(by) {
        const { rows } = this.feed;
        const cursor = this.list.cursor;
        const at = cursor === null ? -1 : rows.findIndex((row) => row.sequence === cursor);
        const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + by))];
        if (!next) return;
        this.list.setCursor(next.sequence);
        if (this.detail.sequence === null) return;
        // Going back leads to the list, not through every push on the way.
        this.app.replace(["pushes", String(next.sequence)], { q: this.feed.query });
        this.route();
    }

    key(event) {
        if (isTyping(event)) return;
        const inList = event.target === this.list.element;
        const actions = {
            "/": () => this.search.focus(),
            j: () => this.step(1),
            k: () => this.step(-1),
            p: () => this.pauseButton.click(),
            n: () => this.app.navigate(this.newLink.getAttribute("href")),
            Escape: () => this.close(),
        };
        if (inList) {
            actions.ArrowDown = actions.j;
            actions.ArrowUp = actions.k;
            actions.Home = () => this.step(-Infinity);
            actions.End = () => this.step(Infinity);
        }
        if (inList || event.target === document.body) {
            actions.Enter = () => { if (this.list.cursor !== null) this.open(this.list.cursor); };
        }
        const action = actions[event.key];
        if (!action) return;
        event.preventDefault();
        action();
    }

    cleanup() {
        this.unsubscribe();
        this.unsubscribeNews();
        this.handshakes?.stop();
        document.removeEventListener("keydown", this.onKey);
        clearTimeout(this.announcing);
        this.search.close();
        this.feed.close();
        this.detail.clear();
        this.composer.clear();
        this.list.close();
    }
}

export default {
    id: "pushes",
    title: "Pushes",
    shortcuts: [
        { keys: ["/"], text: "Search" },
        { keys: ["j", "k"], text: "Older, newer" },
        { keys: ["Enter"], text: "Open" },
        { keys: ["Esc"], text: "Close the push" },
        { keys: ["p"], text: "Pause, resume", recorded: false },
        { keys: ["n"], text: "Send a push", recorded: false },
    ],
    mount(root, app) {
        const view = new PushesView(root, app);
        return { route: () => view.route(), cleanup: () => view.cleanup() };
    },
};
