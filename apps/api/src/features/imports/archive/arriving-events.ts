import {
  DomainError,
  entryOf,
  type EventType,
  formatMentions,
  mention,
  REPORT_REASONS,
  requireText,
  MAX_TITLE_LENGTH,
  upcast,
  visibleText,
} from '@nimo/domain';
import type { Json, JsonObject } from '@nimo/event-store';
import { validate } from 'uuid';
import { acceptedBody } from '../../../platform/rich-text/accepted-body.js';
import { isKept } from '../../space-archive/kept-events.js';
import { keyAt, locationOf } from '../../uploads/picture-access.js';
import { ImportError } from '../dump-row.js';

/** What an event of the archive becomes here. */
export interface ArrivingEvent {
  readonly streamId: string;
  readonly type: EventType;
  readonly data: JsonObject;
  readonly occurredAt: string;
  /** A student of the archive, by the id there. */
  readonly by: string | null;
}

export interface Arrival {
  /** The space by its id in the archive. */
  readonly spaceId: string;
  /** What it is called here. */
  readonly spaceName: string;
  /** The id here of something with that id there. */
  idOf(id: string): string;
  /** Pictures that come along, by their keys there. */
  readonly pictures: ReadonlySet<string>;
  /** The key here of a picture with that key there. */
  keyOf(key: string): string;
}

/** Names of streams that a space has: what stands behind them are ids, and of topics a slug. */
const STREAM =
  /^(?:space|topic|membership|question|answer|comment|vote|moderation|case|bookmark|newspost|reaction)-[\da-f]{8}-/;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const ID = /Ids?$/;
const MAX_STREAM_LENGTH = 400;
/** Fields that may be null although the example of their type has a value. */
const MAY_BE_NULL: ReadonlySet<string> = new Set(['reason', 'consentAge', 'bannerImageUrl', 'imageS3Url']);
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  scope: ['world'],
  entry: ['OPEN', 'REQUEST', 'INVITATION', 'IMPORTING'],
  topicType: ['PRIMARY', 'SECONDARY'],
  parentType: ['QUESTION', 'ANSWER'],
  postType: ['QUESTION', 'ANSWER', 'COMMENT', 'QUESTION_COMMENT'],
  direction: ['UP', 'DOWN'],
  category: ['ARRANGED', 'SERIAL', 'VOTING_ONLY', 'OTHER'],
};

/** @throws ImportError for what no export of Nimo would hold */
export function arrivingEvent(text: string, where: string, arrival: Arrival): ArrivingEvent {
  try {
    return new Arriving(arrival).event(JSON.parse(text));
  } catch (error) {
    if (error instanceof Misfit || error instanceof SyntaxError || error instanceof DomainError)
      throw new ImportError(`${where}: ${error.message}. Nothing was imported.`);
    throw error;
  }
}

class Misfit extends Error {}

class Arriving {
  constructor(private readonly arrival: Arrival) {}

  event(told: unknown): ArrivingEvent {
    if (!isObject(told)) throw new Misfit('no event');
    const { type, version, stream, at, by, data } = told;
    if (typeof type !== 'string' || !isKept(type)) throw new Misfit('no event of a space');
    if (typeof version !== 'number' || !isObject(data)) throw new Misfit(`${type} without version or data`);
    if (typeof at !== 'string' || Number.isNaN(Date.parse(at)) || new Date(at).toISOString() !== at)
      throw new Misfit(`${type} without a moment`);
    if (by !== null && !(typeof by === 'string' && validate(by))) throw new Misfit(`${type} by nobody`);
    const lifted = lift(type, version, data);
    requireLike(entryOf(type)?.example, lifted, type);
    return { streamId: this.stream(stream), type, data: this.object(type, lifted), occurredAt: at, by };
  }

  private stream(name: unknown): string {
    if (typeof name !== 'string' || name.length > MAX_STREAM_LENGTH || !STREAM.test(name))
      throw new Misfit(`no stream of a space: ${String(name)}`);
    return name.replace(UUID, (id) => this.arrival.idOf(id));
  }

  private object(type: EventType, data: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, this.value(type, name, value)]),
    );
  }

  private value(type: EventType, name: string, value: Json): Json {
    const { arrival } = this;
    if (name === 'spaceId' && value !== arrival.spaceId) throw new Misfit(`${type} of another space`);
    if (ID.test(name)) return this.ids(name, value);
    if (type === 'SpaceCreated' || type === 'SpaceChanged') {
      if (name === 'name') return arrival.spaceName;
    }
    switch (name) {
      case 'imageUrls':
        return (value as readonly string[]).flatMap((location) => this.picture(location) ?? []);
      case 'bannerImageUrl':
      case 'imageS3Url':
        return value === null ? null : (this.picture(text(value)) ?? null);
      case 'body':
        return type.startsWith('Comment') ? this.mentions(text(value)) : this.body(text(value));
      case 'title':
        return requireText(text(value), { max: MAX_TITLE_LENGTH, tooLong: 'QUESTION_TITLE_TOO_LONG' });
      case 'votes':
        return (value as readonly JsonObject[]).map((vote) => this.object(type, vote));
      default:
        return shown(value);
    }
  }

  private ids(name: string, value: Json): Json {
    if (Array.isArray(value)) return (value as readonly Json[]).map((one) => this.ids(name, one));
    if (typeof value !== 'string' || !validate(value)) throw new Misfit(`${name} is no id`);
    return this.arrival.idOf(value);
  }

  /** Undefined for one that does not come along. */
  private picture(location: string): string | undefined {
    const key = keyAt(location);
    return key !== undefined && this.arrival.pictures.has(key)
      ? locationOf(this.arrival.keyOf(key))
      : undefined;
  }

  private mentions(text: string): string {
    return formatMentions(visibleText(text), (id) => mention(this.arrival.idOf(id)));
  }

  /** Cleaned like any other: a file may come from anybody. */
  private body(html: string): string {
    const locations: string[] = [];
    const moved = html.replace(/\/media\/[\da-f-]{36}\.webp/g, (location) => {
      const here = this.picture(location);
      if (here !== undefined) locations.push(here);
      return here ?? location;
    });
    return acceptedBody(moved, locations);
  }
}

/** Texts as they would be stored here. */
const shown = (value: Json): Json => {
  if (typeof value === 'string') return visibleText(value);
  return Array.isArray(value) ? (value as readonly Json[]).map(shown) : value;
};

function lift(type: EventType, version: number, data: JsonObject): JsonObject {
  try {
    // Upcasters add values of JSON to values of JSON.
    return upcast(type, version, data) as JsonObject;
  } catch {
    throw new Misfit(`version ${version} of ${type} is not known here: it was exported by a later Nimo`);
  }
}

/** By the example of the type: the same fields, and values of the same kinds. */
function requireLike(example: unknown, value: unknown, path: string): void {
  const name = path.split('.').at(-1) ?? '';
  if (value === null) {
    if (example === null || MAY_BE_NULL.has(name)) return;
    throw new Misfit(`${path} is missing`);
  }
  if (Array.isArray(example)) requireList(example, value, path);
  else if (isObject(example)) requireFields(example, value, path);
  else if (typeof value !== (example === null ? 'string' : typeof example))
    throw new Misfit(`${path} is of the wrong kind`);
  else requireChoice(name, value, path);
}

function requireList([example = '']: readonly unknown[], value: unknown, path: string): void {
  if (!Array.isArray(value)) throw new Misfit(`${path} is no list`);
  for (const one of value as readonly unknown[]) requireLike(example, one, path);
}

function requireFields(example: JsonObject, value: unknown, path: string): void {
  if (!isObject(value)) throw new Misfit(`${path} is no object`);
  const foreign = Object.keys(value).find((key) => !Object.hasOwn(example, key));
  if (foreign !== undefined) throw new Misfit(`${path}.${foreign} is not known here`);
  for (const key of Object.keys(example)) requireLike(example[key], value[key] ?? null, `${path}.${key}`);
}

function requireChoice(name: string, value: unknown, path: string): void {
  const choices = path === 'PostReported.reason' ? REPORT_REASONS : CHOICES[name];
  if (choices && !(choices as readonly unknown[]).includes(value))
    throw new Misfit(`${path} is none of those there are`);
}

const text = (value: Json): string => {
  if (typeof value !== 'string') throw new Misfit('a text is missing');
  return value;
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
