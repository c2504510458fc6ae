/**
 * Who did it. `import` acts on behalf of a student of another community; `system` is a reactor or the first start. `operator` names the
 * person at the command line, who may be no student.
 */
export type Actor =
  | { readonly kind: 'student'; readonly id: string }
  | { readonly kind: 'operator'; readonly operator: string }
  | { readonly kind: 'system' }
  | { readonly kind: 'import'; readonly id: string; readonly operator: string };

/** The person at the command line; null where nobody was there. */
export const operatorOf = (actor: Actor): string | null => ('operator' in actor ? actor.operator : null);

/** Written by the command handler, the same shape on every event. Times are ISO 8601 in UTC with milliseconds. */
export type EventMetadata = {
  /** When it happened: the source's time for an import, otherwise `recordedAt`. */
  readonly occurredAt: string;
  readonly recordedAt: string;
  readonly actor: Actor;
  readonly commandId: string;
  readonly correlationId: string;
  readonly causationId: string;
  /** Version of the event type's shape; older ones are lifted by an upcaster when read. */
  readonly schemaVersion: number;
};
