import type { OwnSection } from '@nimo/projections';
import type { Pool } from 'pg';

/** What `state` holds of a student that is no secret of the machinery, as sections like those of the read side. */
const SECTIONS: Readonly<Record<string, string>> = {
  logInServices: `select issuer, linked_at as "linkedAt" from state.identity where student_id = $1 order by linked_at`,
  password: `select changed_at as "changedAt" from state.credential where student_id = $1`,
  sessions: `
    select created_at as "signedInAt", last_used_at as "lastUsedAt", expires_at as "expiresAt", address, user_agent as "userAgent"
    from state.session where student_id = $1 order by created_at`,
  securityLog: `
    select kind, at, browser, system, network from state.security_log where student_id = $1 order by at, id`,
  notificationsSeen: `select space_id as "spaceId", seen_at as "seenAt" from state.last_look where student_id = $1 order by space_id`,
  invitationsMade: `
    select space_id as "spaceId", kind, created_at as "madeAt", expires_at as "expiresAt", revoked_at as "revokedAt"
    from state.invitation where made_by = $1 order by created_at, id`,
  invitationsUsed: `
    select i.space_id as "spaceId", i.kind, u.used_at as "usedAt"
    from state.invitation_use u join state.invitation i on i.id = u.invitation_id where u.student_id = $1 order by u.used_at, i.id`,
  groupsOfServices: `
    select i.space_id as "spaceId", i.rule as "group", c.seen_at as "seenAt"
    from state.carried_group c join state.identity d on d.issuer = c.issuer and d.subject = c.subject
      join state.invitation i on i.id = c.invitation_id
    where d.student_id = $1 order by c.seen_at, i.id`,
  uploads: `
    select key, status, created_at as "uploadedAt" from state.upload where student_id = $1 order by created_at, key`,
};

export const OWN_STATE_NAMES = Object.keys(SECTIONS);

export const ownStateSections = (studentId: string): readonly OwnSection[] =>
  Object.entries(SECTIONS).map(([name, text]) => ({ name, statements: [{ text, values: [studentId] }] }));

/** Pictures that can be read: what was refused, or never came, is no file. */
export async function ownPictures(db: Pick<Pool, 'query'>, studentId: string): Promise<readonly string[]> {
  const { rows } = await db.query<{ key: string }>(
    `select key from state.upload where student_id = $1 and status = 'ready' order by created_at, key`,
    [studentId],
  );
  return rows.map(({ key }) => key);
}
