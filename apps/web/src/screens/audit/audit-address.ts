import type { AuditFilterInput, AuditKind } from '../../generated/graphql';
import { auditKinds } from './audit-kinds';

/** Whose history is looked at. `acts` is what moderators, maintainers and the product itself did, `reads` what they looked at. */
export const auditViews = ['space', 'post', 'voter', 'receiver', 'acts', 'reads'] as const;
export type AuditView = (typeof auditViews)[number];

/** The audit as it stands in its address. Days are those of the reader's calendar. */
export interface AuditAddress {
  view: AuditView;
  space: string | null;
  /** Of the post or the person, for the views of one. */
  of: string | null;
  actor: string | null;
  caseId: string | null;
  kinds: readonly AuditKind[];
  from: string | null;
  until: string | null;
  fromOrdinal: number | null;
  toOrdinal: number | null;
}

export const emptyAddress: AuditAddress = {
  view: 'space',
  space: null,
  of: null,
  actor: null,
  caseId: null,
  kinds: [],
  from: null,
  until: null,
  fromOrdinal: null,
  toOrdinal: null,
};

const DAY = /^\d{4}-\d\d-\d\d$/;
const ID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i;

/** The id in what somebody typed or pasted: an id, or an address that has one. */
export const idIn = (text: string): string | null => ID.exec(text)?.[0].toLowerCase() ?? null;

const dayIn = (text: string | null): string | null =>
  text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;

const ordinalIn = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;

export function auditAddressFrom(params: URLSearchParams): AuditAddress {
  const named = new Set((params.get('kinds') ?? '').split(','));
  return {
    view: auditViews.find((view) => view === params.get('view')) ?? 'space',
    space: idIn(params.get('space') ?? ''),
    of: idIn(params.get('of') ?? ''),
    actor: idIn(params.get('actor') ?? ''),
    caseId: idIn(params.get('case') ?? ''),
    kinds: auditKinds.filter((kind) => named.has(kind)),
    from: dayIn(params.get('from')),
    until: dayIn(params.get('until')),
    fromOrdinal: ordinalIn(params.get('fromOrdinal')),
    toOrdinal: ordinalIn(params.get('toOrdinal')),
  };
}

/** What is at its default is not written. */
export function auditParamsOf(address: AuditAddress): URLSearchParams {
  const { view, kinds, caseId, ...rest } = address;
  const params = new URLSearchParams();
  if (view !== 'space') params.set('view', view);
  if (kinds.length > 0) params.set('kinds', kinds.join(','));
  if (caseId !== null) params.set('case', caseId);
  for (const [name, value] of Object.entries(rest)) if (value !== null) params.set(name, String(value));
  return params;
}

export const isNarrowed = ({ view: _, space: __, of: ___, ...rest }: AuditAddress): boolean =>
  auditParamsOf({ ...emptyAddress, ...rest }).size > 0;

/** Views of one post or person have nothing to show before it is named. */
export const isWithoutSubject = ({ view, of }: AuditAddress): boolean =>
  of === null && (view === 'post' || view === 'voter' || view === 'receiver');

/** Midnight of that day, or of the one after, where the reader is. */
function midnight(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

export function auditFilterOf(address: AuditAddress): AuditFilterInput {
  const { view, of, space, actor, caseId, kinds, from, until, fromOrdinal, toOrdinal } = address;
  const all = {
    space,
    actor,
    caseId,
    post: view === 'post' ? of : null,
    voter: view === 'voter' ? of : null,
    receiver: view === 'receiver' ? of : null,
    actsOnly: view === 'acts' ? true : null,
    readsOnly: view === 'reads' ? true : null,
    kinds: kinds.length > 0 ? [...kinds] : null,
    from: from && midnight(from),
    until: until && midnight(until, 1),
    fromOrdinal,
    toOrdinal,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** The filter as the export's address takes it. */
export const exportQuery = (address: AuditAddress): string =>
  new URLSearchParams(
    Object.entries(auditFilterOf(address)).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
