// The control token: from the address into this tab's memory, and nowhere else.

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

/** Keeps a token for as long as the tab lives. */
export function setToken(value) {
    token = value || null;
    try {
        if (token) sessionStorage.setItem(key, token);
        else sessionStorage.removeItem(key);
    } catch {
        // It stays in memory, until the page is loaded again.
    }
}

/** Takes `#token=…` out of the address; what follows `&` is the place to go to: `#token=…&/devices`. */
export function takeTokenFromAddress() {
    const match = /^#token=([^&]*)(?:&#?(.*))?$/.exec(location.hash);
    if (!match) return;
    let value = match[1];
    try {
        value = decodeURIComponent(value);
    } catch {
        // Not encoded: a token may hold a percent sign.
    }
    setToken(value);
    // In place of the entry, so that going back does not show it either.
    history.replaceState(null, "", match[2] ? `#${match[2]}` : location.pathname);
}
