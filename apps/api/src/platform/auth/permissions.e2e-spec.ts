import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { getNamedType, type GraphQLField, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, type Community } from '../../../../../test/community.js';
import { concurrently } from '../../../../../test/concurrently.js';
import { listenTo } from '../../../../../test/servers/listener.js';
import { operationEntries, type OperationWorld } from '../../../../../test/operations.js';
import { Participant } from '../../../../../test/participant.js';
import {
  keyOf,
  permissionTables,
  readPermissionTables,
  ruleText,
  rulingOf,
  type OperationKind,
  type PermissionRow,
  type Ruling,
  type SightRow,
} from '../../../../../test/schema/permission-table.js';
import { selectionOf } from '../../../../../test/schema/selections.js';
import { LeaveSpace } from '../../features/spaces/commands/join-space.js';
import { BlockStudent } from '../../features/students/commands/block-student.js';
import { SuspendMember } from '../../features/user-detail/commands/suspend-member.js';
import { AccessRulesCheck, type Operation } from './access-rules.check.js';
import { eventually } from '@nimo/testing';

/**
 * Calls every operation as every role over HTTP, subscriptions over a socket, and compares the outcome with `docs/permissions.md`.
 * `npm run permissions` regenerates its tables for review.
 */
const DOCUMENT = new URL('../../../../../docs/permissions.md', import.meta.url);
const TABLES_BEGIN = '<!-- tables: npm run permissions -->\n';
const isWriting = process.env['NIMO_PERMISSIONS'] === 'write';

/** "Here" is the space of the posts and members. */
const ROLES = {
  'Not signed in': async () => undefined,
  'Account blocked': async () => {
    const student = await app.signUp();
    await app.execute(new BlockStudent(app.operator(), student.studentId, 'spam'));
    return student;
  },
  'No member': () => app.signUp(),
  'Member elsewhere': () => newMember(app, elsewhere.spaceId),
  'Former member': async () => {
    const student = await newMember(app, community.spaceId);
    await app.execute(new LeaveSpace(app.contextOf(student.studentId), community.spaceId));
    return student;
  },
  'Suspended here': async () => {
    const student = await newMember(app, community.spaceId);
    const { spaceId } = community;
    await app.execute(
      new SuspendMember(app.operator(), { studentId: student.studentId, spaceId, reason: 'spam' }, 'suspend'),
    );
    return student;
  },
  Member: () => newMember(app, community.spaceId),
  Author: async () => author.student,
  'Moderator elsewhere': () => withRole('MODERATOR', elsewhere.spaceId),
  'Moderator here': () => withRole('MODERATOR', community.spaceId),
  'Moderator everywhere': () => withRole('MODERATOR'),
  Maintainer: () => withRole('MAINTAINER'),
} satisfies Readonly<Record<string, () => Promise<SignedUpStudent | undefined>>>;

type RoleName = keyof typeof ROLES;
const ROLE_NAMES = Object.keys(ROLES) as RoleName[];
const STAFF: ReadonlySet<RoleName> = new Set([
  'Moderator elsewhere',
  'Moderator here',
  'Moderator everywhere',
  'Maintainer',
]);

const KINDS = new Map<OperationKind, (of: GraphQLSchema) => GraphQLObjectType | null | undefined>([
  ['Query', (of) => of.getQueryType()],
  ['Mutation', (of) => of.getMutationType()],
  ['Subscription', (of) => of.getSubscriptionType()],
]);

let app: TestApp;
let schema: GraphQLSchema;
let community: Community;
let elsewhere: Community;
let author: Participant;
/** By kind and name: `login` is both a query and a mutation. */
let rules: ReadonlyMap<string, Operation>;
let written: ReadonlyMap<string, readonly string[]>;
const people = new Map<RoleName, SignedUpStudent | undefined>();
const found: PermissionRow[] = [];
const seenFields: SightRow[] = [];

/** Targets of the operations; replaced for the next caller once changed. */
let posts: OperationWorld['ids'];
let member: Participant;
/** Prepared in the background. */
const spare: { posts?: Promise<OperationWorld['ids']>; member?: Promise<Participant> } = {};
const touched = { posts: false, member: false };
const ENTRIES = operationEntries(() => ({
  community,
  get ids() {
    touched.posts = true;
    return posts;
  },
  get member() {
    touched.member = true;
    return member;
  },
}));

const withRole = async (role: 'MODERATOR' | 'MAINTAINER', spaceId?: string): Promise<SignedUpStudent> => {
  const student = await app.signUp();
  await app.grantRole(student.studentId, role, spaceId);
  return student;
};

async function newPosts(newspost: string): Promise<OperationWorld['ids']> {
  const question = await author.ask();
  const answer = await author.answer(question);
  const [comment, questionComment] = await Promise.all([
    author.commentOnAnswer(answer),
    author.commentOnQuestion(question),
  ]);
  return { question, answer, comment, questionComment, newspost };
}

const newTarget = async (): Promise<Participant> =>
  new Participant(app, await newMember(app, community.spaceId), community);

beforeAll(async () => {
  app = await bootApp();
  ({ schema } = app.api.get(GraphQLSchemaHost, { strict: false }));
  community = await newCommunity(app, 1);
  elsewhere = await newCommunity(app, 0);
  const [first] = community.members;
  if (!first) throw new Error('there is no member');
  author = new Participant(app, first, community);
  await Promise.all(ROLE_NAMES.map(async (name) => people.set(name, await ROLES[name]())));
  const publisher = new Participant(app, await withRole('MODERATOR', community.spaceId), community);
  const news = `publishNewspost(title: "News", body: "<p>News</p>", space: "${community.spaceId}") { _id }`;
  const { _id: newspost } = await publisher.perform(news);
  posts = await newPosts(newspost);
  member = await newTarget();
  rules = new Map(
    [...app.api.get(AccessRulesCheck, { strict: false }).operations()].map((operation) => [
      keyOf(operation.at.type, operation.at.name),
      operation,
    ]),
  );
  written = readPermissionTables(await readFile(DOCUMENT, 'utf8'));
});

afterAll(async () => {
  if (isWriting) {
    const [before] = (await readFile(DOCUMENT, 'utf8')).split(TABLES_BEGIN);
    await writeFile(
      DOCUMENT,
      `${before}${TABLES_BEGIN}\n${permissionTables(ROLE_NAMES, found, seenFields)}\n`,
    );
  }
  await Promise.all([spare.posts, spare.member]);
  await app.close();
});

function fieldOf(kind: OperationKind, name: string): GraphQLField<unknown, unknown> {
  const field = KINDS.get(kind)?.(schema)?.getFields()[name];
  if (!field) throw new Error(`the schema has no ${name}`);
  return field;
}

async function rulingFor(kind: 'Query' | 'Mutation', name: string, role: RoleName): Promise<Ruling> {
  const { args, type } = fieldOf(kind, name);
  const entry = ENTRIES[name];
  if (!entry) throw new Error(`test/operations.ts has no ${name}`);
  Object.assign(touched, { posts: false, member: false });
  const values = entry.values();
  const given = args.filter((arg) => arg.name in values);
  const declared = given.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const passed = given.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const selection = 'getFields' in getNamedType(type) ? ' { __typename }' : '';
  const [head, body] = given.length === 0 ? ['', ''] : [`(${declared})`, `(${passed})`];
  const { errors } = await app.graphql(
    `${kind.toLowerCase()}${head} { done: ${name}${body}${selection} }`,
    { ...values },
    people.get(role)?.token,
  );
  const ruling = rulingOf(errors?.[0]?.extensions.code);
  if (kind === 'Mutation' && ruling === 'yes') await replaceTargets(name, role);
  return ruling;
}

/** Operations that end the caller's own session or membership. */
const ENDS_OWN_ACCESS: ReadonlySet<string> = new Set(['logout', 'leaveSpace']);

async function replaceTargets(name: string, role: RoleName): Promise<void> {
  if (touched.posts) {
    posts = await (spare.posts ?? newPosts(posts.newspost));
    spare.posts = newPosts(posts.newspost);
  }
  if (touched.member) {
    member = await (spare.member ?? newTarget());
    spare.member = newTarget();
  }
  if (!ENDS_OWN_ACCESS.has(name)) return;
  if (role !== 'Author') people.set(role, await ROLES[role]());
  else {
    author = new Participant(app, await newMember(app, community.spaceId), community);
    people.set(role, author.student);
    await spare.posts;
    delete spare.posts;
    posts = await newPosts(posts.newspost);
  }
}

const ruleOf = (kind: OperationKind, operation: string) => rules.get(keyOf(kind, operation))?.rule;

function recordVisibility(path: string, cells: readonly Ruling[]): void {
  seenFields.push({ kind: 'Field', operation: path, rulings: cells });
  if (!isWriting) expect([path, ...cells]).toEqual([path, ...(written.get(keyOf('Field', path)) ?? [])]);
}

/** Paths that only some roles see; whole objects if all their fields are seen by the same roles. */
function visibilityOf(seen: ReadonlyMap<RoleName, ReadonlySet<string>>): [readonly string[], Ruling[]][] {
  const paths = [...new Set([...seen.values()].flatMap((those) => [...those]))];
  const cellsOf = (path: string) => ROLE_NAMES.map((role) => (seen.get(role)?.has(path) ? 'yes' : 'no'));
  const below = (prefix: string): [readonly string[], Ruling[]][] => {
    const inside = paths.filter((path) => prefix === '' || path === prefix || path.startsWith(`${prefix}.`));
    const [first] = inside;
    if (first === undefined) return [];
    const cells = cellsOf(first);
    const isUniform = inside.every((path) => String(cellsOf(path)) === String(cells));
    const allowed = ROLE_NAMES.filter((role) => seen.has(role));
    if (isUniform) {
      const isForAll = allowed.every((role) => seen.get(role)?.has(first));
      return isForAll ? [] : [[prefix === '' ? [] : prefix.split('.'), cells]];
    }
    const depth = prefix === '' ? 1 : prefix.split('.').length + 1;
    const next = new Set(inside.map((path) => path.split('.').slice(0, depth).join('.')));
    return [...next].sort().flatMap(below);
  };
  return below('');
}

/** Paths of all non-empty leaves of a response, without list indexes. */
function* filledPaths(value: unknown, path = ''): Generator<string> {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) for (const item of value) yield* filledPaths(item, path);
  else if (typeof value === 'object')
    for (const [name, below] of Object.entries(value)) {
      if (name !== '__typename') yield* filledPaths(below, path === '' ? name : `${path}.${name}`);
    }
  else if (value !== '') yield path;
}

/** Records the outcome and compares it with the document. */
function settle(kind: OperationKind, operation: string, rulings: readonly Ruling[]): void {
  const rule = ruleText(ruleOf(kind, operation));
  found.push({ kind, operation, rule, rulings });
  if (isWriting) return;
  const [writtenRule, ...cells] = written.get(keyOf(kind, operation)) ?? [];
  const byRole = (those: readonly (string | undefined)[]) =>
    Object.fromEntries([['Rule', those[0]], ...ROLE_NAMES.map((role, place) => [role, those[place + 1]])]);
  expect(byRole([rule, ...rulings])).toEqual(byRole([writtenRule, ...cells]));
}

describe('permissions by role', () => {
  it.each(Object.keys(ENTRIES))('%s', async (name) => {
    const kinds = (['Query', 'Mutation'] as const).filter((kind) => rules.has(keyOf(kind, name)));
    if (kinds.length === 0) throw new Error(`the schema has no ${name}`);
    for (const kind of kinds) {
      const rulings: Ruling[] = [];
      if (kind === 'Query')
        rulings.push(...(await concurrently(ROLE_NAMES, (role) => rulingFor(kind, name, role))));
      else for (const role of ROLE_NAMES) rulings.push(await rulingFor(kind, name, role));
      settle(kind, name, rulings);
    }
  });

  it.each([
    ['moderationChanged', () => 'moderationChanged { __typename }'],
    ['notificationArrived', () => `notificationArrived(space: "${community.spaceId}") { __typename }`],
    ['questionUpdated', () => `questionUpdated(questionId: "${posts.question}") { __typename }`],
  ])('%s, over a socket', async (name, subscription) => {
    const rulings: Ruling[] = [];
    for (const role of ROLE_NAMES) {
      const listener = listenTo(app, subscription(), people.get(role)?.token);
      const isAnswered = () => listener.errors.length + listener.heard.length + listener.confirmed.length > 0;
      await eventually(
        async () => isAnswered(),
        (answered) => answered,
      );
      const [error] = listener.errors as { extensions?: { code?: string } }[];
      rulings.push(rulingOf(error && (error.extensions?.code ?? 'UNAUTHENTICATED')));
      await listener.close();
    }
    settle('Subscription', name, rulings);
  });
});

/** Queries about the author and the author's posts. Fields seen by everyone who may call them are in no table. */
const ANSWERS: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
  getStudent: () => ({ userName: author.student.userName }),
  getStudentDetail: () => ({ studentId: author.student.studentId, space: community.spaceId }),
  searchUsers: () => ({ space: community.spaceId, search: author.student.userName }),
  getPaginatedLeaderboardScores: () => ({ space: community.spaceId }),
  getPaginatedQuestions: () => ({ queryVals: { space: community.spaceId } }),
  getQuestionById: () => ({ questionId: posts.question }),
  getQuestionByIdWithUserAuthorization: () => ({ questionId: posts.question }),
  getPaginatedAnswers: () => ({ questions: [posts.question] }),
  getPaginatedComments: () => ({ answers: [posts.answer] }),
  getPaginatedQuestionComments: () => ({ question: posts.question }),
};

describe('visible fields by role', () => {
  beforeAll(() => app.caughtUp());

  it.each(Object.keys(ANSWERS))('in %s', async (name) => {
    const field = fieldOf('Query', name);
    const values = ANSWERS[name]?.() ?? {};
    const given = field.args.filter((arg) => arg.name in values);
    const declared = given.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
    const passed = given.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
    const document = `query(${declared}) { done: ${name}(${passed})${selectionOf(field, 2)} }`;
    const seen = new Map<RoleName, ReadonlySet<string>>();
    await concurrently(ROLE_NAMES, async (role) => {
      const { data, errors } = await app.graphql(document, { ...values }, people.get(role)?.token);
      const code = errors?.[0]?.extensions.code;
      if (code === undefined) seen.set(role, new Set(filledPaths(data['done'])));
      else expect(['FORBIDDEN', 'UNAUTHENTICATED']).toContain(code);
    });
    for (const [path, cells] of visibilityOf(seen)) recordVisibility([name, ...path].join('.'), cells);
  });
});

describe('the table', () => {
  it('has exactly one row for every operation of the schema', () => {
    const keys = [...KINDS].flatMap(([kind, type]) =>
      Object.keys(type(schema)?.getFields() ?? {}).map((name) => keyOf(kind, name)),
    );
    expect(found.map(({ kind, operation }) => keyOf(kind, operation)).sort()).toEqual(keys.sort());
    if (isWriting) return;
    const all = [...keys, ...seenFields.map(({ operation }) => keyOf('Field', operation))];
    expect([...written.keys()].sort()).toEqual(all.sort());
  });

  // Invariants that regenerating the table cannot change.
  it('opens only public operations to strangers and no staff operations to members', () => {
    const opened: string[] = [];
    for (const { kind, operation, rulings } of found) {
      const rule = ruleOf(kind, operation);
      const gets = (role: RoleName) => rulings[ROLE_NAMES.indexOf(role)];
      if (rule?.kind !== 'public')
        for (const role of ['Not signed in', 'Account blocked'] as const)
          if (gets(role) !== 'sign in') opened.push(`${operation}: ${role}`);
      if (rule?.kind !== 'role') continue;
      for (const role of ROLE_NAMES.slice(2).filter((name) => !STAFF.has(name)))
        if (gets(role) !== 'no') opened.push(`${operation}: ${role}`);
    }
    expect(opened).toEqual([]);
  });

  it('denies maintainers what is reserved for moderators', () => {
    const ofModerators = found.filter(({ kind, operation }) => {
      const rule = ruleOf(kind, operation);
      return rule?.kind === 'role' && !rule.roles.includes('MAINTAINER');
    });
    expect(ofModerators.length).toBeGreaterThan(0);
    const place = ROLE_NAMES.indexOf('Maintainer');
    expect(ofModerators.filter(({ rulings }) => rulings[place] !== 'no')).toEqual([]);
  });

  it('denies moderators of another space changes here', () => {
    const [there, plain] = [ROLE_NAMES.indexOf('Moderator elsewhere'), ROLE_NAMES.indexOf('No member')];
    const changed = found.filter(
      ({ kind, rulings }) => kind === 'Mutation' && rulings[there] === 'yes' && rulings[plain] !== 'yes',
    );
    expect(changed.map(({ operation }) => operation)).toEqual([]);
  });
});
