/** Stops the server of `mynah/global-setup`: `globalTeardown: "mynah/global-teardown"` in the settings of Jest. */
"use strict";
module.exports = require("./globalSetup.js").teardown;
