import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TypesenseDouble } from '@nimo/search/testing';
import { historySeed, SeededRandom } from '@nimo/testing';
import { join } from 'node:path';
import type { TestApp } from '../../../../../test/app.js';
import type { OpenIdProvider } from '../../../../../test/servers/open-id-provider.js';
import { TestRedis } from '../../../../../test/servers/redis.js';
import { S3Double } from '../../../../../test/servers/s3/s3-double.js';
import { bootWithProvider, erase, findRestored, rebuildAll, withFolder } from './testing/erased.fixture.js';
import { liveFully, newSurroundings } from './testing/full-history.fixture.js';
import { Person } from './testing/person.fixture.js';
import { type Place, redisPlaces } from './testing/places.fixture.js';
import { RandomHistory } from './testing/random-history.fixture.js';

interface Servers {
  readonly environment: Readonly<Record<string, string>>;
  readonly places: () => Promise<readonly Place[]>;
  readonly stop: () => Promise<void>;
}

async function startServers(): Promise<Servers> {
  const [bucket, typesense, redis] = [
    await S3Double.start(),
    await TypesenseDouble.start(),
    await TestRedis.start(),
  ];
  return {
    environment: {
      ...bucket.environment,
      TYPESENSE_URL: typesense.url,
      TYPESENSE_API_KEY: typesense.apiKey,
      REDIS_URL: redis.url,
    },
    places: async () => [
      ...[...bucket.objects].map(([name, { bytes }]) => ({
        name: `bucket ${name}`,
        text: bytes.toString('latin1'),
      })),
      ...[...typesense.collections].map(([name, { documents }]) => ({
        name: `typesense ${name}`,
        text: JSON.stringify([...documents.values()]),
      })),
      ...(await redis.ask(redisPlaces)),
    ],
    stop: async () => {
      await bucket.stop();
      await typesense.down();
      await redis.stop();
    },
  };
}

/** Fails unless nothing of the person is left and nothing of others changed. */
async function expectErased(
  person: Person,
  withWords: boolean,
  elsewhere?: () => Promise<readonly Place[]>,
): Promise<void> {
  await withFolder(async (folder) => {
    const { after, others, linkedClaims } = await erase(person, {
      withWords,
      backup: join(folder, 'saved'),
      ...(elsewhere && { elsewhere }),
    });
    expect(after).toEqual({});
    for (const [kind, rows] of Object.entries(others))
      expect({ kind, rows: rows.after }).toEqual({ kind, rows: rows.before });
    expect(linkedClaims).toEqual([]);
    const { live, rebuilt } = await rebuildAll(person);
    expect(rebuilt).toEqual(live);
    expect(await findRestored(person, folder, withWords)).toEqual({});
  });
}

describe.each([
  ['by email, whose posts are kept', 'EMAIL', false],
  ['by phone, whose posts are removed', 'PHONE', true],
] as const)('erasure of a student who signed up %s, with S3, Typesense and Redis', (_, signUp, withWords) => {
  let servers: Servers;
  let app: TestApp;
  let provider: OpenIdProvider;
  beforeAll(async () => {
    servers = await startServers();
    ({ app, provider } = await bootWithProvider(servers.environment));
  });
  afterAll(async () => {
    await app.close();
    await provider.stop();
    await servers.stop();
  });

  it('leaves no trace, not even in a restored older backup, and changes nothing of other users', async () => {
    const person = new Person(await newSurroundings(app));
    await liveFully(person, provider, signUp);
    await expectErased(person, withWords, servers.places);
  });
});

const SEEDS = Array.from({ length: 4 }, (_, index) => historySeed() + index);

describe('erasures in random histories', () => {
  let app: TestApp;
  let provider: OpenIdProvider;
  beforeAll(async () => {
    ({ app, provider } = await bootWithProvider());
  });
  afterAll(async () => {
    await app.close();
    await provider.stop();
  });

  it.each(SEEDS)('leave no trace and change nothing of other users (seed %d)', async (seed) => {
    const history = await RandomHistory.start(app, new SeededRandom(seed));
    await history.run(150);
    const [first, second] = history.people;
    if (!first || !second) throw new Error('no people');
    await expectErased(first, true);
    await history.run(30);
    await expectErased(second, false);
  });
});
