/**
 * SQL condition that leaves out what belongs to a deleted space. Its rows stay in the read models, because folds touch only rows that
 * an event names. For what is found by its space or in lists of all spaces; `readable` covers posts.
 * @param spaceId a column that is never null, or a parameter
 */
export const notOfRemovedSpace = (spaceId: string): string =>
  // Read once per statement, and no join to plan.
  `${spaceId} <> all(array(select removed.space_id from read.removed_spaces removed))`;

/** SQL for the name of a space, also of a deleted one: for records of what happened in it. */
export const nameEvenIfRemoved = (spaceId: string): string => `coalesce(
  (select named.name from read.spaces named where named.space_id = ${spaceId}),
  (select removed.name from read.removed_spaces removed where removed.space_id = ${spaceId}))`;
