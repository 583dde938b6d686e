import type * as keywords from "./types/keywords";
import type * as schemas from "./types/schemas";
import type { Duration, FilterValue, ListFilterValue, PushFilterValue, Time } from "./types/values";
import { ClockCalls, DeviceCalls, FaultCalls, MynahCalls, MynahServerCalls } from "./types/calls";

export type { keywords, schemas, Duration, FilterValue, ListFilterValue, PushFilterValue, Time };

/** A status to answer with its usual reason, a preset or a reason by its name, or the API's object. */
export type Action = number | keywords.Preset | keywords.Reason | schemas.FaultAction;

// Errors

/** The server did not start, does not answer, or refused a call. */
export class MynahError extends Error {}

/** A server did not start; the message has its output. */
export class StartError extends MynahError {}

/** No control API answers at the address, or not one that this package knows. */
export class UnavailableError extends MynahError {}

/** A call with a wrong argument, which was not sent. */
export class ArgumentError extends TypeError {}

/** What was asked for is not there, or is not the only one. */
export class MissingError extends Error {}

/** What a wait expected did not happen in time. */
export class UnmetError extends Error {}

/** An unmet expectation; the message shows the nearest pushes. */
export class ExpectationUnmet extends UnmetError {
  readonly result: ExpectationResult;
}

/** The control API refused a call (`application/problem+json`). */
export class ControlError extends MynahError {
  /** The method and the path. */
  readonly call: string;
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  /** A parameter's name or a member's JSON pointer. */
  readonly field: string | null;
  /** The valid values, if they can be listed. */
  readonly allowed: readonly string[];
}

// The control API

/** What the control API answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** An event of a stream; as `after`, its `id` selects later events. */
export interface Event {
  readonly event: string;
  readonly id: number | null;
  readonly data: any;
}

export type Query = Record<string, unknown> | readonly (readonly [string, string])[];

export interface RequestOptions {
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  /** In milliseconds, for each step: connecting, each part of the answer. */
  timeout?: number;
}

/** The control API of one server; each call has its own connection, so anyone may make it at any time. */
export class ControlAPI {
  /** `token` is the bearer token of a server with `--control-token`. */
  constructor(url: string, options?: { token?: string });

  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly token: string | null;

  /** The JSON of a call that must succeed, or its text if it isn't JSON. */
  call(method: string, path: string, options?: RequestOptions): Promise<any>;

  /** One request, whatever the answer. */
  ask(method: string, path: string, options?: RequestOptions): Promise<Answer>;

  get(path: string, query?: Query): Promise<any>;
  post(path: string, body: unknown, query?: Query): Promise<any>;
  put(path: string, body: unknown, query?: Query): Promise<any>;
  patch(path: string, body: unknown, query?: Query): Promise<any>;
  delete(path: string, query?: Query): Promise<any>;

  /** The events of a stream, as they come; its end closes the connection. */
  events(path: string, query?: Query, options?: { timeout?: number }): AsyncGenerator<Event, void, undefined>;
}

// Records

/** A part of a list, which can be iterated. */
export class Page<Item> implements Iterable<Item> {
  readonly items: readonly Item[];
  /** The number of matches on all pages. */
  readonly matched: number;
  /** The beginning of the next page; null on the last one. */
  readonly nextCursor: string | null;
  /** Whether a wait ended without enough items. */
  readonly timedOut: boolean;
  /** The number of items that were removed to make room. */
  readonly evicted: number;
  /** As `after`, it selects later items. */
  readonly lastSequence: number;
  [Symbol.iterator](): Iterator<Item>;
}

export interface Notification extends Readonly<schemas.Notification> {}

/** A push, accepted or refused, with its outcome. */
export class Notification {
  private constructor();

  /** The first value of a header, by its name in lower case. */
  header(name: string): string | null;
}

/** A push that nearly matched, and why it didn't. */
export interface NearMiss {
  readonly push: Notification;
  readonly differences: readonly { readonly field: string; readonly expected: unknown; readonly actual: unknown }[];
}

/** The result of an expectation; as text like the output of `mynah expect`. */
export class ExpectationResult {
  private constructor();

  readonly met: boolean;
  readonly matched: number;
  /** The first 100 pushes that matched. */
  readonly items: readonly Notification[];
  /** The first step of an order, counted from 0, without a push. */
  readonly failedAt: number | null;
  readonly nearest: readonly NearMiss[];
  readonly hints: readonly string[];
  readonly evicted: number;
  readonly lastSequence: number;

  /** The only push that matched. */
  get push(): Notification;

  toString(): string;
}

export interface Device extends Readonly<Omit<schemas.Device, "activities" | "inbox">> {}

/** A snapshot of a device; methods that change the device give a new one. */
export class Device extends DeviceCalls {
  private constructor();

  /** The answer that it was made of. */
  readonly document: schemas.Device;

  /** The token of its only app; for several, see `tokenOf`. */
  get token(): string;

  /** The present token of an app. */
  tokenOf(topic: string): string;

  /** The arrivals, once there are `count`; an `UnmetError` if that takes longer than `within`. */
  wait(options?: { count?: number; within?: Duration; kind?: schemas.InboxKind }): Promise<Page<schemas.Arrival>>;

  /**
   * Removes the notifications of all apps, or of the app `topic`, as that app or the user does, and gives how many.
   *
   * With `identifiers`, collapse ids or apns-ids, only those.
   */
  clear(options?: { topic?: string; identifiers?: readonly string[] }): Promise<number>;

  /** Sets the number on an app's icon, as the app does; 0 removes it. */
  setBadge(topic: string, badge: number): Promise<void>;
}

export interface Fault extends Readonly<Omit<schemas.Fault, "timedOut">> {}

/** A snapshot of a fault rule. */
export class Fault extends FaultCalls {
  private constructor();

  /** The answer that it was made of. */
  readonly document: schemas.Fault;

  /** The rule once it has fired `hits` times in all; an `UnmetError` if that takes longer than `within`. */
  wait(options?: { hits?: number; within?: Duration }): Promise<Fault>;
}

/** The clock of a scope's devices: storage, expiry, budgets, screens. Trust and connections use the server's. */
export class Clock extends ClockCalls {
  private constructor();

  /** Advances by a duration, to a time, or to `"next"`, the next event due. */
  advance(by: Duration | { to: Time | "next" }): Promise<schemas.ClockReport>;
}

// Servers and scopes

interface Provided {
  /** The host for pushes. */
  readonly host: string;
  /** The port for pushes. */
  readonly port: number;
  /** The URL for pushes: `https://localhost:2197`. */
  readonly apnsUrl: string;
  /** The CA to trust, PEM: the option `ca` of `node:http2`, `node:https` and `node:tls`. */
  readonly ca: string;
  /** A file with the CA. */
  readonly caFile: string;
  /** The development key that signs provider tokens, PEM. */
  readonly signingKey: string;
  /** A file with the development key, an `AuthKey_<KEYID>.p8`. */
  readonly keyFile: string;
  readonly keyId: string;
  readonly teamId: string;
  readonly control: ControlAPI;
}

export type FaultKeywords = keywords.FaultSettings & keywords.FaultOptions & keywords.FaultFilters;

export interface FaultCallOptions {
  match?: Record<string, FilterValue | Record<string, FilterValue>>;
  /** By default the scope's own; null for the whole server. */
  scope?: string | null;
}

export interface Expectation {
  /** By default the scope's own; null for the whole server. */
  scope?: string | null;
  match?: keywords.Filters;
  inOrder?: readonly keywords.Filters[];
  otherThan?: readonly keywords.Filters[];
  count?: number;
  exactly?: number;
  max?: number;
  within?: Duration;
  settle?: Duration;
  after?: number;
}

export interface Mynah extends Provided {}

/** A server, and a scope in it. */
export class Mynah extends MynahCalls {
  private constructor();

  readonly server: MynahServer;
  readonly name: string;

  /** A provider token that the server accepts, for `authorization: bearer …`. */
  providerToken(): Promise<string>;

  /** Makes a device with an app, or with several. */
  device(
    topics: string | readonly string[],
    options?: { online?: boolean } & keywords.DeviceSettings,
  ): Promise<Device>;

  /** Adds a fault rule: `fault("slow", { delay: "5s" })`, `fault(503, { times: 2 })`. */
  fault(action: Action | readonly Action[], options?: FaultCallOptions & FaultKeywords): Promise<Fault>;

  /** Makes a fault rule with this id, in place of the one that has it; otherwise like `fault`. */
  putFault(id: string, action: Action | readonly Action[], options?: FaultCallOptions & FaultKeywords): Promise<Fault>;

  /** Starts a scenario for this scope: one that is part of the program by its name, or one of one's own. */
  startScenario(scenario: string | schemas.ScenarioSpecification): Promise<schemas.Scenario>;

  /** The clock of this scope's devices. */
  get clock(): Clock;

  /** The newest sequence number; as `after`, it selects later pushes. */
  lastSequence(): Promise<number>;

  /** Waits for pushes like `expect`, but gives the result also if it is unmet. */
  check(options?: Expectation & keywords.Filters): Promise<ExpectationResult>;

  /** Waits until pushes match; throws an `ExpectationUnmet` with the nearest pushes if they don't. */
  expect(options?: Expectation & keywords.Filters): Promise<ExpectationResult>;

  /** Waits for `count` pushes that match; gives at most 100 of them, oldest first. Throws like `expect`. */
  wait(
    options?: { scope?: string | null; count?: number; within?: Duration } & keywords.Filters,
  ): Promise<readonly Notification[]>;

  /** Removes everything of this scope; gives how many of each kind. */
  remove(): Promise<Record<string, number>>;
}

export interface MynahServer extends Provided {}

/** A server, for the code under test and its tests; `startServer` and `connect` make one. */
export class MynahServer extends MynahServerCalls {
  private constructor();

  /** The URL of the control API. */
  readonly url: string;

  /** A provider token that the server accepts; it stays the same for 50 minutes of the server's clock. */
  providerToken(): Promise<string>;

  /** `starting`, `ready` or `stopping`, by a probe. */
  probe(name?: "livez" | "healthz" | "readyz"): Promise<schemas.ProbeStatus>;

  /** The server's clock, which all tests share. */
  get clock(): Clock;

  /** The server's log; empty for a server that was not started here. */
  get logLines(): readonly string[];

  /** The server as one test sees it. */
  scope(name: string): Mynah;

  /** All broadcast channels, of an app or an environment; those of providers too, in the order of creation. */
  channels(options?: { bundleId?: string; environment?: schemas.Environment }): Promise<schemas.Channel[]>;

  /** Starts a scenario of the program by its name, or one of one's own, for the whole server or a `scope`. */
  startScenario(scenario: string | schemas.ScenarioSpecification, options?: { scope?: string }): Promise<schemas.Scenario>;

  /** Stops the server if it was started here. */
  close(): Promise<void>;
}

/** A server that was started elsewhere: by `mynah exec`, in a container, by hand. */
export function connect(url: string, options?: { token?: string; host?: string; port?: number }): Promise<MynahServer>;

/** The server at `MYNAH_URL`, which `mynah exec` sets. */
export function connectFromEnvironment(variables?: Record<string, string | undefined>): Promise<MynahServer>;

export interface StartOptions {
  /** The program, by default `MYNAH_BINARY` or `mynah` on the `PATH`. */
  binary?: string;
  /** Where the server keeps its keys, by default a folder that is removed at the end. */
  folder?: string;
  /** Variables `MYNAH_…` for the server. */
  variables?: Record<string, string>;
}

/** Starts a server on free ports, with the flags of `mynah serve`: `{ devices: "strict" }`. */
export function startServer(settings?: StartOptions & keywords.ServerSettings): Promise<MynahServer>;

/** The server of this process' tests: the one at `MYNAH_URL`, or one that is started at the first call. */
export function sharedServer(): Promise<MynahServer>;

/** The context of a test: that of `node:test`, or of Vitest. */
export type TestContext =
  | { readonly name: string; after(end: () => unknown): void }
  | { readonly task: { readonly name: string }; onTestFinished(end: () => unknown): void };

/** A scope of its own for one test, whose context removes it, or with a readable name. */
export function openScope(test?: TestContext | string, options?: { server?: MynahServer }): Promise<Mynah>;
