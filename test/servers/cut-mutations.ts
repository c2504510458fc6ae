import { ArchiveSpace } from '../../apps/api/src/features/spaces/commands/manage-space.js';
import { randomUUID } from 'node:crypto';
import { caseDecider, FACT_KINDS, DEFAULT_SCORING_RULES, type VoteData } from '@nimo/domain';
import type { EventStore, JsonObject } from '@nimo/event-store';
import sharp from 'sharp';
import { SessionStore } from '../../apps/api/src/platform/auth/session-store.js';
import { EVENT_STORE } from '../../apps/api/src/platform/config/tokens.js';
import { newUserName, type SignedUpStudent, type TestApp } from '../app.js';
import { newMember, newSpace, type Community } from '../community.js';
import type { OperationValues } from '../operations.js';
import { Participant } from '../participant.js';
import { totpCode, setUpTotp } from '../second-factor.js';
import { eventually } from '@nimo/testing';

/** A mutation that is ready to be sent, with its own data. */
export interface Scenario {
  /** Overrides the arguments of `operations.ts`. */
  readonly values?: OperationValues;
  /** Anonymous if omitted. */
  readonly by?: Participant;
  /** Reads the side effects other than events, if any. */
  readonly sideEffects?: () => Promise<unknown>;
  /** Rule that rejects the repeated mutation, because its input is valid only once. */
  readonly repeatRule?: string;
}

export interface CutFixture {
  readonly app: TestApp;
  readonly community: Community;
  /** A space with entry on request. */
  readonly byRequest: Community;
  /** A space with entry by invitation. */
  readonly byInvitation: Community;
  /** A space that asks for the age. */
  readonly withAgeLimit: Community;
  readonly ada: Participant;
  readonly bob: Participant;
  readonly moderator: Participant;
  readonly maintainer: Participant;
}

type ScenarioFactory = () => Promise<Scenario>;

/** Mutations not tested here, with the reason why that is safe. */
export const EXEMPT_MUTATIONS: Readonly<Record<string, string>> = {
  login: 'Opens a session each time; an unused one expires.',
  createSendChallenge: 'Stores nothing: the challenge is signed.',
  startSignIn: 'Needs a provider; stores only an attempt that expires.',
  finishSignIn: 'Needs a provider; its code is valid once (sign-in.e2e-spec).',
  startPasskey: 'Stores only a challenge, which the next one replaces.',
  finishPasskey: 'Needs an authenticator; its challenge is valid once (second-factor.e2e-spec).',
  startPasskeyConfirmation: 'Stores only a challenge, which the next one replaces.',
  startPasskeySignIn: 'Stores only a challenge, which the next one replaces.',
  renamePasskey: 'Needs an authenticator; setting a name is idempotent.',
  removePasskey: 'Needs an authenticator; removal is idempotent.',
  triageVotePattern: 'Needs a detected ring; checks a revision (triage.e2e-spec).',
  acceptTerms: 'Setting a version is idempotent (terms.e2e-spec).',
  switchProjection: 'Needs a ready rebuild; works like cancelRebuild.',
  reverseUpholding: 'Checks a revision, like upholdReports.',
  saveScoringDraft: 'Checks a revision: runs once, and the repeat fails as a conflict.',
  discardScoringDraft: 'Checks a revision: runs once, and the repeat fails as a conflict.',
  tryScoringDraft: 'Stores only a trial, which the next one replaces.',
  stopScoringTrial: 'Stopping a trial is idempotent.',
  createStudent: 'Returns no real id; a phone has one account (otp.e2e-spec).',
  sendOTP: 'May send a second message within the rate limits; the latest code counts.',
  verifyOTP: 'A code is valid once: runs once, and the repeat fails with a wrong code.',
  sendConfirmation:
    'May send a second message within the rate limits; its link confirms once (confirmEmail).',
  registerByEmail:
    'May send a second message within the rate limits; creates nothing until the link is opened.',
  forgotPassword: 'May send a second message within the rate limits.',
  startContactChange:
    'May send a second message within the rate limits; changes nothing until the codes are entered.',
  startTotp: 'Stores an unused secret, which the next one replaces.',
  finishTotp:
    'A code is valid once: runs once, and the repeat fails; recovery codes can be renewed in the settings.',
  renewRecoveryCodes: 'Creates new codes each time; those of the last call are valid.',
  finishSecondFactor: 'A code is valid once: the repeat fails, and the student signs in again.',
  resetPassword: 'A link is valid once and records its attempt (email-accounts.e2e-spec).',
  cancelVerification: 'Needs a long verification; works like cancelRebuild.',
  retryProjection: 'Needs a failed projection; works like cancelRebuild.',
  skipEventInAllProjections: 'Needs a failed projection; works like cancelRebuild.',
  skipProjectionEvent: 'Needs a failed projection; works like cancelRebuild.',
};

/** Creates new data for each mutation and each cut. */
export function scenarioFactories(fixture: () => CutFixture): Readonly<Record<string, ScenarioFactory>> {
  const app = () => fixture().app;
  const space = () => fixture().community.spaceId;
  const idOf = ({ student }: Participant) => student.studentId;
  const as = (student: SignedUpStudent, community = fixture().community) =>
    new Participant(app(), student, community);
  const member = async () => as(await newMember(app(), space()));
  const newcomer = async () => as(await app().signUp());
  const newEmail = () => `${randomUUID()}@example.org`;
  const session = ({ student }: Participant) =>
    app()
      .api.get(SessionStore, { strict: false })
      .open(student.studentId, { remember: false, address: '127.0.0.1', userAgent: 'test' });
  const scalar = async (text: string, ...values: string[]) =>
    (await app().pool.query<{ value: unknown }>(`select (${text}) as value`, values)).rows[0]?.value;
  const sessionsOf = (who: Participant) => () =>
    scalar('select count(*)::int from state.session where student_id = $1', idOf(who));
  const messagesTo = (recipient: string) => () =>
    scalar('select count(*)::int from state.outbox where recipient = $1', recipient);
  const textTo = async (recipient: string, pattern: RegExp): Promise<string> => {
    const find = async () => {
      const found = await scalar(
        'select text from state.outbox where recipient = $1 order by id desc limit 1',
        recipient,
      );
      return pattern.exec(typeof found === 'string' ? found : '')?.[1] ?? '';
    };
    return eventually(find);
  };

  const question = () => fixture().ada.ask();
  const answered = async () => {
    const questionId = await question();
    return { questionId, answerId: await fixture().bob.answer(questionId) };
  };
  const onQuestion =
    (key: string, by: (world: CutFixture) => Participant, ready?: (id: string) => Promise<unknown>) =>
    async (): Promise<Scenario> => {
      const id = await question();
      await ready?.(id);
      return { by: by(fixture()), values: { [key]: id } };
    };
  const onAnswer = (key: string, by: (world: CutFixture) => Participant) => async (): Promise<Scenario> => ({
    by: by(fixture()),
    values: { [key]: (await answered()).answerId },
  });
  const ada = ({ ada: who }: CutFixture) => who;
  const bob = ({ bob: who }: CutFixture) => who;
  const reported = async () => {
    const id = await question();
    await fixture().bob.perform(
      `reportPost(postId: "${id}", postType: QUESTION, reason: "Its spam") { _id }`,
    );
    await waitForOpenReport(id);
    return id;
  };
  /** Waits until a moderator can decide the case. */
  const waitForOpenReport = (postId: string) =>
    eventually(
      () =>
        fixture()
          .moderator.query<{ openReports: number }>(`getModerationCase(postId: "${postId}") { openReports }`)
          .catch((error: unknown) => {
            if (String(error).includes('CASE_NOT_FOUND')) return undefined;
            throw error;
          }),
      (found) => found?.openReports === 1,
    );
  const decision =
    (more: () => OperationValues = () => ({})) =>
    async (): Promise<Scenario> => ({
      by: fixture().moderator,
      values: { postId: await reported(), ...more() },
    });
  const news = async () =>
    (
      await fixture().moderator.perform(
        `publishNewspost(title: "News", body: "<p>News</p>", space: "${space()}") { _id }`,
      )
    )._id;
  const onNews =
    (by: (world: CutFixture) => Participant, ready?: (id: string) => Promise<unknown>) =>
    async (): Promise<Scenario> => {
      const id = await news();
      await ready?.(id);
      return { by: by(fixture()), values: { id, newspostId: id } };
    };
  const moderator = ({ moderator: who }: CutFixture) => who;
  const onMember = (ready?: (who: Participant) => Promise<unknown>) => async (): Promise<Scenario> => {
    const who = await member();
    await ready?.(who);
    return { by: fixture().moderator, values: { studentId: idOf(who), userName: who.student.userName } };
  };
  const onAccount = (ready?: (who: Participant) => Promise<unknown>) => async (): Promise<Scenario> => ({
    ...(await onMember(ready)()),
    by: fixture().maintainer,
  });
  const byMaintainer =
    (values: () => OperationValues | Promise<OperationValues> = () => ({})) =>
    async (): Promise<Scenario> => ({ by: fixture().maintainer, values: await values() });
  const asMaintainer = <Fields = { _id: string }>(operation: string) =>
    fixture().maintainer.perform<Fields>(operation);
  const picture = async () => {
    const { url, key } = await fixture().maintainer.query<{ url: string; key: string }>(
      'getPresignedS3Url { url key }',
    );
    const { width: r, height: g, b } = { width: 1 + Math.floor(Math.random() * 250), height: 90, b: 160 };
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: { r, g, b } } })
      .png()
      .toBuffer();
    await app().http().put(url).set('content-type', 'image/png').send(bytes);
    return `/media/${key}`;
  };
  const avatar = async () => {
    const saved = await asMaintainer<{ avatar: { _id: string } }>(
      `addAvatar(group: "g", label: "a${randomUUID().slice(0, 8)}", imageUrl: "${await picture()}") { avatar { _id } }`,
    );
    return saved.avatar._id;
  };
  const subject = async () =>
    (
      await asMaintainer<{ subject: { _id: string } }>(
        `addSubject(space: "${space()}", subjectName: "S${randomUUID().slice(0, 8)}", color: "000000") { subject { _id } }`,
      )
    ).subject._id;
  const draftInput = {
    basedOn: 1,
    reportThreshold: 3,
    weights: FACT_KINDS.map((kind) => ({ kind, ...DEFAULT_SCORING_RULES.weights[kind] })),
  };
  const latestVersion = async () => {
    const versions = await fixture().maintainer.query<{ version: number; state: string }[]>(
      'getScoringVersions { version state }',
    );
    const published = versions.filter(({ state }) => state !== 'WITHDRAWN');
    return Math.max(...published.map(({ version }) => version));
  };
  const draft = async () => {
    const before = await fixture().maintainer.query<{ revision: string } | null>(
      'getScoringDraft { revision }',
    );
    return before?.revision ?? null;
  };
  const savedDraft = async () => {
    const { data, errors } = await app().graphql<{ saveScoringDraft: { revision: string } }>(
      'mutation($draft: ScoringDraftInput!, $revision: ID) { saveScoringDraft(draft: $draft, revision: $revision) { revision } }',
      { draft: { ...draftInput, basedOn: await latestVersion() }, revision: await draft() },
      fixture().maintainer.student.token,
    );
    if (errors) throw new Error(JSON.stringify(errors));
    return data.saveScoringDraft.revision;
  };
  const scheduledVersion = async () => {
    const ahead = new Date(Date.now() + 86_400_000).toISOString();
    await fixture().maintainer.perform(
      `publishScoringDraft(revision: "${await savedDraft()}", expectedVersion: ${await latestVersion()}, note: "Soon", effectiveFrom: "${ahead}") { _id }`,
    );
    return latestVersion();
  };
  const closed = () => fixture().byInvitation.spaceId;
  const invitation = async () => {
    const id = await asMaintainer<string>(
      `createInvitation(space: "${closed()}", details: { kind: LINK, uses: 1, days: 1 })`,
    );
    const all = () =>
      fixture().maintainer.query<{ _id: string; secret: string }[]>(
        `getInvitations(space: "${closed()}") { _id secret }`,
      );
    const isIt = ({ _id }: { readonly _id: string }) => _id === id;
    const found = (await eventually(all, (made) => made.some(isIt))).find(isIt);
    if (!found) throw new Error('no invitation');
    return found;
  };
  const votes = async () => {
    const id = await question();
    await fixture().bob.perform(`upvoteQuestion(questionId: "${id}") { _id }`);
    return [{ postId: id, voterId: idOf(fixture().bob) }];
  };
  const invalidation = async () => {
    const chosen = await votes();
    const [vote] = chosen;
    const literal = `[{postId: "${vote?.postId ?? ''}", voterId: "${vote?.voterId ?? ''}"}]`;
    const preview = () =>
      fixture().moderator.query<{ fingerprint: string }>(
        `previewInvalidation(votes: ${literal}) { fingerprint }`,
      );
    await app().caughtUp();
    return { votes: chosen, literal, fingerprint: (await preview()).fingerprint };
  };
  const removable = async () => {
    const who = await member();
    await who.ask();
    await app().caughtUp();
    const author = idOf(who);
    const { fingerprint } = await fixture().moderator.query<{ fingerprint: string }>(
      `previewPostsRemoval(space: "${space()}", author: "${author}") { fingerprint }`,
    );
    return { author, fingerprint };
  };
  /** A proposal of one vote: planting more than 100 would take too long. */
  const proposal = async () => {
    const { votes: chosen, fingerprint } = await invalidation();
    const { rows } = await app().pool.query<{ data: VoteData }>(
      `select data from log.events where type = 'VoteCast' and data ->> 'postId' = $1`,
      [chosen[0]?.postId],
    );
    const [id, caseId, occurredAt] = [randomUUID(), randomUUID(), new Date().toISOString()];
    const moderatorId = idOf(fixture().maintainer);
    const data = {
      caseId,
      moderatorId,
      category: 'OTHER',
      reason: 'spam',
      votes: rows.map((row) => row.data),
    };
    const metadata = {
      ...{ occurredAt, recordedAt: occurredAt, actor: { kind: 'student', id: moderatorId } },
      ...{ commandId: id, correlationId: id, causationId: id, schemaVersion: 1 },
    };
    const event = { id, type: 'InvalidationProposed', data: data as unknown as JsonObject, metadata };
    await app()
      .api.get<EventStore>(EVENT_STORE, { strict: false })
      .append([{ streamId: caseDecider.stream(caseId), expectedRevision: 'no-stream', events: [event] }]);
    await app().caughtUp();
    return { caseId, fingerprint };
  };
  const minor = async () => {
    const who = as(await app().signUp(), fixture().withAgeLimit);
    await who.perform(`declareAge(spaceId: "${fixture().withAgeLimit.spaceId}", band: BELOW) { _id }`);
    return who;
  };
  const declaringAge = async () => ({
    by: await newcomer(),
    values: { spaceId: fixture().withAgeLimit.spaceId },
  });
  const requestingConsent = async () => {
    const email = newEmail();
    const spaceId = fixture().withAgeLimit.spaceId;
    return { by: await minor(), values: { spaceId, email }, sideEffects: messagesTo(email) };
  };
  const clearingAge = async () => {
    const studentId = idOf(await minor());
    return { by: fixture().maintainer, values: { space: fixture().withAgeLimit.spaceId, studentId } };
  };
  const leaving = async () => {
    const who = await newcomer();
    await who.perform(
      `deleteOwnAccount(password: "${who.student.password}", withPosts: true) { __typename }`,
    );
    return { by: who };
  };
  const beingErased = onAccount((who) =>
    asMaintainer(
      `eraseAccount(studentId: "${idOf(who)}", reason: "asked", withPosts: true) { student { _id } }`,
    ),
  );
  const applicant = async () => {
    const who = as(await app().signUp(), fixture().byRequest);
    await who.perform(`requestEntry(spaceId: "${fixture().byRequest.spaceId}") { _id }`);
    return who;
  };
  const ownExporter = async () => {
    const who = await newcomer();
    const sideEffects = () =>
      scalar('select count(*)::int from state.data_export where student_id = $1', idOf(who));
    return { by: who, sideEffects };
  };
  const withOwnExport = async () => {
    const exporter = await ownExporter();
    await exporter.by.perform('requestOwnExport(language: "en") { status }');
    return exporter;
  };
  const withTotp = async () => {
    const who = await newcomer();
    return { who, ...(await setUpTotp(app(), who.student)) };
  };
  const factorsOf = (who: Participant) => () =>
    scalar(
      `select jsonb_build_array(name, (select count(*) from state.recovery_code c where c.student_id = t.student_id))
          from state.totp_factor t where student_id = $1`,
      idOf(who),
    );
  let projection = 0;
  /** In rotation, so that none is busy. */
  const projectionName = () => {
    const names = ['avatars', 'news', 'notifications', 'activities', 'notes', 'statistics'];
    return names[projection++ % names.length] ?? '';
  };

  const rebuilding = async () => {
    const name = projectionName();
    await asMaintainer(`cancelRebuild(name: "${name}") { name }`).catch(() => undefined);
    await asMaintainer(`rebuildProjections(names: ["${name}"], hold: true) { name }`);
    return name;
  };

  return {
    acceptAnswer: async () => ({ by: fixture().ada, values: await answered() }),
    addAvatar: byMaintainer(async () => ({
      label: `l${randomUUID().slice(0, 8)}`,
      imageUrl: await picture(),
    })),
    changeAvatar: byMaintainer(async () => ({
      id: await avatar(),
      change: { label: randomUUID().slice(0, 8) },
    })),
    retireAvatar: byMaintainer(async () => ({ id: await avatar() })),
    restoreAvatar: byMaintainer(async () => {
      const id = await avatar();
      await asMaintainer(`retireAvatar(id: "${id}") { avatar { _id } }`);
      return { id };
    }),
    addSubject: byMaintainer(() => ({ subjectName: `S${randomUUID().slice(0, 8)}` })),
    changeSubject: byMaintainer(async () => ({
      id: await subject(),
      change: { subjectName: randomUUID().slice(0, 8) },
    })),
    addTopic: byMaintainer(() => ({ topicName: `T${randomUUID().slice(0, 8)}` })),
    changeTopic: byMaintainer(async () => {
      const { topic } = await asMaintainer<{ topic: { _id: string } }>(
        `addTopic(subject: "${fixture().community.subjectId}", topicName: "T${randomUUID().slice(0, 8)}") { topic { _id } }`,
      );
      return { id: topic._id, change: { topicName: randomUUID().slice(0, 8) } };
    }),
    createTopic: async () => ({ by: fixture().ada, values: { topicName: `T${randomUUID().slice(0, 8)}` } }),
    createSpace: byMaintainer(() => ({ details: { name: `S${randomUUID()}`, color: '000000' } })),
    changeSpace: byMaintainer(async () => ({
      id: await newSpace(app()),
      change: { name: `S${randomUUID()}` },
    })),
    archiveSpace: byMaintainer(async () => ({ id: await newSpace(app()) })),
    unarchiveSpace: byMaintainer(async () => {
      const id = await newSpace(app());
      await app().execute(new ArchiveSpace(app().operator(), id, true));
      return { id };
    }),
    deleteSpace: byMaintainer(async () => {
      const name = `S${randomUUID()}`;
      const id = await newSpace(app(), name);
      await app().execute(new ArchiveSpace(app().operator(), id, true));
      return { id, name };
    }),
    grantRole: onAccount(),
    revokeRole: onAccount((who) => app().grantRole(idOf(who), 'MODERATOR')),
    blockAccount: onAccount(),
    unblockAccount: onAccount((who) =>
      asMaintainer(`blockAccount(studentId: "${idOf(who)}", reason: "spam") { student { _id } }`),
    ),
    eraseAccount: onAccount(),
    cancelErasure: beingErased,
    keepAccount: beingErased,
    resetSecondFactor: async () => {
      const { who } = await withTotp();
      return { by: fixture().maintainer, values: { studentId: idOf(who) }, sideEffects: factorsOf(who) };
    },
    dismissSecondFactorReset: async () => {
      const { who } = await withTotp();
      await asMaintainer(`resetSecondFactor(studentId: "${idOf(who)}", reason: "lost") { student { _id } }`);
      const by = as({ ...who.student, token: await session(who) });
      return { by, sideEffects: () => by.query('getSecondFactor { reset { reason } }') };
    },
    rebuildProjections: byMaintainer(() => ({ names: [projectionName()], hold: true })),
    cancelRebuild: byMaintainer(async () => {
      return { name: await rebuilding() };
    }),
    verifyProjection: byMaintainer(() => ({ name: projectionName() })),

    answerEntryRequest: async () => {
      const who = await applicant();
      return {
        by: fixture().maintainer,
        values: { space: fixture().byRequest.spaceId, studentId: idOf(who), isAccepted: true },
      };
    },
    requestEntry: async () => ({ by: await newcomer(), values: { spaceId: fixture().byRequest.spaceId } }),
    withdrawEntryRequest: async () => ({
      by: await applicant(),
      values: { spaceId: fixture().byRequest.spaceId },
    }),
    declareAge: declaringAge,
    stateAge: declaringAge,
    requestGuardianConsent: requestingConsent,
    askGuardian: requestingConsent,
    answerGuardianConsent: async () => {
      const [who, email] = [await minor(), newEmail()];
      await who.perform(
        `requestGuardianConsent(spaceId: "${fixture().withAgeLimit.spaceId}", email: "${email}") { _id }`,
      );
      const sideEffects = () =>
        scalar(
          `select count(*)::int from log.events where type = 'GuardianConsented' and stream_id like '%' || $1 || '%'`,
          idOf(who),
        );
      return { values: { token: await textTo(email, /\/consent#([\w-]+)/) }, sideEffects };
    },
    clearAge: clearingAge,
    forgetAge: clearingAge,
    joinSpace: async () => ({ by: await newcomer(), values: { spaceId: space() } }),
    leaveSpace: async () => ({ by: await member() }),
    inviteStudent: async () => {
      const who = await newcomer();
      return { by: fixture().maintainer, values: { space: closed(), userName: who.student.userName } };
    },
    revokeStudentInvitation: async () => {
      const who = await newcomer();
      await asMaintainer(`inviteStudent(space: "${closed()}", userName: "${who.student.userName}") { flag }`);
      return { by: fixture().maintainer, values: { space: closed(), studentId: idOf(who) } };
    },
    createInvitation: async () => ({ by: fixture().maintainer, values: { space: closed() } }),
    revokeInvitation: async () => ({
      by: fixture().maintainer,
      values: { space: closed(), id: (await invitation())._id },
    }),
    joinByInvitation: async () => ({ by: await newcomer(), values: { secret: (await invitation()).secret } }),
    removeMember: async () => {
      const who = await newcomer();
      await who.perform(`joinByInvitation(secret: "${(await invitation()).secret}") { _id }`);
      return { by: fixture().maintainer, values: { space: closed(), studentId: idOf(who) } };
    },
    blockStudent: onMember(),
    suspendMember: onMember(),
    warnMember: onMember(),
    unblockStudent: onMember((who) =>
      fixture().moderator.perform(
        `blockStudent(studentId: "${idOf(who)}", space: "${space()}", reason: "spam") { _id }`,
      ),
    ),
    writeStudentNote: onMember(),
    removeStudentNote: async () => {
      const who = await member();
      const about = `studentId: "${idOf(who)}", space: "${space()}"`;
      await fixture().moderator.perform(`writeStudentNote(${about}, text: "late") { flag }`);
      const notes = await eventually(
        () => fixture().moderator.query<{ _id: string }[]>(`getStudentNotes(${about}) { _id }`),
        (found) => found.length > 0,
      );
      return { by: fixture().moderator, values: { studentId: idOf(who), note: notes[0]?._id } };
    },

    createQuestion: async () => ({ by: fixture().ada }),
    updateQuestion: onQuestion('id', ada),
    deleteQuestionById: onQuestion('id', ada),
    createAnswer: onQuestion('questionId', bob),
    createQuestionComment: onQuestion('questionId', bob),
    upvoteQuestion: onQuestion('questionId', bob),
    downvoteQuestion: onQuestion('questionId', bob),
    saveQuestion: onQuestion('questionId', bob),
    unsaveQuestion: onQuestion('questionId', bob, (id) =>
      fixture().bob.perform(`saveQuestion(questionId: "${id}") { _id }`),
    ),
    reportPost: onQuestion('postId', bob),
    updateAnswer: onAnswer('id', bob),
    deleteAnswerById: onAnswer('id', bob),
    createComment: onAnswer('answerId', ada),
    upvoteAnswer: onAnswer('answerId', ada),
    downvoteAnswer: onAnswer('answerId', ada),
    deleteCommentById: async () => ({
      by: fixture().ada,
      values: { id: await fixture().ada.commentOnAnswer((await answered()).answerId) },
    }),
    deleteQuestionCommentById: async () => ({
      by: fixture().ada,
      values: { id: await fixture().ada.commentOnQuestion(await question()) },
    }),
    publishNewspost: async () => ({ by: fixture().moderator }),
    updateNewspost: onNews(moderator),
    removeNewspost: onNews(moderator),
    restoreNewspost: onNews(moderator, (id) =>
      fixture().moderator.perform(`removeNewspost(id: "${id}") { _id }`),
    ),
    likeNewspost: onNews(bob),
    saveNewspost: onNews(bob),
    markNotificationsSeen: async () => {
      const who = await member();
      await fixture().bob.answer(await who.ask());
      await eventually(() => who.query<number>(`getNewNotificationCount(space: "${space()}")`));
      return { by: who, sideEffects: () => who.query(`getNewNotificationCount(space: "${space()}")`) };
    },

    upholdReports: decision(),
    dismissReports: decision(),
    handOverReports: decision(() => ({ toModeratorId: idOf(fixture().moderator) })),
    removePosts: async () => ({ by: fixture().moderator, values: await removable() }),
    restorePosts: async () => {
      const { author, fingerprint } = await removable();
      const { _id } = await fixture().moderator.perform(
        `removePosts(space: "${space()}", author: "${author}", reason: "spam", fingerprint: "${fingerprint}") { _id }`,
      );
      return { by: fixture().moderator, values: { removalId: _id } };
    },
    invalidateVotes: async () => {
      const { votes: chosen, fingerprint } = await invalidation();
      return { by: fixture().moderator, values: { votes: chosen, fingerprint } };
    },
    confirmInvalidation: async () => ({ by: fixture().moderator, values: await proposal() }),
    declineInvalidation: async () => {
      const { caseId } = await proposal();
      return { by: fixture().moderator, values: { caseId } };
    },
    reverseInvalidation: async () => {
      const { literal, fingerprint } = await invalidation();
      const { _id } = await fixture().moderator.perform(
        `invalidateVotes(votes: ${literal}, category: OTHER, reason: "spam", fingerprint: "${fingerprint}") { _id }`,
      );
      return { by: fixture().moderator, values: { caseId: _id } };
    },

    publishScoringDraft: byMaintainer(async () => ({
      revision: await savedDraft(),
      expectedVersion: await latestVersion(),
    })),
    withdrawScoringVersion: byMaintainer(async () => ({ version: await scheduledVersion() })),

    confirmEmail: async () => {
      const [email, userName] = [newEmail(), newUserName()];
      await app().graphql(
        `mutation { registerByEmail(email: "${email}", userName: "${userName}", password: "correct horse") { flag } }`,
      );
      return { values: { token: await textTo(email, /#([\w-]{43})/), password: 'correct horse' } };
    },
    updateStudent: async () => {
      const who = await newcomer();
      return { by: who, values: { id: idOf(who) } };
    },
    changePassword: async () => {
      const who = await newcomer();
      await session(who);
      return {
        by: who,
        values: { oldPassword: who.student.password },
        sideEffects: sessionsOf(who),
      };
    },
    logout: async () => {
      const who = await newcomer();
      return { by: who, sideEffects: sessionsOf(who), repeatRule: 'SIGN_IN_REQUIRED' };
    },
    endSession: async () => {
      const who = await newcomer();
      await session(who);
      const all = await who.query<{ _id: string; isCurrent: boolean }[]>('getSessions { _id isCurrent }');
      return {
        by: who,
        values: { id: all.find(({ isCurrent }) => !isCurrent)?._id },
        sideEffects: sessionsOf(who),
      };
    },
    endOtherSessions: async () => {
      const who = await newcomer();
      await session(who);
      return { by: who, sideEffects: sessionsOf(who) };
    },
    deleteOwnAccount: async () => {
      const who = await newcomer();
      return { by: who, values: { password: who.student.password } };
    },
    cancelOwnErasure: leaving,
    keepOwnAccount: leaving,
    requestOwnExport: ownExporter,
    deleteOwnExport: withOwnExport,
    askOwnExport: ownExporter,
    dropOwnExport: withOwnExport,
    renameTotp: async () => {
      const { who } = await withTotp();
      return { by: who, sideEffects: factorsOf(who) };
    },
    removeTotp: async () => {
      const { who } = await withTotp();
      return { by: who, sideEffects: async () => (await factorsOf(who)()) ?? 'none' };
    },
    confirmSecondFactor: async () => {
      const { who, secret } = await withTotp();
      return {
        by: who,
        values: { code: totpCode(secret, new Date(), 1) },
        sideEffects: factorsOf(who),
        repeatRule: 'SECOND_FACTOR_CODE_WRONG',
      };
    },
    finishContactChange: async () => {
      const [who, email] = [await newcomer(), newEmail()];
      const { _id } = await who.perform(
        `startContactChange(kind: EMAIL, value: "${email}", password: "${who.student.password}") { _id }`,
      );
      const [newCode, ownCode] = [
        await textTo(email, /\b(\d{6})\b/),
        await textTo(`+${who.student.phone}`, /\b(\d{6})\b/),
      ];
      return { by: who, values: { id: _id, newCode, ownCode } };
    },
  };
}
