import {
  truncateText,
  DomainError,
  entryOf,
  type EventMetadata,
  isMaintainer,
  type PostRef,
} from '@nimo/domain';
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

/** Actions without a space that moderators of all spaces can see. Maintainers see every kind. */
const BLOCK_KINDS: readonly AuditKind[] = ['StudentBlocked', 'StudentUnblocked'];

/** @throws DomainError FORBIDDEN if the viewer does not moderate the space */
export function auditScopeOf(viewer: Viewer, { spaceId }: AuditFilter): AuditScope {
  const isStaff = hasRole(viewer, 'MODERATOR', spaceId) || isMaintainer(viewer);
  if (!isStaff) throw new DomainError('FORBIDDEN');
  const spaces = moderatedSpaces(viewer);
  const ofNoSpace = spaces === 'all' ? BLOCK_KINDS : [];
  return {
    spaces,
    // Maintainers see staff actions of all spaces, but votes and reports only where they moderate.
    actionsInAllSpaces: isMaintainer(viewer),
    withoutSpace: isMaintainer(viewer) ? 'all' : ofNoSpace,
    readerId: viewer.studentId,
  };
}

export interface AuditQuery {
  readonly filter?: AuditFilterInput | null;
}

interface AuditReadDetails {
  readonly viewer: Viewer;
  /** As requested, from GraphQL or from a query string. */
  readonly filter: AuditFilterInput | Readonly<Record<string, unknown>>;
  /** First entry returned; identifies the post of a list filtered by post. */
  readonly first?: AuditEntry | undefined;
  readonly rows: number | null;
}

/** Scope of an audit read, for the access log: spaces, and the post or people it was filtered by. */
export function auditReadScope({ viewer, filter, first, rows }: AuditReadDetails): ReadScope {
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
/** Shown as counts: their items are audit entries of their own, each with its own visibility. */
const COUNTED_LISTS: ReadonlySet<string> = new Set(['votes']);
const MAX_VALUE_LENGTH = 10_000;

/** Reads the event of an entry from the log. Null if the log lacks it. */
export async function readAuditEvent(
  { store, db }: { readonly store: EventStore; readonly db: Queryable },
  entry: AuditEntryView,
): Promise<AuditEvent | null> {
  const events = await store.readStream(entry.streamId);
  const event = events.find(({ id }) => id === entry.eventId);
  if (!event) return null;
  const values = [...flatten(event.data)];
  const persons = await findAuditPersons(
    db,
    values.flatMap(({ name, value }) => (PERSON_FIELDS.has(name) && value !== null ? [value] : [])),
  );
  // The command runner writes the same metadata on every event.
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

function* flatten(data: JsonObject, path = ''): Generator<Value> {
  for (const [key, value] of Object.entries(data)) {
    const name = `${path}${key}`;
    if (Array.isArray(value)) yield { name, value: formatList(key, value) };
    else if (typeof value === 'object' && value !== null) yield* flatten(value as JsonObject, `${name}.`);
    else yield { name, value: value === null ? null : truncateText(String(value), MAX_VALUE_LENGTH) };
  }
}

const formatList = (key: string, list: readonly Json[]): string =>
  COUNTED_LISTS.has(key) ? String(list.length) : truncateText(JSON.stringify(list), MAX_VALUE_LENGTH);

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
