// The route is in the URL's fragment: `#/pushes/4711?q=status:410`.

/** The parts of a fragment: its path and its parameters. */
export function parseHash(hash) {
    const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
    const route = path.split("/").filter(Boolean).map((part) => {
        try {
            return decodeURIComponent(part);
        } catch {
            return part;
        }
    });
    return { route, query: new URLSearchParams(query) };
}

/** A fragment from parts of a path and parameters; empty parameters are left out. */
export function makeHash(route, query = {}) {
    const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value));
    const text = parameters.toString();
    return `#/${route.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
}
