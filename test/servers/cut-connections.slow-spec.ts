import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { GraphQLField } from 'graphql';
import { bootApp, type TestApp } from '../app.js';
import { newCommunity } from '../community.js';
import { settings, UNCUT, type CutWorld, type Scene } from './cut-mutations.js';
import { CUTS, cuttingProxy, type Cut } from './cutting-proxy.js';
import { operationEntries } from '../operations.js';
import { Participant } from '../participant.js';
import { selectionOf } from '../schema/selections.js';
import { Credentials } from '../../apps/api/src/platform/auth/credentials.js';
import { doingWaits, untilAnswered } from '../../apps/web/src/lib/api/until-answered.js';

/**
 * Every mutation, sent by the web app's own function through a connection that is cut, and sent again under its key. A new mutation fails this
 * suite until `cut-mutations.ts` has it.
 */

let app: TestApp;
let world: CutWorld;
let mutations: Readonly<Record<string, GraphQLField<unknown, unknown>>>;
const READY = settings(() => world);
/** On things that there is one of. */
const ONE_BY_ONE = /Scoring(Draft|Version)|Projection|Rebuild/;

beforeAll(async () => {
  app = await bootApp();
  hashOnce();
  const [community, onRequest, onInvitation, ofAges] = [
    await newCommunity(app, 2),
    await newCommunity(app, 0, { entry: 'REQUEST' }),
    await newCommunity(app, 0, { entry: 'INVITATION' }),
    await newCommunity(app, 0, { entry: 'OPEN', consentAge: 16 }),
  ];
  const [ada, bob] = community.members.map((student) => new Participant(app, student, community));
  if (!ada || !bob) throw new Error('there are no members');
  const [ofSpace, ofAll] = [await app.signUp(), await app.signUp()];
  await app.grantRole(ofSpace.studentId, 'MODERATOR', community.spaceId);
  for (const role of ['MAINTAINER', 'MODERATOR'] as const) await app.grantRole(ofAll.studentId, role);
  const staff = {
    moderator: new Participant(app, ofSpace, community),
    maintainer: new Participant(app, ofAll, community),
  };
  world = { app, community, onRequest, onInvitation, ofAges, ada, bob, ...staff };
  mutations = app.api.get(GraphQLSchemaHost, { strict: false }).schema.getMutationType()?.getFields() ?? {};
});
afterAll(() => app.close());

/** Hundreds of people sign up here, who all have one password. */
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

/** One mutation as a client sends it: one key and one correlation id, however often. */
class Sending {
  readonly correlationId = randomUUID();
  private readonly key = randomUUID();
  private readonly body: string;

  constructor(
    field: GraphQLField<unknown, unknown>,
    { values = {}, by }: Scene,
    private readonly token = by?.student.token,
  ) {
    const ids = { question: '', answer: '', comment: '', questionComment: '', newspost: '' };
    const member = by ?? world.ada;
    const usual = operationEntries(() => ({ community: world.community, member, ids }))[field.name]?.values();
    const all: Readonly<Record<string, unknown>> = { ...usual, ...values };
    const given = field.args.filter(({ name }) => name in all);
    const declared = given.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
    const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
    const [head, call] = given.length === 0 ? ['', ''] : [`(${declared})`, `(${passed})`];
    const variables = Object.fromEntries(given.map(({ name }) => [name, all[name]]));
    const query = `mutation${head} { done: ${field.name}${call}${selectionOf(field, 0)} }`;
    this.body = JSON.stringify({ query, variables });
  }

  async to(url: string): Promise<Answer> {
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
      waits: doingWaits,
      isMutation: true,
      wait: () => Promise.resolve(),
    });
    return (await response.json()) as Answer;
  }
}

const ruleOf = ({ errors }: Answer): string | undefined => errors?.[0]?.extensions.rule;

/** What jobs and projections move, whoever asks. */
const MOVES_BY_ITSELF: Readonly<Record<string, readonly string[]>> = {
  Projection: ['state'],
  OwnExport: ['status', 'expiresAt'],
};

/** Without what moves meanwhile: counts and times are of now. */
function said({ data }: Answer): unknown {
  const moving = Object.entries(MOVES_BY_ITSELF).flatMap(([type, keys]) =>
    JSON.stringify(data).includes(`"__typename":"${type}"`) ? keys : [],
  );
  return JSON.parse(
    JSON.stringify(data, (key, value: unknown) =>
      typeof value === 'number' || moving.includes(key) ? undefined : value,
    ),
  );
}

/** What it appended itself: what answers events comes later, and answers each once. */
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
  readonly again: Answer;
  readonly events: readonly string[];
  readonly left: unknown;
  readonly connections: number;
  readonly refusedAgain: string | undefined;
}

async function cutAt(cut: Cut, name: string): Promise<Outcome> {
  const [field, ready] = [mutations[name], READY[name]];
  if (!field || !ready) throw new Error(`${name} is not ready`);
  const scene = await ready();
  const sending = new Sending(field, scene);
  const proxy = await cuttingProxy(app.url, cut);
  try {
    const answer = await sending.to(proxy.url);
    const again = await sending.to(app.url);
    return {
      answer,
      again,
      events: await eventsOf(sending.correlationId),
      left: await scene.left?.(),
      connections: proxy.connections(),
      refusedAgain: scene.refusedAgain,
    };
  } finally {
    await proxy.close();
  }
}

async function outcomesOf(name: string): Promise<ReadonlyMap<Cut, Outcome>> {
  if (!ONE_BY_ONE.test(name))
    return new Map(await Promise.all(CUTS.map(async (cut) => [cut, await cutAt(cut, name)] as const)));
  const outcomes = new Map<Cut, Outcome>();
  for (const cut of CUTS) outcomes.set(cut, await cutAt(cut, name));
  return outcomes;
}

describe('a mutation whose connection is cut', () => {
  it('is here, each one of the schema', () => {
    expect(Object.keys(mutations).sort()).toEqual([...Object.keys(READY), ...Object.keys(UNCUT)].sort());
  });

  it.each(Object.keys(READY))('%s is done exactly once', async (name) => {
    const outcomes = await outcomesOf(name);
    const usual = outcomes.get('after the answer');
    expect(usual?.left ?? usual?.events).not.toEqual([]);
    for (const [cut, { answer, again, events, left, connections, refusedAgain }] of outcomes) {
      expect([cut, connections]).toEqual([cut, cut === 'after the answer' ? 1 : 2]);
      expect([cut, events, left]).toEqual([cut, usual?.events, usual?.left]);
      if (refusedAgain === undefined) {
        expect([cut, answer.errors]).toEqual([cut, undefined]);
        expect([cut, said(again)]).toEqual([cut, said(answer)]);
      } else {
        expect([cut, ruleOf(again)]).toEqual([cut, refusedAgain]);
        expect([undefined, refusedAgain]).toContain(ruleOf(answer));
      }
    }
  });
});
