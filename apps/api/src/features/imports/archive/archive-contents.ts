import { DomainError, type EventType, importStudent } from '@nimo/domain';
import { validate } from 'uuid';
import {
  type ArchivedPerson,
  type ArchivedPicture,
  LINES,
  type LinesFile,
  MANIFEST,
  pictureIn,
  thumbnailIn,
} from '../../space-archive/archive-format.js';
import { ImageRefused, inspectImage } from '../../uploads/image-rules.js';
import { isMediaKey, keyAt, locationOf } from '../../uploads/picture-access.js';
import type { ImportIds } from '../import-ids.js';
import type { ArchiveFile } from './archive-file.js';
import { type Arrival, type ArrivingEvent, arrivingEvent } from './arriving-events.js';
import { ImportError } from '../dump-row.js';

/** What is in a verified file, as it arrives here. */
export class ArchiveContents {
  private readonly keys = new Set<string>();
  private readonly people = new Set<string>();

  constructor(
    private readonly file: ArchiveFile,
    private readonly ids: ImportIds,
    private readonly spaceName: string,
  ) {}

  /**
   * Looks at every line and picture as the import will, before anything is written.
   * @throws ImportError for the first that does not fit
   */
  async check(signal: AbortSignal): Promise<void> {
    for await (const { key } of this.pictures()) {
      signal.throwIfAborted();
      for (const name of [pictureIn(key), thumbnailIn(key)]) await this.requirePicture(name);
      this.keys.add(key);
    }
    for await (const person of this.persons()) {
      signal.throwIfAborted();
      if (this.people.has(person.id)) throw new ImportError(`${LINES.people} has somebody twice.`);
      this.people.add(person.id);
      if (!person.erased) requirePerson(person);
    }
    await this.checkEvents(signal);
  }

  isPerson(id: string): boolean {
    return this.people.has(id);
  }

  async *pictures(): AsyncGenerator<ArchivedPicture> {
    for await (const { told, where } of this.objects('pictures'))
      yield isPicture(told) ? told : misfit(where);
  }

  async *persons(): AsyncGenerator<ArchivedPerson> {
    for await (const { told, where } of this.objects('people')) yield isPerson(told) ? told : misfit(where);
  }

  async *events(): AsyncGenerator<{ readonly event: ArrivingEvent; readonly bytes: number }> {
    const arrival: Arrival = {
      spaceId: this.file.manifest.space.id,
      spaceName: this.spaceName,
      idOf: (id) => this.ids.moved(id),
      pictures: this.keys,
      keyOf: (key) => this.keyOf(key),
    };
    for await (const { text, where } of this.file.lines('events'))
      yield { event: arrivingEvent(text, where, arrival), bytes: text.length };
  }

  keyOf(key: string): string {
    return `${this.ids.moved(key.replace(/\.webp$/, ''))}.webp`;
  }

  /** Where a picture is here; null where it does not come along. Those of the product are everywhere. */
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
        throw new ImportError(`${LINES.events} has to begin with the space, and to have one.`);
      isFirst = false;
      counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
    }
    if (isFirst) throw new ImportError(`${LINES.events} has no events.`);
    const said = new Map(Object.entries(this.file.manifest.counts.events));
    const differs = [...new Set([...said.keys(), ...counts.keys()])].find(
      (type) => said.get(type) !== counts.get(type as EventType),
    );
    if (differs !== undefined)
      throw new ImportError(`${LINES.events} has not as many ${differs} as ${MANIFEST} says.`);
  }

  private async requirePicture(name: string): Promise<void> {
    try {
      await inspectImage(await this.file.picture(name));
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
      throw new ImportError(`${name}: ${error.message}`);
    }
  }

  private async *objects(file: LinesFile): AsyncGenerator<{ readonly told: Told; readonly where: string }> {
    for await (const { text, where } of this.file.lines(file)) yield { told: objectIn(text, where), where };
  }
}

type Told = Readonly<Record<string, unknown>>;

function objectIn(text: string, where: string): Told {
  try {
    const told: unknown = JSON.parse(text);
    return typeof told === 'object' && told !== null ? (told as Told) : misfit(where);
  } catch {
    return misfit(where);
  }
}

function misfit(where: string): never {
  throw new ImportError(`${where} is not what an export of a space holds. Nothing was imported.`);
}

const isId = (value: unknown): boolean => typeof value === 'string' && validate(value);

const isPicture = (told: Told): told is Told & ArchivedPicture =>
  typeof told['key'] === 'string' &&
  isMediaKey(told['key']) &&
  (told['by'] === null || typeof told['by'] === 'string');

const NAMES = ['userName', 'firstName', 'lastName', 'profileDesc'] as const;
const PICTURE = /^\/(?!\/)[\w./-]{1,200}$/;

function isPerson(told: Told): told is Told & ArchivedPerson {
  const { id, at, erased, standIn, realProfilePicUrl: picture } = told;
  return (
    isId(id) &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at)) &&
    typeof standIn === 'boolean' &&
    (erased === true
      ? typeof told['withWords'] === 'boolean'
      : erased === false &&
        NAMES.every((name) => typeof told[name] === 'string') &&
        (picture === null || (typeof picture === 'string' && PICTURE.test(picture))))
  );
}

/** By the rules of the product, as the import will ask them. */
function requirePerson(person: Extract<ArchivedPerson, { readonly erased: false }>): void {
  try {
    importStudent({ ...person, studentId: person.id, source: 'nimo', sourceId: person.id }, undefined);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new ImportError(`${LINES.people}, ${person.id}: ${error.message}`);
  }
}
