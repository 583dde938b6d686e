// A classic script, which runs before the first paint, so that the other theme doesn't flash.
"use strict";
(() => {
    try {
        const theme = localStorage.getItem("mynah.theme");
        if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    } catch {
        // Without storage the page follows the system.
    }
})();
