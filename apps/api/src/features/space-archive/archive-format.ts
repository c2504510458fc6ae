import type { Json, JsonObject } from '@nimo/event-store';
import type { EventType, ScoringRules } from '@nimo/domain';

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
