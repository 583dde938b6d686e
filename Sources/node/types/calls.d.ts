// Made by Sources/helpers/generate.py: change that, or what the program says.
// The calls that are one request each.
import type { Device, Event, Fault, Notification, Page } from "../index";
import type * as keywords from "./keywords";
import type * as schemas from "./schemas";
import type { Time } from "./values";

export declare abstract class MynahCalls {
  /** Makes many devices of a kind, with numbers behind `id`; gives the first 1,000. */
  addDevices(
    id: string,
    count: number,
    topics: string | readonly string[],
    options?: keywords.DeviceSettings,
  ): Promise<Page<Device>>;

  /** Makes a device with this id, in place of the one that has it. */
  putDevice(id: string, topics: string | readonly string[], options?: keywords.DeviceSettings): Promise<Device>;

  /** The device with this id, in whatever scope; an error with status 404 for an unknown one. */
  findDevice(id: string): Promise<Device>;

  /** The devices by filters: by id, or by `sort`. */
  devices(
    options?: {
      scope?: string | null;
      sort?: schemas.DeviceSort;
      after?: string;
      order?: schemas.Order;
      limit?: number;
      cursor?: string;
    } & keywords.DeviceFilters,
  ): Promise<Page<Device>>;

  /** Changes all devices, or those of a user, as a device's `change` does one; gives how many. */
  changeDevices(user: string | null, options?: { scope?: string | null } & keywords.DeviceChanges): Promise<number>;

  /** Removes devices by filters; gives how many. */
  removeDevices(options?: { scope?: string | null } & keywords.DeviceFilters): Promise<number>;

  /** Starts a Live Activity on each device of this scope, or of a `user` in it, as `startActivity` does on one. */
  startActivities(
    topic: string,
    attributesType: string,
    options?: { user?: string | readonly string[] } & keywords.ActivitySettings,
  ): Promise<schemas.StartedActivities>;

  /** Dismisses the Live Activities of this scope, of a `user` in it, or on a `channel`; gives how many. */
  dismissActivities(
    options?: { user?: string | readonly string[]; channel?: string | readonly string[] },
  ): Promise<number>;

  /** The rule with this id, in whatever scope; an error with status 404 for an unknown one. */
  findFault(id: string): Promise<Fault>;

  /** The rules in force by filters. */
  faults(
    options?: {
      scope?: string | null;
      order?: schemas.Order;
      limit?: number;
      cursor?: string;
    } & keywords.FaultListFilters,
  ): Promise<Page<Fault>>;

  /** Removes rules by filters; gives how many. */
  removeFaults(options?: { scope?: string | null } & keywords.FaultListFilters): Promise<number>;

  /** Ends a scenario of this scope, and removes its rules; gives how many of each kind. */
  removeScenario(name: string): Promise<Record<string, number>>;

  /** Sends a push to a device or a channel over TLS and HTTP/2, as a provider does, and gives its answer. */
  send(options?: keywords.PushSettings): Promise<schemas.SentNotification>;

  /** The pushes in the journal by filters, oldest first; with `wait`, once `count` match or with `timedOut`. */
  notifications(
    options?: {
      scope?: string | null;
      q?: string;
      wait?: schemas.Duration;
      count?: number;
      after?: number;
      order?: schemas.Order;
      limit?: number;
      cursor?: string;
    } & keywords.ListFilters,
  ): Promise<Page<Notification>>;

  /** A push by its sequence number, its apns-id (the latest one that has it) or its apns-unique-id. */
  notification(id: string | number): Promise<Notification>;

  /** Removes a push, by what `notification` takes; an error with status 404 if the journal hasn't got it. */
  removeNotification(id: string | number): Promise<void>;

  /** Removes pushes from the journal by filters; gives how many. */
  removeNotifications(options?: { scope?: string | null; q?: string } & keywords.ListFilters): Promise<number>;

  /** What happens, as it happens, by filters and kinds (`event`); with `after` later events than this come first. */
  events(
    options?: {
      scope?: string | null;
      q?: string;
      event?: schemas.StreamEventsEvent | readonly schemas.StreamEventsEvent[];
      after?: number;
    } & keywords.ListFilters,
  ): AsyncGenerator<Event, void, undefined>;
}

export declare abstract class MynahServerCalls {
  /** What it is and does: version, ports, clock, counts. */
  status(): Promise<schemas.Status>;

  /** Its counters, in Prometheus's text format. */
  metrics(): Promise<string>;

  /** The OpenAPI document of the control API. */
  openapi(): Promise<schemas.OpenAPI>;

  /** The paths of the control API. */
  index(): Promise<schemas.Index>;

  /** What is there now, or in a `scope`, as a document for `mynah serve --fixtures`. */
  fixtures(options?: { scope?: schemas.Scope }): Promise<schemas.Fixtures>;

  /** The CA, and the development key with its ids. */
  credentials(): Promise<schemas.Credentials>;

  /** The CA, PEM. */
  certificateAuthority(): Promise<string>;

  /**
   * Returns to the state of the start, of everything or of some kinds (`only`), or of a `scope`; gives how many of
   * each kind were removed.
   */
  reset(options?: keywords.ResetSettings): Promise<Record<string, number>>;

  /** The scopes in use. */
  scopes(options?: { order?: schemas.Order; limit?: number; cursor?: string }): Promise<Page<schemas.ScopeUse>>;

  /** The fleets of devices, of all scopes. */
  fleets(options?: { order?: schemas.Order; limit?: number; cursor?: string }): Promise<Page<schemas.Fleet>>;

  /** Creates a broadcast channel, as a provider does, but with an `id` of one's choice if that is given. */
  createChannel(bundleId: string, options?: keywords.ChannelSettings): Promise<schemas.Channel>;

  /** One broadcast channel. */
  channel(id: string): Promise<schemas.Channel>;

  /** Deletes a broadcast channel: a broadcast to it is ChannelNotRegistered from then on. */
  deleteChannel(id: string): Promise<schemas.Channel>;

  /** Deletes all broadcast channels; gives how many. */
  deleteChannels(): Promise<number>;

  /** The keys of provider tokens that the server accepts, and those that were revoked. */
  keys(options?: { order?: schemas.Order; limit?: number; cursor?: string }): Promise<Page<schemas.AddedKey>>;

  /** One key. */
  key(keyId: string): Promise<schemas.AddedKey>;

  /** Adds a key; without a `publicKey` or `privateKey`, a new one, whose `privateKey` is in the answer. */
  addKey(options?: keywords.KeySettings): Promise<schemas.AddedKey>;

  /** Adds a key with this id, or replaces the one that has it. */
  putKey(keyId: string, options?: keywords.KeySettings): Promise<schemas.AddedKey>;

  /** Revokes a key: its tokens are InvalidProviderToken from then on. */
  revokeKey(keyId: string): Promise<schemas.AddedKey>;

  /** The provider certificates that the server issued. */
  certificates(
    options?: { order?: schemas.Order; limit?: number; cursor?: string },
  ): Promise<Page<schemas.IssuedCertificate>>;

  /** One provider certificate. */
  certificate(serialNumber: string): Promise<schemas.IssuedCertificate>;

  /** Issues a provider certificate for topics, with its private key. */
  issueCertificate(
    topics: string | readonly string[],
    options?: keywords.CertificateSettings,
  ): Promise<schemas.IssuedCertificate>;

  /** Revokes a provider certificate: a handshake with it fails from then on. */
  revokeCertificate(serialNumber: string): Promise<schemas.IssuedCertificate>;

  /** The open connections of providers by filters; with `wait`, once `count` match or with `timedOut`. */
  connections(
    options?: {
      wait?: schemas.Duration;
      count?: number;
      order?: schemas.Order;
      limit?: number;
      cursor?: string;
    } & keywords.ConnectionFilters,
  ): Promise<Page<schemas.Connection>>;

  /** One open connection, by the number that pushes have as `connection`. */
  connection(id: number): Promise<schemas.Connection>;

  /** Closes a connection with GOAWAY, or with `abort` resets it. */
  closeConnection(connection: number | Pick<schemas.Connection, "id">, options?: { abort?: boolean }): Promise<void>;

  /** The newest connections that ended before their first request, and why. */
  failedHandshakes(
    options?: { order?: schemas.Order; limit?: number; cursor?: string },
  ): Promise<Page<schemas.FailedHandshake>>;

  /** The latest connections of providers that have closed. */
  closedConnections(
    options?: { order?: schemas.Order; limit?: number; cursor?: string },
  ): Promise<Page<schemas.ClosedConnection>>;

  /** The scenarios that run, all or those of a `scope`, or with `shipped` those that are part of the program. */
  scenarios(
    options?: {
      shipped?: boolean;
      scope?: schemas.Scope;
      order?: schemas.Order;
      limit?: number;
      cursor?: string;
    },
  ): Promise<Page<schemas.Scenario>>;

  /** A scenario that runs, for the whole server or in a `scope`. */
  scenario(name: string, options?: { scope?: schemas.Scope }): Promise<schemas.Scenario>;

  /** Ends a scenario, and removes its rules; gives how many of each kind. */
  removeScenario(name: string, options?: { scope?: schemas.Scope }): Promise<Record<string, number>>;

  /** Ends all scenarios, or those of a `scope`, and removes their rules; gives how many of each kind. */
  removeScenarios(options?: { scope?: schemas.Scope }): Promise<Record<string, number>>;

  /** The device tokens and channels that are always answered the same. */
  magicTokens(options?: { order?: schemas.Order; limit?: number; cursor?: string }): Promise<Page<schemas.MagicToken>>;
}

export declare abstract class DeviceCalls {
  /** A new snapshot of the device. */
  refresh(): Promise<Device>;

  /** Changes the device; stored pushes have been delivered when a change to `online` is answered. */
  change(options?: keywords.DeviceChanges): Promise<Device>;

  /** Removes the device. */
  remove(): Promise<void>;

  /**
   * What arrives on the device, and what changes on it, as it happens. With `connect` it is online until this is
   * closed; `after` is the id of the last event that is known, 0 for everything in the inbox.
   */
  events(options?: { connect?: boolean; after?: number }): AsyncGenerator<Event, void, undefined>;

  /** Its apps as they are now. */
  apps(): Promise<readonly schemas.Registration[]>;

  /** An app as it is now; `environment` is by default the device's. */
  app(topic: string, options?: { environment?: schemas.Environment }): Promise<schemas.Registration>;

  /** Installs an app, or launches it again. */
  install(topic: string, options?: keywords.AppSettings): Promise<Device>;

  /** Changes an app. */
  changeApp(topic: string, options?: { environment?: schemas.Environment } & keywords.AppChanges): Promise<Device>;

  /** Removes an app; its token is Unregistered from then on. */
  uninstall(topic: string, options?: { environment?: schemas.Environment }): Promise<Device>;

  /** The arrivals in the order of delivery; with `wait`, once `count` arrived or with `timedOut`. */
  inbox(
    options?: {
      q?: string;
      kind?: schemas.InboxKind | readonly schemas.InboxKind[];
      wait?: schemas.Duration;
      count?: number;
      after?: number;
      order?: schemas.Order;
      limit?: number;
      cursor?: string;
    } & keywords.InboxFilters,
  ): Promise<Page<schemas.Arrival>>;

  /** What the user sees. */
  screen(): Promise<schemas.Screen>;

  /** Opens a notification, or chooses one of its actions, as the user does. */
  act(
    notification: number | Pick<schemas.ScreenNotification, "sequence">,
    action?: string,
    text?: string,
  ): Promise<void>;

  /** Clears a notification, as the user does. */
  dismiss(notification: number | Pick<schemas.ScreenNotification, "sequence">): Promise<void>;

  /** Its Live Activities, newest first, with those that are dismissed. */
  activities(): Promise<readonly schemas.LiveActivity[]>;

  /** A Live Activity as it is now. */
  activity(activity: string | Pick<schemas.LiveActivity, "id">): Promise<schemas.LiveActivity>;

  /** Starts a Live Activity as its app does. */
  startActivity(
    topic: string,
    attributesType: string,
    options?: keywords.ActivitySettings,
  ): Promise<schemas.LiveActivity>;

  /** Changes what a Live Activity shows, as its app does. */
  updateActivity(
    activity: string | Pick<schemas.LiveActivity, "id">,
    options?: keywords.ActivityChanges,
  ): Promise<schemas.LiveActivity>;

  /** Ends a Live Activity as its app does, by default with four hours on the lock screen. */
  endActivity(
    activity: string | Pick<schemas.LiveActivity, "id">,
    options?: keywords.ActivityChanges,
  ): Promise<schemas.LiveActivity>;

  /** Takes a Live Activity off the screen, as the user does. */
  dismissActivity(activity: string | Pick<schemas.LiveActivity, "id">): Promise<void>;

  /** Its running Live Activities that follow channels, newest first. */
  subscriptions(): Promise<readonly schemas.LiveActivity[]>;

  /** Subscribes the device to a channel, by a Live Activity that its app starts. */
  subscribe(channel: string, options?: keywords.SubscriptionSettings): Promise<schemas.LiveActivity>;

  /** Dismisses the Live Activities that follow a channel, as the user does; gives how many. */
  unsubscribe(channel: string): Promise<number>;
}

export declare abstract class FaultCalls {
  /** A new snapshot of the rule. */
  refresh(): Promise<Fault>;

  /** Changes members of the rule; gives the changed rule. */
  change(options?: keywords.FaultChanges): Promise<Fault>;

  /** Removes the rule. */
  remove(): Promise<void>;
}

export declare abstract class ClockCalls {
  /** The present time. */
  now(): Promise<Date>;

  /** `real`, `offset` or `frozen`. */
  mode(): Promise<string>;

  /** Freezes the clock, now or at a time. */
  freeze(at?: Time): Promise<schemas.ClockReport>;

  /** Lets the clock run again from its present time. */
  run(): Promise<schemas.ClockReport>;
}
