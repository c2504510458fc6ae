import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entryOf, EVENT_TYPES, type EventType } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { TypesenseDouble } from '@nimo/search/testing';
import sharp from 'sharp';
import { bootApp, newPhone, type TestApp } from '../../../../../test/app.js';
import { newSpace } from '../../../../../test/community.js';
import { holdErasure } from '../../../../../test/erasure.js';
import { newParticipants, type Participant } from '../../../../../test/participant.js';
import { TestRedis } from '../../../../../test/servers/redis.js';
import { S3Double } from '../../../../../test/servers/s3/s3-double.js';
import { setUpTotp } from '../../../../../test/second-factor.js';
import { withSession } from '../../cli/cli-session.js';
import { saveBackup } from '../../cli/backup/save.js';
import { restoreBackup } from '../../cli/backup/restore.js';
import { Identities } from '../../platform/auth/identities.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { environmentOf, Installations } from '../imports/testing/import-session.fixture.js';
import { Passkeys } from '../second-factor/passkeys.js';
import { SuspendMember } from '../user-detail/commands/suspend-member.js';
import { RequestErasure } from './commands/request-erasure.js';
import { Erasures } from './erasures.js';
import {
  eventsWith,
  filesWith,
  redisKeysWith,
  rowsWithout,
  tablesWith,
  readWholeLog,
} from './testing/places.fixture.js';
import { eventually } from '@nimo/testing';

/** Unique words, each used in one place. */
const OWN_TEXTS = {
  firstName: 'Xanthippe',
  lastName: 'Quagmirova',
  bio: 'Zymurgy',
  title: 'Brobdingnag',
  body: 'lilliputian',
  edited: 'yahoosome',
  answer: 'houyhnhnm',
  comment: 'struldbrugg',
  request: 'Laputan',
  passkey: 'Flimnap',
  app: 'Skyresh',
  guardian: 'glubdubdrib',
} as const;
/** Text that staff wrote about the student. */
const STAFF_TEXTS = {
  note: 'Balnibarbi',
  block: 'Luggnagg',
  unblock: 'Tramecksan',
  suspension: 'Slamecksan',
  lifted: 'Mildendo',
  upheld: 'Blefuscu',
  reversed: 'Lorbrulgrud',
  dismissed: 'Lagado',
  handedOver: 'Maldonada',
  deleted: 'Traldragdubh',
  refused: 'Clumegnig',
  removed: 'Lindalino',
  factor: 'Glumdalclitch',
  erasure: 'Munodi',
} as const;

/** Event types with personal data that this test does not produce, with the reason. New types must occur here or be listed. */
const ELSEWHERE: Partial<Record<EventType, string>> = {
  SignUpAbandoned: 'only without an account: carried-values.int-spec',
  StudentImported: 'only in imports; the source id is erased with the profile: personal-data.codec.int-spec',
  ErasureWithdrawn: 'cancels an erasure: erasure.e2e-spec',
};
/** Random names of deleted files in places that expire: finished jobs and log lines. */
const EXPIRES = /^bullmq\.|^redis bull:image:|\/logs\//;
/** Whether the event has personal fields; other fields are ids, numbers and names of things. */
const hasPersonalFields = (type: EventType): boolean => (entryOf(type)?.sealed ?? []).length > 0;

const extractCode = (text: string): string => /\b\d{6}\b/.exec(text)?.[0] ?? '';

interface Boot {
  readonly environment: Readonly<Record<string, string>>;
  readonly elsewhere: (value: string) => Promise<readonly string[]>;
  readonly end: () => Promise<void>;
}

const EMBEDDED = 'with embedded services';
const EXTERNAL = 'with S3, Typesense and Redis';

async function boot(where: typeof EMBEDDED | typeof EXTERNAL): Promise<Boot> {
  if (where === EMBEDDED)
    return { environment: {}, elsewhere: () => Promise.resolve([]), end: () => Promise.resolve() };
  const [bucket, typesense, redis] = [
    await S3Double.start(),
    await TypesenseDouble.start(),
    await TestRedis.start(),
  ];
  const environment = {
    ...bucket.environment,
    TYPESENSE_URL: typesense.url,
    TYPESENSE_API_KEY: typesense.apiKey,
    REDIS_URL: redis.url,
  };
  const elsewhere = async (value: string) => {
    const has = (text: string) => text.toLowerCase().includes(value.toLowerCase());
    const objects = [...bucket.objects].flatMap(([name, { bytes }]) =>
      has(name) || has(bytes.toString('latin1')) ? [`bucket ${name}`] : [],
    );
    const documents = [...typesense.collections].flatMap(([name, { documents }]) =>
      [...documents.values()].some((document) => has(JSON.stringify(document))) ? [`typesense ${name}`] : [],
    );
    return [...objects, ...documents, ...(await redis.ask((asked) => redisKeysWith(asked, value)))];
  };
  const end = async () => {
    await bucket.stop();
    await typesense.down();
    await redis.stop();
  };
  return { environment, elsewhere, end };
}

describe.each([EMBEDDED, EXTERNAL] as const)('erasure of a student who did everything, %s', (where) => {
  let booted: Boot;
  let app: TestApp;
  let ann: Participant;
  let ben: Participant;
  let staff: Participant;
  let spaceId: string;
  let values: string[];
  const pictures: string[] = [];

  beforeAll(async () => {
    booted = await boot(where);
    app = await bootApp(booted.environment, { writesLogs: true });
    const { community, people } = await newParticipants(app, 3);
    [ann, ben, staff] = people;
    ({ spaceId } = community);
    await app.grantRole(staff.student.studentId, 'MODERATOR', spaceId);
    await app.grantRole(staff.student.studentId, 'MODERATOR');
    await app.grantRole(staff.student.studentId, 'MAINTAINER');
    values = [
      ...Object.values(OWN_TEXTS),
      ...Object.values(STAFF_TEXTS),
      ann.student.userName,
      ann.student.phone,
    ];
    await ownActions();
    await guardianConsents();
    await posts();
    await app.caughtUp();
  });
  afterAll(async () => {
    await app.close();
    await booted.end();
  });

  async function uploaded(): Promise<string> {
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c33' } })
      .png()
      .toBuffer();
    const { url, key, doneUrl } = await ann.query<{ url: string; key: string; doneUrl: string | null }>(
      `getPresignedS3Url(contentType: "image/png", contentLength: ${png.length}) { url key doneUrl }`,
    );
    const headers = { 'content-type': 'image/png' };
    const target = new URL(url, app.url);
    expect((await fetch(target, { method: 'PUT', headers, body: new Uint8Array(png) })).status).toBe(200);
    if (doneUrl !== null) expect((await app.http().post(doneUrl)).status).toBeLessThan(300);
    pictures.push(key);
    return `/media/${key}`;
  }

  async function changeContact(kind: 'PHONE' | 'EMAIL', value: string): Promise<void> {
    const { phone, password } = ann.student;
    const newest = await app.pool.query<{ id: string }>(
      'select coalesce(max(id), 0) as id from state.outbox',
    );
    const sent = newest.rows[0]?.id;
    const { _id } = await ann.perform<{ _id: string }>(
      `startContactChange(kind: ${kind}, value: "${value}", password: "${password}") { _id }`,
    );
    // Codes are sent by a job: existing messages may belong to an earlier change.
    const codeTo = async (recipient: string) => {
      const find = () =>
        app.pool.query<{ text: string }>('select text from state.outbox where recipient = $1 and id > $2', [
          recipient,
          sent,
        ]);
      const codes = async () =>
        (await find()).rows.map(({ text }) => extractCode(text)).filter((code) => code !== '');
      return (await eventually(codes, (found) => found.length > 0))[0];
    };
    const newCode = await codeTo(kind === 'PHONE' ? `+${value}` : value);
    const ownCode = await codeTo(`+${phone}`);
    await ann.perform(
      `finishContactChange(id: "${_id}", newCode: "${newCode}", ownCode: "${ownCode}") { flag }`,
    );
    values.push(value);
  }

  /** Ann's actions outside of posts. */
  async function ownActions(): Promise<void> {
    const { studentId, userName, password } = ann.student;
    const picture = await uploaded();
    await ann.perform(
      `updateStudent(id: "${studentId}", firstName: "${OWN_TEXTS.firstName}", lastName: "${OWN_TEXTS.lastName}", profileDesc: "${OWN_TEXTS.bio}", realProfilePicUrl: "${picture}") { _id }`,
    );
    await changeContact('EMAIL', `xanthippe.${userName}@example.org`);
    await changeContact('PHONE', newPhone());
    const login = `mutation { login(userName: "${userName}", password: "${password}", rememberMe: true) { accessToken } }`;
    await app.graphql(login);
    await setUpTotp(app, ann.student);
    const identity = { issuer: `https://${userName}.brundecral.example`, subject: `reldresal ${studentId}` };
    await app.api.get(Identities, { strict: false }).link(identity, studentId);
    values.push(identity.issuer, identity.subject);
    const closed = await newSpace(app, undefined, { entry: 'REQUEST' });
    await ann.perform(`requestEntry(spaceId: "${closed}", text: "${OWN_TEXTS.request}") { _id }`);
    await staff.perform(
      `answerEntryRequest(space: "${closed}", studentId: "${studentId}", isAccepted: false, reason: "${STAFF_TEXTS.refused}") { flag }`,
    );
    const another = await newSpace(app, undefined, { entry: 'REQUEST' });
    await ann.perform(`requestEntry(spaceId: "${another}", text: "again") { _id }`);
    await staff.perform(
      `answerEntryRequest(space: "${another}", studentId: "${studentId}", isAccepted: true) { flag }`,
    );
    await staff.perform(
      `removeMember(space: "${another}", studentId: "${studentId}", reason: "${STAFF_TEXTS.removed}") { flag }`,
    );
  }

  /** One guardian answers both ways; another does not answer, so that the email stays in the outbox. */
  async function guardianConsents(): Promise<void> {
    const asking = (id: string, name: string) =>
      ann.perform(`requestGuardianConsent(spaceId: "${id}", email: "${name}@example.org") { _id }`);
    const answered = await newSpace(app, undefined, { consentAge: 16 });
    const open = await newSpace(app, undefined, { consentAge: 16 });
    await ann.perform(`declareAge(spaceId: "${answered}", band: BELOW) { _id }`);
    await staff.perform(`clearAge(space: "${answered}", studentId: "${ann.student.studentId}") { flag }`);
    for (const id of [answered, open]) await ann.perform(`declareAge(spaceId: "${id}", band: BELOW) { _id }`);
    // The answer itself deletes this address.
    await asking(answered, 'answered');
    const tokens = async () => {
      const { rows } = await app.pool.query<{ text: string }>(
        'select text from state.outbox where recipient = $1',
        ['answered@example.org'],
      );
      return rows.flatMap(({ text }) => /\/consent#([\w-]+)/.exec(text)?.[1] ?? []);
    };
    const [token = ''] = await eventually(tokens, (found) => found.length > 0);
    for (const isGiven of [true, false]) {
      const { errors } = await app.graphql(
        `mutation { answerGuardianConsent(token: "${token}", isGiven: ${isGiven}, termsVersion: "nimo-1") { state } }`,
      );
      expect(errors).toBeUndefined();
    }
    await asking(open, OWN_TEXTS.guardian);
  }

  const ruled = async (operation: string, postId: string, more: string): Promise<void> => {
    await app.caughtUp();
    const { revision, openReports } = await staff.query<{ revision: number; openReports: number }>(
      `getModerationCase(postId: "${postId}") { revision openReports }`,
    );
    const seen = `seen: { revision: ${revision}, openReports: ${openReports} }`;
    await staff.perform(`${operation}(postId: "${postId}", ${more}, ${seen}) { _id }`);
  };

  /** Ann's posts, and what others do with them. */
  async function posts(): Promise<void> {
    const { studentId } = ann.student;
    const picture = await uploaded();
    const own = await ann.ask({
      title: `Is ${OWN_TEXTS.title} a set?`,
      body: `<p>So ${OWN_TEXTS.body}.</p>`,
      imageUrls: [picture],
    });
    await ann.perform(
      `updateQuestion(id: "${own}", title: "Is ${OWN_TEXTS.title} a group?", body: "<p>${OWN_TEXTS.edited} ${OWN_TEXTS.body}</p>") { _id }`,
    );
    const bens = await ben.ask({ title: 'Is this a group?' });
    const answer = await ann.answer(bens, `<p>As ${OWN_TEXTS.answer} says.</p>`);
    await ann.perform(
      `updateAnswer(id: "${answer}", body: "<p>As ${OWN_TEXTS.answer} says, twice.</p>") { _id }`,
    );
    await ann.commentOnQuestion(bens, `Ask ${OWN_TEXTS.comment} @[${ben.student.studentId}]`);
    await ann.commentOnQuestion(bens, `${OWN_TEXTS.comment} again`);
    await ann.perform(`upvoteQuestion(questionId: "${bens}") { _id }`);
    await ann.perform(`saveQuestion(questionId: "${bens}") { _id }`);
    const bensAnswer = await ben.answer(own);
    await ann.perform(`acceptAnswer(questionId: "${own}", answerId: "${bensAnswer}") { _id }`);
    await ann.perform(`reportPost(postId: "${bensAnswer}", postType: ANSWER, reason: "Its spam") { _id }`);
    await ben.perform(`upvoteQuestion(questionId: "${own}") { _id }`);
    await ben.commentOnAnswer(answer, `Thanks @[${studentId}]`);
    const gone = await ann.ask({ title: `${OWN_TEXTS.title} is deleted` });
    await staff.perform(`deleteQuestionById(id: "${gone}", reason: "${STAFF_TEXTS.deleted}") { _id }`);
    const offAnswer = await ann.answer(bens, `<p>${OWN_TEXTS.answer} once more</p>`);
    await staff.perform(`deleteAnswerById(id: "${offAnswer}", reason: "${STAFF_TEXTS.deleted}") { _id }`);
    const offComment = await ann.commentOnQuestion(bens, `${OWN_TEXTS.comment} too`);
    await staff.perform(
      `deleteQuestionCommentById(id: "${offComment}", reason: "${STAFF_TEXTS.deleted}") { _id }`,
    );

    await ben.perform(`reportPost(postId: "${own}", postType: QUESTION, reason: "Its spam") { _id }`);
    const { studentId: staffId } = staff.student;
    await ruled('handOverReports', own, `toModeratorId: "${staffId}", note: "${STAFF_TEXTS.handedOver}"`);
    await ruled('upholdReports', own, `reason: "${STAFF_TEXTS.upheld}"`);
    await ruled('reverseUpholding', own, `reason: "${STAFF_TEXTS.reversed}"`);
    await ben.perform(`reportPost(postId: "${answer}", postType: ANSWER, reason: "Its spam") { _id }`);
    await ruled('dismissReports', answer, `reason: "${STAFF_TEXTS.dismissed}"`);

    const about = `space: "${spaceId}", studentId: "${studentId}"`;
    await staff.perform(`writeStudentNote(${about}, text: "${STAFF_TEXTS.note}") { flag }`);
    for (const act of ['suspend', 'lift'] as const) {
      const reason = act === 'suspend' ? STAFF_TEXTS.suspension : STAFF_TEXTS.lifted;
      await app.execute(new SuspendMember(app.operator(), { spaceId, studentId, reason }, act));
    }
    await reactsToNews();
    await ann.perform(`requestOwnExport(language: "en") { status }`);
    await eventually(
      () => ann.query<{ status: string } | null>('getOwnExport { status }'),
      (copy) => copy?.status === 'READY',
    );
    await staff.perform(
      `resetSecondFactor(studentId: "${studentId}", reason: "${STAFF_TEXTS.factor}") { act }`,
    );
    await newFactors();
    await staff.perform(`blockAccount(studentId: "${studentId}", reason: "${STAFF_TEXTS.block}") { act }`);
    await staff.perform(
      `unblockAccount(studentId: "${studentId}", reason: "${STAFF_TEXTS.unblock}") { act }`,
    );
    await unusedMessages();
  }

  /** Sets up second factors after the reset, which ended all sessions. */
  async function newFactors(): Promise<void> {
    const { studentId, userName, password } = ann.student;
    const { data } = await app.graphql<{ login: { accessToken: string } }>(
      `{ login(userName: "${userName}", password: "${password}") { accessToken } }`,
    );
    const token = data.login.accessToken;
    await setUpTotp(app, { userName, password, token });
    const named = await app.graphql(`mutation { renameTotp(name: "${OWN_TEXTS.app}") { flag } }`, {}, token);
    expect(named.errors).toBeUndefined();
    await app.api.get(Passkeys, { strict: false }).save(studentId, {
      credentialId: `credential of ${studentId}`,
      name: OWN_TEXTS.passkey,
      publicKey: new Uint8Array([1, 2, 3]),
      counter: 0,
      transports: [],
    });
  }

  async function reactsToNews(): Promise<void> {
    const { _id } = await staff.perform<{ _id: string }>(
      `publishNewspost(space: "${spaceId}", title: "The fair", body: "Comes.") { _id }`,
    );
    await ann.perform(`likeNewspost(newspostId: "${_id}", actionType: LIKE) { _id }`);
    await ann.perform(`saveNewspost(newspostId: "${_id}", actionType: SAVE) { _id }`);
  }

  /** Leaves a reset link and a login code unused. */
  async function unusedMessages(): Promise<void> {
    const email = values.find((value) => value.endsWith('@example.org'));
    const phone = values.findLast((value) => /^\d+$/.test(value));
    const asked = await app.graphql(
      'mutation($email: String!, $phone: Phone!) { forgotPassword(email: $email) { flag } sendOTP(phone: $phone, purpose: FORGOT_PASSWORD) { flag } }',
      { email, phone },
    );
    expect(asked.errors).toBeUndefined();
    const waiting = () =>
      app.pool.query('select from state.mailed_link where student_id = $1', [ann.student.studentId]);
    await eventually(waiting, ({ rowCount }) => rowCount === 1);
  }

  /** The worker's store: other processes cache keys for a minute. */
  const store = (): EventStore => {
    if (!app.worker) throw new Error('no worker');
    return app.worker.get<EventStore>(EVENT_STORE);
  };
  const placesOf = async (value: string) => [
    ...(await tablesWith(app.pool, value)),
    ...(await eventsWith(store(), value)),
    ...(await filesWith(app.dataDir, value)),
    ...(await booted.elsewhere(value)),
  ];
  const environment = (dataDir: string, url: string) => ({
    ...environmentOf(url),
    NIMO_DATA_DIR: dataDir,
    LOG_SIGNING_KEY: Buffer.alloc(32, 'l').toString('base64'),
  });

  it('leaves no trace, not even in a restored older backup, and changes nothing of other users', async () => {
    const { studentId } = ann.student;
    await holdErasure(app, studentId);
    const asked = { withWords: true, reason: STAFF_TEXTS.erasure, atOnce: true };
    await app.execute(new RequestErasure(app.operator(), studentId, asked));
    await app.caughtUp();
    const folder = await mkdtemp(join(tmpdir(), 'nimo-erased-'));
    const installations = new Installations();
    try {
      const events = await readWholeLog(store());
      const happened = new Set(
        events.filter(({ data }) => JSON.stringify(data).includes(studentId)).map(({ type }) => type),
      );
      expect(
        EVENT_TYPES.filter((type) => hasPersonalFields(type) && !happened.has(type) && !(type in ELSEWHERE)),
      ).toEqual([]);
      for (const value of [...values, ...pictures])
        expect({ value, isFound: (await placesOf(value)).length > 0 }).toEqual({
          value,
          isFound: true,
        });

      const url = String((app.pool.options as { connectionString?: string }).connectionString);
      const saved = join(folder, 'saved');
      await withSession(
        ({ runtime }) => saveBackup(saved, runtime),
        loadSettings(environment(app.dataDir, url)),
      );
      // Picture rows of her posts contain only the post id; they are hers too.
      const before = (await rowsWithout(app.pool, studentId)).filter(
        (row) => !pictures.some((key) => row.includes(key)),
      );

      await app.pool.query('update state.erasure set due_at = now() where student_id = $1', [studentId]);
      await finished(studentId);
      await app.caughtUp();
      // The search server lags slightly behind the projections.
      await eventually(
        async () => (await Promise.all(values.map((value) => booted.elsewhere(value)))).flat(),
        (places) => !places.some((place) => place.startsWith('typesense')),
      );
      expect(await rowsWithout(app.pool, studentId)).toEqual(before);
      for (const value of values)
        expect({ value, places: await placesOf(value) }).toEqual({ value, places: [] });
      for (const key of pictures)
        expect({
          key,
          places: (await placesOf(key)).filter((place) => !EXPIRES.test(place)),
        }).toEqual({
          key,
          places: [],
        });

      const there = await installations.create();
      const dataDir = join(folder, 'there');
      await restoredWithout(saved, there.url, dataDir, studentId);
    } finally {
      await installations.drop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  async function finished(studentId: string): Promise<void> {
    const erasures = app.worker?.get(Erasures);
    if (!erasures) throw new Error('no worker');
    await eventually(
      () => erasures.runDue().then(() => erasures.find(studentId)),
      (erasure) => erasure !== undefined && erasure.finishedAt !== null,
    );
  }

  async function restoredWithout(
    saved: string,
    url: string,
    dataDir: string,
    studentId: string,
  ): Promise<void> {
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, 'tombstones.jsonl'), `${JSON.stringify({ studentId, withWords: true })}\n`);
    await withSession(
      async (session) => {
        const restored = await restoreBackup(saved, session, new AbortController().signal);
        expect(restored).toMatchObject({ tombstonesApplied: 1, log: { mismatch: null } });
        const { pool, store: log } = session.runtime;
        for (const value of [...values, ...pictures])
          expect({
            value,
            places: [
              ...(await tablesWith(pool, value)),
              ...(await eventsWith(log, value)),
              ...(await filesWith(dataDir, value)),
            ],
          }).toEqual({ value, places: [] });
      },
      loadSettings(environment(dataDir, url)),
    );
  }
});
