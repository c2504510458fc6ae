import type { AsOf } from './as-of.js';

/** `$3` is the ordinal or the moment. */
const COUNTS = { ordinal: 'ordinal <= $3::bigint', moment: 'occurred_at <= $3::timestamptz' } as const;

/** With the fact's columns as they stand in the key, so that its index is used. */
const eventsOf = (alias: string, by: AsOf['by']): string => `
  read.fact_events ${alias} where ${alias}.space_id = f.space_id and ${alias}.student_id = f.student_id
    and ${alias}.kind = f.kind and ${alias}.post_id = f.post_id and ${alias}.source_id = f.source_id
    and ${alias}.${COUNTS[by]}`;

const BEGINS = `type in ('QuestionAsked', 'AnswerPosted', 'CommentPosted', 'AnswerAccepted', 'VoteCast', 'PostReported')`;
const ENDS = `type in ('VoteWithdrawn', 'ReportsDismissed', 'UpholdingReversed')`;
/** Of these the latest cast counts; of all other kinds, the impact of a vote among them, what began them. */
const IS_CAST_ANEW = `f.kind in ('QUESTION_UPVOTED', 'QUESTION_DOWNVOTED', 'ANSWER_UPVOTED', 'ANSWER_DOWNVOTED', 'DOWNVOTE_CAST')`;

/**
 * What `foldFact` makes of those events of a fact `f` that count, in log order; no row where there was no such fact yet.
 * A moment may count an event and leave out one before it in the log, so this is asked for and not kept: what would have to be kept
 * by moment changes with every event that an import tells late.
 */
export const factAtSql = (by: AsOf['by']): string => `
  select due.ordinal, due.occurred_at,
    coalesce(s.last_end < due.ordinal, true) and not exists (
      select from ${eventsOf('i', by)} and i.type = 'VotesInvalidated' and i.ordinal > s.first_begin
      and not exists (
        select from ${eventsOf('r', by)} and r.type = 'InvalidationReversed' and r.detail = i.detail and r.ordinal > i.ordinal
      )
    ) as standing,
    case when f.kind = 'POST_REPORTED' then (
      select jsonb_agg(jsonb_build_object('ordinal', d.ordinal, 'occurredAt', d.occurred_at) order by d.ordinal)
      from (
        select distinct on (p.detail) p.ordinal, p.occurred_at from ${eventsOf('p', by)} and p.type = 'PostReported'
        order by p.detail, p.ordinal
      ) d
    ) end as reports
  from (
    select min(e.ordinal) filter (where e.${BEGINS}) as first_begin,
      max(e.ordinal) filter (where e.${BEGINS}) as last_begin, max(e.ordinal) filter (where e.${ENDS}) as last_end
    from ${eventsOf('e', by)}
  ) s
  cross join lateral (
    select b.ordinal, b.occurred_at from ${eventsOf('b', by)}
    and b.ordinal = case when ${IS_CAST_ANEW} then s.last_begin else s.first_begin end
  ) due`;
