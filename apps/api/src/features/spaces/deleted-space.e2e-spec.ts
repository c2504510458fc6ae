import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { GraphQLField } from 'graphql';
import type { EventStore } from '@nimo/event-store';
import { ownSections } from '@nimo/projections';
import { eventually } from '@nimo/testing';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { type Community, newCommunity } from '../../../../../test/community.js';
import { operationEntries, type OperationValues } from '../../../../../test/operations.js';
import { Participant } from '../../../../../test/participant.js';
import { selectionOf } from '../../../../../test/schema/selections.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { readOwnEvents } from '../own-data/own-parts.js';

type Fields = Readonly<Record<string, GraphQLField<unknown, unknown>>>;

/** Marks what belongs to the space. */
const MARKER = `zq${randomUUID().slice(0, 6)}`;
const NAME = `${MARKER} School`;

let app: TestApp;
let community: Community;
let elsewhere: Community;
let queries: Fields;
let mutations: Fields;
let callers: Readonly<Record<string, Participant | undefined>>;
let valuesOf: (operation: string) => OperationValues;
let shownBefore: ReadonlySet<string>;
let otherScore: unknown;
const ids = { question: '', answer: '', comment: '', questionComment: '', newspost: '' };
let caseId: string;
let position: number;

beforeAll(async () => {
  app = await bootApp({ PUBLIC_URL: 'https://nimo.example/' });
  community = await newCommunity(app, 2);
  elsewhere = await newCommunity(app, 0);
  const [ada, bob] = community.members.map((student) => new Participant(app, student, community));
  if (!ada || !bob) throw new Error('no members');
  const of = async (role?: 'MODERATOR' | 'MAINTAINER', spaceId?: string): Promise<Participant> => {
    const student = await app.signUp();
    if (role) await app.grantRole(student.studentId, role, spaceId);
    return new Participant(app, student, community);
  };
  const both = await of('MAINTAINER');
  await app.grantRole(both.student.studentId, 'MODERATOR');
  callers = {
    'the author': ada,
    'a member': bob,
    'a stranger': await of(),
    'an anonymous visitor': undefined,
    'a moderator of the space': await of('MODERATOR', community.spaceId),
    'a moderator of another space': await of('MODERATOR', elsewhere.spaceId),
    'a moderator of all spaces': await of('MODERATOR'),
    'a maintainer': await of('MAINTAINER'),
    'a maintainer and moderator': both,
  };
  const { schema } = app.api.get(GraphQLSchemaHost, { strict: false });
  queries = schema.getQueryType()?.getFields() ?? {};
  mutations = schema.getMutationType()?.getFields() ?? {};
  await fill(ada, bob);
  const entries = operationEntries(() => ({ community, member: bob, ids }));
  const special: Readonly<Record<string, OperationValues>> = {
    getAuditEntries: { filter: { space: community.spaceId }, first: 50 },
    getAuditEntry: { ordinal: position },
    getInvalidationCase: { caseId },
    previewReversal: { caseId },
    getPaginatedNotifications: {},
    getManagedStudents: { search: bob.student.userName },
  };
  valuesOf = (name) => special[name] ?? entries[name]?.values() ?? {};
  otherScore = await scoreElsewhere();
  shownBefore = await shown();
});
afterAll(() => app.close());

const caller = (name: string): Participant => {
  const found = callers[name];
  if (!found) throw new Error(`no ${name}`);
  return found;
};
const maintainer = () => caller('a maintainer');

async function fill(ada: Participant, bob: Participant): Promise<void> {
  const { spaceId, subjectId } = community;
  await maintainer().perform(`changeSpace(id: "${spaceId}", change: { name: "${NAME}" }) { act }`);
  await maintainer().perform(
    `changeSubject(id: "${subjectId}", change: { subjectName: "${MARKER} subject" }) { act }`,
  );
  ids.question = await ada.ask({ title: `${MARKER} title of a question`, body: `<p>${MARKER} body</p>` });
  ids.answer = await bob.answer(ids.question, `<p>${MARKER} answer</p>`);
  ids.comment = await ada.commentOnAnswer(ids.answer, `${MARKER} comment`);
  ids.questionComment = await bob.commentOnQuestion(ids.question, `${MARKER} comment on a question`);
  await bob.perform(`saveQuestion(questionId: "${ids.question}") { _id }`);
  await bob.perform(`upvoteQuestion(questionId: "${ids.question}") { _id }`);
  await bob.perform(`reportPost(postId: "${ids.question}", postType: QUESTION, reason: "Its spam") { _id }`);
  const moderator = caller('a moderator of the space');
  const { _id } = await moderator.perform(
    `publishNewspost(title: "${MARKER} news", body: "<p>${MARKER}</p>", space: "${spaceId}") { _id }`,
  );
  ids.newspost = _id;
  const everywhere = caller('a moderator of all spaces');
  await everywhere.perform(
    `writeStudentNote(space: "${spaceId}", studentId: "${bob.student.studentId}", text: "${MARKER} note") { flag }`,
  );
  const vote = `{ postId: "${ids.question}", voterId: "${bob.student.studentId}" }`;
  const { fingerprint } = await moderator.query<{ fingerprint: string }>(
    `previewInvalidation(votes: [${vote}]) { fingerprint }`,
  );
  ({ _id: caseId } = await moderator.perform(
    `invalidateVotes(votes: [${vote}], category: ARRANGED, reason: "${MARKER} ring", fingerprint: "${fingerprint}") { _id }`,
  ));
  const other = new Participant(app, bob.student, elsewhere);
  await bob.perform(`joinSpace(spaceId: "${elsewhere.spaceId}") { _id }`);
  await other.ask({ title: 'A question of another space' });
  await app.caughtUp();
  const { rows } = await app.pool.query<{ ordinal: string }>(
    'select ordinal from read.audit_entries where post_id = $1 order by ordinal limit 1',
    [ids.question],
  );
  position = Number(rows[0]?.ordinal);
}

const scoreElsewhere = () =>
  caller('a member').query(`getLeaderboardScores(space: "${elsewhere.spaceId}") { rank scores { score } }`);

const NO_WORK = {
  counts: { reportedPosts: 0, entryRequests: 0, proposedCases: 0, votePatterns: 0 },
  isNew: 0,
};

/** Open work of a moderator of all spaces. */
async function openWork() {
  const everywhere = caller('a moderator of all spaces');
  return {
    counts: await everywhere.query(
      'getModerationCounts { reportedPosts entryRequests proposedCases votePatterns }',
    ),
    isNew: await everywhere.query('getNewNotificationCount'),
    votePatterns: await everywhere.query('getVotePatternCounts { space { _id } }'),
  };
}

interface Outcome {
  readonly text: string;
  readonly codes: readonly string[];
  readonly rules: readonly unknown[];
}

async function send(
  kind: 'query' | 'mutation',
  field: GraphQLField<unknown, unknown>,
  by?: Participant,
): Promise<Outcome> {
  const values = valuesOf(field.name);
  const args = field.args.filter(({ name }) => name in values);
  const declared = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const [head, call] = args.length === 0 ? ['', ''] : [`(${declared})`, `(${passed})`];
  const { data, errors } = await app.graphql(
    `${kind}${head} { done: ${field.name}${call}${selectionOf(field, 2)} }`,
    Object.fromEntries(args.map(({ name }) => [name, values[name]])),
    by?.student.token,
  );
  return {
    text: JSON.stringify({ data, errors }),
    codes: errors?.map(({ extensions }) => extensions.code) ?? [],
    rules: errors?.map(({ extensions }) => extensions['rule']) ?? [],
  };
}

/** Records of what happened, for those who may read them. */
const RECORDS: Readonly<Record<string, readonly string[]>> = {
  getAuditEntries: ['a maintainer', 'a maintainer and moderator'],
  getLogEvents: ['a maintainer', 'a maintainer and moderator'],
};

/** Queries with content of the space, each with the caller. */
async function shown(): Promise<ReadonlySet<string>> {
  const secrets = [MARKER, ...Object.values(ids), community.topicId, caseId];
  const found = new Set<string>();
  for (const field of Object.values(queries))
    for (const [who, by] of Object.entries(callers)) {
      const { text, codes } = await send('query', field, by);
      expect([field.name, who, codes.filter((code) => code === 'INTERNAL_SERVER_ERROR')]).toEqual([
        field.name,
        who,
        [],
      ]);
      // The values of an operation may come back in its error.
      if (secrets.some((secret) => text.includes(secret)) && codes.length === 0)
        found.add(`${field.name}: ${who}`);
    }
  return found;
}

const isRecord = (found: string): boolean =>
  Object.entries(RECORDS).some(([name, who]) => who.some((one) => found === `${name}: ${one}`));

const remove = (name = NAME, id = community.spaceId) =>
  `deleteSpace(id: "${id}", name: "${name}") { _id act }`;

describe('deleting a space', () => {
  it('is for maintainers', async () => {
    for (const [who, by] of Object.entries(callers)) {
      if (who.includes('maintainer')) continue;
      const { errors } = await app.graphql(`mutation { ${remove()} }`, {}, by?.student.token);
      expect([who, errors?.[0]?.extensions.code]).toEqual([who, by ? 'FORBIDDEN' : 'UNAUTHENTICATED']);
    }
  });

  it('needs an archived space and its name', async () => {
    expect(await maintainer().refusal(`mutation { ${remove()} }`)).toMatchObject({ code: 'CONFLICT' });
    await maintainer().perform(`archiveSpace(id: "${community.spaceId}") { act }`);
    for (const name of ['', MARKER, `${NAME}s`])
      expect(await maintainer().refusal(`mutation { ${remove(name)} }`)).toMatchObject({
        code: 'VALIDATION_FAILED',
        field: 'name',
      });
    expect(await maintainer().refusal(`mutation { ${remove(NAME, randomUUID())} }`)).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(shownBefore.has('getQuestionById: a member')).toBe(true);
    expect(await openWork()).toMatchObject({ counts: { reportedPosts: 1 }, isNew: 1 });
    expect(await shown()).toContain('getQuestionById: a member');
  });

  it('succeeds once, also for two at once', async () => {
    const second = caller('a maintainer and moderator');
    const answers = await Promise.all([maintainer().mutate(remove()), second.mutate(remove())]);
    const codes = answers.map(({ errors }) => errors?.[0]?.extensions.code ?? 'done');
    expect(codes.sort()).toEqual(['NOT_FOUND', 'done']);
    expect(await maintainer().refusal(`mutation { ${remove()} }`)).toMatchObject({ code: 'NOT_FOUND' });
    const { rows } = await app.pool.query(
      `select 1 from log.events where type = 'SpaceRemoved' and data ->> 'spaceId' = $1`,
      [community.spaceId],
    );
    expect(rows).toHaveLength(1);
    await app.caughtUp();
  });
});

describe('a deleted space', () => {
  it('is shown by no query, except in records for maintainers', async () => {
    const before = [...shownBefore].filter((found) => !isRecord(found));
    expect(before.length).toBeGreaterThan(50);
    expect([...(await shown())].filter((found) => !isRecord(found))).toEqual([]);
  });

  it('is written into by no mutation', async () => {
    const wrong: string[] = [];
    const count = async () => {
      const { rows } = await app.pool.query<{ type: string }>(
        `select type from log.events where data ->> 'spaceId' = $1 and type not like '%WordsErased'`,
        [community.spaceId],
      );
      return rows.length;
    };
    const before = await count();
    for (const field of Object.values(mutations)) {
      const named = Object.values(valuesOf(field.name)).some((value) =>
        [community.spaceId, community.subjectId, community.topicId, ...Object.values(ids)].includes(
          String(value),
        ),
      );
      if (!named) continue;
      for (const who of [
        'the author',
        'a member',
        'a moderator of all spaces',
        'a maintainer and moderator',
      ]) {
        const { codes, text } = await send('mutation', field, callers[who]);
        const isRefused = codes.every((code) =>
          ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'VALIDATION_FAILED'].includes(code),
        );
        // What changes nothing succeeds, but shows nothing either.
        if (!isRefused || (codes.length === 0 && text.includes(MARKER)))
          wrong.push(`${field.name} by ${who}: ${codes.join()} ${text}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(await count()).toBe(before);
  });

  it('is not found by its members and staff', async () => {
    const { spaceId } = community;
    for (const [who, operation] of [
      ['a member', `joinSpace(spaceId: "${spaceId}") { _id }`],
      ['a member', `leaveSpace(spaceId: "${spaceId}") { _id }`],
      ['a member', `createAnswer(questionId: "${ids.question}", body: "x") { _id }`],
      ['a moderator of all spaces', `publishNewspost(title: "x", body: "x", space: "${spaceId}") { _id }`],
      ['a maintainer', `changeSpace(id: "${spaceId}", change: { color: "000000" }) { act }`],
      ['a maintainer', `unarchiveSpace(id: "${spaceId}") { act }`],
    ] as const)
      expect([operation, (await caller(who).refusal(`mutation { ${operation} }`)).code]).toEqual([
        operation,
        'NOT_FOUND',
      ]);
  });

  it('has no public page and no place in the sitemap', async () => {
    expect((await app.http().get('/sitemap.xml')).text).not.toContain(community.spaceId);
    expect((await app.http().get(`/sitemap/${community.spaceId}/1.xml`)).status).toBe(404);
    expect((await app.http().get(`/question/${ids.question}`)).text).not.toContain(MARKER);
  });

  it('takes the role of its moderators with it', async () => {
    const moderator = caller('a moderator of the space');
    expect(await moderator.refusal('{ getModerationCounts { reportedPosts } }')).toMatchObject({
      code: 'FORBIDDEN',
    });
    const holders = await maintainer().query<{ _id: string }[]>('getRoleHolders { _id }');
    expect(holders.map(({ _id }) => _id)).not.toContain(moderator.student.studentId);
  });

  it('leaves its name to a new space', async () => {
    const { space } = await maintainer().perform<{ space: { name: string } }>(
      `createSpace(details: { name: "${NAME}", color: "000000" }) { space { name } }`,
    );
    expect(space.name).toBe(NAME);
  });

  it('stays in the audit of maintainers, with its name', async () => {
    const { nodes } = await maintainer().query<{
      nodes: { kind: string; space: { name: string }; about: string }[];
    }>(
      `getAuditEntries(filter: { space: "${community.spaceId}" }, first: 50) { nodes { kind space { name } about } }`,
    );
    expect(nodes[0]).toEqual({ kind: 'SpaceRemoved', space: { name: NAME }, about: NAME });
    expect(nodes.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['SpaceArchived', 'SpaceChanged']));
  });

  it('is not counted as open work', async () =>
    expect(await openWork()).toEqual({ ...NO_WORK, votePatterns: [] }));

  it('stays in the own data of its members, with its name and the texts they wrote', async () => {
    const { studentId } = caller('the author').student;
    const section = ownSections(studentId, []).find(({ name }) => name === 'questions');
    const [statement] = section?.statements ?? [];
    if (!statement) throw new Error('no section with questions');
    expect((await app.pool.query(statement)).rows).toMatchObject([{ space: NAME, questionId: ids.question }]);
    const store = app.api.get<EventStore>(EVENT_STORE, { strict: false });
    const until = await store.head();
    const texts: string[] = [];
    for await (const event of readOwnEvents(store, { studentId, until, onPage: () => undefined }))
      texts.push(JSON.stringify(event));
    expect(texts.join()).toContain(`${MARKER} title of a question`);
  });

  it('does not change scores elsewhere', async () => expect(await scoreElsewhere()).toEqual(otherScore));

  it('has no words in the read models any more', async () => {
    await eventually(
      async () => {
        const { rows } = await app.pool.query<{ n: number }>(
          `select (select count(*) from read.questions where space_id = $1 and (title || body || excerpt) <> '')
             + (select count(*) from read.answers where space_id = $1 and body <> '')
             + (select count(*) from read.comments where space_id = $1 and body <> '') as n`,
          [community.spaceId],
        );
        return Number(rows[0]?.n);
      },
      (left) => left === 0,
    );
    const { rows } = await app.pool.query<{ n: number }>(
      `select count(*)::int as n from log.events where type like '%WordsErased' and data ->> 'spaceId' = $1`,
      [community.spaceId],
    );
    expect(rows).toEqual([{ n: 4 }]);
  });
});
