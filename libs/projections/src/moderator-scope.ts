import { notOfRemovedSpace } from './removed-space.sql.js';

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

/** Hides cases of which every space was deleted. */
export const ofAnySpace = `exists (
  select from unnest(c.space_ids) as of_case (space_id) where ${notOfRemovedSpace('of_case.space_id')})`;

/** Hides cases that include votes by the reader or on the reader's posts. */
export const notInvolvedInCase = (reader: string) =>
  `not exists (select from read.case_votes o where o.case_id = c.case_id and ${reader} in (o.voter_id, o.author_id))`;

/** SQL condition on case `c`: no vote was withdrawn, switched or invalidated since. Nobody can confirm a proposal without it. */
export const ALL_VOTES_STAND = `not exists (
  select from read.case_votes o left join read.votes v using (post_id, voter_id, direction)
  where o.case_id = c.case_id and (v.is_held is not true or v.invalid_in <> '{}'))`;

/**
 * SQL condition on case `c`: a proposal of somebody else that the reader may confirm.
 * @param within condition that limits `c.space_ids` to the reader's spaces
 */
export const isProposalFor = (reader: string, within: string): string =>
  `c.invalidated_at is null and c.declined_at is null and c.proposed_by <> ${reader} and ${within} and ${ofAnySpace} and ${notInvolvedInCase(reader)} and ${ALL_VOTES_STAND}`;
