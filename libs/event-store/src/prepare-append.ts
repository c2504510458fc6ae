import { type Append, type ExpectedRevision, InvalidAppendError, type NewEvent } from './port.js';

/** The same for every store, so that a log can move between them. EventStoreDB allows 1 MiB per append by default. */
export const APPEND_LIMITS = {
  bytes: 1_000_000 + 16_384,
  events: 10_000,
  streamIdBytes: 512,
  typeBytes: 256,
  jsonDepth: 64,
} as const;

export interface PreparedEvent {
  readonly id: string;
  readonly type: string;
  /** JSON text. */
  readonly data: string;
  readonly metadata: string;
}

export interface PreparedAppend {
  readonly streamId: string;
  readonly expectedRevision: ExpectedRevision;
  readonly events: readonly PreparedEvent[];
  readonly bytes: number;
}

const CANONICAL_UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Validates everything that does not depend on the log, and serializes data and metadata.
 * @throws InvalidAppendError
 */
export function prepareAppends(appends: readonly Append[]): PreparedAppend[] {
  const ids = new Set<string>();
  return appends.map((append, index) => prepareAppend(append, `appends[${index}]`, ids));
}

function prepareAppend(append: Append, at: string, ids: Set<string>): PreparedAppend {
  const { streamId, expectedRevision } = append;
  checkName(streamId, APPEND_LIMITS.streamIdBytes, `${at}.streamId`);
  checkExpectedRevision(expectedRevision, `${at}.expectedRevision`);
  if (append.events.length === 0) throw new InvalidAppendError(`${at}.events is empty`);
  if (append.events.length > APPEND_LIMITS.events) {
    throw new InvalidAppendError(`${at}.events has more than ${APPEND_LIMITS.events} events`);
  }
  let bytes = 0;
  const events = append.events.map((event, index) => {
    const prepared = prepareEvent(event, `${at}.events[${index}]`, ids);
    bytes += bytesOf(prepared);
    return prepared;
  });
  if (bytes > APPEND_LIMITS.bytes) {
    throw new InvalidAppendError(`${at} has ${bytes} bytes of events, more than ${APPEND_LIMITS.bytes}`);
  }
  return { streamId, expectedRevision, events, bytes };
}

/** Counted as EventStoreDB does: two bytes per character of the type. */
function bytesOf({ type, data, metadata }: PreparedEvent): number {
  return 2 * type.length + Buffer.byteLength(data) + Buffer.byteLength(metadata);
}

function prepareEvent(event: NewEvent, at: string, ids: Set<string>): PreparedEvent {
  if (!CANONICAL_UUID.test(event.id)) throw new InvalidAppendError(`${at}.id is not a lowercase UUID`);
  if (ids.has(event.id)) throw new InvalidAppendError(`${at}.id is repeated: ${event.id}`);
  ids.add(event.id);
  checkName(event.type, APPEND_LIMITS.typeBytes, `${at}.type`);
  checkObject(event.data, `${at}.data`);
  checkObject(event.metadata, `${at}.metadata`);
  return {
    id: event.id,
    type: event.type,
    data: JSON.stringify(event.data),
    metadata: JSON.stringify(event.metadata),
  };
}

/** A leading $ marks system streams and types in EventStoreDB, which readers of product events never see. */
function checkName(name: string, maxBytes: number, at: string): void {
  if (typeof name !== 'string' || name === '') throw new InvalidAppendError(`${at} is empty`);
  if (name.startsWith('$')) throw new InvalidAppendError(`${at} starts with $`);
  checkText(name, at);
  if (Buffer.byteLength(name) > maxBytes)
    throw new InvalidAppendError(`${at} is longer than ${maxBytes} bytes`);
}

function checkExpectedRevision(expected: ExpectedRevision, at: string): void {
  if (expected === 'any' || expected === 'no-stream') return;
  if (!Number.isSafeInteger(expected) || expected < 0)
    throw new InvalidAppendError(`${at} is not a revision`);
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

/** PostgreSQL text cannot hold NUL, nor UTF-8 a lone surrogate: such an event could be stored but never projected. */
function checkText(text: string, at: string): void {
  if (text.includes('\u0000')) throw new InvalidAppendError(`${at} contains a NUL character`);
  if (!text.isWellFormed()) throw new InvalidAppendError(`${at} contains a lone surrogate`);
}

function checkObject(value: unknown, at: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidAppendError(`${at} is not an object`);
  }
  checkJson(value, { at }, 1);
}

/** Path of a value, formatted only for an error message. */
interface JsonPath {
  readonly at: string | number;
  readonly parent?: JsonPath;
}
const pathOf = ({ at, parent }: JsonPath): string => {
  if (parent === undefined) return String(at);
  return typeof at === 'number' ? `${pathOf(parent)}[${at}]` : `${pathOf(parent)}.${at}`;
};

function checkJson(value: unknown, path: JsonPath, depth: number): void {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') {
    if (!isStorable(value)) checkText(value, pathOf(path));
    return;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || value === 0) checkNumber(value, pathOf(path));
    return;
  }
  if (typeof value !== 'object')
    throw new InvalidAppendError(`${pathOf(path)} is ${typeof value}, which JSON cannot hold`);
  if (depth > APPEND_LIMITS.jsonDepth) {
    throw new InvalidAppendError(`${pathOf(path)} is nested deeper than ${APPEND_LIMITS.jsonDepth}`);
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      checkJson(value[index], { at: index, parent: path }, depth + 1);
    return;
  }
  checkPlain(value, path);
  for (const [key, member] of Object.entries(value)) {
    if (!isStorable(key)) checkText(key, `a key of ${pathOf(path)}`);
    checkJson(member, { at: key, parent: path }, depth + 1);
  }
}

function checkNumber(value: number, at: string): void {
  if (!Number.isFinite(value)) throw new InvalidAppendError(`${at} is ${value}, which JSON cannot hold`);
  if (Object.is(value, -0)) throw new InvalidAppendError(`${at} is -0, which JSON would turn into 0`);
}

/** Dates, Maps and the like would not survive a round trip. */
function checkPlain(value: object, path: JsonPath): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain || 'toJSON' in value)
    throw new InvalidAppendError(`${pathOf(path)} is not a plain JSON object`);
}
