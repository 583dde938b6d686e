"use strict";
// Made by Sources/helpers/generate.py: change that, or what the program says.
const { checked, members, parameters, segment } = require("../documents.js");
const { pageOf, recordOf } = require("../records.js");
const { known } = require("../words.js");

class DeviceCalls {
  /** A new snapshot of the device. */
  async refresh() {
    const answer = await this.control.call("GET", `/v1/devices/${segment(this.id)}`);
    return recordOf("Device", answer, this.control);
  }

  /** Changes the device; stored pushes have been delivered when a change to `online` is answered. */
  async change(options) {
    const rest = checked("change", options, known.device.change);
    const answer = await this.control.call("PATCH", `/v1/devices/${segment(this.id)}`, { body: members(rest) });
    return recordOf("Device", answer, this.control);
  }

  /** Removes the device. */
  async remove() {
    await this.control.call("DELETE", `/v1/devices/${segment(this.id)}`);
  }

  /**
   * What arrives on the device, and what changes on it, as it happens. With `connect` it is online until this is
   * closed; `after` is the id of the last event that is known, 0 for everything in the inbox.
   */
  events(options) {
    const { connect, after } = checked("events", options, known.device.events);
    return this.control.events(`/v1/devices/${segment(this.id)}/stream`, parameters({ connect, lastEventId: after }));
  }

  /** Its apps as they are now. */
  async apps() {
    const answer = await this.control.call("GET", `/v1/devices/${segment(this.id)}/registrations`);
    return answer.items.map((one) => recordOf("Registration", one, this.control));
  }

  /** An app as it is now; `environment` is by default the device's. */
  async app(topic, options) {
    const { environment } = checked("app", options, known.device.app);
    const path = `/v1/devices/${segment(this.id)}/registrations/${segment(topic)}`;
    const answer = await this.control.call("GET", path, { query: parameters({ environment }) });
    return recordOf("Registration", answer, this.control);
  }

  /** Installs an app, or launches it again. */
  async install(topic, options) {
    const rest = checked("install", options, known.device.install);
    await this.control.call("POST", `/v1/devices/${segment(this.id)}/registrations`, {
      body: members({ topic, ...rest }),
    });
    return this.refresh();
  }

  /** Changes an app. */
  async changeApp(topic, options) {
    const { environment, ...rest } = checked("changeApp", options, known.device.changeApp);
    const path = `/v1/devices/${segment(this.id)}/registrations/${segment(topic)}`;
    await this.control.call("PATCH", path, { query: parameters({ environment }), body: members(rest) });
    return this.refresh();
  }

  /** Removes an app; its token is Unregistered from then on. */
  async uninstall(topic, options) {
    const { environment } = checked("uninstall", options, known.device.uninstall);
    const path = `/v1/devices/${segment(this.id)}/registrations/${segment(topic)}`;
    await this.control.call("DELETE", path, { query: parameters({ environment }) });
    return this.refresh();
  }

  /** The arrivals in the order of delivery; with `wait`, once `count` arrived or with `timedOut`. */
  async inbox(options) {
    const {
      q, kind, wait, count, after, order, limit, cursor, ...rest
    } = checked("inbox", options, known.device.inbox);
    const answer = await this.control.call("GET", `/v1/devices/${segment(this.id)}/inbox`, {
      query: parameters({ q, kind, wait, count, after, order, limit, cursor, ...rest }),
    });
    return pageOf("Arrival", answer, this.control);
  }

  /** What the user sees. */
  async screen() {
    const answer = await this.control.call("GET", `/v1/devices/${segment(this.id)}/screen`);
    return recordOf("Screen", answer, this.control);
  }

  /** Opens a notification, or chooses one of its actions, as the user does. */
  async act(notification, action = "default", text) {
    const path = `/v1/devices/${segment(this.id)}/screen/${segment(notification?.sequence ?? notification)}/actions`;
    await this.control.call("POST", path, { body: members({ action, text }) });
  }

  /** Clears a notification, as the user does. */
  async dismiss(notification) {
    const path = `/v1/devices/${segment(this.id)}/screen/${segment(notification?.sequence ?? notification)}`;
    await this.control.call("DELETE", path);
  }

  /** Its Live Activities, newest first, with those that are dismissed. */
  async activities() {
    const answer = await this.control.call("GET", `/v1/devices/${segment(this.id)}/activities`);
    return answer.items.map((one) => recordOf("Activity", one, this.control));
  }

  /** A Live Activity as it is now. */
  async activity(activity) {
    const path = `/v1/devices/${segment(this.id)}/activities/${segment(activity?.id ?? activity)}`;
    const answer = await this.control.call("GET", path);
    return recordOf("Activity", answer, this.control);
  }

  /** Starts a Live Activity as its app does. */
  async startActivity(topic, attributesType, options) {
    const rest = checked("startActivity", options, known.device.startActivity);
    const answer = await this.control.call("POST", `/v1/devices/${segment(this.id)}/activities`, {
      body: members({ topic, attributesType, ...rest }),
    });
    return recordOf("Activity", answer, this.control);
  }

  /** Changes what a Live Activity shows, as its app does. */
  async updateActivity(activity, options) {
    const rest = checked("updateActivity", options, known.device.updateActivity);
    const path = `/v1/devices/${segment(this.id)}/activities/${segment(activity?.id ?? activity)}`;
    const answer = await this.control.call("PATCH", path, { body: members(rest) });
    return recordOf("Activity", answer, this.control);
  }

  /** Ends a Live Activity as its app does, by default with four hours on the lock screen. */
  async endActivity(activity, options) {
    const rest = checked("endActivity", options, known.device.endActivity);
    const path = `/v1/devices/${segment(this.id)}/activities/${segment(activity?.id ?? activity)}`;
    const answer = await this.control.call("PATCH", path, { body: members({ state: "ended", ...rest }) });
    return recordOf("Activity", answer, this.control);
  }

  /** Takes a Live Activity off the screen, as the user does. */
  async dismissActivity(activity) {
    const path = `/v1/devices/${segment(this.id)}/activities/${segment(activity?.id ?? activity)}`;
    await this.control.call("DELETE", path);
  }

  /** Its running Live Activities that follow channels, newest first. */
  async subscriptions() {
    const answer = await this.control.call("GET", `/v1/devices/${segment(this.id)}/subscriptions`);
    return answer.items.map((one) => recordOf("Activity", one, this.control));
  }

  /** Subscribes the device to a channel, by a Live Activity that its app starts. */
  async subscribe(channel, options) {
    const rest = checked("subscribe", options, known.device.subscribe);
    const answer = await this.control.call("POST", `/v1/devices/${segment(this.id)}/subscriptions`, {
      body: members({ channel, ...rest }),
    });
    return recordOf("Activity", answer, this.control);
  }

  /** Dismisses the Live Activities that follow a channel, as the user does; gives how many. */
  async unsubscribe(channel) {
    const path = `/v1/devices/${segment(this.id)}/subscriptions/${segment(channel)}`;
    const answer = await this.control.call("DELETE", path);
    return answer.removed.activities;
  }
}

module.exports = { DeviceCalls };
