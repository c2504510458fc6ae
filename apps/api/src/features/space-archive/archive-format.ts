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

/** Bump when a field in the files changes its meaning. */
export const ARCHIVE_VERSION = 1;
export const ARCHIVE_FORMAT = 'nimo-space';

export const MANIFEST = 'manifest.json';
/** JSON Lines files that Nimo imports. The XML files in the archive are for other programs. */
export const JSONL_FILES = {
  events: 'events.jsonl',
  people: 'people.jsonl',
  pictures: 'pictures.jsonl',
} as const;
export type JsonlFile = keyof typeof JSONL_FILES;

export const picturePath = (key: string): string => `media/${key}`;
export const thumbnailPath = (key: string): string => `media/thumbnails/${key}`;

export interface ArchivedFile {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Lists every other file with its hash, so that the hash of the manifest, the fingerprint, covers the whole archive. */
export interface ArchiveManifest {
  readonly format: typeof ARCHIVE_FORMAT;
  readonly version: number;
  readonly madeAt: string;
  readonly space: { readonly id: string; readonly name: string };
  /** Every published version, including the first if it differs from the built-in one. */
  readonly scoringRules: readonly ScoringRules[];
  /** Line counts by file, event counts by type. */
  readonly counts: {
    readonly lines: Readonly<Record<JsonlFile, number>>;
    readonly events: Readonly<Partial<Record<EventType, number>>>;
  };
  readonly files: readonly ArchivedFile[];
}

/** An event of the space. Archived in log order. */
export type ArchivedEvent = {
  readonly type: EventType;
  /** Schema version. */
  readonly version: number;
  readonly stream: string;
  readonly at: string;
  /** The acting student; null for an operator or the system. */
  readonly by: string | null;
  readonly data: JsonObject;
};

/** A person who acted in the space or was affected by an event there. */
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
  /** Id of the uploader; null if no longer known. */
  readonly by: string | null;
};

export const jsonLine = (value: Json): string => `${JSON.stringify(value)}\n`;

const BATCH_SIZE = 100;

/** Current state of the given people, ordered by id. Skips ids without a stream. */
export async function* archivedPeople(
  store: EventStore,
  ids: ReadonlySet<string>,
): AsyncGenerator<ArchivedPerson> {
  const sorted = [...ids].sort();
  for (let from = 0; from < sorted.length; from += BATCH_SIZE) {
    const batch = sorted.slice(from, from + BATCH_SIZE);
    const streams = await store.readStreams(batch.map((id) => studentDecider.stream(id)));
    for (const id of batch) {
      const person = archivedPerson(id, streams.get(studentDecider.stream(id)) ?? []);
      if (person) yield person;
    }
  }
}

function archivedPerson(id: string, stream: readonly RecordedEvent[]): ArchivedPerson | undefined {
  const [first] = stream;
  if (!first) return undefined;
  // Safe casts: the command runner writes the metadata of every event, and only student events to student streams.
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
/** Characters that XML 1.0 cannot represent, even escaped. */
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const attribute = (value: unknown): string =>
  String(value)
    .replace(NOT_IN_XML, '')
    .replace(/[&<>"\n\r\t]/g, (character) => ESCAPES[character] ?? '');

/** One file in the format of a Stack Exchange dump. Null columns are omitted, as in the original. */
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
