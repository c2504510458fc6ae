import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { emailKey, userNameKey } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { projections } from '@nimo/projections';
import { eventually } from '@nimo/testing';
import { bootApp, type TestApp } from '../../../../../../test/app.js';
import { holdErasure, isDone } from '../../../../../../test/erasure.js';
import { startOpenIdProvider, type OpenIdProvider } from '../../../../../../test/servers/open-id-provider.js';
import { withSession } from '../../../cli/cli-session.js';
import { saveBackup } from '../../../cli/backup/save.js';
import { restoreBackup } from '../../../cli/backup/restore.js';
import { loadSettings } from '../../../platform/config/load-settings.js';
import { EVENT_STORE, LOGGER } from '../../../platform/config/tokens.js';
import { ClaimHasher } from '../../../platform/personal-data/key-uses.js';
import { invitedHashes } from '../../invitations/invitations.js';
import { environmentOf, Installations } from '../../imports/testing/import-session.fixture.js';
import { RequestErasure } from '../commands/request-erasure.js';
import { ErasureSteps } from '../erasure-steps.js';
import { Erasures } from '../erasures.js';
import type { Person } from './person.fixture.js';
import {
  eventPlaces,
  filePlaces,
  findValues,
  type Findings,
  type Place,
  readWholeLog,
  tablePlaces,
} from './places.fixture.js';
import { eventsOfOthers, lastingRows, readRows, stateRowsWithout, storedEvents } from './rows.fixture.js';

const ORIGIN = 'http://nimo.example';

/** An installation that writes logs, with a provider for sign-in. */
export async function bootWithProvider(
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly app: TestApp; readonly provider: OpenIdProvider }> {
  const provider = await startOpenIdProvider([`${ORIGIN}/auth/oidc/first/callback`]);
  const settings = {
    PUBLIC_URL: `${ORIGIN}/`,
    OIDC_FIRST_LABEL: 'School',
    OIDC_FIRST_ISSUER: provider.issuer,
    OIDC_FIRST_CLIENT_ID: provider.clientId,
    OIDC_FIRST_CLIENT_SECRET: provider.clientSecret,
    OIDC_FIRST_SCOPE: 'openid email profile groups',
    OIDC_FIRST_GROUPS_CLAIM: 'groups',
  };
  return { app: await bootApp({ ...settings, ...environment }, { writesLogs: true }), provider };
}

export const workerOf = ({ worker }: TestApp) => {
  if (!worker) throw new Error('no worker');
  return worker;
};

/** The worker's store: other processes cache keys for a minute. */
export const storeOf = (app: TestApp): EventStore => workerOf(app).get<EventStore>(EVENT_STORE);

/** Random names of deleted pictures in places that expire: finished jobs and log lines. */
const EXPIRES = /^bullmq\.|^redis bull:image:|^logs\//;

export interface ErasedPerson {
  readonly before: Findings;
  readonly after: Findings;
  /** Data that must not change, by kind. */
  readonly others: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
  /** Events of claims on the person's values that still say whose they were. */
  readonly linkedClaims: readonly string[];
}

export interface EraseOptions {
  readonly withWords: boolean;
  /** Places outside of the database and the data folder. */
  readonly elsewhere?: () => Promise<readonly Place[]>;
  /** Finishes a requested erasure. */
  readonly finish?: (studentId: string) => Promise<void>;
  /** Saves a back-up first into this folder. */
  readonly backup?: string;
}

/** Values that must be found nowhere after the erasure. */
export const valuesOf = (person: Person, withWords: boolean): Record<string, string> => ({
  ...person.identity,
  ...person.hidden,
  ...person.pictures.profile,
  ...(withWords && { ...person.words, ...person.pictures.posts }),
});

/** Erases the person and looks everywhere before and after. */
export async function erase(person: Person, options: EraseOptions): Promise<ErasedPerson> {
  const { withWords, elsewhere = () => Promise.resolve([]), finish = finisher(person), backup } = options;
  const { app } = person.surroundings;
  const { studentId } = person;
  const reason = person.value('reason of the erasure');
  await holdErasure(app, studentId);
  await app.execute(new RequestErasure(app.operator(), studentId, { withWords, reason, atOnce: true }));
  await app.caughtUp();
  const places = async () => [
    ...(await tablePlaces(app.pool)),
    ...(await eventPlaces(storeOf(app))),
    ...(await filePlaces(app.dataDir)),
    ...(await elsewhere()),
  ];
  const values = valuesOf(person, withWords);
  const events = await countEvents(app);
  const claims = claimStreams(person);
  const own = [studentId, ...Object.values(values), ...contactHashes(person)];
  const snapshot = async () => ({
    'rows of the read models': await lastingRows(app.pool, { studentId, withWords, events }),
    'rows of the state': await stateRowsWithout(app.pool, own),
    'stored events': await storedEvents(app.pool, events),
    'events of others': await eventsOfOthers(storeOf(app), { studentId, claims }, events),
  });
  const before = findValues(await places(), values);
  const others = await snapshot();
  if (backup !== undefined) await save(app, backup);

  await finish(studentId);
  await app.caughtUp();
  const after = await eventually(
    async () => findValues(await places(), { ...values, 'export of own data': 'exports/' }),
    // The search server lags slightly behind the projections.
    (found) =>
      !Object.values(found)
        .flat()
        .some((place) => place.startsWith('typesense')),
  );
  const now = await snapshot();
  return {
    before,
    after: withoutExpiring(after, Object.keys({ ...person.pictures.profile, ...person.pictures.posts })),
    others: Object.fromEntries(
      Object.entries(others).map(([kind, rows]) => [
        kind,
        { before: rows, after: now[kind as keyof typeof now] },
      ]),
    ),
    linkedClaims: await linkedClaims(person, claims),
  };
}

async function countEvents({ pool }: TestApp): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from log.events');
  return rows[0]?.count ?? 0;
}

const withoutExpiring = (found: Findings, pictures: readonly string[]): Findings =>
  Object.fromEntries(
    Object.entries(found)
      .map(([label, places]): [string, readonly string[]] => [
        label,
        pictures.includes(label) ? places.filter((place) => !EXPIRES.test(place)) : places,
      ])
      .filter(([, places]) => places.length > 0),
  );

/** Finishes an erasure like the worker. */
const finisher = (person: Person) => async (studentId: string) => {
  const { app } = person.surroundings;
  const worker = workerOf(app);
  const erasures = new Erasures(app.pool, worker.get(ErasureSteps, { strict: false }), worker.get(LOGGER));
  await eventually(() => isDone(erasures.finish(studentId)));
};

/** Keyed hashes of the person's contacts on the lists of invitations. */
function contactHashes({ identity, surroundings }: Person): readonly string[] {
  const hasher = surroundings.app.api.get(ClaimHasher, { strict: false });
  return Object.entries(identity).flatMap(([label, value]) =>
    (['phone', 'email'] as const)
      .filter((kind) => label.includes(kind))
      .flatMap((kind) => invitedHashes(hasher, { kind, value }))
      .map((hash) => hash.toString('hex')),
  );
}

/** Streams of the person's unique values, which anyone with the HMAC key and a phone number can name. */
function claimStreams(person: Person): ReadonlySet<string> {
  const hasher = person.surroundings.app.api.get(ClaimHasher, { strict: false });
  const kinds = { phone: (value: string) => value, email: emailKey, 'user name': userNameKey } as const;
  const values = Object.entries(person.identity).flatMap(([label, value]) =>
    Object.entries(kinds).flatMap(([kind, keyOf]) =>
      label.includes(kind) ? [[kind === 'user name' ? 'username' : kind, keyOf(value)] as const] : [],
    ),
  );
  return new Set(
    values.map(([kind, key]) => `${kind}-${hasher.hash(kind as 'phone' | 'email' | 'username', key)}`),
  );
}

/** Claims whose events have an ID that an event about the person has too. */
async function linkedClaims(person: Person, claims: ReadonlySet<string>): Promise<readonly string[]> {
  const events = await readWholeLog(storeOf(person.surroundings.app));
  expect(events.some(({ streamId }) => claims.has(streamId))).toBe(true);
  const idsOf = ({ correlationId, causationId, commandId }: Readonly<Record<string, unknown>>) => [
    correlationId,
    causationId,
    commandId,
  ];
  const about = events.filter((event) => JSON.stringify(event).includes(person.studentId));
  const ids = new Set(about.flatMap(({ metadata }) => idsOf(metadata)));
  const linked = events.filter(
    (event) =>
      claims.has(event.streamId) &&
      (about.includes(event) || idsOf(event.metadata).some((id) => ids.has(id))),
  );
  return linked.map(({ type, streamId }) => `${type} in ${streamId}`);
}

/** Rebuilds all read models. @returns their rows before and after */
export async function rebuildAll(
  person: Person,
): Promise<{ readonly live: unknown; readonly rebuilt: unknown }> {
  const { app } = person.surroundings;
  const events = await countEvents(app);
  const live = await readRows(app.pool, events);
  const generations = async () => {
    const { rows } = await app.pool.query<{ generation: number }>(
      `select generation::int from read.projection_generations where status = 'live' order by name`,
    );
    return rows.map(({ generation }) => generation);
  };
  const former = await generations();
  const names = projections.map(({ name }) => name);
  for (const name of names) await person.staffDoes('cancelRebuild', { name }).catch(() => undefined);
  await person.staffDoes('rebuildProjections', { names, hold: false });
  await eventually(generations, (now) => now.every((generation, at) => generation !== former[at]));
  await app.caughtUp();
  return { live, rebuilt: await readRows(app.pool, events) };
}

const environment = (dataDir: string, url: string) => ({
  ...environmentOf(url),
  NIMO_DATA_DIR: dataDir,
  LOG_SIGNING_KEY: Buffer.alloc(32, 'l').toString('base64'),
});

async function save(app: TestApp, folder: string): Promise<void> {
  const url = String((app.pool.options as { connectionString?: string }).connectionString);
  await withSession(
    ({ runtime }) => saveBackup(folder, runtime),
    loadSettings(environment(app.dataDir, url)),
  );
}

/** Calls the work with a folder for a back-up, which is deleted afterwards. */
export async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'nimo-erased-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Restores a back-up from before the erasure. @returns where it has values of the person */
export async function findRestored(person: Person, folder: string, withWords: boolean): Promise<Findings> {
  const { studentId } = person;
  const installations = new Installations();
  try {
    const { url } = await installations.create();
    const dataDir = join(folder, 'there');
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, 'tombstones.jsonl'), `${JSON.stringify({ studentId, withWords })}\n`);
    return await withSession(
      async (session) => {
        const restored = await restoreBackup(join(folder, 'saved'), session, new AbortController().signal);
        expect(restored).toMatchObject({ tombstonesApplied: 1, log: { mismatch: null } });
        const { pool, store } = session.runtime;
        const places = [
          ...(await tablePlaces(pool)),
          ...(await eventPlaces(store)),
          ...(await filePlaces(dataDir)),
        ];
        return findValues(places, valuesOf(person, withWords));
      },
      loadSettings(environment(dataDir, url)),
    );
  } finally {
    await installations.drop();
  }
}
