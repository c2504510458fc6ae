/**
 * Who caused an event. `import`: on behalf of a student of another community. `system`: a reactor or the first start. `operator`:
 * the person at the command line, not necessarily a student.
 */
export type Actor =
  | { readonly kind: 'student'; readonly id: string }
  | { readonly kind: 'operator'; readonly operator: string }
  | { readonly kind: 'system' }
  | { readonly kind: 'import'; readonly id: string; readonly operator: string };

/** The person at the command line, if any. */
export const operatorOf = (actor: Actor): string | null => ('operator' in actor ? actor.operator : null);

/** Written by the command handler on every event. Times are ISO 8601 in UTC with milliseconds. */
export type EventMetadata = {
  /** For imports the time at the source, otherwise `recordedAt`. */
  readonly occurredAt: string;
  readonly recordedAt: string;
  readonly actor: Actor;
  readonly commandId: string;
  readonly correlationId: string;
  readonly causationId: string;
  /** Schema version of the data. Older versions are upcast on read. */
  readonly schemaVersion: number;
};
