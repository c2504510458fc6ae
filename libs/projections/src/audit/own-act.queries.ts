import type { Queryable } from '../queryable.js';

/** Where in the log an act stands that its actor has just done: the first event of the command. Null where it changed nothing. */
export async function findOwnAct(
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
