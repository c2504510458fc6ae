import { type PatternVerdict, triageDecider, type VoteDirection } from '@nimo/domain';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { historySeed } from '@nimo/testing';
import { READ_TYPES } from '@nimo/projection-engine';
import { EventHistory } from '../testing/event-history.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { type Ballot, patternsOf } from '../testing/voting.fixture.js';
import { canBeConfirmed, countProposedCases, findCase, findOwnCases } from './cases.queries.js';
import type { CaseRow } from './patterns.tables.js';
import { listScoreNotices } from './score-notices.queries.js';
import { listVotePatterns } from './patterns.queries.js';
import { listPatternTriages, withTriage } from './triage.js';
import { findReceivedVotes, pageOfVoteGivers } from './vote-givers.queries.js';

const MINUTE = 60_000;

let side: ReadSide;
beforeEach(async () => {
  side = await openReadSide();
});
afterEach(() => side.close());

const rows = async <R>(text: string): Promise<R[]> =>
  (await side.pool.query({ text, types: READ_TYPES })).rows as R[];

/** 24 people, three of whom can form a ring, and a stand-in of an import that votes for one author. */
function community() {
  const past = new EventHistory(undefined, 2 * MINUTE);
  const spaceId = past.newSpace();
  const place = past.newTopic(spaceId, past.newSubject(spaceId));
  const people = Array.from({ length: 24 }, () => past.newStudent());
  const standIn = past.newStandIn();
  const posts = people.map((author) => Array.from({ length: 12 }, () => past.ask(author, place)));
  const ring = people.slice(0, 3);
  const postsOf = (author: string) => posts[people.indexOf(author)] ?? [];
  people.forEach((voter, index) => {
    for (let step = 1; step <= 11; step += 1) {
      const author = people[(index + step) % people.length] ?? '';
      past.vote(voter, postsOf(author)[step % 2] ?? '', step % 4 === 0 ? 'DOWN' : 'UP');
    }
  });
  for (const post of postsOf(people[5] ?? '')) past.vote(standIn, post, 'UP');
  const conspire = () => {
    for (const voter of ring)
      for (const author of ring)
        if (author !== voter) for (const post of postsOf(author).slice(2)) past.vote(voter, post, 'UP');
  };
  return { past, spaceId, people, ring, postsOf, standIn, conspire };
}

async function ballots(spaceId: string): Promise<Ballot[]> {
  const { rows: votes } = await side.pool.query<{
    voter_id: string;
    author_id: string;
    direction: VoteDirection;
    at: string;
  }>(
    `select voter_id, author_id, direction, extract(epoch from cast_at) / 60 as at from read.judged_votes
     where space_id = $1 and is_held and invalid_in = '{}'`,
    [spaceId],
  );
  const { rows: imported } = await side.pool.query<{ author_id: string; direction: VoteDirection }>(
    `select student_id as author_id, case when kind like '%UPVOTED' then 'UP' else 'DOWN' end as direction
     from read.score_facts f where space_id = $1 and standing and kind ~ '_(UP|DOWN)VOTED$'
       and not exists (select 1 from read.judged_votes v where v.post_id = f.post_id and v.voter_id = f.source_id)`,
    [spaceId],
  );
  return [
    ...votes.map(({ voter_id, author_id, direction, at }) => ({
      voterId: voter_id,
      authorId: author_id,
      direction,
      at: Number(at),
    })),
    ...imported.map(({ author_id, direction }) => ({
      voterId: '',
      authorId: author_id,
      direction,
      at: 0,
      isStandIn: true,
    })),
  ];
}

describe('patterns of a space', () => {
  it('are empty among honest voters', async () => {
    const { past, spaceId } = community();
    await side.record(past);
    expect(await listVotePatterns(side.pool, spaceId)).toEqual([]);
    expect(await listVotePatterns(side.pool, past.newSpace())).toEqual([]);
  });

  it('include a ring until its votes are withdrawn or invalidated', async () => {
    const { past, spaceId, ring, postsOf, conspire } = community();
    conspire();
    await side.record(past);
    const [found, ...others] = await listVotePatterns(side.pool, spaceId);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ kind: 'RING', studentIds: [...ring].sort() });
    expect(found?.votes).toBeGreaterThan(3 * (found?.expected ?? 0));

    const [first = '', ...rest] = ring;
    const givenByFirst = rest.flatMap((author) =>
      postsOf(author)
        .slice(2)
        .map((post) => past.voteData(first, post, 'UP')),
    );
    const caseId = past.invalidate(past.newModerator(), givenByFirst);
    const toggle = () => {
      for (const voter of rest) for (const post of postsOf(first).slice(2)) past.vote(voter, post, 'UP');
    };
    toggle();
    await side.record(past);
    const left = await listVotePatterns(side.pool, spaceId);
    expect(left).toMatchObject([{ kind: 'PAIR', studentIds: [...rest].sort() }]);

    past.reverse(caseId);
    toggle();
    await side.record(past);
    expect((await listVotePatterns(side.pool, spaceId))[0]?.id).toBe(found?.id);
  });

  it('keep the votes of a proposal until another moderator confirms', async () => {
    const { past, spaceId, ring, people, postsOf } = community();
    const voters = people.slice(6, 17);
    const posts = postsOf(ring[0] ?? '').slice(2);
    for (const voter of voters) for (const post of posts) past.vote(voter, post, 'UP');
    const votes = voters.flatMap((voter) => posts.map((post) => past.voteData(voter, post, 'UP')));
    const [proposer, second, third] = [past.newModerator(), past.newModerator(), past.newModerator()];
    const [confirmed, declined] = [past.invalidate(proposer, votes), past.invalidate(proposer, votes)];
    const invalid = () =>
      rows<{ n: number }>(`select count(*)::int as n from read.judged_votes where invalid_in <> '{}'`);
    const caseOf = (caseId: string) => findCase(side.pool, caseId, second);
    const countFor = (moderatorId: string, spaces: 'all' | readonly string[] = [spaceId]) =>
      countProposedCases(side.pool, { moderatorId, spaces });
    const noticesOf = (studentId: string) => listScoreNotices(side.pool, { spaceId, studentId });
    await side.record(past);
    expect(await invalid()).toEqual([{ n: 0 }]);
    expect(await caseOf(confirmed)).toMatchObject({
      ...{ state: 'PROPOSED', moderatorId: proposer, proposedBy: proposer, votes: votes.length },
      ...{ invalidatedAt: null, declinedAt: null },
    });
    expect(await noticesOf(ring[0] ?? '')).toEqual([]);
    expect([await countFor(second), await countFor(second, 'all'), await countFor(second, [])]).toEqual([
      2, 2, 0,
    ]);
    // Neither the proposer nor those the votes concern.
    expect([
      await countFor(proposer),
      await countFor(voters[0] ?? ''),
      await countFor(ring[0] ?? ''),
    ]).toEqual([0, 0, 0]);
    expect(await canBeConfirmed(side.pool, confirmed)).toBe(true);

    past.confirm(second, confirmed);
    past.decline(third, declined);
    await side.record(past);
    expect(await invalid()).toEqual([{ n: votes.length }]);
    expect(await caseOf(confirmed)).toMatchObject({
      ...{ state: 'INVALIDATED', moderatorId: second, proposedBy: proposer },
    });
    expect(await caseOf(declined)).toMatchObject({
      ...{ state: 'DECLINED', declinedBy: third, declineReason: 'They study together', invalidatedAt: null },
    });
    expect(await countFor(second)).toBe(0);
    expect(await noticesOf(ring[0] ?? '')).toHaveLength(posts.length);
    const live = await rows<CaseRow>('select * from read.cases order by case_id');
    await side.rebuild('patterns');
    expect(await rows<CaseRow>('select * from read.cases order by case_id')).toEqual(live);

    past.reverse(confirmed);
    await side.record(past);
    expect(await caseOf(confirmed)).toMatchObject({ state: 'REVERSED' });
    expect(await invalid()).toEqual([{ n: 0 }]);
  });

  it('leave a proposal unconfirmed while one of its votes does not stand', async () => {
    const { past, spaceId, people, postsOf } = community();
    const voters = people.slice(6, 17);
    const posts = postsOf(people[0] ?? '').slice(2);
    for (const voter of voters) for (const post of posts) past.vote(voter, post, 'UP');
    const votes = voters.flatMap((voter) => posts.map((post) => past.voteData(voter, post, 'UP')));
    const [second, third] = [past.newModerator(), past.newModerator()];
    const proposal = past.invalidate(past.newModerator(), votes);
    const [voter = '', post = ''] = [voters[0], posts[0]];
    const expectOpen = async (isOpen: boolean) => {
      await side.record(past);
      expect(await canBeConfirmed(side.pool, proposal)).toBe(isOpen);
      expect(await countProposedCases(side.pool, { moderatorId: second, spaces: [spaceId] })).toBe(
        Number(isOpen),
      );
    };
    await expectOpen(true);
    past.vote(voter, post, 'DOWN');
    await expectOpen(false);
    past.vote(voter, post, 'UP');
    await expectOpen(true);
    const other = past.invalidate(third, votes.slice(0, 1));
    await expectOpen(false);
    past.reverse(other);
    await expectOpen(true);
  });

  it('limit the next case of the moderator who decided alone', async () => {
    const { past, people, postsOf } = community();
    const [author = '', other = ''] = people;
    const voters = people.slice(2);
    const votesFor = (receiver: string) =>
      voters.flatMap((voter) =>
        postsOf(receiver)
          .slice(2, 8)
          .map((post) => {
            past.vote(voter, post, 'UP');
            return past.voteData(voter, post, 'UP');
          }),
      );
    const [votes, othersVotes] = [votesFor(author), votesFor(other)];
    const [moderator, colleague] = [past.newModerator(), past.newModerator()];
    const since = '2026-01-01T00:00:00.000Z';
    const next = votes.slice(-1);
    const own = async (changes: object = {}) => {
      await side.record(past);
      const asked = { moderatorId: moderator, votes: next, caseId: 'next', since, ...changes };
      const { votesInvalidatedAlone, proposalId } = await findOwnCases(side.pool, asked);
      return [votesInvalidatedAlone, proposalId];
    };
    expect(await own()).toEqual([0, null]);
    const alone = past.invalidate(moderator, votes.slice(0, 60));
    past.invalidate(moderator, othersVotes.slice(0, 5));
    expect(await own()).toEqual([60, null]);
    expect(await own({ votes: [...next, ...othersVotes.slice(-1)] })).toEqual([65, null]);
    expect(await own({ moderatorId: colleague })).toEqual([0, null]);
    expect(await own({ since: '2027-01-01T00:00:00.000Z' })).toEqual([0, null]);
    expect(await own({ caseId: alone })).toEqual([0, null]);
    expect(await own({ votes: next.map((vote) => ({ ...vote, spaceId: past.newSpace() })) })).toEqual([
      0,
      null,
    ]);
    past.reverse(alone);
    const proposed = past.invalidate(moderator, votes);
    expect(await own()).toEqual([0, proposed]);
    expect(await own({ moderatorId: colleague })).toEqual([0, null]);
    expect(await own({ votes: othersVotes.slice(-1) })).toEqual([5, null]);
    past.confirm(colleague, proposed);
    expect(await own()).toEqual([0, null]);
    past.reverse(proposed);
    past.decline(colleague, past.invalidate(moderator, votes));
    expect(await own()).toEqual([0, null]);
  });

  it('keep their triage after a rebuild and after a member is erased', async () => {
    const { past, spaceId, ring, conspire } = community();
    conspire();
    await side.record(past);
    const [found] = await listVotePatterns(side.pool, spaceId);
    if (!found) throw new Error('no pattern found');
    const { id: patternId, kind, studentIds, votes: voteCount } = found;
    const [moderator, another] = [past.newModerator(), past.newModerator()];
    const triage = (moderatorId: string, verdict: PatternVerdict) => {
      const data = { spaceId, patternId, kind, verdict, moderatorId, voteCount, studentIds };
      past.append(triageDecider.stream(spaceId, patternId), { type: 'VotePatternTriaged', data });
    };
    triage(moderator, 'SEEN');
    await side.record(past);
    triage(another, 'WATCHED');
    past.erase(ring[0] ?? '');
    await side.record(past);
    const triaged = async () =>
      withTriage(
        await listVotePatterns(side.pool, spaceId),
        (await listPatternTriages(side.pool, [spaceId])).get(spaceId) ?? [],
      );
    const live = await triaged();
    expect(live).toMatchObject([
      {
        ...{ id: patternId, state: 'WATCHED', hasGrown: false, revision: 2 },
        triage: { verdict: 'WATCHED', moderatorId: another, votes: voteCount, studentIds },
      },
    ]);
    await side.rebuild('patterns');
    expect(await triaged()).toEqual(live);
    expect(await listPatternTriages(side.pool, [past.newSpace()])).toEqual(
      new Map([[expect.any(String), []]]),
    );
  });

  it('match the reference implementation', async () => {
    const { past, spaceId, conspire, people, postsOf } = community();
    conspire();
    // Within minutes, to add a burst.
    for (const post of postsOf(people[7] ?? '').slice(2)) past.vote(people[9] ?? '', post, 'DOWN');
    await side.record(past);
    const reference = patternsOf(await ballots(spaceId), () => 12);
    const found = await listVotePatterns(side.pool, spaceId);
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(({ id }) => id)).toEqual(reference.map(({ id }) => id));
    found.forEach(({ votes, expected, chanceLog10, links }, index) => {
      expect(votes).toBe(reference[index]?.votes);
      expect(links).toHaveLength(reference[index]?.links.length ?? 0);
      expect(expected).toBeCloseTo(reference[index]?.expected ?? NaN, 9);
      expect(chanceLog10).toBeCloseTo(reference[index]?.chanceLog10 ?? NaN, 9);
    });
  });

  it('match the reference implementation for a star, including the age of its accounts', async () => {
    const { past, spaceId, people, postsOf } = community();
    const star = people[3] ?? '';
    const puppets = Array.from({ length: 10 }, () => past.newStudent());
    for (const puppet of puppets) {
      past.join(puppet, spaceId);
      for (const post of postsOf(star).slice(2, 9)) past.vote(puppet, post, 'UP');
    }
    // Someone who votes for several authors is no devotee.
    const reader = past.newStudent();
    past.join(reader, spaceId);
    for (const author of people.slice(6, 12)) past.vote(reader, postsOf(author)[3] ?? '', 'UP');
    await side.record(past);
    const minutes = (value: string) => `extract(epoch from ${value})::float8 / 60`;
    const joined = new Map(
      (
        await rows<{ student_id: string; at: number }>(
          `select student_id, ${minutes('joined_at')} as at from read.memberships where space_id = '${spaceId}'`,
        )
      ).map(({ student_id, at }) => [student_id, at]),
    );
    const written = new Map(
      (
        await rows<{ student_id: string; n: number; at: number }>(
          `select student_id, count(*)::int as n, ${minutes('min(occurred_at)')} as at from read.score_facts
           where space_id = '${spaceId}' and kind like '%POSTED' group by student_id`,
        )
      ).map(({ student_id, n, at }) => [student_id, { n, at }]),
    );
    const reference = patternsOf(await ballots(spaceId), {
      postsOf: (id) => written.get(id)?.n ?? 0,
      joinedAt: (id) => joined.get(id) ?? null,
      wroteFirstAt: (id) => written.get(id)?.at ?? null,
    });
    const found = await listVotePatterns(side.pool, spaceId);
    expect(found.map(({ id }) => id)).toEqual(reference.map(({ id }) => id));
    const [shown, expected] = [found, reference].map((all) => all.find(({ kind }) => kind === 'STAR'));
    expect(shown).toMatchObject({ votes: 70, newAccounts: 10 });
    expect(new Set(shown?.studentIds)).toEqual(new Set([star, ...puppets]));
    expect(shown?.expected).toBeCloseTo(expected?.expected ?? NaN, 9);
    expect(shown?.chanceLog10).toBeCloseTo(expected?.chanceLog10 ?? NaN, 9);
    expect(shown?.links).toHaveLength(10);
  });

  it('exclude stand-ins of imports, but compare with their votes', async () => {
    const past = new EventHistory(undefined, 2 * MINUTE);
    const spaceId = past.newSpace();
    const place = past.newTopic(spaceId, past.newSubject(spaceId));
    const authors = Array.from({ length: 20 }, () => past.newStudent());
    const posts = authors.map((author) => Array.from({ length: 10 }, () => past.ask(author, place)));
    const six = authors.slice(0, 6);
    for (const voter of six)
      for (const [index, author] of six.entries())
        if (author !== voter) for (const post of posts[index] ?? []) past.vote(voter, post, 'UP');
    await side.record(past);
    expect(await listVotePatterns(side.pool, spaceId)).toEqual([]);

    const puppets = Array.from({ length: 8 }, () => past.newStudent());
    for (const puppet of puppets) {
      past.join(puppet, spaceId);
      for (const post of posts[19]?.slice(0, 7) ?? []) past.vote(puppet, post, 'UP');
    }
    const standIns = Array.from({ length: 3 }, () => past.newStandIn());
    for (const own of posts.slice(6))
      for (const post of own) for (const standIn of standIns) past.vote(standIn, post, 'UP');
    await side.record(past);
    expect(await rows(`select 1 from read.judged_votes where voter_id = '${standIns[0]}'`)).toEqual([]);
    const found = await listVotePatterns(side.pool, spaceId);
    expect(found.map(({ kind, studentIds }) => [kind, new Set(studentIds)])).toEqual([
      ['RING', new Set(six)],
      ['STAR', new Set([authors[19], ...puppets])],
    ]);
    const reference = patternsOf(await ballots(spaceId), {
      postsOf: (id) => (authors.includes(id) ? 10 : 0),
    });
    expect(found.map(({ id }) => id)).toEqual(reference.map(({ id }) => id));
    expect(found[0]?.expected).toBeCloseTo(reference[0]?.expected ?? NaN, 9);
  });

  const seed = historySeed();
  it(`count valid votes in random histories (NIMO_HISTORY_SEED=${seed})`, async () => {
    await side.record(randomHistory(seed, 600));
    const counted = (key: string) => `
      select ${key}, count(*) filter (where direction = 'UP') as upvotes,
        count(*) filter (where direction = 'DOWN') as downvotes
      from read.judged_votes where is_held and invalid_in = '{}' group by ${key}`;
    for (const [table, key] of [
      ['vote_pairs', 'space_id, voter_id, author_id'],
      ['vote_givers', 'space_id, voter_id'],
      ['vote_takers', 'space_id, author_id'],
    ] as const) {
      const kept = `select ${key}, upvotes, downvotes from read.${table}`;
      expect(
        await rows(`(${counted(key)} except ${kept}) union all (${kept} except ${counted(key)})`),
      ).toEqual([]);
    }
    const shown = `select post_id, voter_id, direction, is_held, invalid_in from`;
    expect(await rows(`${shown} read.judged_votes except ${shown} read.votes`)).toEqual([]);
  });
});

describe('cases', () => {
  it('keep who opened and who first reversed them, and why', async () => {
    const { past, people, spaceId, postsOf } = community();
    const moderator = past.newModerator();
    const post = postsOf(people[1] ?? '')[0] ?? '';
    const caseId = past.invalidate(moderator, [past.voteData(people[0] ?? '', post, 'UP')]);
    await side.record(past);
    const read = () => rows<CaseRow>('select * from read.cases');
    expect(await read()).toMatchObject([
      { case_id: caseId, space_ids: [spaceId], moderator_id: moderator, category: 'ARRANGED', votes: 1 },
    ]);
    past.reverse(caseId);
    await side.record(past);
    const [reversed] = await read();
    expect(reversed).toMatchObject({ reversed_by: moderator, reversal_reason: 'A ring' });
    expect(reversed?.reversed_at).not.toBeNull();
    past.reverse(caseId);
    await side.record(past);
    expect(await read()).toEqual([reversed]);
  });
});

describe('votes for an author', () => {
  it('list who gave them, with shares, until they are withdrawn or invalidated, and count those of stand-ins', async () => {
    const { past, spaceId, people, ring, postsOf, conspire } = community();
    conspire();
    const [first = '', second = '', third = ''] = ring;
    const author = people[5] ?? '';
    await side.record(past);
    const page = (authorId: string, readerId = 'nobody') =>
      pageOfVoteGivers(side.pool, { spaceId, authorId, readerId, page: 1, limit: 50 });
    const all = await ballots(spaceId);
    const count = (filter: Partial<Ballot>) =>
      all.filter((ballot) =>
        Object.entries(filter).every(([key, value]) => ballot[key as keyof Ballot] === value),
      ).length;
    for (const authorId of [author, first]) {
      const givers = await page(authorId);
      const voters = new Set(
        all
          .filter((ballot) => ballot.authorId === authorId && !ballot.isStandIn)
          .map(({ voterId }) => voterId),
      );
      expect(new Set(givers.docs.map(({ voterId }) => voterId))).toEqual(voters);
      expect(givers.total).toBe(voters.size);
      for (const { voterId, upvotes, downvotes, given, firstVoteAt, lastVoteAt, ...giver } of givers.docs) {
        expect([upvotes, downvotes]).toEqual([
          count({ voterId, authorId, direction: 'UP' }),
          count({ voterId, authorId, direction: 'DOWN' }),
        ]);
        expect(given).toEqual({
          upvotes: count({ voterId, direction: 'UP' }),
          downvotes: count({ voterId, direction: 'DOWN' }),
        });
        const times = all
          .filter((ballot) => ballot.voterId === voterId && ballot.authorId === authorId)
          .map(({ at }) => at * MINUTE);
        expect([firstVoteAt, lastVoteAt].map((at) => Date.parse(at ?? ''))).toEqual([
          Math.min(...times),
          Math.max(...times),
        ]);
        expect(giver).toMatchObject({ posts: 12 });
      }
    }
    expect(
      (await page(first)).docs
        .slice(0, 2)
        .map(({ voterId }) => voterId)
        .sort(),
    ).toEqual([second, third].sort());
    expect((await page(first, second)).docs.map(({ voterId }) => voterId)).not.toContain(second);
    expect(await findReceivedVotes(side.pool, { spaceId, authorId: author })).toEqual({
      received: {
        upvotes: count({ authorId: author, direction: 'UP' }),
        downvotes: count({ authorId: author, direction: 'DOWN' }),
      },
      unknown: { upvotes: 12, downvotes: 0 },
    });

    const mine = postsOf(first).map((post) => past.voteData(second, post, 'UP'));
    past.invalidate(past.newModerator(), mine.slice(2));
    for (const post of postsOf(first)) past.vote(third, post, 'UP');
    await side.record(past);
    const later = await page(first);
    const rest = await ballots(spaceId);
    expect(later.docs.map(({ voterId }) => voterId).sort()).toEqual(
      [...new Set(rest.filter(({ authorId }) => authorId === first).map(({ voterId }) => voterId))].sort(),
    );
  });
});
