import type { Audited, NotAudited } from './audit.js';

export type ErrorCategory =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'VALIDATION'
  | 'CONFLICT'
  | 'TOO_MANY_REQUESTS'
  | 'PAYLOAD_TOO_LARGE';

export interface CatalogueEntry {
  readonly category: ErrorCategory;
  /** `{name}` is replaced by the parameter of that name. */
  readonly message: string;
  /** Name of the invalid input in the API. */
  readonly field?: string;
}

type StoredData = Readonly<Record<string, unknown>>;
/** Converts the data of one schema version to the next. */
export type Upcaster = (data: StoredData) => StoredData;

/** `identity`: personal data and what others wrote about a person. `words`: what a person wrote. `claim`: the holder of a unique value. */
export type KeyKind = 'identity' | 'words' | 'claim';

/** Fields encrypted with one key before they are stored. */
export interface SealedFields<Data> {
  /** Field with the ID of the key owner: a student or a reservation. */
  readonly of: keyof Data & string;
  readonly with: KeyKind;
  /** Values the fields read as once the key is destroyed. Folds must accept them. */
  readonly gone: { readonly [Field in keyof Data]?: Data[Field] | null };
  /** Field with the ID of the student whose erasure destroys the key of a reservation. */
  readonly heldBy?: keyof Data & string;
}

/** Registration of one event type. */
export interface EventEntry<Data> {
  /** In the current schema version. `npm run stored-events` keeps an example of every version and requires an upcaster for each change. */
  readonly example: Data;
  /** Personal data. */
  readonly sealed?: readonly SealedFields<Data>[];
  /** In order; the first converts version 1 to 2. The current version is their number plus one. Stored events are never rewritten. */
  readonly upcasters?: readonly Upcaster[];
  readonly audit: Audited<Data> | NotAudited;
}

/** Registration of an event type with unknown data. */
export interface AnyEntry extends Pick<EventEntry<object>, 'upcasters'> {
  readonly example: object;
  readonly sealed?: readonly {
    readonly of: string;
    readonly with: KeyKind;
    readonly gone: Readonly<Record<string, unknown>>;
    readonly heldBy?: string;
  }[];
  readonly audit: Pick<Audited<object>, 'class' | 'notForReceiver'> | Pick<NotAudited, 'class'>;
}

export interface AnyEvent {
  readonly type: string;
  readonly data: object;
}
type Entries<E extends AnyEvent> = {
  readonly [T in E['type']]: EventEntry<Extract<E, { readonly type: T }>['data']>;
};

/** Exists only at compile time. */
declare const eventType: unique symbol;

type Errors = Readonly<Record<string, CatalogueEntry>>;

/** Events of one kind of stream, with their errors. */
export interface Slice<E extends AnyEvent = AnyEvent, V = unknown, X = unknown> {
  /** Prefixes of its stream names. */
  readonly streams: readonly string[];
  /** Error codes with their English messages. `apps/web/src/i18n` has the other languages. */
  readonly errors: X;
  readonly events: V;
  readonly [eventType]?: E;
}

/** Registers events. The compiler requires an entry for every type of the union. */
export const slice =
  <E extends AnyEvent>() =>
  <const V extends Entries<E>, const X extends Errors = never>(definition: {
    readonly streams: readonly string[];
    readonly errors?: X;
    readonly events: V;
  }): Slice<E, V, X> => ({
    streams: definition.streams,
    errors: definition.errors ?? ({} as X),
    events: definition.events,
  });

/** Union of the events of one or more slices. */
export type EventIn<S> = S extends Slice<infer E> ? E : never;

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
/** Merged entries of several slices. */
export type EventsIn<S extends Slice> = Intersection<S['events']>;
/** Merged errors of several slices. */
export type ErrorsIn<S extends Slice> = Intersection<S['errors']>;
