import { findAuthorsByIds } from '@nimo/projections';
import type { ListedInvitation } from '../../features/invitations/invitations.js';
import type { OperatorSession } from '../cli-session.js';
import { textTable } from '../output.js';

/** An invitation as printed. */
interface InvitationView extends Omit<ListedInvitation, 'madeBy'> {
  /** Where students join with an active link or code. */
  readonly address: string | null;
  /** Username; null for an operator or a deleted account. */
  readonly createdBy: string | null;
}

/** Latest first. */
export async function listInvitations(
  { invitations, pool, origin }: OperatorSession,
  spaceId: string,
): Promise<readonly InvitationView[]> {
  const listed = await invitations.list(spaceId);
  const creators = await findAuthorsByIds(
    pool,
    listed.map(({ madeBy }) => madeBy ?? ''),
  );
  return listed.map(({ madeBy: _, ...invitation }, at) => ({
    ...invitation,
    address: addressOf(origin, invitation),
    createdBy: creators[at]?.userName ?? null,
  }));
}

/** The secret of a link is in the fragment, which is in no server's log. */
const addressOf = (origin: string, { kind, secret }: Pick<ListedInvitation, 'kind' | 'secret'>) =>
  secret === null ? null : `${origin}/join${kind === 'CODE' ? '/' : '#'}${secret}`;

const COLUMNS: readonly (readonly [label: string, text: (invitation: InvitationView) => string])[] = [
  ['ID', ({ _id }) => _id],
  ['kind', ({ kind }) => kind.toLowerCase()],
  ['for', ({ rule }) => rule ?? '-'],
  ['code', ({ kind, secret }) => (kind === 'CODE' && secret) || '-'],
  ['used', ({ uses, used }) => (uses === null ? String(used) : `${used} of ${uses}`)],
  ['state', ({ state }) => state.toLowerCase().replace('_', ' ')],
  ['expires', ({ expiresAt }) => expiresAt?.toISOString() ?? '-'],
  ['created by', ({ createdBy }) => createdBy ?? '-'],
  ['address', ({ address }) => address ?? '-'],
];
const LEFT = [...COLUMNS.keys()];

export const invitationText = (invitation: InvitationView): string =>
  textTable(
    COLUMNS.map(([label, text]) => [label, text(invitation)]).filter(([, text]) => text !== '-'),
    [0, 1],
  );

export const listText = (
  invitations: readonly InvitationView[],
  invitedStudents: readonly string[],
): string =>
  [
    textTable(
      [
        COLUMNS.map(([label]) => label),
        ...invitations.map((invitation) => COLUMNS.map(([, text]) => text(invitation))),
      ],
      LEFT,
    ),
    ...(invitedStudents.length > 0 ? [`Invited students: ${invitedStudents.join(', ')}`] : []),
  ].join('\n\n');
