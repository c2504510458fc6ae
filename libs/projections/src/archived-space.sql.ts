/** SQL for whether a space is archived. */
export const isArchivedColumn = (spaceId: string): string =>
  `exists (select from read.archived_spaces archived where archived.space_id = ${spaceId})`;
