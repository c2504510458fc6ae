import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, newSpace, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { newSteppingClock } from '../../../../../test/stepping-clock.js';
import { ArchiveSpace } from '../spaces/commands/manage-space.js';

interface Case {
  readonly _id: string;
  readonly body: string;
  readonly isUpheld: boolean;
  readonly isDeleted: boolean;
  readonly revision: number;
  readonly openReports: number;
  readonly weight: number | null;
  readonly assignee: { readonly _id: string } | null;
  readonly reports: readonly {
    readonly reporterId: string;
    readonly reason: string;
    readonly outcome: string;
    readonly upheldBefore: number;
    readonly dismissedBefore: number;
  }[];
  readonly decisions: readonly {
    readonly decision: string;
    readonly reason: string;
    readonly penalty: string | null;
  }[];
  readonly record: Record<string, unknown>;
  readonly voteDays: readonly { readonly up: number; readonly down: number; readonly withdrawn: number }[];
}

let app: TestApp;
let community: Community;
let ada: Participant;
let reporters: Participant[];
let mod: Participant;
let colleague: Participant;
let elsewhere: Participant;
beforeAll(async () => {
  app = await bootApp({ OBJECTION_CONTACT: 'objections@school.example' }, { clock: newSteppingClock().now });
  community = await newCommunity(app, 7);
  const people = community.members.map((student) => new Participant(app, student, community));
  [ada, mod, colleague, ...reporters] = people as [Participant, Participant, Participant, ...Participant[]];
  for (const { student } of [mod, colleague])
    await app.grantRole(student.studentId, 'MODERATOR', community.spaceId);
  const other = await newSpace(app);
  elsewhere = new Participant(app, await newMember(app, other), community);
  await app.grantRole(elsewhere.student.studentId, 'MODERATOR', other);
});
afterAll(() => app.close());

const CASE = `{ _id body isUpheld isDeleted revision openReports weight assignee { _id }
  reports { reporterId reporter { userName } reason outcome upheldBefore dismissedBefore }
  decisions { decision reason penalty moderator { _id } toModerator { _id } }
  record { score reportedPosts removedPosts upheldReports dismissedReports accountStatus isBlockable
    blocks { kind reason } decisions { decision postId } }
  voteDays { up down withdrawn } }`;
const report = (by: Participant, postId: string, reason = 'Its spam', postType = 'QUESTION') =>
  by.perform(`reportPost(postId: "${postId}", postType: ${postType}, reason: "${reason}") { _id }`);
const caseQuery = (postId: string) => `getModerationCase(postId: "${postId}") ${CASE}`;
const read = (postId: string, by = mod) => by.query<Case>(caseQuery(postId));
const seenOf = ({ revision, openReports }: Pick<Case, 'revision' | 'openReports'>) =>
  `seen: { revision: ${revision}, openReports: ${openReports} }`;
type Ruling = 'upholdReports' | 'dismissReports' | 'reverseUpholding';
const ruling = (
  name: Ruling,
  seen: Pick<Case, '_id' | 'revision' | 'openReports'>,
  reason = 'Looked at it',
) => `${name}(postId: "${seen._id}", reason: "${reason}", ${seenOf(seen)}) ${CASE}`;
const handOver = (seen: Pick<Case, '_id' | 'revision' | 'openReports'>, to: string | null, note = 'Yours?') =>
  `handOverReports(postId: "${seen._id}", toModeratorId: ${JSON.stringify(to)}, note: "${note}", ${seenOf(seen)}) ${CASE}`;

/** Creates a question with `count` reports and reads its case. */
async function reportedQuestion(count = 1, reason?: string): Promise<Case> {
  const postId = await ada.ask({ title: 'Buy this', body: '<p>Cheap <b>answers</b></p>' });
  for (const reporter of reporters.slice(0, count)) await report(reporter, postId, reason);
  await app.caughtUp();
  return read(postId);
}
async function decide(operation: string, by = mod): Promise<Case> {
  const { data, errors } = await by.mutate<Case>(operation);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.done;
}
const queue = (by: Participant, args: string) =>
  by.query<{
    docs: { postId: string; weight: number | null; lastDecision: string | null; reasons: unknown }[];
    next: string | null;
    totalOpen: number;
  }>(
    `getModerationQueue(${args}) { docs { postId weight lastDecision reasons { reason count } } next totalOpen }`,
  );

describe('case', () => {
  it('shows the post, its reporters and reasons, its votes and the author’s record', async () => {
    const postId = await ada.ask({ title: 'Buy this', body: '<p>Cheap <b>answers</b></p>' });
    const [one, two] = reporters as [Participant, Participant];
    for (const voter of [one, two]) await voter.perform(`upvoteQuestion(questionId: "${postId}") { _id }`);
    await two.perform(`downvoteQuestion(questionId: "${postId}") { _id }`);
    await report(one, postId);
    await report(two, postId, 'Scam or fraud');
    await app.caughtUp();
    const seen = await read(postId);
    expect(seen).toMatchObject({
      openReports: 2,
      body: '<p>Cheap <b>answers</b></p>',
      isUpheld: false,
      revision: 0,
      reports: [
        {
          reporterId: two.student.studentId,
          reporter: { userName: two.student.userName },
          reason: 'Scam or fraud',
        },
        { reporterId: one.student.studentId, reason: 'Its spam', outcome: 'OPEN' },
      ],
      decisions: [],
      record: { accountStatus: 'ACTIVE', isBlockable: true, blocks: [] },
      voteDays: [{ up: 2, down: 1, withdrawn: 1 }],
    });
    expect(seen.weight).toBeGreaterThanOrEqual(500);
  });

  it('covers answers and both kinds of comments, and outlives its post', async () => {
    const [reporter] = reporters as [Participant];
    const questionId = await ada.ask();
    const answerId = await ada.answer(questionId, '<p>Cheap</p>');
    const posts = {
      ANSWER: answerId,
      COMMENT: await ada.commentOnAnswer(answerId, `Ask @[${reporter.student.studentId}]`),
      QUESTION_COMMENT: await ada.commentOnQuestion(questionId, 'Cheap'),
    };
    for (const [postType, postId] of Object.entries(posts))
      await report(reporter, postId, undefined, postType);
    await app.caughtUp();
    const bodies = ['<p>Cheap</p>', `Ask @${reporter.student.userName}`, 'Cheap'];
    for (const [index, postId] of Object.values(posts).entries()) {
      expect((await read(postId)).body).toBe(bodies[index]);
    }
    await ada.perform(`deleteAnswerById(id: "${answerId}") { _id }`);
    await app.caughtUp();
    const gone = await read(answerId);
    expect(gone.isDeleted).toBe(true);
    expect(await decide(ruling('upholdReports', gone))).toMatchObject({ isUpheld: true, isDeleted: true });
  });
});

describe('decisions', () => {
  it('remove and restore the post, and record both', async () => {
    const seen = await reportedQuestion(2);
    const removed = await decide(ruling('upholdReports', seen, 'Advertising'));
    expect(removed).toMatchObject({
      isUpheld: true,
      openReports: 0,
      weight: null,
      reports: [{ outcome: 'UPHELD' }, { outcome: 'UPHELD' }],
      decisions: [{ decision: 'UPHELD', reason: 'Advertising', moderator: { _id: mod.student.studentId } }],
      body: '<p>Cheap <b>answers</b></p>',
    });
    expect(removed.record['removedPosts']).toBeGreaterThanOrEqual(1);
    expect(await ada.query(`getQuestionById(questionId: "${seen._id}") { _id }`)).toBeNull();
    const lastNotification = async () => {
      await app.caughtUp();
      const { docs } = await ada.query<{ docs: { type: string; body: string; payload: unknown }[] }>(
        `getPaginatedNotifications(space: "${community.spaceId}") {
          docs { type body payload { __typename ... on RulingNotification { questionId reason } } } }`,
      );
      return docs[0];
    };
    expect(await lastNotification()).toEqual({
      type: 'POST_REMOVED',
      body: 'Advertising',
      payload: { __typename: 'RulingNotification', questionId: seen._id, reason: 'Advertising' },
    });
    const own = `getOwnRemovals(questionId: "${seen._id}") { postId postType title body reason objectTo }`;
    expect(await ada.query(own)).toEqual([
      {
        ...{ postId: seen._id, postType: 'QUESTION', title: 'Buy this' },
        ...{ body: '<p>Cheap <b>answers</b></p>', reason: 'Advertising' },
        objectTo: 'objections@school.example',
      },
    ]);
    for (const other of [reporters[0], mod, elsewhere]) expect(await other?.query(own)).toEqual([]);
    const back = await decide(ruling('reverseUpholding', removed, 'A mistake'));
    expect(await lastNotification()).toMatchObject({
      ...{ type: 'POST_RESTORED', body: 'A mistake' },
      payload: { questionId: seen._id },
    });
    expect(await ada.query<unknown[]>(own)).toEqual([]);
    expect(back).toMatchObject({
      isUpheld: false,
      openReports: 0,
      reports: [{ outcome: 'DISMISSED' }, { outcome: 'DISMISSED' }],
      decisions: [{ decision: 'REVERSED' }, { decision: 'UPHELD' }],
    });
    expect(await ada.query(`getQuestionById(questionId: "${seen._id}") { _id }`)).toEqual({ _id: seen._id });
    expect((await mod.refusal(`mutation { ${ruling('reverseUpholding', back)} }`)).message).toBe(
      'This post was not removed because of reports.',
    );
  });

  it('are still possible in an archived space, unlike measures against the author', async () => {
    const [upheld, dismissed] = [await reportedQuestion(), await reportedQuestion()];
    const standing = (postId: string) =>
      mod.query<object>(
        `getModerationCase(postId: "${postId}") { isSpaceArchived
          record { isBlockable isSuspendable isWarnable arePostsRemovable } }`,
      );
    const measures = (isOffered: boolean) => ({
      isSpaceArchived: !isOffered,
      record: {
        ...{ isBlockable: isOffered, isSuspendable: isOffered },
        ...{ isWarnable: isOffered, arePostsRemovable: isOffered },
      },
    });
    const archive = async (isArchived: boolean) => {
      await app.execute(new ArchiveSpace(app.operator(), community.spaceId, isArchived));
      await app.caughtUp();
    };
    expect(await standing(upheld._id)).toEqual(measures(true));
    await archive(true);
    try {
      expect(await standing(upheld._id)).toEqual(measures(false));
      const handedOver = await decide(handOver(upheld, colleague.student.studentId));
      const removed = await decide(ruling('upholdReports', handedOver), colleague);
      expect(removed).toMatchObject({ isUpheld: true, openReports: 0 });
      expect(await decide(ruling('reverseUpholding', removed))).toMatchObject({ isUpheld: false });
      expect(await decide(ruling('dismissReports', dismissed))).toMatchObject({ openReports: 0 });
    } finally {
      await archive(false);
    }
  });

  const merit = async () => {
    await app.caughtUp();
    const own = await ada.query<{ scores: { reputations: number } | null }>(
      `getLeaderboardScores(space: "${community.spaceId}") { scores { reputations } }`,
    );
    return own.scores?.reputations ?? 0;
  };

  it('restore the merit lost to three reports on dismissal and reversal', async () => {
    const voters = [...reporters, mod, colleague];
    const start = await merit();
    const rich = await ada.ask();
    for (const voter of voters) await voter.perform(`upvoteQuestion(questionId: "${rich}") { _id }`);
    const before = await merit();
    expect(before).toBe(Math.max(start, 1) + 50 * voters.length);
    for (const end of ['dismissReports', 'upholdReports'] as const) {
      const seen = await reportedQuestion(3);
      expect(await merit()).toBe(before - 200);
      const done = await decide(ruling(end, seen));
      if (end === 'upholdReports') {
        expect(await merit()).toBe(before - 200);
        await decide(ruling('reverseUpholding', done));
      }
      expect(await merit()).toBe(before);
    }
  });

  it('charge the penalty that the moderator chooses after seeing what each costs', async () => {
    const before = await merit();
    expect(before).toBeGreaterThan(200);
    for (const [penalty, count, charged] of [
      ['FULL', 1, -200],
      ['NONE', 3, 0],
    ] as const) {
      const seen = await reportedQuestion(count);
      const reached = count === 3 ? -200 : 0;
      expect(await merit()).toBe(before + reached);
      const { penaltyEffects } = await mod.query<{ penaltyEffects: unknown }>(
        `getModerationCase(postId: "${seen._id}") { penaltyEffects { penalty points } }`,
      );
      expect(penaltyEffects).toEqual([
        { penalty: 'RULES', points: 0 },
        { penalty: 'NONE', points: 0 - reached },
        { penalty: 'FULL', points: -200 - reached },
      ]);
      const chosen = ruling('upholdReports', seen).replace('(', `(penalty: ${penalty}, `);
      const done = await decide(chosen);
      expect(done.decisions).toMatchObject([{ decision: 'UPHELD', penalty }]);
      expect(await merit()).toBe(before + charged);
      const { nodes } = await mod.query<{ nodes: { points: { merit: number }[]; about: string }[] }>(
        `getAuditEntries(filter: { post: "${seen._id}", kinds: [ReportsUpheld] }) { nodes { about points { merit } } }`,
      );
      expect(nodes).toEqual([{ about: penalty, points: [{ merit: charged - reached }] }]);
      await decide(ruling('reverseUpholding', done));
      expect(await merit()).toBe(before);
    }
  });

  it('require a reason and open reports', async () => {
    const seen = await reportedQuestion();
    expect(await mod.refusal(`mutation { ${ruling('dismissReports', seen, ' ')} }`)).toMatchObject({
      field: 'reason',
    });
    const done = await decide(ruling('dismissReports', seen));
    expect(await mod.refusal(`mutation { ${ruling('dismissReports', done)} }`)).toMatchObject({
      message: 'This post has no open reports.',
    });
  });

  it('reassign a case to a moderator of the space, and unassign it', async () => {
    const seen = await reportedQuestion();
    for (const to of [ada.student.studentId, elsewhere.student.studentId, randomUUID()])
      expect(await mod.refusal(`mutation { ${handOver(seen, to)} }`)).toMatchObject({
        field: 'toModeratorId',
      });
    const theirs = await decide(handOver(seen, colleague.student.studentId));
    expect(theirs.assignee).toEqual({ _id: colleague.student.studentId });
    expect((await queue(colleague, 'isMine: true')).docs.map(({ postId }) => postId)).toContain(seen._id);
    expect((await queue(mod, 'isMine: true')).docs).toEqual([]);
    expect((await decide(handOver(theirs, null, ''), colleague)).assignee).toBeNull();
    const moderators = await mod.query<{ _id: string }[]>(
      `getSpaceModerators(space: "${community.spaceId}") { _id }`,
    );
    expect(moderators.map(({ _id }) => _id).sort()).toEqual(
      [mod.student.studentId, colleague.student.studentId].sort(),
    );
  });
});

describe('concurrent moderation', () => {
  it('refuses the second decision, naming the first, and overwrites nothing', async () => {
    const seen = await reportedQuestion();
    const done = await decide(ruling('dismissReports', seen));
    const { errors } = await colleague.mutate(ruling('upholdReports', seen));
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      rule: 'CASE_ALREADY_DECIDED',
      params: {
        decision: 'DISMISSED',
        moderator: mod.student.userName,
        at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    expect(await read(seen._id)).toEqual(done);
  });

  it('accepts exactly one of several simultaneous decisions', async () => {
    for (let round = 0; round < 5; round++) {
      const seen = await reportedQuestion();
      const answers = await Promise.all([
        mod.mutate(ruling('upholdReports', seen)),
        colleague.mutate(ruling('dismissReports', seen)),
        colleague.mutate(handOver(seen, mod.student.studentId)),
      ]);
      const refused = answers.flatMap(({ errors }) => errors ?? []);
      expect(refused.map(({ extensions }) => extensions.rule)).toEqual([
        'CASE_ALREADY_DECIDED',
        'CASE_ALREADY_DECIDED',
      ]);
      expect((await read(seen._id)).decisions).toHaveLength(1);
    }
  });

  it('refuses a decision if reports have arrived meanwhile', async () => {
    const seen = await reportedQuestion(1);
    await report(reporters[1] as Participant, seen._id);
    await app.caughtUp();
    expect((await read(seen._id)).openReports).toBe(2);
    const { errors } = await mod.mutate(ruling('dismissReports', seen));
    expect(errors?.[0]?.extensions).toMatchObject({ rule: 'CASE_CHANGED', params: { seen: 1, now: 2 } });
  });

  it('refuses a decision if a report is not yet in the projection', async () => {
    const seen = await reportedQuestion(1);
    for (const operation of [
      ruling('dismissReports', seen),
      ruling('upholdReports', seen),
      handOver(seen, colleague.student.studentId),
    ]) {
      const before = seen.openReports;
      const reporter = new Participant(app, await newMember(app, community.spaceId), community);
      await report(reporter, seen._id);
      const { errors } = await mod.mutate(operation);
      expect(errors?.[0]?.extensions).toMatchObject({ rule: 'CASE_CHANGED', params: { seen: before } });
    }
  });

  it('never decides on a simultaneous report', async () => {
    for (let round = 0; round < 6; round++) {
      const seen = await reportedQuestion(1);
      const [, answer] = await Promise.all([
        report(reporters[1] as Participant, seen._id),
        mod.mutate(ruling('dismissReports', seen)),
      ]);
      const refused = answer.errors?.map(({ extensions }) => extensions.rule);
      expect(refused ?? ['CASE_CHANGED']).toEqual(['CASE_CHANGED']);
      // Either way the second report is still open, with the first one or in a new round.
      await app.caughtUp();
      const found = await read(seen._id);
      expect([found.openReports, found.revision]).toEqual(refused ? [2, 0] : [1, 1]);
      expect(
        found.reports.find(({ reporterId }) => reporterId === reporters[1]?.student.studentId),
      ).toMatchObject({
        outcome: 'OPEN',
      });
    }
  });

  it('stores simultaneous reports once per student', async () => {
    const postId = await ada.ask();
    const people = [...reporters, mod, colleague];
    await Promise.all(people.map((by) => report(by, postId)));
    const { rows } = await app.pool.query<{ reporters: number }>(
      `select count(distinct data ->> 'reporterId')::int as reporters from log.events
       where type = 'PostReported' and stream_id = $1`,
      [`moderation-${postId}`],
    );
    expect(rows).toEqual([{ reporters: people.length }]);
    for (const by of people)
      expect(
        await by.refusal(
          `mutation { reportPost(postId: "${postId}", postType: QUESTION, reason: "Its spam") { _id } }`,
        ),
      ).toMatchObject({ code: 'CONFLICT' });
  });

  it('decides once per idempotency key', async () => {
    const seen = await reportedQuestion();
    const key = { 'idempotency-key': randomUUID() };
    const answers = [];
    for (let attempt = 0; attempt < 2; attempt++)
      answers.push(await mod.mutate<Case>(ruling('upholdReports', seen), key));
    expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined]);
    expect((await read(seen._id)).decisions).toHaveLength(1);
  });
});

describe('moderation queue', () => {
  it('orders by weight, paginates without gaps and counts open cases', async () => {
    const light = await reportedQuestion(1, "I just don't like it");
    const heavy = await reportedQuestion(3, 'Violence or dangerous');
    const whole = await queue(mod, 'limit: 100');
    expect(whole.totalOpen).toBe(whole.docs.length);
    const ids = whole.docs.map(({ postId }) => postId);
    expect(ids.indexOf(heavy._id)).toBeLessThan(ids.indexOf(light._id));
    expect(whole.docs.find(({ postId }) => postId === heavy._id)?.reasons).toEqual([
      { reason: 'Violence or dangerous', count: 3 },
    ]);
    const walked: string[] = [];
    for (let after: string | null = null; ;) {
      const page: Awaited<ReturnType<typeof queue>> = await queue(
        mod,
        `limit: 2${after ? `, after: "${after}"` : ''}, space: "${community.spaceId}"`,
      );
      walked.push(...page.docs.map(({ postId }) => postId));
      after = page.next;
      if (after === null) break;
    }
    expect(walked).toEqual(ids);
    await decide(ruling('dismissReports', light));
    const decided = await queue(mod, 'state: DECIDED');
    expect(decided.docs[0]).toMatchObject({ postId: light._id, lastDecision: 'DISMISSED', weight: null });
    expect((await queue(mod, 'state: OPEN')).totalOpen).toBe(whole.totalOpen - 1);
  });

  it('hides cases of the moderator’s own posts', async () => {
    const own = await mod.ask();
    await report(reporters[0] as Participant, own);
    await app.caughtUp();
    expect(await read(own, colleague)).toMatchObject({ openReports: 1 });
    expect((await queue(mod, 'limit: 100')).docs.map(({ postId }) => postId)).not.toContain(own);
    const unknown = { message: 'Case not found.', code: 'NOT_FOUND' };
    expect(await mod.refusal(`{ ${caseQuery(own)} }`)).toEqual(unknown);
    const seen = { _id: own, revision: 0, openReports: 1 };
    for (const operation of [ruling('dismissReports', seen), handOver(seen, null)])
      expect(await mod.refusal(`mutation { ${operation} }`)).toEqual(unknown);
  });
});

describe('moderation access', () => {
  it('rejects guests, students and moderators of other spaces', async () => {
    const seen = await reportedQuestion();
    const operations = [
      `{ ${caseQuery(seen._id)} }`,
      `{ getModerationQueue { totalOpen } }`,
      `{ getSpaceModerators(space: "${community.spaceId}") { _id } }`,
      `mutation { ${ruling('upholdReports', seen)} }`,
      `mutation { ${ruling('dismissReports', seen)} }`,
      `mutation { ${ruling('reverseUpholding', seen)} }`,
      `mutation { ${handOver(seen, null)} }`,
    ];
    for (const operation of operations) {
      for (const token of [undefined, 'expired'])
        expect((await app.graphql(operation, {}, token)).errors?.[0]?.extensions.code).toBe(
          'UNAUTHENTICATED',
        );
      for (const student of [ada, reporters[0] as Participant])
        expect((await student.refusal(operation)).code).toBe('FORBIDDEN');
    }
    for (const operation of operations.filter((text) => text.includes(seen._id)))
      expect((await elsewhere.refusal(operation)).code).toBe('NOT_FOUND');
    const inSpace = `space: "${community.spaceId}"`;
    expect((await elsewhere.refusal(`{ getModerationQueue(${inSpace}) { next } }`)).code).toBe('FORBIDDEN');
    expect((await elsewhere.refusal(`{ getSpaceModerators(${inSpace}) { _id } }`)).code).toBe('FORBIDDEN');
    expect(await queue(elsewhere, 'state: OPEN')).toEqual({ docs: [], next: null, totalOpen: 0 });
  });

  it('rejects maintainers who are not moderators', async () => {
    const seen = await reportedQuestion();
    const maintainer = new Participant(app, await app.signUp(), community);
    await app.grantRole(maintainer.student.studentId, 'MAINTAINER');
    for (const operation of [
      '{ getModerationQueue { totalOpen } }',
      `{ getModerationCase(postId: "${seen._id}") { _id } }`,
      `mutation { ${ruling('dismissReports', seen)} }`,
      `mutation { deleteQuestionById(id: "${seen._id}", reason: "Spam") { _id } }`,
    ])
      expect([operation, (await maintainer.refusal(operation)).code]).toEqual([operation, 'FORBIDDEN']);
  });

  it('hides a case from a moderator who reported the post', async () => {
    const seen = await reportedQuestion();
    const reporter = new Participant(app, await newMember(app, community.spaceId), community);
    await reporter.perform(
      `reportPost(postId: "${seen._id}", postType: QUESTION, reason: "Its spam") { _id }`,
    );
    await app.grantRole(reporter.student.studentId, 'MODERATOR', community.spaceId);
    await app.caughtUp();
    expect((await read(seen._id)).openReports).toBe(seen.openReports + 1);
    const query = `{ getModerationCase(postId: "${seen._id}") { _id } }`;
    expect((await reporter.refusal(query)).code).toBe('NOT_FOUND');
    const { docs } = await queue(reporter, 'limit: 100');
    expect(docs.map(({ postId }) => postId)).not.toContain(seen._id);
  });

  it('rejects an invalid queue cursor', async () => {
    for (const after of ['x', '1.x', `NaN.${randomUUID()}`])
      expect(await mod.refusal(`{ getModerationQueue(after: "${after}") { next } }`)).toMatchObject({
        field: 'after',
      });
  });
});
