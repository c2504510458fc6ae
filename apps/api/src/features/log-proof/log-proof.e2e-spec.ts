import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStore, isGenuineHead, proveExport, publicKeyOf, verifyLog } from '@nimo/event-store';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { auditLineReader } from '../audit/export/audit-export.js';
import { STORED_LOG } from '../../platform/config/tokens.js';
import { LogAlarm } from './log-chain.js';
import { eventually } from '@nimo/testing';

interface Proof {
  readonly ordinal: number;
  readonly head: string;
  readonly behind: number;
  readonly keyId: string;
  readonly publicKey: string;
  readonly signedHeads: readonly {
    readonly ordinal: number;
    readonly head: string;
    readonly at: string;
    readonly keyId: string;
  }[];
}

const PROOF = `{ getLogProof { ordinal head behind keyId publicKey signedHeads { ordinal head at keyId } } }`;

describe('log proof', () => {
  let app: TestApp;
  let community: Community;
  let moderator: string;
  let student: string;

  beforeAll(async () => {
    app = await bootApp();
    community = await newCommunity(app, 2);
    const [asker, voter] = community.members;
    if (!asker || !voter) throw new Error('a community has members');
    student = voter.token;
    const author = new Participant(app, asker, community);
    const question = await author.ask();
    await new Participant(app, voter, community).perform(
      `upvoteQuestion(questionId: "${question}") { question { _id } }`,
    );
    const person = await app.signUp();
    await app.grantRole(person.studentId, 'MODERATOR', community.spaceId);
    moderator = person.token;
  });
  afterAll(() => app.close());

  const readProof = async (): Promise<Proof> =>
    (await app.graphql<{ getLogProof: Proof }>(PROOF, {}, moderator)).data.getLogProof;

  /** Exports are refused until the chain covers the whole log. */
  const untilChained = (): Promise<Proof> => eventually(readProof, ({ behind }) => behind === 0);

  const fetchExport = async (file: string, token: string | null = moderator): Promise<Response> =>
    fetch(`${app.url}/audit/proof/${file}`, {
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    });

  /** Retries until the chain covers the event that records the export itself; the API waits only two seconds for it. */
  const fetchCoveredExport = (file: string) =>
    eventually(
      async () => {
        const response = await fetchExport(file);
        return { status: response.status, headers: response.headers, text: await response.text() };
      },
      ({ text }) => !text.includes('LOG_CHAIN_BEHIND'),
    );

  it('reports the chain head and the signing key', async () => {
    const log = app.api.get<EventStore>(STORED_LOG, { strict: false });
    // Retry if an event is appended between the two.
    const { proof, report } = await eventually(
      async () => ({
        proof: await untilChained(),
        report: await verifyLog({ pool: app.pool, log, heads: [], keys: [] }),
      }),
      (seen) => seen.proof.ordinal === seen.report.ordinal,
    );
    expect(report).toMatchObject({ head: proof.head, mismatch: null });
    expect(publicKeyOf(proof.publicKey)?.keyId).toBe(proof.keyId);
  });

  it('counts events missing from the chain', async () => {
    await untilChained();
    // Block the leader by a row lock: a lease held by no worker would count as free.
    const blocker = await app.pool.connect();
    await blocker.query('begin');
    await blocker.query('select from state.log_chain_position for update');
    await app.signUp();
    expect((await readProof()).behind).toBeGreaterThan(0);
    const refused = await fetchExport('export.ndjson');
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { errors: [{ extensions: { code: 'CONFLICT', rule: 'LOG_CHAIN_BEHIND' } }] },
    ]);
    await blocker.query('rollback');
    blocker.release();
    await untilChained();
  });

  it.each(['ndjson', 'csv'] as const)('is included in an audit export (%s)', async (format) => {
    await untilChained();
    const { headers, text: file } = await fetchCoveredExport(`export.${format}?space=${community.spaceId}`);
    expect(headers.get('content-disposition')).toMatch(new RegExp(`-proven\\.${format}"$`));
    const key = publicKeyOf((await readProof()).publicKey);
    if (!key) throw new Error('the api gives its key');
    const open = async function* () {
      yield Buffer.from(file);
    };
    const log = app.api.get<EventStore>(STORED_LOG, { strict: false });
    const report = await proveExport({
      pool: app.pool,
      log,
      open,
      format,
      keys: [key],
      heads: [],
      renderer: auditLineReader,
    });
    expect(report.problems).toEqual([]);
    expect(report.lines).toBeGreaterThan(0);
    expect(report.proven).toBe(report.lines);
    expect(report.seal && isGenuineHead(report.seal.signed, key)).toBe(true);
  });

  it('refuses exports and projection switches after a mismatch', async () => {
    await untilChained();
    const detail = 'This event is no longer in the log.';
    const mismatch = {
      kind: 'missing',
      ordinal: 2,
      since: 2,
      eventId: null,
      streamId: null,
      revision: null,
    } as const;
    await app.api.get(LogAlarm, { strict: false }).raise({ ...mismatch, detail });
    const refusal = { extensions: { code: 'CONFLICT', rule: 'LOG_DOES_NOT_FIT' } };
    const refused = await fetchCoveredExport('export.ndjson');
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([409, { errors: [refusal] }]);
    const maintainer = await app.signUp();
    await app.grantRole(maintainer.studentId, 'MAINTAINER');
    const { errors } = await app.graphql(
      'mutation { switchProjection(name: "news", generation: 1) { name } }',
      {},
      maintainer.token,
    );
    expect(errors).toMatchObject([refusal]);
    const { data } = await app.graphql(
      '{ getLogProof { mismatches { detail ordinal } } }',
      {},
      maintainer.token,
    );
    expect(data).toEqual({ getLogProof: { mismatches: [{ detail, ordinal: 2 }] } });
    await app.pool.query('delete from state.log_mismatches');
    expect((await fetchCoveredExport('export.ndjson')).status).toBe(200);
  });

  it('refuses exports while a store of signed heads is unreachable', async () => {
    await untilChained();
    const folder = join(app.dataDir, 'heads');
    const aside = `${folder}-aside`;
    await rename(folder, aside).catch(() => undefined);
    // A file in place of the folder fails even for root.
    await writeFile(folder, '');
    const refused = await fetchCoveredExport('export.ndjson');
    const refusal = { extensions: { code: 'CONFLICT', rule: 'LOG_WITNESS_AWAY' } };
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([409, { errors: [refusal] }]);
    await rm(folder);
    await rename(aside, folder).catch(() => undefined);
    expect((await fetchCoveredExport('export.ndjson')).status).toBe(200);
  });

  it('reports the time of the last verification', async () => {
    const verified = await eventually(
      () =>
        app.graphql<{ getLogProof: { verifiedAt: string | null; mismatches: readonly object[] } }>(
          '{ getLogProof { verifiedAt mismatches { detail } } }',
          {},
          moderator,
        ),
      ({ data }) => data.getLogProof.verifiedAt !== null,
    );
    expect(verified.data.getLogProof.mismatches).toEqual([]);
  });

  it('is limited to maintainers and moderators, and exports to their spaces', async () => {
    const elsewhere = await newCommunity(app, 1);
    for (const [token, code] of [
      [undefined, 'UNAUTHENTICATED'],
      ['A'.repeat(43), 'UNAUTHENTICATED'],
      [student, 'FORBIDDEN'],
    ] as const) {
      const { errors } = await app.graphql(PROOF, {}, token);
      expect(errors?.[0]?.extensions.code).toBe(code);
    }
    const maintainer = await app.signUp();
    await app.grantRole(maintainer.studentId, 'MAINTAINER');
    expect((await app.graphql(PROOF, {}, maintainer.token)).errors).toBeUndefined();
    for (const file of ['export.csv', 'export.ndjson']) {
      expect((await fetchExport(file, null)).status).toBe(401);
      expect((await fetchExport(file, 'A'.repeat(43))).status).toBe(401);
      expect((await fetchExport(file, student)).status).toBe(403);
      expect((await fetchExport(`${file}?space=${elsewhere.spaceId}`)).status).toBe(403);
      expect((await fetchExport(`${file}?spaces=x`)).status).toBe(400);
    }
  });
});
