/** The moderator `moderatorId`, limited to some of the spaces they moderate. */
export interface ModeratorScope {
  readonly moderatorId: string;
  readonly spaces: 'all' | readonly string[];
}

/**
 * SQL for whether the moderator `$1` may see case `c`. Excludes their own posts, whose reporters they must not learn, and posts they
 * reported.
 */
export const IS_VISIBLE_TO_MODERATOR = `c.author_id <> $1
  and not exists (select from jsonb_array_elements(c.reports) r where r ->> 'reporterId' = $1)`;
