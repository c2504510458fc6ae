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
  /** The input that is wrong, by its name on the wire. */
  readonly field?: string;
}

type StoredData = Readonly<Record<string, unknown>>;
/** From the shape of one version to that of the next. */
export type Upcaster = (data: StoredData) => StoredData;

/** Who somebody is, and what others wrote down about them; what they wrote; who holds a unique value. */
export type KeyKind = 'identity' | 'words' | 'claim';

/** Fields that are sealed with one key before they reach a store. */
export interface SealedFields<Data> {
  /** The field that names whose key it is: a student's, or that of a reservation. */
  readonly of: keyof Data & string;
  readonly with: KeyKind;
  /** What each of them reads as once that key is gone: nothing that a fold stumbles over. */
  readonly gone: { readonly [Field in keyof Data]?: Data[Field] | null };
  /** The field that names the student with whom the key of a reservation goes. */
  readonly heldBy?: keyof Data & string;
}

/** What there is to say of one type of event beside its shape. */
export interface EventEntry<Data> {
  /** In its current shape. Where that changes, `npm run stored-events` asks for an upcaster, and keeps an example of each version. */
  readonly example: Data;
  /** What of it belongs to a person. */
  readonly sealed?: readonly SealedFields<Data>[];
  /** In order: the first lifts version 1 to 2, and so on, so their number plus one is the current version. Events in a log are never rewritten. */
  readonly upcasters?: readonly Upcaster[];
  /** Whether it is in the audit, and what it tells there. */
  readonly audit: Audited<Data> | NotAudited;
}

/** What can be said of a type whose data nobody knows. */
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

/** Of the compiler's world alone: no slice has it. */
declare const told: unique symbol;

type Errors = Readonly<Record<string, CatalogueEntry>>;

/** The events of one kind of stream, and what refuses them alone. */
export interface Slice<E extends AnyEvent = AnyEvent, V = unknown, X = unknown> {
  /** What the names of its streams begin with. */
  readonly streams: readonly string[];
  /** The codes of its refusals, and what they say in English; `apps/web/src/i18n` has the other languages. */
  readonly errors: X;
  readonly events: V;
  readonly [told]?: E;
}

/** Registers events with all there is to say of them: the compiler asks for an entry for each type of the union. */
export const slice =
  <E extends AnyEvent>() =>
  <const V extends Entries<E>, const X extends Errors = never>(of: {
    readonly streams: readonly string[];
    readonly errors?: X;
    readonly events: V;
  }): Slice<E, V, X> => ({ streams: of.streams, errors: of.errors ?? ({} as X), events: of.events });

/** The union of the events of a slice, or of several. */
export type EventIn<S> = S extends Slice<infer E> ? E : never;

type Both<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
/** The entries of several slices as one. */
export type EventsIn<S extends Slice> = Both<S['events']>;
/** Their errors as one. */
export type ErrorsIn<S extends Slice> = Both<S['errors']>;
