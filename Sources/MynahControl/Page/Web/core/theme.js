// Runs before the first paint, so that a chosen theme does not flash; a classic script for that reason.
"use strict";
(() => {
    try {
        const theme = localStorage.getItem("mynah.theme");
        if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    } catch {
        // A browser that keeps nothing for this page follows the system.
    }
})();
