import {
  type Audited,
  type AuditLine,
  entryOf,
  type EventType,
  type NotAudited,
  VOCABULARY,
} from '@nimo/domain';
import type { ProjectedEvent } from '../projection.js';

type Vocabulary = typeof VOCABULARY;
/** An event type that has lines in the audit. */
export type AuditKind = {
  [T in EventType]: Vocabulary[T]['audit'] extends NotAudited ? never : T;
}[EventType];

const isAudited = (type: EventType): type is AuditKind => VOCABULARY[type].audit.class !== null;

export const AUDIT_KINDS: readonly AuditKind[] = (Object.keys(VOCABULARY) as EventType[]).filter(isAudited);

/** Those of whose lines nobody learns whom they are about. */
export const KINDS_NOT_FOR_RECEIVER: readonly AuditKind[] = AUDIT_KINDS.filter((kind) => {
  const audit = entryOf(kind)?.audit;
  return audit !== undefined && audit.class !== null && audit.notForReceiver === true;
});

/** The lines that an event has in the audit. */
export function auditLinesOf(event: ProjectedEvent): readonly AuditLine[] {
  if (!isAudited(event.type)) return [];
  // The vocabulary gives each type the function of its own data; a union of functions cannot be called with a union.
  const { lines } = VOCABULARY[event.type].audit as unknown as Audited<ProjectedEvent['data']>;
  return lines(event.data);
}
