// The control token: taken from the URL, or asked for by api.js, which sends it; kept for this tab only.

const key = "mynah.token";
let token = read();

function read() {
    try {
        return sessionStorage.getItem(key);
    } catch {
        return null;
    }
}

export function currentToken() {
    return token;
}

/** Keeps a token for the life of the tab. */
export function setToken(value) {
    token = value || null;
    try {
        if (token) sessionStorage.setItem(key, token);
        else sessionStorage.removeItem(key);
    } catch {
        // It stays in memory until the page is reloaded.
    }
}

/** Removes `#token=…` from the URL; what follows `&` is the route: `#token=…&/devices`. */
export function takeTokenFromAddress() {
    const match = /^#token=([^&]*)(?:&#?(.*))?$/.exec(location.hash);
    if (!match) return;
    let value = match[1];
    try {
        value = decodeURIComponent(value);
    } catch {
        // Not encoded: a token may contain a percent sign.
    }
    setToken(value);
    // Replaces the history entry, so that going back doesn't show it either.
    history.replaceState(null, "", match[2] ? `#${match[2]}` : location.pathname);
}
