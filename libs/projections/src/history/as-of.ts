/**
 * Which events count: by an ordinal, all up to it in the log; by a moment, all that had happened by then, wherever in the
 * log they are. An import tells of old times at the end of the log, so the two are not the same.
 */
export type AsOf =
  | { readonly by: 'ordinal'; readonly ordinal: number }
  | { readonly by: 'moment'; readonly at: string };

export const boundOf = (asOf: AsOf): number | string => (asOf.by === 'ordinal' ? asOf.ordinal : asOf.at);

export const isCounted = (
  asOf: AsOf,
  event: { readonly ordinal: number; readonly metadata: { readonly occurredAt: string } },
): boolean => (asOf.by === 'ordinal' ? event.ordinal <= asOf.ordinal : event.metadata.occurredAt <= asOf.at);
