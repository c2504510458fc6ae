import { DEFAULT_SCORING_RULES } from '@nimo/domain';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AsOf } from '../history/scores-as-of.js';
import { pageOfLeaderboardAsOf } from '../history/leaderboard-as-of.queries.js';
import { expectLeaderboardsAsOf } from '../testing/leaderboard-as-of.fixture.js';
import { EventHistory } from '../testing/event-history.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { pageOfLeaderboard } from './leaderboard.queries.js';
import { pageOfScoreExplanation } from './score-explanation.queries.js';
import { listScoringRules, listScoringVersions } from './scoring-rules.queries.js';

const DAY = 86_400_000;
const weights = { ...DEFAULT_SCORING_RULES.weights, QUESTION_UPVOTED: { merit: 7, impact: 0 } };

let side: ReadSide;
let past: EventHistory;
let spaceId: string;
let author: string;
let questionId: string;
/** When version 2 takes effect, a day after the question was asked. */
let effectiveAt: string;
beforeEach(async () => {
  side = await openReadSide();
  past = new EventHistory();
  spaceId = past.newSpace();
  author = past.newStudent();
  questionId = past.ask(author, past.newTopic(spaceId, past.newSubject(spaceId)));
  past.vote(past.newStudent(), questionId, 'UP');
  effectiveAt = new Date(timeOfLast() + DAY).toISOString();
  past.publishRules({ effectiveFrom: effectiveAt, weights });
});
afterEach(() => side.close());

const timeOfLast = (): number => Date.parse(past.events.at(-1)?.metadata.occurredAt ?? '');
const statesAt = async (time: number) =>
  (await listScoringVersions(side.pool, new Date(time))).map(({ version, state }) => `${version} ${state}`);
const versionShownAt = async (time: number) =>
  (await pageOfScoreExplanation(side.pool, { spaceId, studentId: author, now: new Date(time) })).rulesVersion;
const meritNow = async () => {
  const { docs } = await pageOfLeaderboard(side.pool, { spaceId, viewerId: null });
  return docs.find(({ student }) => student._id === author)?.reputations;
};
const then = async (asOf: AsOf) => {
  const { docs, rulesVersion } = await pageOfLeaderboardAsOf(side.pool, { spaceId, asOf });
  return [docs.find(({ _id }) => _id === author)?.reputations, rulesVersion];
};

describe('rules with an effective date', () => {
  it('are scheduled before it and in force afterwards, without any write', async () => {
    await side.record(past);
    const start = Date.parse(effectiveAt);
    expect(await statesAt(start - 1)).toEqual(['2 SCHEDULED', '1 IN_FORCE']);
    expect(await versionShownAt(start - 1)).toBe(1);
    expect(await statesAt(start)).toEqual(['2 IN_FORCE', '1 REPLACED']);
    expect(await versionShownAt(start)).toBe(2);
  });

  it('score only events from that date on', async () => {
    past.vote(past.newStudent(), questionId, 'UP');
    past.passTime(2 * DAY);
    past.vote(past.newStudent(), questionId, 'UP');
    await side.record(past);
    expect(await meritNow()).toBe(1 + 50 + 50 + 7);
    const last = past.events.length;
    expect(await then({ by: 'ordinal', ordinal: last })).toEqual([108, 2]);
    expect(await then({ by: 'ordinal', ordinal: last - 1 })).toEqual([101, 1]);
    expect(await then({ by: 'moment', at: new Date(Date.parse(effectiveAt) - 1).toISOString() })).toEqual([
      101, 1,
    ]);
    expect(await then({ by: 'moment', at: effectiveAt })).toEqual([101, 2]);
  });

  it('have no effect once withdrawn, live, rebuilt or in the past, and keep their number', async () => {
    past.withdrawRules(2, 'Too little for a question');
    past.passTime(2 * DAY);
    past.vote(past.newStudent(), questionId, 'UP');
    await side.record(past);
    expect(await meritNow()).toBe(1 + 50 + 50);
    expect(await then({ by: 'ordinal', ordinal: past.events.length })).toEqual([101, 1]);
    for (const name of ['leaderboard', 'history']) await side.rebuild(name);
    expect(await meritNow()).toBe(101);
    expect(await then({ by: 'ordinal', ordinal: past.events.length })).toEqual([101, 1]);
    expect(await listScoringRules(side.pool)).toEqual([]);
    const [withdrawn] = await listScoringVersions(side.pool, new Date(Date.parse(effectiveAt) + DAY));
    expect(withdrawn).toMatchObject({
      version: 2,
      state: 'WITHDRAWN',
      withdrawnBy: null,
      withdrawalReason: 'Too little for a question',
    });
  });

  it('are reverted by a withdrawal for votes scored by them because of clock skew', async () => {
    past.withClock({ skewMs: 2 * DAY }, () => past.vote(past.newStudent(), questionId, 'UP'));
    await side.record(past);
    expect(await meritNow()).toBe(1 + 50 + 7);
    past.withdrawRules(2);
    await side.record(past);
    expect(await meritNow()).toBe(1 + 50 + 50);
  });

  it('match the fold at every point around publication and withdrawal, in a random history', async () => {
    const history = randomHistory(31, 250);
    const half = history.events[Math.floor(history.events.length / 2)];
    const begin = history.events.length;
    history.publishRules({ effectiveFrom: half?.metadata.occurredAt ?? null, weights });
    const { length } = history.events.filter(({ type }) => type === 'ScoringRulesPublished');
    history.withdrawRules(DEFAULT_SCORING_RULES.version + length);
    history.publishRules({ effectiveFrom: history.events.at(-1)?.metadata.occurredAt ?? null, weights });
    const other = await openReadSide();
    try {
      await other.record(history);
      const ordinals = Array.from({ length: history.events.length - begin + 1 }, (_, step) => begin + step);
      const points: AsOf[] = ordinals.map((ordinal) => ({ by: 'ordinal', ordinal }));
      const times = history.events.slice(begin).map(({ metadata }) => metadata.occurredAt);
      for (const at of times) points.push({ by: 'moment', at });
      await expectLeaderboardsAsOf(other, history, points);
      await other.rebuild('history');
      await expectLeaderboardsAsOf(other, history, points);
    } finally {
      await other.close();
    }
  });

  it('are replaced by a later version that takes effect earlier', async () => {
    past.publishRules({ effectiveFrom: null });
    await side.record(past);
    const early = Date.parse(effectiveAt) - 1;
    expect(await statesAt(early)).toEqual(['3 IN_FORCE', '2 REPLACED', '1 REPLACED']);
    expect(await statesAt(early + DAY)).toEqual(['3 IN_FORCE', '2 REPLACED', '1 REPLACED']);
  });
});
