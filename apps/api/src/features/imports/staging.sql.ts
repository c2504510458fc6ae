/**
 * Staging uses temporary tables, which can exceed memory and vanish with the connection. `dump_row` holds the raw rows, `entry` the
 * decision whether to skip each, and `plan` the ordered work.
 */
export const STAGING_TABLES = `
  create temp table dump_row (
    file text not null, id bigint not null, at timestamptz not null, kind text, post bigint, author text, content jsonb, skip text,
    primary key (file, id)
  )`;

export const STAGE_ROWS = `
  insert into dump_row (file, id, at, kind, post, author, content, skip)
  select $1, r.id, r.at, r.kind, r.post, r.author, r.content, r.skip
  from jsonb_to_recordset($2::jsonb) as r(
    id bigint, at timestamptz, kind text, post bigint, author text, content jsonb, skip text
  )
  on conflict do nothing`;

/** Moves posts after their question, because merged and migrated posts can be older. */
const POSTS = `
  create temp table post as
  select p.id, p.kind, p.author, coalesce(q.id, p.id) as question, q.author as question_author,
    greatest(p.at, q.at) as at, coalesce(q.content ->> 'accepted' = p.id::text, false) as is_accepted
  from dump_row p left join dump_row q on q.file = 'posts' and q.id = p.post and q.kind = 'question' and q.skip is null
  where p.file = 'posts' and p.skip is null and (p.kind = 'question' or p.kind = 'answer' and q.id is not null)`;

/** Moves rows after their post, because votes have a date without a time. */
const ENTRIES = `
  create temp table entry as
  with placed as (
    select r.file, r.id, r.kind, r.author, r.post, r.skip, p.id as found, p.kind as post_kind, p.question, p.is_accepted,
      p.author = p.question_author as is_own, greatest(r.at, p.at) as at,
      row_number() over (partition by r.file, r.kind, r.post, r.author order by greatest(r.at, p.at), r.id) as repeat
    from dump_row r
    left join post p on p.id = case when r.file = 'posts' then r.id else r.post end
  )
  select file, id, kind, author, post, question, post_kind, at,
    case
      when skip is not null then skip
      when file = 'users' then null
      when kind = 'answer' and found is null then 'its question is missing from the dump or was skipped'
      when found is null then 'its post is missing from the dump or was skipped'
      when kind = 'bookmark' and author is null then 'a bookmark without a user'
      when kind = 'bookmark' and post_kind = 'answer' then 'a bookmark of an answer'
      when kind = 'bookmark' and repeat > 1 then 'a duplicate bookmark'
      when kind = 'accept' and not is_accepted then 'not, or no longer, the accepted answer'
      when kind = 'accept' and is_own then 'accepted by its own author'
      when kind = 'accept' and repeat > 1 then 'a duplicate acceptance'
    end as skip
  from placed`;

/** Counts dangling references by file and column. */
export const COUNT_DANGLING = `
  with named as (
    select file, case when file = 'posts' then 'ParentId' else 'PostId' end as "column", 'posts' as target, post as id
    from dump_row where post is not null
    union all
    select file, case when file = 'posts' then 'OwnerUserId' else 'UserId' end, 'users', author::bigint
    from dump_row where file in ('posts', 'comments') and author ~ '^-?[0-9]+$'
  )
  select n.file, n."column", n.target, count(*)::int as rows, count(*) filter (where r.id is null)::int as missing
  from named n left join dump_row r on r.file = n.target and r.id = n.id
  group by n.file, n."column", n.target
  order by n.file, n."column"`;

/** Adds acceptances without a vote, numbers voters per post in the order of votes, and schedules people when first needed. */
const PLAN = `
  create temp table plan as
  with taking_part as (
    select file, id, kind, author, post, question, post_kind, at,
      case when kind in ('up', 'down')
        then row_number() over (partition by kind in ('up', 'down'), post order by at, id) end as voter
    from entry where skip is null and file <> 'users'
  ), undated as (
    select null::text, id, 'accept', null::text, id, question, 'answer', at, null::bigint
    from post p
    where is_accepted and kind = 'answer' and author is distinct from question_author
      and not exists (select from entry e where e.kind = 'accept' and e.skip is null and e.post = p.id)
  ), needed as (
    select author, min(at) as at from taking_part where author is not null group by author
  ), person as (
    select coalesce(u.author, n.author) as author, least(u.at, n.at) as at, u.id
    from (select author, at, id from entry where file = 'users' and skip is null) u
    full join needed n on n.author = u.author
  ), topic as (
    select tag, min(at) as at
    from (
      select jsonb_array_elements_text(
        case when jsonb_array_length(r.content -> 'tags') = 0 then '["untagged"]'::jsonb else r.content -> 'tags' end
      ) as tag, r.at
      from dump_row r where r.file = 'posts' and r.kind = 'question' and r.skip is null
    ) used group by tag
  ), everything (file, id, kind, author, post, question, post_kind, at, voter, rank) as (
    select null::text, null::bigint, 'topic', tag, null::bigint, null::bigint, null::text, at, null::bigint, 0 from topic
    union all
    select case when id is null then null else 'users' end, id, 'person', author, null, null, null, at, null, 1 from person
    union all
    select null, null, 'stand-in', null, null, null, null, min(at), voter, 2
    from taking_part where voter is not null group by voter
    union all
    select *, case kind when 'question' then 3 when 'answer' then 4 when 'comment' then 5 when 'accept' then 7 else 6 end
    from taking_part
    union all
    select *, 7 from undated
  )
  select row_number() over (order by at, rank, id, author, voter) as position, everything.* from everything`;

/** The first of several people with the same name keeps it. */
const NAMES = `
  create temp table person_name as
  select id, row_number() over (partition by lower(content ->> 'userName') order by at, id) as nth
  from dump_row where file = 'users' and skip is null`;

export const PLAN_STATEMENTS = [
  POSTS,
  'alter table post add primary key (id)',
  'analyze post',
  ENTRIES,
  `create index on entry (post) where file = 'comments' and skip is null`,
  'analyze entry',
  PLAN,
  'alter table plan add primary key (position)',
  NAMES,
  'alter table person_name add primary key (id)',
];

/** Reads a page of the plan. Comments with an @ include the earlier participants under their post. */
export const READ_PLAN = `
  select p.position, p.file, p.id, p.kind, p.author, p.post, p.question, p.post_kind as "postKind", p.at, p.voter, r.content, n.nth,
    case when p.kind = 'accept' then (select author from post where id = p.question) end as "questionAuthor",
    case when p.kind = 'comment' and r.content ->> 'body' like '%@%' then (
      select jsonb_agg(distinct jsonb_build_object('author', s.author, 'name', coalesce(u.content ->> 'name', ltrim(s.author, '~'))))
      from (
        select author from post where id = p.post
        union
        select e.author from entry e
        where e.file = 'comments' and e.skip is null and e.post = p.post and (e.at, e.id) < (p.at, p.id)
      ) s
      left join dump_row u on u.file = 'users' and u.id = case when s.author ~ '^-?[0-9]+$' then s.author::bigint end
    ) end as participants
  from plan p
  left join dump_row r on r.file = p.file and r.id = p.id
  left join person_name n on p.kind = 'person' and n.id = p.id
  where p.position > $1 and p.position <= $1 + $2
  order by p.position`;

export const COUNT_PLANNED = `
  select file, kind, count(*)::int as rows, min(at) as first, max(at) as last from plan group by file, kind`;

export const COUNT_SKIPPED = `
  select file, skip as reason, count(*)::int as rows from entry where skip is not null group by file, skip`;
