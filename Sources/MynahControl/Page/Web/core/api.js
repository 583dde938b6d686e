// Calls of the control API.

import { currentToken, setToken } from "./token.js";

/** An answer other than 2xx; `problem` is the problem document, possibly incomplete. */
export class ApiError extends Error {
    constructor(status, problem) {
        super(problem.detail || problem.title || `HTTP ${status}`);
        this.name = "ApiError";
        this.status = status;
        this.problem = problem;
    }
}

function address(path, query) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {})) {
        for (const one of Array.isArray(value) ? value : [value]) {
            if (one !== undefined && one !== null) parameters.append(name, one);
        }
    }
    const text = parameters.toString();
    return text ? `${path}?${text}` : path;
}

async function problemOf(response) {
    const fallback = { status: response.status, title: response.statusText || `HTTP ${response.status}` };
    try {
        return { ...fallback, ...(await response.json()) };
    } catch {
        return fallback;
    }
}

/** `askForToken(wasRefused)` resolves to a token; concurrent calls share one question. */
export function makeApi(askForToken) {
    let asking = null;

    async function renewToken(refused) {
        // Another call may have got a new one meanwhile.
        if (currentToken() !== refused) return;
        asking ??= Promise.resolve(askForToken(Boolean(refused))).then(setToken).finally(() => { asking = null; });
        await asking;
    }

    async function send(method, path, { query, body, signal, headers = {} } = {}) {
        for (;;) {
            const token = currentToken();
            const fields = { ...headers };
            if (token) fields.Authorization = `Bearer ${token}`;
            if (body !== undefined) fields["Content-Type"] = "application/json";
            const response = await fetch(address(path, query), {
                method, signal, headers: fields, cache: "no-store", credentials: "omit", redirect: "error",
                body: body === undefined ? undefined : JSON.stringify(body),
            });
            if (response.status === 401) {
                await renewToken(token);
                continue;
            }
            if (!response.ok) throw new ApiError(response.status, await problemOf(response));
            return response;
        }
    }

    async function json(method, path, options) {
        const response = await send(method, path, options);
        const text = await response.text();
        return text ? JSON.parse(text) : null;
    }

    return {
        /** The response itself, for streams. */
        open: (path, options) => send("GET", path, options),
        /** Any call, whose response is read as it is. */
        send,
        text: async (path, options) => (await send("GET", path, options)).text(),
        get: (path, options) => json("GET", path, options),
        post: (path, body, options) => json("POST", path, { ...options, body }),
        put: (path, body, options) => json("PUT", path, { ...options, body }),
        patch: (path, body, options) => json("PATCH", path, { ...options, body }),
        delete: (path, options) => json("DELETE", path, options),
    };
}
