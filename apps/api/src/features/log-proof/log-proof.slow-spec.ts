import { readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkBundle, publicKeyOf } from '@nimo/event-store';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { resultOf, runNimo } from '../../../../../test/command-line.js';
import { newParticipants } from '../../../../../test/participant.js';
import { eventually } from '../../../../../test/eventually.js';
import { auditTeller } from '../audit/export/audit-columns.js';

describe('the proof of the log', () => {
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

  it('leaves the log as a bundle for others, who check it by the key alone, and the log says who made it', async () => {
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
    expect(checkBundle(made, key, auditTeller)).toMatchObject({ isProven: true });
  });
});
