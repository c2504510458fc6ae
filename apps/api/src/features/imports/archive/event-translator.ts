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
import { isArchived } from '../../space-archive/archived-events.js';
import { keyAt, locationOf } from '../../uploads/picture-access.js';
import { ImportError } from '../dump-row.js';

/** An event of the archive, translated for this installation. */
export interface TranslatedEvent {
  readonly streamId: string;
  readonly type: EventType;
  readonly data: JsonObject;
  readonly occurredAt: string;
  /** ID of the student in the archive. */
  readonly by: string | null;
}

export interface TranslationOptions {
  /** ID of the space in the archive. */
  readonly spaceId: string;
  /** Name of the space here. */
  readonly spaceName: string;
  /** Maps an archive ID to a local one. */
  idOf(id: string): string;
  /** Archive keys of the pictures to import. */
  readonly pictures: ReadonlySet<string>;
  /** Maps the archive key of a picture to a local one. */
  keyOf(key: string): string;
}

/** Stream names of a space: a category followed by IDs, and by a slug for topics. */
const STREAM =
  /^(?:space|topic|membership|question|answer|comment|vote|moderation|case|bookmark|newspost|reaction)-[\da-f]{8}-/;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const ID = /Ids?$/;
const MAX_STREAM_LENGTH = 400;
/** Nullable fields whose example has a value. */
const NULLABLE: ReadonlySet<string> = new Set(['reason', 'consentAge', 'bannerImageUrl', 'imageS3Url']);
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  scope: ['world'],
  entry: ['OPEN', 'REQUEST', 'INVITATION', 'IMPORTING'],
  topicType: ['PRIMARY', 'SECONDARY'],
  parentType: ['QUESTION', 'ANSWER'],
  postType: ['QUESTION', 'ANSWER', 'COMMENT', 'QUESTION_COMMENT'],
  direction: ['UP', 'DOWN'],
  category: ['ARRANGED', 'SERIAL', 'VOTING_ONLY', 'OTHER'],
};

/** @throws ImportError unless a Nimo export could contain the event */
export function translateEvent(text: string, where: string, options: TranslationOptions): TranslatedEvent {
  try {
    return new EventTranslator(options).event(JSON.parse(text));
  } catch (error) {
    if (error instanceof InvalidEvent || error instanceof SyntaxError || error instanceof DomainError)
      throw new ImportError(`${where}: ${error.message}. Nothing was imported.`);
    throw error;
  }
}

class InvalidEvent extends Error {}

class EventTranslator {
  constructor(private readonly options: TranslationOptions) {}

  event(value: unknown): TranslatedEvent {
    if (!isObject(value)) throw new InvalidEvent('not an event');
    const { type, version, stream, at, by, data } = value;
    if (typeof type !== 'string' || !isArchived(type)) throw new InvalidEvent('not an event of a space');
    if (typeof version !== 'number' || !isObject(data))
      throw new InvalidEvent(`${type} without version or data`);
    if (typeof at !== 'string' || Number.isNaN(Date.parse(at)) || new Date(at).toISOString() !== at)
      throw new InvalidEvent(`${type} without a valid time`);
    if (by !== null && !(typeof by === 'string' && validate(by)))
      throw new InvalidEvent(`${type} with an invalid author`);
    const current = upcastData(type, version, data);
    requireShape(entryOf(type)?.example, current, type);
    return { streamId: this.stream(stream), type, data: this.object(type, current), occurredAt: at, by };
  }

  private stream(name: unknown): string {
    if (typeof name !== 'string' || name.length > MAX_STREAM_LENGTH || !STREAM.test(name))
      throw new InvalidEvent(`not a stream of a space: ${String(name)}`);
    return name.replace(UUID, (id) => this.options.idOf(id));
  }

  private object(type: EventType, data: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, this.value(type, name, value)]),
    );
  }

  private value(type: EventType, name: string, value: Json): Json {
    const { options } = this;
    if (name === 'spaceId' && value !== options.spaceId) throw new InvalidEvent(`${type} of another space`);
    if (ID.test(name)) return this.ids(name, value);
    if (type === 'SpaceCreated' || type === 'SpaceChanged') {
      if (name === 'name') return options.spaceName;
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
        return normalised(value);
    }
  }

  private ids(name: string, value: Json): Json {
    if (Array.isArray(value)) return (value as readonly Json[]).map((one) => this.ids(name, one));
    if (typeof value !== 'string' || !validate(value)) throw new InvalidEvent(`${name} is not an ID`);
    return this.options.idOf(value);
  }

  /** Undefined if the picture is not imported. */
  private picture(location: string): string | undefined {
    const key = keyAt(location);
    return key !== undefined && this.options.pictures.has(key)
      ? locationOf(this.options.keyOf(key))
      : undefined;
  }

  private mentions(text: string): string {
    return formatMentions(visibleText(text), (id) => mention(this.options.idOf(id)));
  }

  /** Sanitises the body, because the file is untrusted. */
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

/** Normalises texts like those written here. */
const normalised = (value: Json): Json => {
  if (typeof value === 'string') return visibleText(value);
  return Array.isArray(value) ? (value as readonly Json[]).map(normalised) : value;
};

function upcastData(type: EventType, version: number, data: JsonObject): JsonObject {
  try {
    // Upcasters map JSON to JSON.
    return upcast(type, version, data) as JsonObject;
  } catch {
    throw new InvalidEvent(
      `version ${version} of ${type} is unknown: it was exported by a newer version of Nimo`,
    );
  }
}

/** Requires the same fields and types as the example of the event type. */
function requireShape(example: unknown, value: unknown, path: string): void {
  const name = path.split('.').at(-1) ?? '';
  if (value === null) {
    if (example === null || NULLABLE.has(name)) return;
    throw new InvalidEvent(`${path} is missing`);
  }
  if (Array.isArray(example)) requireList(example, value, path);
  else if (isObject(example)) requireFields(example, value, path);
  else if (typeof value !== (example === null ? 'string' : typeof example))
    throw new InvalidEvent(`${path} has the wrong type`);
  else requireChoice(name, value, path);
}

function requireList([example = '']: readonly unknown[], value: unknown, path: string): void {
  if (!Array.isArray(value)) throw new InvalidEvent(`${path} is not a list`);
  for (const one of value as readonly unknown[]) requireShape(example, one, path);
}

function requireFields(example: JsonObject, value: unknown, path: string): void {
  if (!isObject(value)) throw new InvalidEvent(`${path} is not an object`);
  const unknownKey = Object.keys(value).find((key) => !Object.hasOwn(example, key));
  if (unknownKey !== undefined) throw new InvalidEvent(`${path}.${unknownKey} is unknown`);
  for (const key of Object.keys(example)) requireShape(example[key], value[key] ?? null, `${path}.${key}`);
}

function requireChoice(name: string, value: unknown, path: string): void {
  const choices = path === 'PostReported.reason' ? REPORT_REASONS : CHOICES[name];
  if (choices && !(choices as readonly unknown[]).includes(value))
    throw new InvalidEvent(`${path} has an unknown value`);
}

const text = (value: Json): string => {
  if (typeof value !== 'string') throw new InvalidEvent('a text is missing');
  return value;
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
