import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { GraphQLField } from 'graphql';
import { bootApp, type TestApp } from '../app.js';
import { newCommunity } from '../community.js';
import { EXEMPT_MUTATIONS, scenarioFactories, type CutFixture, type Scenario } from './cut-mutations.js';
import { CUTS, cuttingProxy, type Cut } from './cutting-proxy.js';
import { operationEntries } from '../operations.js';
import { Participant } from '../participant.js';
import { selectionOf } from '../schema/selections.js';
import { Credentials } from '../../apps/api/src/platform/auth/credentials.js';
import { mutationRetryDelays, untilAnswered } from '../../apps/web/src/lib/api/until-answered.js';

/**
 * Sends every mutation with the web app's retry function through a connection that is cut, and again with the same key. Fails for new
 * mutations until they are added to `cut-mutations.ts`.
 */

let app: TestApp;
let fixture: CutFixture;
let mutations: Readonly<Record<string, GraphQLField<unknown, unknown>>>;
const SCENARIOS = scenarioFactories(() => fixture);
/** Mutations of singletons, which cannot run concurrently. */
const SEQUENTIAL = /Scoring(Draft|Version)|Projection|Rebuild/;

beforeAll(async () => {
  app = await bootApp();
  hashOnce();
  const [community, byRequest, byInvitation, withAgeLimit] = [
    await newCommunity(app, 2),
    await newCommunity(app, 0, { entry: 'REQUEST' }),
    await newCommunity(app, 0, { entry: 'INVITATION' }),
    await newCommunity(app, 0, { entry: 'OPEN', consentAge: 16 }),
  ];
  const [ada, bob] = community.members.map((student) => new Participant(app, student, community));
  if (!ada || !bob) throw new Error('no members');
  const [ofSpace, ofAll] = [await app.signUp(), await app.signUp()];
  await app.grantRole(ofSpace.studentId, 'MODERATOR', community.spaceId);
  for (const role of ['MAINTAINER', 'MODERATOR'] as const) await app.grantRole(ofAll.studentId, role);
  const staff = {
    moderator: new Participant(app, ofSpace, community),
    maintainer: new Participant(app, ofAll, community),
  };
  fixture = { app, community, byRequest, byInvitation, withAgeLimit, ada, bob, ...staff };
  mutations = app.api.get(GraphQLSchemaHost, { strict: false }).schema.getMutationType()?.getFields() ?? {};
});
afterAll(() => app.close());

/** Hashes each password once, because hundreds of students sign up with the same one. */
function hashOnce(): void {
  const credentials = app.api.get(Credentials, { strict: false });
  const hashed = new Map<string, Promise<string>>();
  const hash = credentials.hashOf.bind(credentials);
  jest.spyOn(credentials, 'hashOf').mockImplementation((password) => {
    const known = hashed.get(password) ?? hash(password);
    hashed.set(password, known);
    return known;
  });
}

interface Answer {
  readonly data: Record<string, unknown> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly rule?: string } }[];
}

/** One mutation with one idempotency key and one correlation id across all attempts. */
class MutationRequest {
  readonly correlationId = randomUUID();
  private readonly key = randomUUID();
  private readonly body: string;

  constructor(
    field: GraphQLField<unknown, unknown>,
    { values = {}, by }: Scenario,
    private readonly token = by?.student.token,
  ) {
    const ids = { question: '', answer: '', comment: '', questionComment: '', newspost: '' };
    const member = by ?? fixture.ada;
    const defaults = operationEntries(() => ({ community: fixture.community, member, ids }))[
      field.name
    ]?.values();
    const all: Readonly<Record<string, unknown>> = { ...defaults, ...values };
    const args = field.args.filter(({ name }) => name in all);
    const declared = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
    const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
    const [head, call] = args.length === 0 ? ['', ''] : [`(${declared})`, `(${passed})`];
    const variables = Object.fromEntries(args.map(({ name }) => [name, all[name]]));
    const query = `mutation${head} { done: ${field.name}${call}${selectionOf(field, 0)} }`;
    this.body = JSON.stringify({ query, variables });
  }

  async sendTo(url: string): Promise<Answer> {
    const request = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': this.key,
        'x-correlation-id': this.correlationId,
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
      },
      body: this.body,
    };
    const response = await untilAnswered(() => fetch(`${url}/graphql`, request), {
      waits: mutationRetryDelays,
      isMutation: true,
      wait: () => Promise.resolve(),
    });
    return (await response.json()) as Answer;
  }
}

const ruleOf = ({ errors }: Answer): string | undefined => errors?.[0]?.extensions.rule;

/** Fields that background jobs and projections change. */
const VOLATILE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Projection: ['state'],
  OwnExport: ['status', 'expiresAt'],
};

/** The response without volatile fields and numbers (counts, times). */
function stablePartOf({ data }: Answer): unknown {
  const volatile = Object.entries(VOLATILE_FIELDS).flatMap(([type, keys]) =>
    JSON.stringify(data).includes(`"__typename":"${type}"`) ? keys : [],
  );
  return JSON.parse(
    JSON.stringify(data, (key, value: unknown) =>
      typeof value === 'number' || volatile.includes(key) ? undefined : value,
    ),
  );
}

/** Events appended by the mutation itself; reactors respond to events later, once each. */
async function eventsOf(correlationId: string): Promise<readonly string[]> {
  const { rows } = await app.pool.query<{ type: string }>(
    `select type from log.events e where metadata->>'correlationId' = $1
       and not exists (select from log.events cause where cause.event_id::text = e.metadata->>'causationId')
     order by type`,
    [correlationId],
  );
  return rows.map(({ type }) => type);
}

interface Outcome {
  readonly answer: Answer;
  readonly repeated: Answer;
  readonly events: readonly string[];
  readonly sideEffects: unknown;
  readonly connections: number;
  readonly repeatRule: string | undefined;
}

async function cutAt(cut: Cut, name: string): Promise<Outcome> {
  const [field, newScenario] = [mutations[name], SCENARIOS[name]];
  if (!field || !newScenario) throw new Error(`no scenario for ${name}`);
  const scenario = await newScenario();
  const mutation = new MutationRequest(field, scenario);
  const proxy = await cuttingProxy(app.url, cut);
  try {
    const answer = await mutation.sendTo(proxy.url);
    const repeated = await mutation.sendTo(app.url);
    return {
      answer,
      repeated,
      events: await eventsOf(mutation.correlationId),
      sideEffects: await scenario.sideEffects?.(),
      connections: proxy.connections(),
      repeatRule: scenario.repeatRule,
    };
  } finally {
    await proxy.close();
  }
}

async function outcomesOf(name: string): Promise<ReadonlyMap<Cut, Outcome>> {
  if (!SEQUENTIAL.test(name))
    return new Map(await Promise.all(CUTS.map(async (cut) => [cut, await cutAt(cut, name)] as const)));
  const outcomes = new Map<Cut, Outcome>();
  for (const cut of CUTS) outcomes.set(cut, await cutAt(cut, name));
  return outcomes;
}

describe('a mutation whose connection is cut', () => {
  it('is covered or exempt, for each one in the schema', () => {
    expect(Object.keys(mutations).sort()).toEqual(
      [...Object.keys(SCENARIOS), ...Object.keys(EXEMPT_MUTATIONS)].sort(),
    );
  });

  it.each(Object.keys(SCENARIOS))('%s runs exactly once', async (name) => {
    const outcomes = await outcomesOf(name);
    const expected = outcomes.get('after the response');
    expect(expected?.sideEffects ?? expected?.events).not.toEqual([]);
    for (const [cut, { answer, repeated, events, sideEffects, connections, repeatRule }] of outcomes) {
      expect([cut, connections]).toEqual([cut, cut === 'after the response' ? 1 : 2]);
      expect([cut, events, sideEffects]).toEqual([cut, expected?.events, expected?.sideEffects]);
      if (repeatRule === undefined) {
        expect([cut, answer.errors]).toEqual([cut, undefined]);
        expect([cut, stablePartOf(repeated)]).toEqual([cut, stablePartOf(answer)]);
      } else {
        expect([cut, ruleOf(repeated)]).toEqual([cut, repeatRule]);
        expect([undefined, repeatRule]).toContain(ruleOf(answer));
      }
    }
  });
});
