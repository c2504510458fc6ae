import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  checkBundle,
  DatabaseHeads,
  HeadsFolder,
  publicKeyOf,
  readChainTip,
  signHead,
} from '@nimo/event-store';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { expectCliError, resultOf, runNimo, startNimo } from '../../../../../test/command-line.js';
import { newParticipants } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { auditLineReader } from '../audit/export/audit-export.js';
import { logKeyOf } from './log-chain.js';

describe('log proof', () => {
  let app: TestApp;
  let spaceId: string;
  let moderator: string;

  beforeAll(async () => {
    app = await bootApp();
    const { community, people } = await newParticipants(app, 1);
    ({ spaceId } = community);
    await people[0].ask();
    const person = await app.signUp();
    await app.grantRole(person.studentId, 'MODERATOR', spaceId);
    moderator = person.token;
  });
  afterAll(() => app.close());

  it('exports a bundle that the public key alone verifies, and records who made it', async () => {
    const [file, bundle] = [join(app.dataDir, 'audit.ndjson'), join(app.dataDir, 'bundle.json')];
    const exported = await eventually(
      () =>
        fetch(`${app.url}/audit/proof/export.ndjson?space=${spaceId}`, {
          headers: { authorization: `Bearer ${moderator}` },
        }),
      ({ status }) => status === 200,
    );
    await writeFile(file, await exported.text());
    const traces = async () => {
      const { rows } = await app.pool.query(
        `select data ->> 'what' as what, metadata -> 'actor' ->> 'operator' as operator from log.events
           where type = 'ConfidentialDataRead' and metadata -> 'actor' ->> 'kind' = 'operator'`,
      );
      return rows;
    };
    const { data } = await app.graphql<{ getLogProof: { publicKey: string } }>(
      '{ getLogProof { publicKey } }',
      {},
      moderator,
    );
    const { publicKey } = data.getLogProof;
    const prove = [
      ...['log', 'prove', file, '--line', '1', '--public-key', publicKey],
      ...['--whole-event', '--json'],
    ];
    expect(resultOf(await runNimo(app, ...prove))).toMatchObject({ problems: [], proven: 1 });
    expect(await traces()).toEqual([]);
    expect(resultOf(await runNimo(app, ...prove, '--bundle', bundle))).toMatchObject({ proven: 1 });
    expect(await traces()).toEqual([{ what: 'PROVEN_AUDIT_EXPORT', operator: userInfo().username }]);
    const key = publicKeyOf(publicKey);
    if (!key) throw new Error('the api gives its key');
    const made: unknown = JSON.parse(await readFile(bundle, 'utf8'));
    expect(checkBundle(made, key, auditLineReader)).toMatchObject({ isProven: true });
    await writeFile(bundle, `\ufeff${JSON.stringify(made)}`);
    const check = ['log', 'check-bundle', bundle, '--public-key', publicKey, '--json'];
    expect(resultOf(await runNimo(app, ...check))).toMatchObject({ isProven: true });
  });

  it('fails verification if a store of signed heads is missing, empty or behind', async () => {
    const folder = join(app.dataDir, 'heads');
    const settings = app.api.get<Settings>(SETTINGS, { strict: false });
    const { connectionString = '' } = app.pool.options;
    const ofApp = {
      DATABASE_URL: connectionString,
      NIMO_DATA_DIR: app.dataDir,
      LOG_SIGNING_KEY: settings.logSigningKey?.toString('base64') ?? '',
    };
    const nimo = (...args: readonly string[]) => startNimo(ofApp, ...args).ended;
    const verify = () => nimo('log', 'verify');
    const tip = await eventually(
      () => readChainTip(app.pool),
      ({ ordinal }) => ordinal > 0,
    );
    const head = signHead(tip, logKeyOf(settings), new Date());
    const places = [new HeadsFolder(folder), new DatabaseHeads(app.pool)];
    for (const place of places) await place.append([head]);
    expect(await verify()).toMatchObject({ code: 0 });

    await rm(folder, { recursive: true });
    const missing = await verify();
    expect(missing).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/CHECKPOINT: The heads folder has no signed head, although others do/),
    });
    expect(missing.stdout).toContain(folder);
    await mkdir(folder);
    expect(await verify()).toMatchObject({ code: 3 });
    expect(await nimo('doctor')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('BROKEN  external checkpoints: The heads folder has no signed head'),
    });
    await new HeadsFolder(folder).append([head]);
    expect(await verify()).toMatchObject({ code: 0 });
  });

  it('overwrites an earlier export only with --force', async () => {
    const to = join(app.dataDir, 'log.ndjson');
    await writeFile(to, 'mine');
    const refused = await runNimo(app, 'log', 'export', '--to', to);
    expectCliError(refused, 2, /already exists\. Choose another file, or use --force to replace it/);
    expect(await readFile(to, 'utf8')).toBe('mine');
    expect(await runNimo(app, 'log', 'export', '--to', to, '--force')).toMatchObject({ code: 0 });
    expect(await readFile(to, 'utf8')).not.toBe('mine');
    const audit = join(app.dataDir, 'audit.ndjson');
    const prove = ['log', 'prove', audit, '--line', '1', '--bundle', to];
    expectCliError(await runNimo(app, ...prove), 2, /already exists/);
  });
});
