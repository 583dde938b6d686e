// A key pair for a sender of web pushes. The browser makes it, because the server has no use for the private key.
import { el } from "../core/dom.js";
import { refill } from "./refill.js";
import { button, download } from "./parts.js";

/** How a key file is called in the commands that this page shows. */
const file = "key.pem";
const pemLine = /.{1,64}/g;

const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
const base64url = (buffer) => base64(buffer).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** A public key as `subscribe()` takes it, and its private key in PEM. */
async function makeKeyPair() {
    const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]);
    const [point, key] = await Promise.all(
        [crypto.subtle.exportKey("raw", pair.publicKey), crypto.subtle.exportKey("pkcs8", pair.privateKey)]);
    const lines = ["-----BEGIN PRIVATE KEY-----", ...base64(key).match(pemLine), "-----END PRIVATE KEY-----", ""];
    return { publicKey: base64url(point), privateKey: lines.join("\n") };
}

/** A button for those who have no key yet; it calls `made(publicKey)`. */
export function keyMaker(made) {
    const offer = el("div", { "aria-live": "polite" });
    const make = button("Make a key pair", async () => {
        const { publicKey, privateKey } = await makeKeyPair();
        made(publicKey);
        refill(offer, el("div", { class: "notice notice-info" },
            el("span", { class: "grow" }, "Only this page has the private key, until you leave it."),
            button(`Download ${file}`, () => download(file, privateKey), { kind: "small" })));
    });
    // Browsers make keys only at an address that is local or of HTTPS.
    make.hidden = crypto.subtle === undefined;
    return el("div", { class: "stack-s" }, el("div", { class: "row" }, make), offer);
}
