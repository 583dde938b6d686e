"use strict";
// Made by Sources/helpers/generate.py: change that, or what the program says.
const { LIST_MAX, checked, members, parameters, scopeOf, segment, withApps } = require("../documents.js");
const { pageOf, recordOf } = require("../records.js");
const { known } = require("../words.js");

class MynahCalls {
  /** Makes many devices of a kind, with numbers behind `id`; gives the first 1,000. */
  async addDevices(id, count, topics, options) {
    const rest = checked("addDevices", options, known.scope.addDevices);
    const answer = await this.control.call("POST", "/v1/devices", {
      body: members({ scope: this.name, id, count, ...withApps(topics, rest) }),
    });
    return pageOf("Device", answer, this.control);
  }

  /** Makes a device with this id, in place of the one that has it. */
  async putDevice(id, topics, options) {
    const rest = checked("putDevice", options, known.scope.putDevice);
    const answer = await this.control.call("PUT", `/v1/devices/${segment(id)}`, {
      body: members({ scope: this.name, ...withApps(topics, rest) }),
    });
    return recordOf("Device", answer, this.control);
  }

  /** The device with this id, in whatever scope; an error with status 404 for an unknown one. */
  async findDevice(id) {
    const answer = await this.control.call("GET", `/v1/devices/${segment(id)}`);
    return recordOf("Device", answer, this.control);
  }

  /** The devices by filters: by id, or by `sort`. */
  async devices(options) {
    const {
      scope, sort, after, order, limit = LIST_MAX, cursor, ...rest
    } = checked("devices", options, known.scope.devices);
    const answer = await this.control.call("GET", "/v1/devices", {
      query: parameters({ scope: scopeOf(this.name, scope), sort, after, order, limit, cursor, ...rest }),
    });
    return pageOf("Device", answer, this.control);
  }

  /** Changes all devices, or those of a user, as a device's `change` does one; gives how many. */
  async changeDevices(user, options) {
    const { scope, ...rest } = checked("changeDevices", options, known.scope.changeDevices);
    const answer = await this.control.call("PATCH", "/v1/devices", {
      query: parameters({ scope: scopeOf(this.name, scope), user: user ?? undefined }),
      body: members(rest),
    });
    return answer.changed.devices;
  }

  /** Removes devices by filters; gives how many. */
  async removeDevices(options) {
    const { scope, ...rest } = checked("removeDevices", options, known.scope.removeDevices);
    const answer = await this.control.call("DELETE", "/v1/devices", {
      query: parameters({ scope: scopeOf(this.name, scope), ...rest }),
    });
    return answer.removed.devices;
  }

  /** Starts a Live Activity on each device of this scope, or of a `user` in it, as `startActivity` does on one. */
  async startActivities(topic, attributesType, options) {
    const { user, ...rest } = checked("startActivities", options, known.scope.startActivities);
    const answer = await this.control.call("POST", "/v1/activities", {
      query: parameters({ scope: this.name, user }),
      body: members({ topic, attributesType, ...rest }),
    });
    return answer;
  }

  /** Dismisses the Live Activities of this scope, of a `user` in it, or on a `channel`; gives how many. */
  async dismissActivities(options) {
    const { user, channel } = checked("dismissActivities", options, known.scope.dismissActivities);
    const answer = await this.control.call("DELETE", "/v1/activities", {
      query: parameters({ scope: this.name, user, channel }),
    });
    return answer.removed.activities;
  }

  /** The rule with this id, in whatever scope; an error with status 404 for an unknown one. */
  async findFault(id) {
    const answer = await this.control.call("GET", `/v1/faults/${segment(id)}`);
    return recordOf("Fault", answer, this.control);
  }

  /** The rules in force by filters. */
  async faults(options) {
    const { scope, order, limit = LIST_MAX, cursor, ...rest } = checked("faults", options, known.scope.faults);
    const answer = await this.control.call("GET", "/v1/faults", {
      query: parameters({ scope: scopeOf(this.name, scope), order, limit, cursor, ...rest }),
    });
    return pageOf("Fault", answer, this.control);
  }

  /** Removes rules by filters; gives how many. */
  async removeFaults(options) {
    const { scope, ...rest } = checked("removeFaults", options, known.scope.removeFaults);
    const answer = await this.control.call("DELETE", "/v1/faults", {
      query: parameters({ scope: scopeOf(this.name, scope), ...rest }),
    });
    return answer.removed.faults;
  }

  /** Ends a scenario of this scope, and removes its rules; gives how many of each kind. */
  async removeScenario(name) {
    const answer = await this.control.call("DELETE", `/v1/scenarios/${segment(name)}`, {
      query: parameters({ scope: this.name }),
    });
    return answer.removed;
  }

  /** Sends a push to a device or a channel over TLS and HTTP/2, as a provider does, and gives its answer. */
  async send(options) {
    const rest = checked("send", options, known.scope.send);
    const answer = await this.control.call("POST", "/v1/notifications", { body: members(rest) });
    return recordOf("SentNotification", answer, this.control);
  }

  /** The pushes in the journal by filters, oldest first; with `wait`, once `count` match or with `timedOut`. */
  async notifications(options) {
    const {
      scope, q, wait, count, after, order, limit = LIST_MAX, cursor, ...rest
    } = checked("notifications", options, known.scope.notifications);
    const answer = await this.control.call("GET", "/v1/notifications", {
      query: parameters({ scope: scopeOf(this.name, scope), q, wait, count, after, order, limit, cursor, ...rest }),
    });
    return pageOf("Notification", answer, this.control);
  }

  /** A push by its sequence number, its apns-id (the latest one that has it) or its apns-unique-id. */
  async notification(id) {
    const answer = await this.control.call("GET", `/v1/notifications/${segment(id)}`);
    return recordOf("Notification", answer, this.control);
  }

  /** Removes a push, by what `notification` takes; an error with status 404 if the journal hasn't got it. */
  async removeNotification(id) {
    await this.control.call("DELETE", `/v1/notifications/${segment(id)}`);
  }

  /** Removes pushes from the journal by filters; gives how many. */
  async removeNotifications(options) {
    const { scope, q, ...rest } = checked("removeNotifications", options, known.scope.removeNotifications);
    const answer = await this.control.call("DELETE", "/v1/notifications", {
      query: parameters({ scope: scopeOf(this.name, scope), q, ...rest }),
    });
    return answer.removed.notifications;
  }

  /** What happens, as it happens, by filters and kinds (`event`); with `after` later events than this come first. */
  events(options) {
    const { scope, q, event, after, ...rest } = checked("events", options, known.scope.events);
    return this.control.events("/v1/events", parameters({ scope: scopeOf(this.name, scope), q, event, after, ...rest }));
  }
}

module.exports = { MynahCalls };
