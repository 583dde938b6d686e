"use strict";
const { Clock } = require("./lib/clock.js");
const { ControlAPI } = require("./lib/control.js");
const { Device } = require("./lib/device.js");
const {
  ArgumentError, ControlError, ExpectationUnmet, MissingError, MynahError, StartError, UnavailableError, UnmetError,
} = require("./lib/errors.js");
const { ExpectationResult } = require("./lib/expectations.js");
const { Fault } = require("./lib/fault.js");
const { Notification, Page } = require("./lib/records.js");
const { Mynah } = require("./lib/scope.js");
const { MynahServer } = require("./lib/server.js");
const { connect, connectFromEnvironment, startServer } = require("./lib/starting.js");
const { openScope, sharedServer } = require("./lib/testing.js");

module.exports = {
  ArgumentError,
  Clock,
  ControlAPI,
  ControlError,
  Device,
  ExpectationResult,
  ExpectationUnmet,
  Fault,
  MissingError,
  Mynah,
  MynahError,
  MynahServer,
  Notification,
  Page,
  StartError,
  UnavailableError,
  UnmetError,
  connect,
  connectFromEnvironment,
  openScope,
  sharedServer,
  startServer,
};
