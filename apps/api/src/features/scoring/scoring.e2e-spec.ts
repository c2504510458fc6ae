import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_SCORING_RULES, FACT_KINDS, type FactKind } from '@nimo/domain';
import { newClient } from '@nimo/event-store';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant, refusalOf } from '../../../../../test/participant.js';
import { newSteppingClock } from '../../../../../test/stepping-clock.js';
import { eventually } from '@nimo/testing';

interface Standing {
  readonly score: number;
  readonly reputations: number;
  readonly commitments: number;
  readonly rank: number;
}
interface Move {
  readonly student: { readonly _id: string };
  readonly before: Standing | null;
  readonly after: Standing | null;
  readonly change: number;
}
interface Trial {
  readonly _id: string;
  readonly students: number;
  readonly movers: number;
  readonly gainers: number;
  readonly losers: number;
  readonly pointsBefore: number;
  readonly pointsAfter: number;
  readonly lines: readonly { readonly line: string; readonly entered: number; readonly left: number }[];
  readonly distribution: readonly { readonly before: number; readonly after: number }[];
}
interface Version {
  readonly version: number;
  readonly state: string;
  readonly note: string;
  readonly publishedAt: string | null;
  readonly publishedBy: { readonly _id: string } | null;
  readonly weights: readonly { readonly kind: FactKind; readonly merit: number; readonly impact: number }[];
}

const HOUR = 3_600_000;
const STANDING = 'score reputations commitments rank';
const TRIAL =
  '_id students movers gainers losers reranked pointsBefore pointsAfter durationMs lines { line entered left } distribution { from to before after }';

const clock = newSteppingClock();
let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let moderator: Participant;
let maintainer: Participant;
beforeAll(async () => {
  app = await bootApp({}, { clock: clock.now });
  community = await newCommunity(app, 2);
  const [first, second] = community.members.map((student) => new Participant(app, student, community));
  if (!first || !second) throw new Error('no members');
  [ada, bob] = [first, second];
  const [spaceModerator, globalMaintainer] = await Promise.all([app.signUp(), app.signUp()]);
  await app.grantRole(spaceModerator.studentId, 'MODERATOR', community.spaceId);
  await app.grantRole(globalMaintainer.studentId, 'MAINTAINER');
  moderator = new Participant(app, spaceModerator, community);
  maintainer = new Participant(app, globalMaintainer, community);
  const questionId = await ada.ask();
  const answerId = await bob.answer(questionId);
  await bob.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`);
  await ada.perform(`acceptAnswer(questionId: "${questionId}", answerId: "${answerId}") { _id }`);
  await app.caughtUp();
});
afterAll(() => app.close());

async function standings(): Promise<Map<string, Standing>> {
  const { docs } = await ada.query<{ docs: (Standing & { student: { _id: string } })[] }>(
    `getPaginatedLeaderboardScores(space: "${community.spaceId}") { docs { ${STANDING} student { _id } } }`,
  );
  return new Map(docs.map(({ student, ...row }) => [student._id, row]));
}

async function newMember(): Promise<Participant> {
  const member = new Participant(app, await app.signUp(), community);
  await member.perform(`joinSpace(spaceId: "${community.spaceId}") { _id }`);
  return member;
}

const weightsWith = (changes: Partial<Record<FactKind, { merit: number; impact: number }>>) =>
  FACT_KINDS.map((kind) => ({ kind, ...(changes[kind] ?? DEFAULT_SCORING_RULES.weights[kind]) }));
const draftOf = (weights: ReturnType<typeof weightsWith>, basedOn = 1) => ({
  basedOn,
  reportThreshold: 3,
  weights,
});
const SAVE = `mutation ($draft: ScoringDraftInput!, $revision: ID) {
  saveScoringDraft(draft: $draft, revision: $revision) { revision basedOn savedBy { _id } weights { kind merit impact } } }`;

async function save(draft: object, revision?: string): Promise<string> {
  const answer = await app.graphql<{ saveScoringDraft: { revision: string } }>(
    SAVE,
    { draft, revision },
    maintainer.student.token,
  );
  expect(answer.errors).toBeUndefined();
  return answer.data.saveScoringDraft.revision;
}
const saveRefusal = async (draft: object, revision?: string) =>
  refusalOf(await app.graphql(SAVE, { draft, revision }, maintainer.student.token));
const versions = () =>
  maintainer.query<Version[]>(
    `getScoringVersions { version state effectiveFrom note publishedAt publishedBy { _id } weights { kind merit impact }
       withdrawnBy { _id } withdrawalReason }`,
  );
const latestOf = (known: readonly Version[]): number =>
  known.find(({ state }) => state !== 'WITHDRAWN')?.version ?? 0;
/** Rules a student sees: version, version of their score explanation, and weight of an upvote. */
async function rulesRead(): Promise<readonly (number | undefined)[]> {
  const rules = await ada.query<Pick<Version, 'version' | 'weights'>>(
    'getScoringRules { version weights { kind merit } }',
  );
  const { rulesVersion } = await ada.query<{ rulesVersion: number }>(
    `getScoreExplanation(space: "${community.spaceId}") { rulesVersion }`,
  );
  const upvote = rules.weights.find(({ kind }) => kind === 'QUESTION_UPVOTED');
  return [rules.version, rulesVersion, upvote?.merit];
}
const withdrawalRefusal = (version = 0) =>
  maintainer.refusal(`mutation { withdrawScoringVersion(version: ${version}, reason: "No") { _id } }`);
const movesOf = (trial: Trial, args = '') =>
  maintainer.query<{ docs: Move[]; totalPages: number }>(
    `getScoringMoves(trial: "${trial._id}"${args}) { docs { student { _id } before { ${STANDING} } after { ${STANDING} } change } totalPages }`,
  );
/** Result of a mutation by the maintainer. */
async function answerOf<Fields>(operation: string): Promise<Fields> {
  const { data, errors } = await maintainer.mutate<Fields>(operation);
  expect(errors).toBeUndefined();
  return data.done;
}
const publish = (revision: string, expected: number, more = '') =>
  `publishScoringDraft(revision: "${revision}", expectedVersion: ${expected}, note: "Asking counts more"${more}) { _id }`;

describe('scoring rules', () => {
  it('start with the default rules', async () => {
    const [first, ...others] = await versions();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ version: 1, publishedAt: null, publishedBy: null });
    expect(first?.weights).toHaveLength(FACT_KINDS.length);
    expect(await maintainer.query('getScoringDraft { revision }')).toBeNull();
  });

  it('have one draft, and refuse changes based on an older revision', async () => {
    const draft = draftOf(weightsWith({ QUESTION_UPVOTED: { merit: 200, impact: 0 } }));
    const revision = await save(draft);
    expect(await saveRefusal(draft)).toMatchObject({ code: 'CONFLICT' });
    const second = await save(draft, revision);
    expect(await saveRefusal(draft, revision)).toMatchObject({ code: 'CONFLICT' });
    expect(await maintainer.query('getScoringDraft { revision savedBy { _id } }')).toEqual({
      revision: second,
      savedBy: { _id: maintainer.student.studentId },
    });
    await maintainer.perform(`discardScoringDraft(revision: "${second}") { _id }`);
    expect(
      await maintainer.refusal(`mutation { discardScoringDraft(revision: "${second}") { _id } }`),
    ).toMatchObject({
      code: 'CONFLICT',
    });
    expect(await saveRefusal(draft, second)).toMatchObject({ code: 'CONFLICT' });
  });

  it('refuse an incomplete table and an unknown version', async () => {
    const invalid = { code: 'VALIDATION_FAILED', field: 'weights' };
    expect(await saveRefusal(draftOf(weightsWith({}).slice(1)))).toMatchObject(invalid);
    const twice = [...weightsWith({}), { kind: 'QUESTION_POSTED' as const, merit: 0, impact: 1 }];
    expect(await saveRefusal(draftOf(twice))).toMatchObject(invalid);
    expect(
      await saveRefusal(draftOf(weightsWith({ COMMENT_POSTED: { merit: 0, impact: -1 } }))),
    ).toMatchObject(invalid);
    expect(await saveRefusal(draftOf(weightsWith({}), 7))).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are previewed without side effects, published as previewed, and shown to students', async () => {
    const before = await standings();
    const revision = await save(draftOf(weightsWith({ QUESTION_UPVOTED: { merit: 200, impact: 0 } })));
    const trial = await answerOf<Trial>(`tryScoringDraft(revision: "${revision}") { ${TRIAL} }`);
    expect(await standings()).toEqual(before);
    expect(trial).toMatchObject({
      students: 2,
      movers: 1,
      gainers: 1,
      losers: 0,
      pointsAfter: trial.pointsBefore + 150,
    });
    expect(trial.distribution.reduce((sum, { after }) => sum + after, 0)).toBe(2);
    const { docs } = await movesOf(trial);
    expect(docs).toMatchObject([
      { student: { _id: ada.student.studentId }, change: 150, before: { rank: 2 }, after: { rank: 1 } },
    ]);
    expect((await movesOf(trial, ', only: MEDALS')).docs).toEqual([]);
    expect((await movesOf(trial, `, search: "${ada.student.userName}"`)).docs).toHaveLength(1);
    expect((await movesOf(trial, ', search: "nobody%"')).docs).toEqual([]);
    const inOtherSpace = await maintainer.query<Trial>(
      `getScoringTrial(trial: "${trial._id}", space: "${randomUUID()}") { ${TRIAL} }`,
    );
    expect(inOtherSpace).toMatchObject({ students: 0, movers: 0 });

    expect(await maintainer.refusal(`mutation { ${publish(revision, 2)} }`)).toMatchObject({
      code: 'CONFLICT',
    });
    await maintainer.perform(publish(revision, 1));
    const after = await eventually(standings, (rows) => rows.get(ada.student.studentId)?.rank === 1);
    for (const { student, after: previewed } of docs) expect(after.get(student._id)).toEqual(previewed);

    expect(await maintainer.query('getScoringDraft { revision }')).toBeNull();
    const [latest] = await versions();
    expect(latest).toMatchObject({
      version: 2,
      note: 'Asking counts more',
      publishedBy: { _id: maintainer.student.studentId },
    });
    expect(await ada.query('getScoringRules { version changes { version note effectiveFrom } }')).toEqual({
      version: 2,
      changes: [{ version: 2, note: 'Asking counts more', effectiveFrom: null }],
    });
    const underOldRules = await maintainer.query<{ docs: Move[] }>(
      `getLeaderboardUnderRules(version: 1, space: "${community.spaceId}") { version docs { student { _id } before { ${STANDING} } after { ${STANDING} } } }`,
    );
    expect(new Map(underOldRules.docs.map((row) => [row.student._id, row.after]))).toEqual(before);
  });

  it('can take effect at a later time', async () => {
    const [latest] = await versions();
    const revision = await save(
      draftOf(weightsWith({ QUESTION_UPVOTED: { merit: 1, impact: 0 } }), latest?.version),
    );
    const later = new Date(clock.now().getTime() + 86_400_000).toISOString();
    const trial = await answerOf<Trial>(
      `tryScoringDraft(revision: "${revision}", effectiveFrom: "${later}") { ${TRIAL} }`,
    );
    expect(trial).toMatchObject({ movers: 0 });
    const tooFar = new Date(clock.now().getTime() + 800 * 86_400_000).toISOString();
    expect(
      await maintainer.refusal(
        `mutation { ${publish(revision, latest?.version ?? 0, `, effectiveFrom: "${tooFar}"`)} }`,
      ),
    ).toMatchObject({ code: 'VALIDATION_FAILED', field: 'effectiveFrom' });
    await maintainer.perform(publish(revision, latest?.version ?? 0, `, effectiveFrom: "${later}"`));
    // The current rules stay in force, and the scheduled change is listed.
    const rules = await ada.query<{ version: number; changes: { effectiveFrom: string | null }[] }>(
      'getScoringRules { version changes { effectiveFrom isScheduled } }',
    );
    expect(rules).toMatchObject({
      version: latest?.version,
      changes: [{ effectiveFrom: later, isScheduled: true }, { isScheduled: false }],
    });
  });

  it('are published once when the request is repeated, with the same result', async () => {
    const [latest] = await versions();
    const expected = latest?.version ?? 0;
    const revision = await save(draftOf(weightsWith({}), expected));
    const key = { 'idempotency-key': randomUUID() };
    const send = async () => maintainer.mutate<{ _id: string }>(publish(revision, expected), key);
    const first = await send();
    expect(first.errors).toBeUndefined();
    const again = await send();
    expect(again).toMatchObject({ data: first.data });
    expect(again.errors).toBeUndefined();
    expect((await versions())[0]?.version).toBe(expected + 1);
    expect(await maintainer.refusal(`mutation { ${publish(revision, expected)} }`)).toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('keep the date of their draft, and show as scheduled only to maintainers until then', async () => {
    const before = await versions();
    const inForce = before.find(({ state }) => state === 'IN_FORCE');
    const start = new Date(clock.now().getTime() + HOUR).toISOString();
    const weights = weightsWith({ QUESTION_UPVOTED: { merit: 3, impact: 0 } });
    const revision = await save({ ...draftOf(weights, latestOf(before)), effectiveFrom: start });
    expect(await maintainer.query('getScoringDraft { effectiveFrom }')).toEqual({ effectiveFrom: start });
    const trial = await answerOf<{ effectiveFrom: string }>(
      `tryScoringDraft(revision: "${revision}") { effectiveFrom }`,
    );
    expect(trial.effectiveFrom).toBe(start);
    await maintainer.perform(publish(revision, latestOf(before)));
    const [scheduled] = await versions();
    expect(scheduled).toMatchObject({ state: 'SCHEDULED', effectiveFrom: start });
    expect(await rulesRead()).toEqual([inForce?.version, inForce?.version, 50]);

    clock.advance(HOUR);
    expect(await rulesRead()).toEqual([scheduled?.version, scheduled?.version, 3]);
    expect((await versions())[0]).toMatchObject({ state: 'IN_FORCE' });
    expect(await withdrawalRefusal(scheduled?.version)).toMatchObject({ code: 'CONFLICT' });
  });

  it('can be withdrawn before their date, with actor and reason in the list and the audit', async () => {
    const before = latestOf(await versions());
    const start = new Date(clock.now().getTime() + HOUR).toISOString();
    await maintainer.perform(
      publish(await save({ ...draftOf(weightsWith({}), before), effectiveFrom: start }), before),
    );
    const reason = 'Too little for a question';
    await maintainer.perform(`withdrawScoringVersion(version: ${before + 1}, reason: "${reason}") { _id }`);
    clock.advance(2 * HOUR);
    expect(await rulesRead()).toEqual([before, before, 3]);
    const [withdrawn] = await versions();
    expect(withdrawn).toMatchObject({
      version: before + 1,
      state: 'WITHDRAWN',
      withdrawnBy: { _id: maintainer.student.studentId },
      withdrawalReason: reason,
    });
    const { changes } = await ada.query<{ changes: { version: number }[] }>(
      'getScoringRules { changes { version } }',
    );
    expect(changes.map(({ version }) => version)).not.toContain(before + 1);
    await app.caughtUp();
    const { nodes } = await maintainer.query<{ nodes: object[] }>(
      'getAuditEntries(filter: {kinds: [ScoringRulesWithdrawn]}) { nodes { about reason actor { _id } } }',
    );
    expect(nodes).toEqual([
      { about: String(before + 1), reason, actor: { _id: maintainer.student.studentId } },
    ]);
    expect(await withdrawalRefusal(before + 1)).toMatchObject({ code: 'CONFLICT' });
    expect(await withdrawalRefusal(99)).toMatchObject({ code: 'NOT_FOUND' });

    await maintainer.perform(publish(await save(draftOf(weightsWith({}), before)), before));
    expect((await versions())[0]).toMatchObject({ version: before + 2, state: 'IN_FORCE' });
  });

  it('refuse points of the wrong sign and invalid dates', async () => {
    const wrong = await saveRefusal(
      draftOf(
        weightsWith({
          QUESTION_DOWNVOTED: { merit: 50, impact: 0 },
          QUESTION_UPVOTED: { merit: -5, impact: 0 },
        }),
      ),
    );
    expect(wrong).toMatchObject({ code: 'VALIDATION_FAILED', field: 'weights' });
    for (const kind of ['QUESTION_DOWNVOTED', 'QUESTION_UPVOTED']) expect(wrong.message).toContain(kind);
    const { errors } = await app.graphql(
      SAVE,
      { draft: { ...draftOf(weightsWith({})), effectiveFrom: '2027-02-30T00:00:00Z' } },
      maintainer.student.token,
    );
    expect(errors?.[0]?.message).toContain('Not a DateTime');
  });

  it('carry the rules against farming from the draft to the students', async () => {
    const fields =
      'acceptancePaysOncePerQuestion deletionForfeitsWithinHours downvotesNeedMerit upheldReportsCount';
    const safeguards = {
      acceptancePaysOncePerQuestion: true,
      deletionForfeitsWithinHours: 24,
      downvotesNeedMerit: true,
      upheldReportsCount: true,
    };
    const latest = latestOf(await versions());
    const { message } = await saveRefusal({
      ...draftOf(weightsWith({}), latest),
      safeguards: { ...safeguards, deletionForfeitsWithinHours: 721 },
    });
    expect(message).toContain(
      'deletionForfeitsWithinHours must be a whole number of hours from 0 (off) to 720',
    );
    const revision = await save({ ...draftOf(weightsWith({}), latest), safeguards });
    const trial = await answerOf<{ refusedDownvotes: number }>(
      `tryScoringDraft(revision: "${revision}") { refusedDownvotes }`,
    );
    expect(trial.refusedDownvotes).toBeGreaterThanOrEqual(0);
    await answerOf(publish(revision, latest));
    const published = latestOf(await versions());
    expect(await ada.query(`getScoringRules { safeguards { ${fields} } }`)).toEqual({ safeguards });
    // A draft without the field keeps those of its version.
    const next = await save(draftOf(weightsWith({}), published));
    expect(await maintainer.query(`getScoringDraft { safeguards { ${fields} } }`)).toEqual({ safeguards });
    await maintainer.perform(`discardScoringDraft(revision: "${next}") { _id }`);
  });

  it('refuse a downvote without merit to spend, and count the merit spent at once', async () => {
    const [author, voter] = [await newMember(), await newMember()];
    const [first, second] = [await author.ask(), await author.ask()];
    const downvote = (questionId: string) => `downvoteQuestion(questionId: "${questionId}") { _id }`;
    const refusal = await voter.refusal(`mutation { ${downvote(first)} }`);
    expect(refusal).toEqual({
      message: 'You need 6 reputation in this space to downvote. You have 1.',
      code: 'FORBIDDEN',
    });
    // Accepting an answer earns 15.
    const own = await voter.ask();
    const answerId = await author.answer(own);
    await voter.perform(`acceptAnswer(questionId: "${own}", answerId: "${answerId}") { _id }`);
    await eventually(async () => (await standings()).get(voter.student.studentId)?.reputations === 16);
    const third = await author.ask();
    for (const questionId of [first, second, third]) await voter.perform(downvote(questionId));
    expect((await standings()).get(voter.student.studentId)?.reputations).toBe(1);
    const fourth = await author.ask();
    expect(await voter.refusal(`mutation { ${downvote(fourth)} }`)).toEqual(refusal);
    await voter.perform(downvote(first));
  });

  it('are previewed one at a time, and a preview can be stopped', async () => {
    const revision = await save(draftOf(weightsWith({})));
    const holder = newClient({ connectionString: app.pool.options.connectionString });
    await holder.connect();
    try {
      // The lock keeps the trial from reading the leaderboard.
      await holder.query('begin; lock table read.leaderboard in access exclusive mode');
      const mutation = `tryScoringDraft(revision: "${revision}") { _id }`;
      const first = maintainer.refusal(`mutation { ${mutation} }`);
      await eventually(
        async () =>
          (
            await app.pool.query(
              `select 1 from pg_stat_activity where application_name like 'nimo trial %' and wait_event_type = 'Lock'`,
            )
          ).rowCount,
      );
      expect(await maintainer.refusal(`mutation { ${mutation} }`)).toMatchObject({ code: 'CONFLICT' });
      expect(await answerOf('stopScoringTrial')).toBe(true);
      expect(await first).toMatchObject({ code: 'CONFLICT', message: 'The preview was stopped.' });
      expect(await answerOf('stopScoringTrial')).toBe(false);
    } finally {
      await holder.end();
      await maintainer.perform(`discardScoringDraft(revision: "${revision}") { _id }`);
    }
  });

  it('refuse an expired preview', async () => {
    expect(await maintainer.refusal(`{ getScoringTrial(trial: "${randomUUID()}") { _id } }`)).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('are limited to maintainers', async () => {
    const id = randomUUID();
    const draft = 'draft: {basedOn: 1, reportThreshold: 3, weights: []}';
    const operations = [
      '{ getScoringVersions { version } }',
      '{ getScoringDraft { revision } }',
      `mutation { saveScoringDraft(${draft}) { revision } }`,
      `mutation { discardScoringDraft(revision: "${id}") { _id } }`,
      `mutation { ${publish(id, 1)} }`,
      'mutation { withdrawScoringVersion(version: 2, reason: "No") { _id } }',
      `mutation { tryScoringDraft(revision: "${id}") { _id } }`,
      'mutation { stopScoringTrial }',
      `{ getScoringTrial(trial: "${id}") { _id } }`,
      `{ getScoringMoves(trial: "${id}") { page } }`,
      `{ getLeaderboardUnderRules(version: 1, space: "${community.spaceId}") { page } }`,
    ];
    for (const operation of operations) {
      expect(refusalOf(await app.graphql(operation))).toMatchObject({ code: 'UNAUTHENTICATED' });
      expect(refusalOf(await app.graphql(operation, {}, 'not-a-session'))).toMatchObject({
        code: 'UNAUTHENTICATED',
      });
      for (const who of [ada, moderator])
        expect(await who.refusal(operation)).toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});
