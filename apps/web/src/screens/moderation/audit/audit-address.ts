import { classesOfKinds } from '../../../generated/audit-kinds';
import type { AuditClass, AuditFilterInput, AuditKind } from '../../../generated/graphql';
import { idIn, minuteIn, spanOf } from '../../../features/filters/address-params';
import { paths } from '../../../lib/paths';

export const auditKinds = Object.keys(classesOfKinds) as readonly AuditKind[];

export const classOfKind = (kind: AuditKind): AuditClass => classesOfKinds[kind];

/** Whether a view can contain entries of that class. */
export const isOfView = (view: AuditView, of: AuditClass): boolean =>
  view === 'acts' ? of === 'ACT' : view === 'reads' ? of === 'READ' : true;

/** `acts` are the actions of staff and the system, `reads` the data that staff viewed. */
export const auditViews = ['space', 'post', 'voter', 'receiver', 'acts', 'reads'] as const;
type AuditView = (typeof auditViews)[number];

/** State of the audit screen in the URL. Minutes are in UTC. */
export interface AuditAddress {
  view: AuditView;
  space: string | null;
  /** ID of the post or person, for views of one. */
  of: string | null;
  voter: string | null;
  /** Author of the post, or the person affected. */
  author: string | null;
  post: string | null;
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
  voter: null,
  author: null,
  post: null,
  actor: null,
  caseId: null,
  kinds: [],
  from: null,
  until: null,
  fromOrdinal: null,
  toOrdinal: null,
};

const ordinalIn = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;

export function auditAddressFrom(params: URLSearchParams): AuditAddress {
  const named = new Set((params.get('kinds') ?? '').split(','));
  return {
    view: auditViews.find((view) => view === params.get('view')) ?? 'space',
    space: idIn(params.get('space') ?? ''),
    of: idIn(params.get('of') ?? ''),
    voter: idIn(params.get('voter') ?? ''),
    author: idIn(params.get('author') ?? ''),
    post: idIn(params.get('post') ?? ''),
    actor: idIn(params.get('actor') ?? ''),
    caseId: idIn(params.get('case') ?? ''),
    kinds: auditKinds.filter((kind) => named.has(kind)),
    from: minuteIn(params.get('from'), 'first'),
    until: minuteIn(params.get('until'), 'last'),
    fromOrdinal: ordinalIn(params.get('fromOrdinal')),
    toOrdinal: ordinalIn(params.get('toOrdinal')),
  };
}

/** Leaves out defaults. */
export function auditParamsOf(address: AuditAddress): URLSearchParams {
  const { view, kinds, caseId, ...rest } = address;
  const params = new URLSearchParams();
  if (view !== 'space') params.set('view', view);
  if (kinds.length > 0) params.set('kinds', kinds.join(','));
  if (caseId !== null) params.set('case', caseId);
  for (const [name, value] of Object.entries(rest)) if (value !== null) params.set(name, String(value));
  return params;
}

export const isFiltered = ({ view: _, space: __, of: ___, ...rest }: AuditAddress): boolean =>
  auditParamsOf({ ...emptyAddress, ...rest }).size > 0;

/** Whether the view needs a post or person and none is selected. */
export const isWithoutSubject = ({ view, of }: AuditAddress): boolean =>
  of === null && (view === 'post' || view === 'voter' || view === 'receiver');

export function auditFilterOf(address: AuditAddress): AuditFilterInput {
  const { view, of, space, voter, author, post, actor, caseId, kinds, fromOrdinal, toOrdinal } = address;
  const all = {
    space,
    actor,
    caseId,
    post: view === 'post' ? of : post,
    voter: view === 'voter' ? of : voter,
    receiver: view === 'receiver' ? of : author,
    actionsOnly: view === 'acts' ? true : null,
    readsOnly: view === 'reads' ? true : null,
    kinds: kinds.length > 0 ? [...kinds] : null,
    ...spanOf(address.from, address.until),
    fromOrdinal,
    toOrdinal,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** The filter as a query string of the export URL. */
export const exportQuery = (address: AuditAddress): string =>
  new URLSearchParams(
    Object.entries(auditFilterOf(address)).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

/** Path of the audit log with these filters. */
export function auditPath(narrowed: Partial<AuditAddress>): string {
  const params = auditParamsOf({ ...emptyAddress, ...narrowed });
  return params.size > 0 ? `${paths.audit}?${params}` : paths.audit;
}
