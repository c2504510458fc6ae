import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { bootApp, type GraphqlAnswer, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { newCommunity } from '../../../../../test/community.js';
import { listenTo } from '../../../../../test/servers/listener.js';
import { documentOf, type RootField } from '../../../../../test/schema/root-fields.js';
import { setUpTotp } from '../../../../../test/second-factor.js';
import { AccessRulesCheck, type Operation } from '../../platform/auth/access-rules.check.js';
import { hashToken } from '../../platform/auth/viewer.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import { eventually } from '@nimo/testing';

const WITHHELD = { code: 'FORBIDDEN', rule: 'SECOND_FACTOR_REQUIRED' };

let app: TestApp;
let mai: SignedUpStudent;
let staffOperations: readonly Operation[];
beforeAll(async () => {
  app = await bootApp({ STAFF_SECOND_FACTOR: 'required' });
  mai = await newMaintainer();
  const operations = [...app.api.get(AccessRulesCheck, { strict: false }).operations()];
  staffOperations = operations.filter(({ rule }) => rule?.kind === 'role');
});
afterAll(() => app.close());

async function newMaintainer(): Promise<SignedUpStudent> {
  const student = await app.signUp();
  await app.grantRole(student.studentId, 'MAINTAINER');
  await app.grantRole(student.studentId, 'MODERATOR');
  return student;
}

function rootField({ at }: Operation): RootField {
  const { schema } = app.api.get(GraphQLSchemaHost, { strict: false });
  const types = {
    Query: { kind: 'query', type: schema.getQueryType() },
    Mutation: { kind: 'mutation', type: schema.getMutationType() },
    Subscription: { kind: 'subscription', type: schema.getSubscriptionType() },
  } as const;
  if (at.type === 'HTTP') throw new Error(`${at.name} is not a field`);
  const { kind, type } = types[at.type];
  const field = type?.getFields()[at.name];
  if (!field) throw new Error(`the schema has no ${at.type}.${at.name}`);
  return { kind, field };
}

const refusalOf = ({ errors }: GraphqlAnswer) => {
  const { code, rule } = errors?.[0]?.extensions ?? {};
  return { code, rule };
};

/** The first error of a subscription. */
async function refusalOverSocket(document: string, token: string): Promise<unknown> {
  const listener = listenTo(app, document.replace(/^subscription \{ | \}$/g, ''), token);
  try {
    return await eventually(
      async () => listener.errors[0],
      (error) => error !== undefined,
    );
  } finally {
    await listener.close();
  }
}

describe('operations that require a role', () => {
  it('include queries, mutations, subscriptions and downloads', () => {
    const kinds = new Set(staffOperations.map(({ at }) => at.type));
    expect([...kinds].sort()).toEqual(['HTTP', 'Mutation', 'Query', 'Subscription']);
    expect(staffOperations.length).toBeGreaterThan(60);
  });

  it('reject queries and mutations without the second factor', async () => {
    for (const operation of staffOperations.filter(({ at }) => ['Query', 'Mutation'].includes(at.type))) {
      const answer = await app.graphql(documentOf(rootField(operation)), {}, mai.token);
      expect([operation.name, refusalOf(answer)]).toEqual([operation.name, WITHHELD]);
    }
  });

  it('reject subscriptions over a socket without the second factor', async () => {
    for (const operation of staffOperations.filter(({ at }) => at.type === 'Subscription')) {
      const refusal = await refusalOverSocket(documentOf(rootField(operation)), mai.token);
      expect([operation.name, refusal]).toEqual([
        operation.name,
        expect.objectContaining({ extensions: expect.objectContaining(WITHHELD) }),
      ]);
    }
  });

  it('reject downloads and other routes without the second factor', async () => {
    for (const { at, name } of staffOperations.filter(({ at: { type } }) => type === 'HTTP')) {
      const { status, body } = await app
        .http()
        .get(at.name.replace(/:\w+/g, 'x'))
        .set('authorization', `Bearer ${mai.token}`);
      expect([name, status, JSON.stringify(body)]).toEqual([
        name,
        403,
        expect.stringContaining('second factor'),
      ]);
    }
  });

  it('reject students as forbidden, without mentioning the second factor', async () => {
    const { token } = await app.signUp();
    expect(refusalOf(await app.graphql('{ getRoleHolders { _id } }', {}, token))).toMatchObject({
      code: 'FORBIDDEN',
      rule: 'FORBIDDEN',
    });
  });
});

describe('a withheld role', () => {
  it('grants nothing in operations open to students either', async () => {
    const { spaceId, members } = await newCommunity(app, 1);
    const of = members[0]?.studentId ?? '';
    const notices = `{ getScoreNotices(space: "${spaceId}", studentId: "${of}") { __typename } }`;
    expect(refusalOf(await app.graphql(notices, {}, mai.token))).toMatchObject({ code: 'FORBIDDEN' });
    const { token } = await maintainerWithFactor();
    expect((await app.graphql(notices, {}, token)).errors).toBeUndefined();
  });

  it('lists no requests to join among the notifications', async () => {
    const { spaceId, members } = await newCommunity(app, 1, { entry: 'REQUEST' });
    const [moderator] = members;
    if (!moderator) throw new Error('no member');
    await app.grantRole(moderator.studentId, 'MODERATOR', spaceId);
    const { token } = await app.signUp();
    await app.graphql(`mutation { requestEntry(spaceId: "${spaceId}") { _id } }`, {}, token);
    const notifications = async () => {
      const { data } = await app.graphql(
        `{ getPaginatedNotifications(space: "${spaceId}") { docs { type } }
           getNewNotificationCount(space: "${spaceId}") }`,
        {},
        moderator.token,
      );
      return data;
    };
    expect(await notifications()).toEqual({
      getPaginatedNotifications: { docs: [] },
      getNewNotificationCount: 0,
    });
    await setUpTotp(app, moderator);
    expect(await notifications()).toEqual({
      getPaginatedNotifications: { docs: [{ type: 'ENTRY_REQUESTED' }] },
      getNewNotificationCount: 1,
    });
  });

  it('leaves its holder the access of a student', async () => {
    const { data, errors } = await app.graphql('{ getStudent { _id roles { role } } }', {}, mai.token);
    expect(errors).toBeUndefined();
    expect(data['getStudent']).toMatchObject({ _id: mai.studentId });
  });
});

async function maintainerWithFactor(): Promise<SignedUpStudent> {
  const student = await newMaintainer();
  await setUpTotp(app, student);
  return student;
}

describe('the second factor', () => {
  const holders = '{ getRoleHolders { _id } }';

  it('unlocks the staff areas from the next request, including sockets and downloads', async () => {
    const { token } = await maintainerWithFactor();
    expect((await app.graphql(holders, {}, token)).errors).toBeUndefined();
    const download = await app.http().get('/audit/export.csv').set('authorization', `Bearer ${token}`);
    expect(download.status).toBe(200);
    const listener = listenTo(app, 'moderationChanged { __typename }', token);
    await eventually(async () => listener.heard.length + listener.errors.length > 0);
    await listener.close();
    expect(listener.errors).toEqual([]);
  });

  it('unlocks them only in its own session', async () => {
    const { studentId } = await maintainerWithFactor();
    const sessions = app.api.get(SessionStore, { strict: false });
    const other = await sessions.open(studentId, { remember: false, address: '', userAgent: '' });
    expect(refusalOf(await app.graphql(holders, {}, other))).toEqual(WITHHELD);
  });

  it('is required again after twelve hours', async () => {
    const { studentId } = await maintainerWithFactor();
    const sessions = app.api.get(SessionStore, { strict: false });
    const options = { remember: true, address: '', userAgent: '', withFactor: true };
    const [fresh, old] = [await sessions.open(studentId, options), await sessions.open(studentId, options)];
    await app.pool.query(
      `update state.session set factor_at = now() - interval '12 hours' where student_id = $1 and token_hash = $2`,
      [studentId, hashToken(old)],
    );
    expect((await app.graphql(holders, {}, fresh)).errors).toBeUndefined();
    expect(refusalOf(await app.graphql(holders, {}, old))).toEqual(WITHHELD);
  });
});
