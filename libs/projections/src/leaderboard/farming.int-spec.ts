import { DEFAULT_SCORING_RULES, type Penalty, type Safeguards } from '@nimo/domain';
import { READ_TYPES } from '@nimo/projection-engine';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pageOfLeaderboardAsOf } from '../history/leaderboard-as-of.queries.js';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { pageOfLeaderboard } from './leaderboard.queries.js';
import { pageOfScoreExplanation } from './score-explanation.queries.js';
import { compareRulesSql, weightsOf } from './scoring-trial.queries.js';

const HOUR_MS = 3_600_000;

let side: ReadSide;
beforeEach(async () => {
  side = await openReadSide();
});
afterEach(() => side.close());

/** Merit, impact and accepted answers by student; students without a row are missing. */
type Board = Readonly<Record<string, readonly [merit: number, impact: number, accepted: number]>>;

class Community {
  readonly past = new EventHistory();
  readonly spaceId = this.past.newSpace();
  readonly place = this.past.newTopic(this.spaceId, this.past.newSubject(this.spaceId));
  readonly moderator = this.past.newModerator();
  private readonly names = new Map<string, string>();
  private readonly boards: { readonly ordinal: number; readonly board: Board }[] = [];

  student(name: string): string {
    const studentId = this.past.newStudent();
    this.names.set(studentId, name);
    return studentId;
  }

  /** The leaderboard after the steps so far. */
  async board(): Promise<Board> {
    await side.record(this.past);
    const { docs } = await pageOfLeaderboard(side.pool, { spaceId: this.spaceId, viewerId: null });
    const board = Object.fromEntries(
      docs.map((row) => [
        this.names.get(row.student._id),
        [row.reputations, row.commitments, row.answersAccepted] as const,
      ]),
    );
    await this.expectExplained(docs);
    this.boards.push({ ordinal: this.past.events.length, board });
    return board;
  }

  private async expectExplained(docs: Awaited<ReturnType<typeof pageOfLeaderboard>>['docs']): Promise<void> {
    for (const { student, reputations, commitments } of docs) {
      const options = { spaceId: this.spaceId, studentId: student._id, now: new Date() };
      const { days } = await pageOfScoreExplanation(side.pool, options);
      const [latest] = days;
      if (latest)
        expect([latest.reputationsAfter, latest.commitmentsAfter]).toEqual([reputations, commitments]);
    }
  }

  /** Expects time travel, and a rebuild, to show what the leaderboard showed after each step. */
  async expectSameInThePast(): Promise<void> {
    for (const { ordinal, board } of this.boards) {
      const asOf = { by: 'ordinal', ordinal } as const;
      const { docs } = await pageOfLeaderboardAsOf(side.pool, { spaceId: this.spaceId, asOf });
      const shown = docs.map((row) => [
        this.names.get(row._id),
        [row.reputations, row.commitments, row.answersAccepted],
      ]);
      expect({ ordinal, board: Object.fromEntries(shown) }).toEqual({ ordinal, board });
    }
    const last = this.boards.at(-1)?.board;
    await side.rebuild('leaderboard');
    expect(await this.board()).toEqual(last);
  }

  /** Merit and impact in a trial of rules for all of history. */
  async tried(safeguards: Partial<Safeguards>): Promise<Board> {
    await side.record(this.past);
    const rules = { ...DEFAULT_SCORING_RULES, ...safeguards, version: 2 };
    const { rows } = await side.pool.query<{
      student_id: string;
      merit_after: number | null;
      impact_after: number;
    }>({
      text: compareRulesSql(),
      values: [weightsOf([rules])],
      types: READ_TYPES,
    });
    const scored = rows.filter(({ merit_after }) => merit_after !== null);
    return Object.fromEntries(
      scored.map((row) => [
        this.names.get(row.student_id),
        [row.merit_after ?? 0, row.impact_after, 0] as const,
      ]),
    );
  }
}

/** Answers, accepts and deletes five times on one question. @returns the board after each answer, acceptance and deletion */
async function fiveRounds(safeguards: Partial<Safeguards> | null): Promise<Board[]> {
  const community = new Community();
  const { past } = community;
  if (safeguards) past.publishRules(safeguards);
  const [asker, answerer] = [community.student('asker'), community.student('answerer')];
  const questionId = past.ask(asker, community.place);
  const boards: Board[] = [];
  for (let round = 1; round <= 5; round += 1) {
    const answerId = past.answer(answerer, questionId);
    boards.push(await community.board());
    past.accept(answerId, true);
    boards.push(await community.board());
    past.deleteAnswer(answerId);
    boards.push(await community.board());
  }
  await community.expectSameInThePast();
  return boards;
}

const roundsOf = (boardsOf: (round: number) => readonly Board[]): Board[] =>
  [1, 2, 3, 4, 5].flatMap(boardsOf);

describe('five rounds of answering, accepting and deleting on one question', () => {
  it('pay 501 merit and 5 accepted answers under the initial rules', async () =>
    expect(await fiveRounds(null)).toEqual(
      roundsOf((round) => [
        { asker: [1 + 15 * (round - 1), 10, 0], answerer: [1 + 100 * (round - 1), 10 * round, round - 1] },
        { asker: [1 + 15 * round, 10, 0], answerer: [1 + 100 * round, 10 * round, round] },
        { asker: [1 + 15 * round, 10, 0], answerer: [1 + 100 * round, 10 * round, round] },
      ]),
    ));

  it('pay for one acceptance on both sides if an acceptance pays once per question', async () => {
    const afterAcceptance = (round: number): Board => ({
      asker: [16, 10, 0],
      answerer: [101, 10 * round, 1],
    });
    expect(await fiveRounds({ acceptancePaysOncePerQuestion: true })).toEqual(
      roundsOf((round) => [
        round === 1
          ? { asker: [1, 10, 0], answerer: [1, 10, 0] }
          : { asker: [16, 10, 0], answerer: [101, 10 * round, 1] },
        afterAcceptance(round),
        afterAcceptance(round),
      ]),
    );
  });

  it('leave the answerer nothing if a deletion forfeits the points as well', async () =>
    expect(
      await fiveRounds({ acceptancePaysOncePerQuestion: true, deletionForfeitsWithinHours: 24 }),
    ).toEqual(
      roundsOf((round) => [
        { asker: [round === 1 ? 1 : 16, 10, 0], answerer: [1, 10, 0] },
        { asker: [16, 10, 0], answerer: [101, 10, 1] },
        { asker: [16, 10, 0] },
      ]),
    ));

  it('show the same in a trial before publication', async () => {
    const community = new Community();
    const [asker, answerer] = [community.student('asker'), community.student('answerer')];
    const questionId = community.past.ask(asker, community.place);
    for (let round = 1; round <= 5; round += 1) {
      const answerId = community.past.answer(answerer, questionId);
      community.past.accept(answerId, true);
      community.past.deleteAnswer(answerId);
    }
    expect(await community.tried({ acceptancePaysOncePerQuestion: true })).toEqual({
      asker: [16, 10, 0],
      answerer: [101, 50, 0],
    });
    expect(await community.tried({ deletionForfeitsWithinHours: 24 })).toEqual({ asker: [76, 10, 0] });
  });
});

describe('an accepted answer', () => {
  it('pays again once it is restored and accepted after the one that superseded it', async () => {
    const community = new Community();
    const { past, moderator } = community;
    past.publishRules({ acceptancePaysOncePerQuestion: true });
    const [asker, first, second] = ['asker', 'first', 'second'].map((name) => community.student(name)) as [
      string,
      string,
      string,
    ];
    const questionId = past.ask(asker, community.place);
    const [removed, deleted] = [past.answer(first, questionId), past.answer(second, questionId)];
    past.accept(removed);
    past.report(second, removed);
    past.uphold(moderator, removed);
    past.accept(deleted, true);
    expect(await community.board()).toEqual({ asker: [16, 10, 0], first: [1, 10, 0], second: [101, 10, 1] });
    past.deleteAnswer(deleted);
    past.reverseUpholding(moderator, removed);
    past.accept(removed, true);
    expect(await community.board()).toEqual({ asker: [16, 10, 0], first: [101, 10, 1], second: [1, 10, 0] });
    await community.expectSameInThePast();
  });

  it('keeps the points of an acceptance from before the rule took effect', async () => {
    const community = new Community();
    const { past } = community;
    const [asker, answerer] = [community.student('asker'), community.student('answerer')];
    const questionId = past.ask(asker, community.place);
    const round = () => {
      const answerId = past.answer(answerer, questionId);
      past.accept(answerId, true);
      past.deleteAnswer(answerId);
    };
    round();
    past.passTime(HOUR_MS);
    const effectiveFrom = past.events.at(-1)?.metadata.occurredAt ?? null;
    past.publishRules({
      effectiveFrom: new Date(Date.parse(effectiveFrom ?? '') + 1).toISOString(),
      acceptancePaysOncePerQuestion: true,
      deletionForfeitsWithinHours: 24,
    });
    round();
    round();
    // The asker is paid for the first and the last acceptance, the answerer for the first.
    expect(await community.board()).toEqual({ asker: [31, 10, 0], answerer: [101, 10, 1] });
    await community.expectSameInThePast();
  });
});

describe('a post that its author deletes', () => {
  const within = { deletionForfeitsWithinHours: 24 };

  async function tenComments(safeguards: Partial<Safeguards>, hours: number): Promise<Board> {
    const community = new Community();
    const { past } = community;
    past.publishRules(safeguards);
    const [asker, talker] = [community.student('asker'), community.student('talker')];
    const questionId = past.ask(asker, community.place);
    const comments = Array.from({ length: 10 }, () => past.comment(talker, questionId));
    expect(await community.board()).toEqual({ asker: [1, 10, 0], talker: [1, 20, 0] });
    past.passTime(hours * HOUR_MS);
    for (const comment of comments) past.deleteComment(comment);
    const board = await community.board();
    await community.expectSameInThePast();
    return board;
  }

  it('keeps its points under the initial rules', async () =>
    expect(await tenComments({}, 0)).toEqual({ asker: [1, 10, 0], talker: [1, 20, 0] }));
  it('loses them within the hours of the rule: ten comments are worth 0 instead of 20', async () =>
    expect(await tenComments(within, 0)).toEqual({ asker: [1, 10, 0] }));
  it('keeps them later', async () =>
    expect(await tenComments(within, 25)).toEqual({ asker: [1, 10, 0], talker: [1, 20, 0] }));

  it('loses what was earned, but neither costs nor the impact of voters', async () => {
    const community = new Community();
    const { past } = community;
    past.publishRules(within);
    const [author, voter, critic] = ['author', 'voter', 'critic'].map((name) => community.student(name)) as [
      string,
      string,
      string,
    ];
    const [kept, deleted] = [past.ask(author, community.place), past.ask(author, community.place)];
    past.vote(voter, kept, 'UP');
    past.vote(critic, kept, 'UP');
    past.vote(voter, deleted, 'UP');
    past.vote(critic, deleted, 'DOWN');
    expect(await community.board()).toEqual({
      author: [1 + 3 * 50 - 50, 20, 0],
      voter: [1, 2, 0],
      critic: [1, 1, 0],
    });
    past.deleteQuestion(deleted);
    expect(await community.board()).toEqual({
      author: [1 + 2 * 50 - 50, 10, 0],
      voter: [1, 2, 0],
      critic: [1, 1, 0],
    });
    await community.expectSameInThePast();
  });

  it('takes a vote with it that was cast at the same moment', async () => {
    const community = new Community();
    const { past } = community;
    past.publishRules(within);
    const [author, voter] = [community.student('author'), community.student('voter')];
    const [kept, deleted] = [past.ask(author, community.place), past.ask(author, community.place)];
    past.vote(voter, kept, 'UP');
    past.deleteQuestion(deleted);
    expect(await community.board()).toEqual({ author: [51, 10, 0], voter: [1, 1, 0] });
    past.vote(voter, deleted, 'UP');
    expect(await community.board()).toEqual({ author: [51, 10, 0], voter: [1, 2, 0] });
    await community.expectSameInThePast();
  });
});

describe('an upheld report', () => {
  async function upheldOnce(safeguards: Partial<Safeguards>, penalty: Penalty = 'RULES', reporters = 1) {
    const community = new Community();
    const { past, moderator } = community;
    past.publishRules(safeguards);
    const [author, voter] = [community.student('author'), community.student('voter')];
    const [good, bad] = [past.ask(author, community.place), past.ask(author, community.place)];
    const voters = Array.from({ length: 5 }, () => past.newStudent());
    for (const other of voters) past.vote(other, good, 'UP');
    for (const reporter of [voter, ...voters].slice(0, reporters)) past.report(reporter, bad);
    const boards = [await community.board()];
    past.deleteQuestion(bad);
    past.uphold(moderator, bad, penalty);
    boards.push(await community.board());
    past.reverseUpholding(moderator, bad);
    boards.push(await community.board());
    await community.expectSameInThePast();
    return boards.map(({ author: row }) => ({ author: row ?? [0, 0, 0] }));
  }

  it('costs nothing below the threshold under the initial rules', async () =>
    expect(await upheldOnce({})).toEqual([
      { author: [251, 20, 0] },
      { author: [251, 20, 0] },
      { author: [251, 20, 0] },
    ]));
  it('costs the penalty under the rule, also for a post its author deleted, until it is reversed', async () =>
    expect(await upheldOnce({ upheldReportsCount: true })).toEqual([
      { author: [251, 20, 0] },
      { author: [51, 20, 0] },
      { author: [251, 20, 0] },
    ]));
  it('costs the full penalty below the threshold if the moderator chose it', async () =>
    expect(await upheldOnce({}, 'FULL')).toEqual([
      { author: [251, 20, 0] },
      { author: [51, 20, 0] },
      { author: [251, 20, 0] },
    ]));
  it.each([{}, { upheldReportsCount: true }])(
    'gives the points of the threshold back if the moderator chose no penalty, under %j',
    async (safeguards) =>
      expect(await upheldOnce(safeguards, 'NONE', 3)).toEqual([
        { author: [51, 20, 0] },
        { author: [251, 20, 0] },
        { author: [251, 20, 0] },
      ]),
  );
});

describe('a trial of rules by which downvotes need merit', () => {
  it('counts the downvotes that would have been refused', async () => {
    const community = new Community();
    const { past } = community;
    const [author, critic] = [community.student('author'), community.student('critic')];
    const questions = Array.from({ length: 5 }, () => past.ask(author, community.place));
    const downvote = (index: number) => past.vote(critic, questions[index] ?? '', 'DOWN');
    // With merit 1.
    downvote(0);
    past.accept(past.answer(author, past.ask(critic, community.place)));
    // With merit 16, 11, 6 and 1.
    for (const index of [1, 2, 3, 4]) downvote(index);
    await side.record(past);
    const refused = async (safeguards: Partial<Safeguards>) => {
      const rules = { ...DEFAULT_SCORING_RULES, ...safeguards, version: 2 };
      const { rows } = await side.pool.query<{ refused: number }>(
        `select sum(refused_downvotes)::int as refused from (${compareRulesSql()}) t`,
        [weightsOf([rules])],
      );
      return rows[0]?.refused;
    };
    expect(await refused({ downvotesNeedMerit: true })).toBe(2);
    expect(await refused({})).toBe(0);
  });
});
