// One tab of a browser asks for all: a browser has only six connections for all tabs of a server.

const name = "mynah.events";

/**
 * Lets tabs take turns, and send each other messages, which `receive` gets.
 *
 * Browsers without locks or channels, and all of them at an address that is neither local nor of HTTPS, have every tab
 * ask for itself.
 */
export function makeSharing(receive) {
    if (!navigator.locks || !window.BroadcastChannel) {
        return { open() {}, close() {}, send() {}, takeTurn: (_, work) => work() };
    }
    let channel = null;
    return {
        open() {
            channel ??= new BroadcastChannel(name);
            channel.onmessage = ({ data }) => receive(data);
        },
        close() {
            channel?.close();
            channel = null;
        },
        /** Sends a message to the other tabs. */
        send(message) { channel?.postMessage(message); },
        /** Calls `work()` once no other tab is at it; returns without a call if the signal is aborted before. */
        async takeTurn(signal, work) {
            try {
                await navigator.locks.request(name, { signal }, work);
            } catch (error) {
                if (!signal.aborted) throw error;
            }
        },
    };
}
