import { DomainError, type EventType, importStudent } from '@nimo/domain';
import { validate } from 'uuid';
import {
  type ArchivedPerson,
  type ArchivedPicture,
  JSONL_FILES,
  type JsonlFile,
  MANIFEST,
  picturePath,
  thumbnailPath,
} from '../../space-archive/archive-format.js';
import { ImageRefused, inspectImage } from '../../uploads/image-rules.js';
import { isMediaKey, keyAt, locationOf } from '../../uploads/picture-access.js';
import type { ImportIds } from '../import-ids.js';
import type { ArchiveFile } from './archive-file.js';
import { type TranslationOptions, type TranslatedEvent, translateEvent } from './event-translator.js';
import { ImportError } from '../dump-row.js';

/** Contents of a verified archive, translated for this installation. */
export class ArchiveContents {
  private readonly keys = new Set<string>();
  private readonly people = new Set<string>();

  constructor(
    private readonly file: ArchiveFile,
    private readonly ids: ImportIds,
    private readonly spaceName: string,
  ) {}

  /**
   * Validates every line and picture before anything is written.
   * @throws ImportError for the first problem
   */
  async check(signal: AbortSignal): Promise<void> {
    for await (const { key } of this.pictures()) {
      signal.throwIfAborted();
      for (const name of [picturePath(key), thumbnailPath(key)]) await this.requirePicture(name);
      this.keys.add(key);
    }
    for await (const person of this.persons()) {
      signal.throwIfAborted();
      if (this.people.has(person.id)) throw new ImportError(`${JSONL_FILES.people} lists a person twice.`);
      this.people.add(person.id);
      if (!person.erased) requirePerson(person);
    }
    await this.checkEvents(signal);
  }

  isPerson(id: string): boolean {
    return this.people.has(id);
  }

  async *pictures(): AsyncGenerator<ArchivedPicture> {
    for await (const { value, where } of this.objects('pictures'))
      yield isPicture(value) ? value : invalidLine(where);
  }

  async *persons(): AsyncGenerator<ArchivedPerson> {
    for await (const { value, where } of this.objects('people'))
      yield isPerson(value) ? value : invalidLine(where);
  }

  async *events(): AsyncGenerator<{ readonly event: TranslatedEvent; readonly bytes: number }> {
    const options: TranslationOptions = {
      spaceId: this.file.manifest.space.id,
      spaceName: this.spaceName,
      idOf: (id) => this.ids.mapped(id),
      pictures: this.keys,
      keyOf: (key) => this.keyOf(key),
    };
    for await (const { text, where } of this.file.lines('events'))
      yield { event: translateEvent(text, where, options), bytes: text.length };
  }

  keyOf(key: string): string {
    return `${this.ids.mapped(key.replace(/\.webp$/, ''))}.webp`;
  }

  /** Local location of a picture; null if it is not imported. Built-in pictures exist everywhere. */
  profilePicture(location: string | null): string | null {
    if (location === null || !location.startsWith('/media/')) return location;
    const key = keyAt(location);
    return key !== undefined && this.keys.has(key) ? locationOf(this.keyOf(key)) : null;
  }

  private async checkEvents(signal: AbortSignal): Promise<void> {
    const counts = new Map<EventType, number>();
    let isFirst = true;
    for await (const { event } of this.events()) {
      signal.throwIfAborted();
      if (isFirst !== (event.type === 'SpaceCreated'))
        throw new ImportError(`${JSONL_FILES.events} must start with the space and contain only one.`);
      isFirst = false;
      counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
    }
    if (isFirst) throw new ImportError(`${JSONL_FILES.events} has no events.`);
    const expected = new Map(Object.entries(this.file.manifest.counts.events));
    const mismatch = [...new Set([...expected.keys(), ...counts.keys()])].find(
      (type) => expected.get(type) !== counts.get(type as EventType),
    );
    if (mismatch !== undefined)
      throw new ImportError(
        `The number of ${mismatch} events in ${JSONL_FILES.events} differs from ${MANIFEST}.`,
      );
  }

  private async requirePicture(name: string): Promise<void> {
    try {
      await inspectImage(await this.file.picture(name));
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
      throw new ImportError(`${name}: ${error.message}`);
    }
  }

  private async *objects(
    file: JsonlFile,
  ): AsyncGenerator<{ readonly value: JsonRecord; readonly where: string }> {
    for await (const { text, where } of this.file.lines(file))
      yield { value: parseJsonObject(text, where), where };
  }
}

type JsonRecord = Readonly<Record<string, unknown>>;

function parseJsonObject(text: string, where: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonRecord) : invalidLine(where);
  } catch {
    return invalidLine(where);
  }
}

function invalidLine(where: string): never {
  throw new ImportError(`${where} is invalid in a space export. Nothing was imported.`);
}

const isId = (value: unknown): boolean => typeof value === 'string' && validate(value);

const isPicture = (value: JsonRecord): value is JsonRecord & ArchivedPicture =>
  typeof value['key'] === 'string' &&
  isMediaKey(value['key']) &&
  (value['by'] === null || typeof value['by'] === 'string');

const NAME_FIELDS = ['userName', 'firstName', 'lastName', 'profileDesc'] as const;
const PICTURE_PATH = /^\/(?!\/)[\w./-]{1,200}$/;

function isPerson(value: JsonRecord): value is JsonRecord & ArchivedPerson {
  const { id, at, erased, standIn, realProfilePicUrl: picture } = value;
  return (
    isId(id) &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at)) &&
    typeof standIn === 'boolean' &&
    (erased === true
      ? typeof value['withWords'] === 'boolean'
      : erased === false &&
        NAME_FIELDS.every((name) => typeof value[name] === 'string') &&
        (picture === null || (typeof picture === 'string' && PICTURE_PATH.test(picture))))
  );
}

/** Applies the domain rules for imported students. */
function requirePerson(person: Extract<ArchivedPerson, { readonly erased: false }>): void {
  try {
    importStudent({ ...person, studentId: person.id, source: 'nimo', sourceId: person.id }, undefined);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new ImportError(`${JSONL_FILES.people}, ${person.id}: ${error.message}`);
  }
}
