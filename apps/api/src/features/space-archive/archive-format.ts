import type { EventStore, Json, JsonObject, RecordedEvent } from '@nimo/event-store';
import {
  type EventMetadata,
  type EventType,
  fold,
  type ScoringRules,
  studentDecider,
  type StudentEvent,
} from '@nimo/domain';
import type { Row } from '../own-data/own-page.js';

/** Raised where a name in the files changes its meaning. */
export const ARCHIVE_VERSION = 1;
export const ARCHIVE_FORMAT = 'nimo-space';

export const MANIFEST = 'manifest.json';
/** What Nimo reads, a line of JSON each. The XML files beside them are for other programs. */
export const LINES = { events: 'events.jsonl', people: 'people.jsonl', pictures: 'pictures.jsonl' } as const;
export type LinesFile = keyof typeof LINES;

export const pictureIn = (key: string): string => `media/${key}`;
export const thumbnailIn = (key: string): string => `media/thumbnails/${key}`;

export interface ArchivedFile {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Names every other file with its hash, so that its own hash, the fingerprint, stands for all of them. */
export interface ArchiveManifest {
  readonly format: typeof ARCHIVE_FORMAT;
  readonly version: number;
  readonly madeAt: string;
  readonly space: { readonly id: string; readonly name: string };
  /** Every version that was published, the first included where it is not the one of the product. */
  readonly scoringRules: readonly ScoringRules[];
  /** Lines by file, and events by type. */
  readonly counts: {
    readonly lines: Readonly<Record<LinesFile, number>>;
    readonly events: Readonly<Partial<Record<EventType, number>>>;
  };
  readonly files: readonly ArchivedFile[];
}

/** Something that happened in the space, in the order of the log. */
export type ArchivedEvent = {
  readonly type: EventType;
  /** Of the type's shape. */
  readonly version: number;
  readonly stream: string;
  readonly at: string;
  /** The student who did it; null: an operator, or the product itself. */
  readonly by: string | null;
  readonly data: JsonObject;
};

/** Somebody who did something in the space, or to whom something was done there. */
export type ArchivedPerson =
  | {
      readonly id: string;
      readonly at: string;
      readonly erased: false;
      readonly standIn: boolean;
      readonly userName: string;
      readonly firstName: string;
      readonly lastName: string;
      readonly profileDesc: string;
      readonly realProfilePicUrl: string | null;
    }
  | {
      readonly id: string;
      readonly at: string;
      readonly erased: true;
      readonly standIn: boolean;
      readonly withWords: boolean;
    };

export type ArchivedPicture = {
  readonly key: string;
  /** Whose upload it was; null where nobody knows any more. */
  readonly by: string | null;
};

export const jsonLine = (of: Json): string => `${JSON.stringify(of)}\n`;

const AT_ONCE = 100;

/** Those of them whom the log knows, as they are now, by their ids. */
export async function* archivedPeople(
  store: EventStore,
  ids: ReadonlySet<string>,
): AsyncGenerator<ArchivedPerson> {
  const sorted = [...ids].sort();
  for (let from = 0; from < sorted.length; from += AT_ONCE) {
    const some = sorted.slice(from, from + AT_ONCE);
    const streams = await store.readStreams(some.map((id) => studentDecider.stream(id)));
    for (const id of some) {
      const person = archivedPerson(id, streams.get(studentDecider.stream(id)) ?? []);
      if (person) yield person;
    }
  }
}

function archivedPerson(id: string, stream: readonly RecordedEvent[]): ArchivedPerson | undefined {
  const [first] = stream;
  if (!first) return undefined;
  // The command runner wrote them: the metadata of every event, and events of students in the streams of students.
  const { occurredAt: at } = first.metadata as unknown as EventMetadata;
  const student = fold(studentDecider, stream as unknown as readonly StudentEvent[]);
  const { standIn = false, profile } = student ?? {};
  if (!profile || student?.erased) {
    const erased = stream.findLast(({ type }) => type === 'StudentErased');
    return { id, at, erased: true, standIn, withWords: erased?.data['withWords'] === true };
  }
  return { id, at, erased: false, standIn, ...profile };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#xA;',
  '\r': '&#xD;',
  '\t': '&#x9;',
};
/** What XML cannot say, however it is written. */
const UNSPEAKABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const attribute = (value: unknown): string =>
  String(value)
    .replace(UNSPEAKABLE, '')
    .replace(/[&<>"\n\r\t]/g, (character) => ESCAPES[character] ?? '');

/** A file of a Stack Exchange dump, row by row; what a row lacks is not in it, as there. */
export async function* dumpXml(
  file: string,
  rows: AsyncIterable<Row>,
  shown = (row: Row): Row => row,
): AsyncGenerator<string> {
  const root = file.toLowerCase();
  yield `<?xml version="1.0" encoding="utf-8"?>\n<${root}>\n`;
  for await (const row of rows) {
    const attributes = Object.entries(shown(row)).filter(([, value]) => value !== null);
    yield `  <row ${attributes.map(([name, value]) => `${name}="${attribute(value)}"`).join(' ')} />\n`;
  }
  yield `</${root}>\n`;
}
