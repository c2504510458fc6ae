import type { AsOf } from './as-of.js';

const ORDERED_BY = { ordinal: 'ordinal', moment: 'occurred_at' } as const;
/** `$3` is the ordinal or the moment. */
const POINT = { ordinal: '$3::bigint', moment: '$3::timestamptz' } as const;

/** With the fact's columns as they stand in the key, so that its index is used. */
const eventsOf = (alias: string, by: AsOf['by'], bound: string): string => `
  read.fact_events ${alias} where ${alias}.space_id = f.space_id and ${alias}.student_id = f.student_id
    and ${alias}.kind = f.kind and ${alias}.post_id = f.post_id and ${alias}.source_id = f.source_id
    and ${alias}.${ORDERED_BY[by]} <= ${bound}`;

const BEGINS = `type in ('QuestionAsked', 'AnswerPosted', 'CommentPosted', 'AnswerAccepted', 'VoteCast', 'PostReported')`;
const ENDS = `type in ('VoteWithdrawn', 'ReportsDismissed', 'UpholdingReversed')`;
/** Of these the latest cast counts; of all other kinds, the impact of a vote among them, what began them. */
const IS_CAST_ANEW = `f.kind in ('QUESTION_UPVOTED', 'QUESTION_DOWNVOTED', 'ANSWER_UPVOTED', 'ANSWER_DOWNVOTED', 'DOWNVOTE_CAST')`;

/**
 * What `foldFact` makes of those events of a fact `f` that count, in log order; no row where there was no such fact yet.
 * A moment may count an event and leave out one before it in the log, so this is asked for and not kept: what would have to be kept
 * by moment changes with every event that an import tells late.
 * @param bound up to where events count
 */
export const factAtSql = (by: AsOf['by'], bound: string = POINT[by]): string => `
  select due.ordinal, due.occurred_at,
    coalesce(s.last_end < due.ordinal, true) and not exists (
      select from ${eventsOf('i', by, bound)} and i.type = 'VotesInvalidated' and i.ordinal > s.first_begin
      and not exists (
        select from ${eventsOf('r', by, bound)} and r.type = 'InvalidationReversed' and r.detail = i.detail and r.ordinal > i.ordinal
      )
    ) as standing,
    case when f.kind = 'POST_REPORTED' then (
      select jsonb_agg(jsonb_build_object('ordinal', d.ordinal, 'occurredAt', d.occurred_at) order by d.ordinal)
      from (
        select distinct on (p.detail) p.ordinal, p.occurred_at from ${eventsOf('p', by, bound)} and p.type = 'PostReported'
        order by p.detail, p.ordinal
      ) d
    ) end as reports
  from (
    select min(e.ordinal) filter (where e.${BEGINS}) as first_begin,
      max(e.ordinal) filter (where e.${BEGINS}) as last_begin, max(e.ordinal) filter (where e.${ENDS}) as last_end
    from ${eventsOf('e', by, bound)}
  ) s
  cross join lateral (
    select b.ordinal, b.occurred_at from ${eventsOf('b', by, bound)}
    and b.ordinal = case when ${IS_CAST_ANEW} then s.last_begin else s.first_begin end
  ) due`;
