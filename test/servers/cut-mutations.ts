import { randomUUID } from 'node:crypto';
import { FACT_KINDS, DEFAULT_SCORING_RULES } from '@nimo/domain';
import sharp from 'sharp';
import { SessionStore } from '../../apps/api/src/platform/auth/session-store.js';
import { newUserName, type SignedUpStudent, type TestApp } from '../app.js';
import { newMember, newSpace, type Community } from '../community.js';
import type { OperationValues } from '../operations.js';
import { Participant } from '../participant.js';
import { codeOf, setUpTotp } from '../second-factor.js';
import { eventually } from '@nimo/testing';

/** A mutation that is about to be carried out, on things of its own. */
export interface Scene {
  /** Over those of `operations.ts`. */
  readonly values?: OperationValues;
  /** Nobody is signed in without. */
  readonly by?: Participant;
  /** What it leaves besides events; nothing where events are all. */
  readonly left?: () => Promise<unknown>;
  /** Refused with this rule where its answer was lost: what it takes is good once, and says so. It is done once all the same. */
  readonly refusedAgain?: string;
}

export interface CutWorld {
  readonly app: TestApp;
  readonly community: Community;
  /** In whose space one asks to be let in. */
  readonly onRequest: Community;
  /** Whose members are invited. */
  readonly onInvitation: Community;
  /** A space that asks for ages. */
  readonly ofAges: Community;
  readonly ada: Participant;
  readonly bob: Participant;
  readonly moderator: Participant;
  readonly maintainer: Participant;
}

type Setting = () => Promise<Scene>;

/** Mutations that cannot be cut here, and why that loses nothing. */
export const UNCUT: Readonly<Record<string, string>> = {
  login: 'Opens a session each time; the one whose answer was lost ends when it was not used.',
  createSendChallenge: 'Leaves nothing: the challenge is signed and not kept.',
  startSignIn: 'Needs a provider; leaves nothing but a beginning that ends by itself.',
  finishSignIn: 'Needs a provider, whose code is good once (sign-in.e2e-spec).',
  startPasskey: 'Leaves nothing but a challenge; the next one replaces it.',
  finishPasskey: 'Needs an authenticator; its challenge is good once (second-factor.e2e-spec).',
  startPasskeyConfirmation: 'Leaves nothing but a challenge; the next one replaces it.',
  startPasskeySignIn: 'Leaves nothing but a challenge; the next one replaces it.',
  renamePasskey: 'Needs an authenticator; sets a value, which is the same twice.',
  removePasskey: 'Needs an authenticator; what is removed stays so.',
  triageVotePattern: 'Needs a ring that statistics find; goes by a revision (triage.e2e-spec).',
  acceptTerms: 'Sets a version, which is the same twice (terms.e2e-spec).',
  switchProjection: 'Needs a rebuild that is ready; goes the way of cancelRebuild.',
  reverseUpholding: 'Goes the way of upholdReports, by the revision that was seen.',
  saveScoringDraft:
    'Goes by the revision that was seen: done once, and its repeat is refused as changed meanwhile.',
  discardScoringDraft:
    'Goes by the revision that was seen: done once, and its repeat is refused as changed meanwhile.',
  tryScoringDraft: 'Leaves nothing but a trial, which the next one replaces.',
  stopScoringTrial: 'Ends a trial; there is nothing to end twice.',
  createStudent: 'Answers nobody with a true id; one phone is one account (otp.e2e-spec).',
  sendOTP: 'May send a second message, within its limits; the latest code counts.',
  verifyOTP: 'A code is good once: done once, and its repeat is told that the code is wrong.',
  sendConfirmation: 'May send a second message, within its limits; its link confirms once (confirmEmail).',
  registerByEmail: 'May send a second message, within its limits; nothing is made before a link is followed.',
  forgotPassword: 'May send a second message, within its limits.',
  startContactChange:
    'May send a second message, within its limits; nothing is changed before its codes are given.',
  startTotp: 'Leaves a secret that is not in use; the next one replaces it.',
  finishTotp:
    'A code is good once: done once, and its repeat is refused; recovery codes are renewed in the settings.',
  renewRecoveryCodes: 'Makes codes anew each time; those of the answer that arrived count.',
  finishSecondFactor: 'A code is good once: its repeat is refused, and the person signs in again.',
  resetPassword: 'A link is good once and remembers its attempt (email-accounts.e2e-spec).',
  cancelVerification: 'Needs a verification that takes long; goes the way of cancelRebuild.',
  retryProjection: 'Needs a projection that failed; goes the way of cancelRebuild.',
  skipProjectionEvent: 'Needs a projection that failed; goes the way of cancelRebuild.',
};

/** What stands ready for each mutation, made anew for every cut. */
export function settings(at: () => CutWorld): Readonly<Record<string, Setting>> {
  const app = () => at().app;
  const space = () => at().community.spaceId;
  const idOf = ({ student }: Participant) => student.studentId;
  const as = (student: SignedUpStudent, community = at().community) =>
    new Participant(app(), student, community);
  const member = async () => as(await newMember(app(), space()));
  const newcomer = async () => as(await app().signUp());
  const newEmail = () => `${randomUUID()}@example.org`;
  const session = ({ student }: Participant) =>
    app()
      .api.get(SessionStore, { strict: false })
      .open(student.studentId, { remember: false, address: '127.0.0.1', userAgent: 'test' });
  const rows = async (text: string, ...values: string[]) =>
    (await app().pool.query<{ told: unknown }>(`select (${text}) as told`, values)).rows[0]?.told;
  const sessionsOf = (who: Participant) => () =>
    rows('select count(*)::int from state.session where student_id = $1', idOf(who));
  const messagesTo = (recipient: string) => () =>
    rows('select count(*)::int from state.outbox where recipient = $1', recipient);
  const textTo = async (recipient: string, pattern: RegExp): Promise<string> => {
    const find = async () => {
      const told = await rows(
        'select text from state.outbox where recipient = $1 order by id desc limit 1',
        recipient,
      );
      return pattern.exec(typeof told === 'string' ? told : '')?.[1] ?? '';
    };
    return eventually(find);
  };

  const question = () => at().ada.ask();
  const answered = async () => {
    const questionId = await question();
    return { questionId, answerId: await at().bob.answer(questionId) };
  };
  const onQuestion =
    (key: string, by: (world: CutWorld) => Participant, ready?: (id: string) => Promise<unknown>) =>
    async (): Promise<Scene> => {
      const id = await question();
      await ready?.(id);
      return { by: by(at()), values: { [key]: id } };
    };
  const onAnswer = (key: string, by: (world: CutWorld) => Participant) => async (): Promise<Scene> => ({
    by: by(at()),
    values: { [key]: (await answered()).answerId },
  });
  const ada = ({ ada: who }: CutWorld) => who;
  const bob = ({ bob: who }: CutWorld) => who;
  const reported = async () => {
    const id = await question();
    await at().bob.does(`reportPost(postId: "${id}", postType: QUESTION, reason: "Its spam") { _id }`);
    await standsOpen(id);
    return id;
  };
  /** As a moderator sees it, who then rules. */
  const standsOpen = (postId: string) =>
    eventually(
      () =>
        at()
          .moderator.query<{ openReports: number }>(`getModerationCase(postId: "${postId}") { openReports }`)
          .catch((error: unknown) => {
            if (String(error).includes('CASE_NOT_FOUND')) return undefined;
            throw error;
          }),
      (found) => found?.openReports === 1,
    );
  const ruling =
    (more: () => OperationValues = () => ({})) =>
    async (): Promise<Scene> => ({
      by: at().moderator,
      values: { postId: await reported(), ...more() },
    });
  const news = async () =>
    (
      await at().moderator.does(
        `publishNewspost(title: "News", body: "<p>News</p>", space: "${space()}") { _id }`,
      )
    )._id;
  const onNews =
    (by: (world: CutWorld) => Participant, ready?: (id: string) => Promise<unknown>) =>
    async (): Promise<Scene> => {
      const id = await news();
      await ready?.(id);
      return { by: by(at()), values: { id, newspostId: id } };
    };
  const moderator = ({ moderator: who }: CutWorld) => who;
  const onMember = (ready?: (who: Participant) => Promise<unknown>) => async (): Promise<Scene> => {
    const who = await member();
    await ready?.(who);
    return { by: at().moderator, values: { studentId: idOf(who), userName: who.student.userName } };
  };
  const onAccount = (ready?: (who: Participant) => Promise<unknown>) => async (): Promise<Scene> => ({
    ...(await onMember(ready)()),
    by: at().maintainer,
  });
  const byMaintainer =
    (values: () => OperationValues | Promise<OperationValues> = () => ({})) =>
    async (): Promise<Scene> => ({ by: at().maintainer, values: await values() });
  const maintains = <Fields = { _id: string }>(operation: string) => at().maintainer.does<Fields>(operation);
  const picture = async () => {
    const { url, key } = await at().maintainer.query<{ url: string; key: string }>(
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
    const saved = await maintains<{ avatar: { _id: string } }>(
      `addAvatar(group: "g", label: "a${randomUUID().slice(0, 8)}", imageUrl: "${await picture()}") { avatar { _id } }`,
    );
    return saved.avatar._id;
  };
  const subject = async () =>
    (
      await maintains<{ subject: { _id: string } }>(
        `addSubject(space: "${space()}", subjectName: "S${randomUUID().slice(0, 8)}", color: "000000") { subject { _id } }`,
      )
    ).subject._id;
  const draftInput = {
    basedOn: 1,
    reportThreshold: 3,
    weights: FACT_KINDS.map((kind) => ({ kind, ...DEFAULT_SCORING_RULES.weights[kind] })),
  };
  const latestVersion = async () => {
    const versions = await at().maintainer.query<{ version: number; state: string }[]>(
      'getScoringVersions { version state }',
    );
    const standing = versions.filter(({ state }) => state !== 'WITHDRAWN');
    return Math.max(...standing.map(({ version }) => version));
  };
  const draft = async () => {
    const before = await at().maintainer.query<{ revision: string } | null>('getScoringDraft { revision }');
    return before?.revision ?? null;
  };
  const savedDraft = async () => {
    const { data, errors } = await app().graphql<{ saveScoringDraft: { revision: string } }>(
      'mutation($draft: ScoringDraftInput!, $revision: ID) { saveScoringDraft(draft: $draft, revision: $revision) { revision } }',
      { draft: { ...draftInput, basedOn: await latestVersion() }, revision: await draft() },
      at().maintainer.student.token,
    );
    if (errors) throw new Error(JSON.stringify(errors));
    return data.saveScoringDraft.revision;
  };
  const scheduledVersion = async () => {
    const ahead = new Date(Date.now() + 86_400_000).toISOString();
    await at().maintainer.does(
      `publishScoringDraft(revision: "${await savedDraft()}", expectedVersion: ${await latestVersion()}, note: "Soon", effectiveFrom: "${ahead}") { _id }`,
    );
    return latestVersion();
  };
  const closed = () => at().onInvitation.spaceId;
  const invitation = async () => {
    const id = await maintains<string>(
      `createInvitation(space: "${closed()}", details: { kind: LINK, uses: 1, days: 1 })`,
    );
    const all = () =>
      at().maintainer.query<{ _id: string; secret: string }[]>(
        `getInvitations(space: "${closed()}") { _id secret }`,
      );
    const isIt = ({ _id }: { readonly _id: string }) => _id === id;
    const found = (await eventually(all, (made) => made.some(isIt))).find(isIt);
    if (!found) throw new Error('there is no invitation');
    return found;
  };
  const votes = async () => {
    const id = await question();
    await at().bob.does(`upvoteQuestion(questionId: "${id}") { _id }`);
    return [{ postId: id, voterId: idOf(at().bob) }];
  };
  const invalidation = async () => {
    const chosen = await votes();
    const [vote] = chosen;
    const literal = `[{postId: "${vote?.postId ?? ''}", voterId: "${vote?.voterId ?? ''}"}]`;
    const preview = () =>
      at().moderator.query<{ fingerprint: string }>(`previewInvalidation(votes: ${literal}) { fingerprint }`);
    await app().caughtUp();
    return { votes: chosen, literal, fingerprint: (await preview()).fingerprint };
  };
  const younger = async () => {
    const who = as(await app().signUp(), at().ofAges);
    await who.does(`stateAge(spaceId: "${at().ofAges.spaceId}", band: BELOW) { _id }`);
    return who;
  };
  const asking = async () => {
    const who = as(await app().signUp(), at().onRequest);
    await who.does(`requestEntry(spaceId: "${at().onRequest.spaceId}") { _id }`);
    return who;
  };
  const withTotp = async () => {
    const who = await newcomer();
    return { who, ...(await setUpTotp(app(), who.student)) };
  };
  const factorsOf = (who: Participant) => () =>
    rows(
      `select jsonb_build_array(name, (select count(*) from state.recovery_code c where c.student_id = t.student_id))
          from state.totp_factor t where student_id = $1`,
      idOf(who),
    );
  let projection = 0;
  /** One after the other, so that none has anything under way. */
  const projectionName = () => {
    const names = ['avatars', 'news', 'notifications', 'activities', 'notes', 'statistics'];
    return names[projection++ % names.length] ?? '';
  };

  const rebuilding = async () => {
    const name = projectionName();
    await maintains(`cancelRebuild(name: "${name}") { name }`).catch(() => undefined);
    await maintains(`rebuildProjections(names: ["${name}"], hold: true) { name }`);
    return name;
  };

  return {
    acceptAnswer: async () => ({ by: at().ada, values: await answered() }),
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
      await maintains(`retireAvatar(id: "${id}") { avatar { _id } }`);
      return { id };
    }),
    addSubject: byMaintainer(() => ({ subjectName: `S${randomUUID().slice(0, 8)}` })),
    changeSubject: byMaintainer(async () => ({
      id: await subject(),
      change: { subjectName: randomUUID().slice(0, 8) },
    })),
    addTopic: byMaintainer(() => ({ topicName: `T${randomUUID().slice(0, 8)}` })),
    changeTopic: byMaintainer(async () => {
      const { topic } = await maintains<{ topic: { _id: string } }>(
        `addTopic(subject: "${at().community.subjectId}", topicName: "T${randomUUID().slice(0, 8)}") { topic { _id } }`,
      );
      return { id: topic._id, change: { topicName: randomUUID().slice(0, 8) } };
    }),
    createTopic: async () => ({ by: at().ada, values: { topicName: `T${randomUUID().slice(0, 8)}` } }),
    createSpace: byMaintainer(() => ({ details: { name: `S${randomUUID()}`, color: '000000' } })),
    changeSpace: byMaintainer(async () => ({
      id: await newSpace(app()),
      change: { name: `S${randomUUID()}` },
    })),
    grantRole: onAccount(),
    revokeRole: onAccount((who) => app().grantRole(idOf(who), 'MODERATOR')),
    blockAccount: onAccount(),
    unblockAccount: onAccount((who) =>
      maintains(`blockAccount(studentId: "${idOf(who)}", reason: "spam") { student { _id } }`),
    ),
    eraseAccount: onAccount(),
    keepAccount: onAccount((who) =>
      maintains(
        `eraseAccount(studentId: "${idOf(who)}", reason: "asked", withWords: true) { student { _id } }`,
      ),
    ),
    resetSecondFactor: async () => {
      const { who } = await withTotp();
      return { by: at().maintainer, values: { studentId: idOf(who) }, left: factorsOf(who) };
    },
    dismissSecondFactorReset: async () => {
      const { who } = await withTotp();
      await maintains(`resetSecondFactor(studentId: "${idOf(who)}", reason: "lost") { student { _id } }`);
      const by = as({ ...who.student, token: await session(who) });
      return { by, left: () => by.query('getSecondFactor { reset { reason } }') };
    },
    rebuildProjections: byMaintainer(() => ({ names: [projectionName()], hold: true })),
    cancelRebuild: byMaintainer(async () => {
      return { name: await rebuilding() };
    }),
    verifyProjection: byMaintainer(() => ({ name: projectionName() })),

    answerEntryRequest: async () => {
      const who = await asking();
      return {
        by: at().maintainer,
        values: { space: at().onRequest.spaceId, studentId: idOf(who), isAccepted: true },
      };
    },
    requestEntry: async () => ({ by: await newcomer(), values: { spaceId: at().onRequest.spaceId } }),
    withdrawEntryRequest: async () => ({ by: await asking(), values: { spaceId: at().onRequest.spaceId } }),
    stateAge: async () => ({ by: await newcomer(), values: { spaceId: at().ofAges.spaceId } }),
    askGuardian: async () => {
      const email = newEmail();
      const spaceId = at().ofAges.spaceId;
      return { by: await younger(), values: { spaceId, email }, left: messagesTo(email) };
    },
    answerGuardianConsent: async () => {
      const [who, email] = [await younger(), newEmail()];
      await who.does(`askGuardian(spaceId: "${at().ofAges.spaceId}", email: "${email}") { _id }`);
      const left = () =>
        rows(
          `select count(*)::int from log.events where type = 'GuardianConsented' and stream_id like '%' || $1 || '%'`,
          idOf(who),
        );
      return { values: { token: await textTo(email, /\/consent#([\w-]+)/) }, left };
    },
    forgetAge: async () => {
      const who = await younger();
      return { by: at().maintainer, values: { space: at().ofAges.spaceId, studentId: idOf(who) } };
    },
    joinSpace: async () => ({ by: await newcomer(), values: { spaceId: space() } }),
    leaveSpace: async () => ({ by: await member() }),
    inviteStudent: async () => {
      const who = await newcomer();
      return { by: at().maintainer, values: { space: closed(), userName: who.student.userName } };
    },
    revokeStudentInvitation: async () => {
      const who = await newcomer();
      await maintains(`inviteStudent(space: "${closed()}", userName: "${who.student.userName}") { flag }`);
      return { by: at().maintainer, values: { space: closed(), studentId: idOf(who) } };
    },
    createInvitation: async () => ({ by: at().maintainer, values: { space: closed() } }),
    revokeInvitation: async () => ({
      by: at().maintainer,
      values: { space: closed(), id: (await invitation())._id },
    }),
    joinByInvitation: async () => ({ by: await newcomer(), values: { secret: (await invitation()).secret } }),
    removeMember: async () => {
      const who = await newcomer();
      await who.does(`joinByInvitation(secret: "${(await invitation()).secret}") { _id }`);
      return { by: at().maintainer, values: { space: closed(), studentId: idOf(who) } };
    },
    blockStudent: onMember(),
    unblockStudent: onMember((who) =>
      at().moderator.does(
        `blockStudent(studentId: "${idOf(who)}", space: "${space()}", reason: "spam") { _id }`,
      ),
    ),
    writeStudentNote: onMember(),
    removeStudentNote: async () => {
      const who = await member();
      const about = `studentId: "${idOf(who)}", space: "${space()}"`;
      await at().moderator.does(`writeStudentNote(${about}, text: "late") { flag }`);
      const notes = await eventually(
        () => at().moderator.query<{ _id: string }[]>(`getStudentNotes(${about}) { _id }`),
        (found) => found.length > 0,
      );
      return { by: at().moderator, values: { studentId: idOf(who), note: notes[0]?._id } };
    },

    createQuestion: async () => ({ by: at().ada }),
    updateQuestion: onQuestion('id', ada),
    deleteQuestionById: onQuestion('id', ada),
    createAnswer: onQuestion('questionId', bob),
    createQuestionComment: onQuestion('questionId', bob),
    upvoteQuestion: onQuestion('questionId', bob),
    downvoteQuestion: onQuestion('questionId', bob),
    saveQuestion: onQuestion('questionId', bob),
    unsaveQuestion: onQuestion('questionId', bob, (id) =>
      at().bob.does(`saveQuestion(questionId: "${id}") { _id }`),
    ),
    reportPost: onQuestion('postId', bob),
    updateAnswer: onAnswer('id', bob),
    deleteAnswerById: onAnswer('id', bob),
    createComment: onAnswer('answerId', ada),
    upvoteAnswer: onAnswer('answerId', ada),
    downvoteAnswer: onAnswer('answerId', ada),
    deleteCommentById: async () => ({
      by: at().ada,
      values: { id: await at().ada.commentOnAnswer((await answered()).answerId) },
    }),
    deleteQuestionCommentById: async () => ({
      by: at().ada,
      values: { id: await at().ada.commentOnQuestion(await question()) },
    }),
    publishNewspost: async () => ({ by: at().moderator }),
    updateNewspost: onNews(moderator),
    removeNewspost: onNews(moderator),
    restoreNewspost: onNews(moderator, (id) => at().moderator.does(`removeNewspost(id: "${id}") { _id }`)),
    likeNewspost: onNews(bob),
    saveNewspost: onNews(bob),
    markNotificationsSeen: async () => {
      const who = await member();
      await at().bob.answer(await who.ask());
      await eventually(() => who.query<number>(`getNewNotificationCount(space: "${space()}")`));
      return { by: who, left: () => who.query(`getNewNotificationCount(space: "${space()}")`) };
    },

    upholdReports: ruling(),
    dismissReports: ruling(),
    handOverReports: ruling(() => ({ toModeratorId: idOf(at().moderator) })),
    invalidateVotes: async () => {
      const { votes: chosen, fingerprint } = await invalidation();
      return { by: at().moderator, values: { votes: chosen, fingerprint } };
    },
    reverseInvalidation: async () => {
      const { literal, fingerprint } = await invalidation();
      const { _id } = await at().moderator.does(
        `invalidateVotes(votes: ${literal}, category: OTHER, reason: "mine", fingerprint: "${fingerprint}") { _id }`,
      );
      return { by: at().moderator, values: { caseId: _id } };
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
        left: sessionsOf(who),
      };
    },
    logout: async () => {
      const who = await newcomer();
      return { by: who, left: sessionsOf(who), refusedAgain: 'SIGN_IN_REQUIRED' };
    },
    endSession: async () => {
      const who = await newcomer();
      await session(who);
      const all = await who.query<{ _id: string; isCurrent: boolean }[]>('getSessions { _id isCurrent }');
      return { by: who, values: { id: all.find(({ isCurrent }) => !isCurrent)?._id }, left: sessionsOf(who) };
    },
    endOtherSessions: async () => {
      const who = await newcomer();
      await session(who);
      return { by: who, left: sessionsOf(who) };
    },
    deleteOwnAccount: async () => {
      const who = await newcomer();
      return { by: who, values: { password: who.student.password } };
    },
    keepOwnAccount: async () => {
      const who = await newcomer();
      await who.does(`deleteOwnAccount(password: "${who.student.password}", withWords: true) { __typename }`);
      return { by: who };
    },
    askOwnExport: async () => {
      const who = await newcomer();
      const left = () => rows('select count(*)::int from state.own_export where student_id = $1', idOf(who));
      return { by: who, left };
    },
    dropOwnExport: async () => {
      const who = await newcomer();
      const left = () => rows('select count(*)::int from state.own_export where student_id = $1', idOf(who));
      await who.does('askOwnExport(language: "en") { status }');
      return { by: who, left };
    },
    renameTotp: async () => {
      const { who } = await withTotp();
      return { by: who, left: factorsOf(who) };
    },
    removeTotp: async () => {
      const { who } = await withTotp();
      return { by: who, left: async () => (await factorsOf(who)()) ?? 'none' };
    },
    confirmSecondFactor: async () => {
      const { who, secret } = await withTotp();
      return {
        by: who,
        values: { code: codeOf(secret, new Date(), 1) },
        left: factorsOf(who),
        refusedAgain: 'SECOND_FACTOR_CODE_WRONG',
      };
    },
    finishContactChange: async () => {
      const [who, email] = [await newcomer(), newEmail()];
      const { _id } = await who.does(
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
