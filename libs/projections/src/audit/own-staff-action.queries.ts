import type { Queryable } from '../queryable.js';

/** Ordinal of the last event of a staff command. Null if the command changed nothing or is not projected yet. */
export async function findOwnStaffAction(
  db: Queryable,
  { actorId, commandId }: { readonly actorId: string; readonly commandId: string },
): Promise<number | null> {
  const { rows } = await db.query<{ ordinal: number }>({
    name: 'own-act',
    text: `select ordinal::float8 as ordinal from read.audit_entries
           where class <> 'VOTE' and actor_id = $1 and command_id = $2
           order by ordinal desc, line desc limit 1`,
    values: [actorId, commandId],
  });
  return rows[0]?.ordinal ?? null;
}
