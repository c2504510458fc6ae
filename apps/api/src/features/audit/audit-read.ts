import { cutText, DomainError, entryOf, type EventMetadata, isMaintainer, type PostRef } from '@nimo/domain';
import {
  type AuditEntryView,
  type AuditFilter,
  type AuditKind,
  type AuditPerson,
  type AuditScope,
  findAuditPersons,
  type Queryable,
} from '@nimo/projections';
import { isDeepStrictEqual } from 'node:util';
import type { EventStore, Json, JsonObject, RecordedEvent } from '@nimo/event-store';
import { hasRole, moderatedSpaces, namedSpaces, type Viewer } from '../../platform/auth/viewer.js';
import type { AuditEntry, AuditEvent, AuditField, AuditFilterInput } from './audit.types.js';
import type { ReadScope } from '../../platform/auth/access.js';

/** What moderators of all spaces see of the acts that are of no space; the others are the maintainers'. */
const BLOCKS: readonly AuditKind[] = ['StudentBlocked', 'StudentUnblocked'];

/** @throws DomainError where a space is named that is not the reader's */
export function auditScopeOf(viewer: Viewer, { spaceId }: AuditFilter): AuditScope {
  const isStaff = hasRole(viewer, 'MODERATOR', spaceId) || isMaintainer(viewer);
  if (!isStaff) throw new DomainError('FORBIDDEN');
  const spaces = moderatedSpaces(viewer);
  const ofNoSpace = spaces === 'all' ? BLOCKS : [];
  return {
    spaces,
    // What staff did everywhere is a maintainer's business; who voted or reported is that of the space's moderators.
    actsOfAll: isMaintainer(viewer),
    withoutSpace: isMaintainer(viewer) ? 'all' : ofNoSpace,
    readerId: viewer.studentId,
  };
}

export interface AuditAsked {
  readonly filter?: AuditFilterInput | null;
}

interface AuditReadParts {
  readonly viewer: Viewer;
  /** As it was asked, of whatever way in. */
  readonly filter: AuditFilterInput | Readonly<Record<string, unknown>>;
  /** The first line that is shown; tells which post a list is of. */
  readonly first?: AuditEntry | undefined;
  readonly rows: number | null;
}

/** What a look into the audit was about: its spaces, and the post or the people that it was narrowed to. */
export function auditReadOf({ viewer, filter, first, rows }: AuditReadParts): ReadScope {
  const { space, post, voter, receiver } = filter as AuditFilterInput;
  const isOfPost = typeof post === 'string' && post !== '';
  const author = isOfPost ? first?.receiver?._id : undefined;
  return {
    spaceIds: isId(space) ? [space] : namedSpaces(viewer),
    studentIds: [voter, receiver, author].filter(isId),
    post: isOfPost && first?.post && first.space ? postOf(first, first.space._id) : null,
    filter: Object.fromEntries(Object.entries(filter)),
    rows,
  };
}

function postOf({ post, receiver }: AuditEntry, spaceId: string): PostRef | null {
  if (!post) return null;
  const { _id, postType, questionId } = post;
  return { postType, postId: _id, questionId, spaceId, postAuthorId: receiver?._id ?? '' };
}

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Fields of events that hold the id of a person. */
const PERSON_FIELDS: ReadonlySet<string> = new Set([
  'studentId',
  'authorId',
  'editorId',
  'postAuthorId',
  'voterId',
  'reporterId',
  'moderatorId',
  'toModeratorId',
]);
/** Told line by line, and each only to whom it may be told. */
const LISTS_OF_LINES: ReadonlySet<string> = new Set(['votes']);
const MAX_VALUE_LENGTH = 10_000;

/** The event behind a line, out of the log itself; null where the log has none such. */
export async function readAuditEvent(
  { store, db }: { readonly store: EventStore; readonly db: Queryable },
  entry: AuditEntryView,
): Promise<AuditEvent | null> {
  const events = await store.readStream(entry.streamId);
  const event = events.find(({ id }) => id === entry.eventId);
  if (!event) return null;
  const values = [...valuesIn(event.data)];
  const persons = await findAuditPersons(
    db,
    values.flatMap(({ name, value }) => (PERSON_FIELDS.has(name) && value !== null ? [value] : [])),
  );
  // Written by the command handler, the same shape on every event.
  const metadata = event.metadata as unknown as EventMetadata;
  return {
    entry,
    streamId: event.streamId,
    revision: event.revision,
    schemaVersion: metadata.schemaVersion,
    correlationId: metadata.correlationId,
    causationId: metadata.causationId,
    data: values.map((field) => fieldOf(field, event, persons)),
  };
}

interface Value {
  readonly name: string;
  readonly value: string | null;
}

function* valuesIn(data: JsonObject, path = ''): Generator<Value> {
  for (const [key, value] of Object.entries(data)) {
    const name = `${path}${key}`;
    if (Array.isArray(value)) yield { name, value: shownList(key, value) };
    else if (typeof value === 'object' && value !== null) yield* valuesIn(value as JsonObject, `${name}.`);
    else yield { name, value: value === null ? null : cutText(String(value), MAX_VALUE_LENGTH) };
  }
}

const shownList = (key: string, list: readonly Json[]): string =>
  LISTS_OF_LINES.has(key) ? String(list.length) : cutText(JSON.stringify(list), MAX_VALUE_LENGTH);

function fieldOf(
  { name, value }: Value,
  { type, data }: RecordedEvent,
  persons: ReadonlyMap<string, AuditPerson>,
): AuditField {
  const sealed = entryOf(type)?.sealed?.find(({ gone }) => Object.hasOwn(gone, name));
  const ownerId = sealed && data[sealed.of];
  const owner = typeof ownerId === 'string' ? persons.get(ownerId) : undefined;
  return {
    name,
    value,
    isErased: isDeepStrictEqual(data[name], sealed?.gone[name]) && owner?.isErased === true,
    person: PERSON_FIELDS.has(name) && value !== null ? (persons.get(value) ?? null) : null,
  };
}
