import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { getNamedType, isInputObjectType, type GraphQLArgument } from 'graphql';
import { sharedApp, type GraphqlAnswer, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { concurrently } from '../../../../../test/concurrently.js';
import {
  operationEntries,
  type OperationValues,
  type OperationWorld,
} from '../../../../../test/operations.js';
import { Participant } from '../../../../../test/participant.js';
import { BlockStudent } from '../../features/students/commands/block-student.js';

interface Operation {
  readonly kind: 'query' | 'mutation';
  readonly name: string;
  readonly args: readonly GraphQLArgument[];
  readonly selection: string;
}

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
/** Each sends one request at a time: the API may reject concurrent requests of one account. */
let senders: readonly Participant[];
let stranger: Participant;
let blockedToken: string;
let operations: Map<string, Operation>;
let ids: OperationWorld['ids'];

const entriesOf = (member: () => Participant) =>
  operationEntries(() => ({ community, member: member(), ids }));
const ENTRIES = entriesOf(() => bob);

/** Arguments that name the actor. */
const ACTORS = new Set(['author', 'userId', 'studentId', 'student', 'notifyTo']);
/** Operations whose student argument is a target, not the actor. */
const TARGETS_OTHERS = new Set([
  'getLeaderboardScores',
  'getPaginatedStudentActivities',
  'getStudentDetail',
  'getStudentPosts',
  // For moderators.
  'getScoreExplanation',
  'getScoreAsOf',
  'blockStudent',
  'unblockStudent',
  'suspendMember',
  'warnMember',
  'getStudentWarnings',
  'getVoteGivers',
  'getStudentNotes',
  'writeStudentNote',
  'removeStudentNote',
  'answerEntryRequest',
  'revokeStudentInvitation',
  'removeMember',
  'clearAge',
  'forgetAge',
  // For maintainers.
  'grantRole',
  'revokeRole',
  'resetSecondFactor',
  'blockAccount',
  'unblockAccount',
  'eraseAccount',
  'cancelErasure',
  'keepAccount',
]);

const LONG = 'x'.repeat(100_000);
const HOSTILE_VALUES: readonly unknown[] = [
  '',
  ' ',
  'x',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u200f\ufeff',
  '%_\\',
  "'; drop table log.events; --",
  '../../etc/passwd',
  '{"$gt": ""}',
  'NaN',
  LONG,
];
const HOSTILE_NUMBERS: readonly unknown[] = [-1, 0, 2_147_483_647, -2_147_483_648];

beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 10);
  const [first, second, ...others] = community.members.map(
    (student) => new Participant(app, student, community),
  );
  if (!first || !second) throw new Error('the community has no members');
  [ada, bob, senders] = [first, second, others];
  stranger = new Participant(app, await app.signUp(), community);
  const blocked = await app.signUp();
  await app.execute(new BlockStudent(app.operator(), blocked.studentId, 'spam'));
  blockedToken = blocked.token;
  const question = await ada.ask();
  const answer = await bob.answer(question);
  const [comment, questionComment] = [
    await bob.commentOnAnswer(answer),
    await bob.commentOnQuestion(question),
  ];
  const newspost = await publishNews();
  ids = { question, answer, comment, questionComment, newspost };
  operations = readOperations();
});

async function publishNews(): Promise<string> {
  const moderator = await app.signUp();
  await app.grantRole(moderator.studentId, 'MODERATOR', community.spaceId);
  const { data, errors } = await new Participant(app, moderator, community).mutate(
    `publishNewspost(title: "News", body: "<p>News</p>", space: "${community.spaceId}") { _id }`,
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data.done._id;
}

function readOperations(): Map<string, Operation> {
  const { schema } = app.api.get(GraphQLSchemaHost, { strict: false });
  const all = new Map<string, Operation>();
  for (const [kind, type] of [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const) {
    for (const { name, args, type: answer } of Object.values(type?.getFields() ?? {})) {
      const isLeaf = !('getFields' in getNamedType(answer));
      all.set(name, { kind, name, args, selection: isLeaf ? '' : ' { __typename }' });
    }
  }
  return all;
}

function call(name: string, values: OperationValues, token?: string): Promise<GraphqlAnswer> {
  const operation = operations.get(name);
  if (!operation) throw new Error(`the schema has no ${name}`);
  const args = operation.args.filter((arg) => arg.name in values);
  const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const [head, body] = args.length === 0 ? ['', ''] : [`(${declared})`, `(${passed})`];
  return app.graphql(
    `${operation.kind}${head} { done: ${name}${body}${operation.selection} }`,
    { ...values },
    token,
  );
}

const outcomeOf = ({ errors }: GraphqlAnswer): string => errors?.[0]?.extensions.code ?? 'seen';

describe('every operation', () => {
  it('has a test entry', () => {
    expect([...operations.keys()].sort()).toEqual(Object.keys(ENTRIES).sort());
  });

  it.each(Object.keys(ENTRIES))('%s returns the expected code to outsiders', async (name) => {
    const entry = ENTRIES[name];
    if (!entry) throw new Error(`no entry ${name}`);
    const { token } = name === 'logout' ? await app.signUp() : stranger.student;
    const callers: [string, string?][] = [
      ['anonymous'],
      ['a wrong token', 'A'.repeat(43)],
      ['a null token', 'null'],
      ['a blocked account', blockedToken],
      ['a stranger', token],
    ];
    const outcomes = await concurrently(callers, async ([who, by]) => [
      who,
      outcomeOf(await call(name, entry.values(), by)),
    ]);
    expect(Object.fromEntries(outcomes)).toEqual({
      anonymous: entry.anonymous,
      'a wrong token': entry.anonymous,
      'a null token': entry.anonymous,
      'a blocked account': entry.anonymous,
      'a stranger': entry.stranger,
    });
  });

  it.each(Object.keys(ENTRIES))('%s rejects acting as another student', async (name) => {
    const operation = operations.get(name);
    const entry = ENTRIES[name];
    const actors = (operation?.args ?? []).filter((arg) => ACTORS.has(arg.name) && !TARGETS_OTHERS.has(name));
    for (const actor of actors) {
      const values = { ...entry?.values(), [actor.name]: ada.student.studentId };
      expect([actor.name, outcomeOf(await call(name, values, bob.student.token))]).toEqual([
        actor.name,
        'FORBIDDEN',
      ]);
    }
  });

  it.each(Object.keys(ENTRIES).filter((name) => name !== 'logout'))(
    '%s rejects invalid input without an internal error',
    async (name) => {
      const operation = operations.get(name);
      const failures: unknown[] = [];
      await concurrently(senders, async (sender) => {
        const right = entriesOf(() => sender)[name]?.values() ?? {};
        const nonsense = [...nonsenseFor(operation?.args ?? [], right)];
        const share = nonsense.filter((_, place) => place % senders.length === senders.indexOf(sender));
        for (const [values, what] of share) {
          const { status, errors } = await call(name, values, sender.student.token);
          for (const { message, extensions } of errors ?? []) {
            const isServerFault = extensions.code === 'INTERNAL' || extensions.code === 'UNAVAILABLE';
            if (isServerFault || /\bat .+:\d+|node_modules|syntax error|relation/i.test(message))
              failures.push([what, message, extensions]);
          }
          if (status >= 500) failures.push([what, status]);
        }
      });
      expect(failures).toEqual([]);
    },
  );

  it('leaves projections running', async () => {
    await app.caughtUp();
    const { rows } = await app.pool.query(
      'select name, error from read.projection_generations where error is not null',
    );
    expect(rows).toEqual([]);
    expect(await ada.ask({ title: 'Still there?' })).toEqual(expect.any(String));
  });
});

/** Valid values with one of them replaced by invalid input. */
function* nonsenseFor(
  args: readonly GraphQLArgument[],
  right: OperationValues,
): Generator<[OperationValues, string]> {
  for (const arg of args) {
    const type = getNamedType(arg.type);
    const isList = String(arg.type).startsWith('[');
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        const hostile = getNamedType(field.type).name === 'Int' ? HOSTILE_NUMBERS : HOSTILE_VALUES;
        if (getNamedType(field.type).name === 'Boolean') continue;
        const given = (right[arg.name] ?? {}) as OperationValues;
        for (const value of hostile)
          yield [
            { ...right, [arg.name]: { ...given, [field.name]: value } },
            `${arg.name}.${field.name}: ${shown(value)}`,
          ];
      }
      continue;
    }
    if (['Boolean', 'PostType', 'TopicType', 'OtpPurpose'].includes(type.name)) continue;
    for (const value of type.name === 'Int' ? HOSTILE_NUMBERS : HOSTILE_VALUES)
      yield [{ ...right, [arg.name]: isList ? [value] : value }, `${arg.name}: ${shown(value)}`];
    if (isList)
      yield [
        { ...right, [arg.name]: Array.from({ length: 1_000 }, () => randomUUID()) },
        `${arg.name}: many`,
      ];
  }
}

const shown = (value: unknown): string =>
  JSON.stringify(typeof value === 'string' ? value.slice(0, 40) : value).slice(0, 40);

describe('a request', () => {
  it.each([
    [
      'aliases',
      `{ ${Array.from({ length: 500 }, (_, place) => `a${place}: checkUserName(userName: "x")`).join(' ')} }`,
    ],
    [
      'aliased logins',
      `{ ${Array.from({ length: 100 }, (_, place) => `a${place}: login(userName: "x", password: "y") { error }`).join(' ')} }`,
    ],
    [
      'aliased votes',
      `mutation { ${Array.from({ length: 6 }, (_, place) => `a${place}: logout { flag }`).join(' ')} }`,
    ],
    ['brackets', `${'{ __schema '.repeat(300)}${'}'.repeat(300)}`],
    ['no text', ''],
    ['an unknown field', '{ secrets }'],
    ['a truncated query', '{ getSpaces {'],
  ])('with %s is rejected as a whole', async (_, query) => {
    const { status, errors, data } = await app.graphql(query, {}, bob.student.token);
    expect(status).toBeLessThan(500);
    expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
    expect(data).toBeFalsy();
  });

  it('with a batch of operations is rejected', async () => {
    const response = await app
      .http()
      .post('/graphql')
      .send(Array.from({ length: 50 }, () => ({ query: '{ getAvatars { category } }' })));
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(response.body.errors[0].extensions.code).toBe('VALIDATION_FAILED');
  });

  it('with unstorable characters is rejected, in variables and literals', async () => {
    const { subjectId: subject, topicId: topic, spaceId: space } = community;
    const message = 'title contains invalid characters.';
    for (const title of ['a\u0000b', '\ud800']) {
      const { errors } = await call('createQuestion', { subject, topic, space, title }, ada.student.token);
      expect(errors).toEqual([
        { message, extensions: { code: 'VALIDATION_FAILED', field: 'title', rule: 'TEXT_UNREADABLE' } },
      ]);
    }
    const place = `subject: "${subject}", topic: "${topic}", space: "${space}"`;
    const ask = (title: string) =>
      app.graphql(`mutation { createQuestion(${place}, title: ${title}) { title } }`, {}, ada.student.token);
    expect((await ask('"a\\u0000b"')).errors?.[0]).toMatchObject({ message });
    expect((await ask('"\\ud83d\\ude00"')).data).toEqual({ createQuestion: { title: '😀' } });
  });

  it.each([
    '{"query": 1}',
    '{"query": {"a": 1}}',
    '{"variables": []}',
    'null',
    '[]',
    '"x"',
    '{"query":"{a}","variables":"x"}',
  ])('with the body %s is rejected', async (body) => {
    const response = await app.http().post('/graphql').set('content-type', 'application/json').send(body);
    expect([response.status < 500, response.body.errors?.[0]?.extensions?.code]).toEqual([
      true,
      'VALIDATION_FAILED',
    ]);
  });

  it('with a malformed key or token is treated as anonymous', async () => {
    for (const headers of [
      { 'idempotency-key': LONG.slice(0, 8_000) },
      { 'idempotency-key': "';--" },
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${LONG.slice(0, 8_000)}` },
      { authorization: 'Basic dXNlcjpwYXNz' },
    ] as Record<string, string>[]) {
      const { status, errors } = await app.graphql('{ getAvatars { category } }', {}, undefined, headers);
      expect([status, errors]).toEqual([200, undefined]);
    }
  });
});
