import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { studentDecider } from '@nimo/domain';
import request from 'supertest';
import { sharedApp, type BootedApp } from '../../../../../test/app.js';
import type { EventStore } from '@nimo/event-store';
import { EVENT_STORE } from '../../platform/config/tokens.js';

const TERMS = '{ getTerms { version text mustAccept } }';
const ACCEPT = 'mutation($version: String!) { acceptTerms(version: $version) { flag } }';
const RENAME =
  'mutation($id: ID!, $firstName: String) { updateStudent(id: $id, firstName: $firstName) { firstName } }';
const KEEP = 'mutation { cancelOwnErasure { flag } }';

let app: BootedApp;
let folder: string;
beforeAll(async () => {
  [app, folder] = await Promise.all([sharedApp(), mkdtemp(join(tmpdir(), 'nimo-terms-'))]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Answer {
  readonly data: Record<string, unknown> | null;
  readonly errors?: readonly { readonly extensions: { readonly rule?: string; readonly field?: string } }[];
}
const ask = async (url: string, token: string, query: string, variables = {}): Promise<Answer> =>
  (await request(url).post('/graphql').set('authorization', `Bearer ${token}`).send({ query, variables }))
    .body as Answer;

async function acceptedBy(studentId: string): Promise<unknown[]> {
  const store = app.api.get<EventStore>(EVENT_STORE, { strict: false });
  const events = await store.readStream(studentDecider.stream(studentId));
  return events.flatMap(({ type, data }) => (type === 'TermsAccepted' ? [data['version']] : []));
}

describe('the terms of use', () => {
  it('default to the built-in ones and are accepted on sign-up', async () => {
    expect((await app.graphql(TERMS)).data).toEqual({
      getTerms: { version: 'nimo-1', text: null, mustAccept: false },
    });
    const { studentId } = await app.signUp();
    expect(await acceptedBy(studentId)).toEqual(['nimo-1']);
  });

  it('must be accepted in a new version before any other write', async () => {
    const ada = await app.signUp();
    const file = join(folder, 'terms.txt');
    await writeFile(file, 'Be kind.\n');
    const { url, close } = await app.anotherApi({}, { TERMS_VERSION: '2', TERMS_FILE: file });
    try {
      const rename = () => ask(url, ada.token, RENAME, { id: ada.studentId, firstName: 'Augusta' });
      expect((await ask(url, ada.token, TERMS)).data).toEqual({
        getTerms: { version: '2', text: 'Be kind.', mustAccept: true },
      });
      expect((await rename()).errors?.[0]?.extensions.rule).toBe('TERMS_NOT_ACCEPTED');
      // Managing the deletion of the account stays possible.
      expect((await ask(url, ada.token, KEEP)).errors?.[0]?.extensions.rule).toBe('ERASURE_NOT_ASKED');
      expect((await ask(url, ada.token, ACCEPT, { version: '1' })).errors?.[0]?.extensions).toMatchObject({
        ...{ rule: 'TERMS_CHANGED', field: 'version' },
      });
      expect((await ask(url, ada.token, ACCEPT, { version: '2' })).errors).toBeUndefined();
      expect((await rename()).errors).toBeUndefined();
      expect((await ask(url, ada.token, TERMS)).data).toMatchObject({ getTerms: { mustAccept: false } });
      expect(await acceptedBy(ada.studentId)).toEqual(['nimo-1', '2']);
    } finally {
      await close();
    }
  });

  it('prevent startup if the file cannot be read', async () => {
    const nowhere = join(folder, 'nowhere.txt');
    await expect(app.anotherApi({}, { TERMS_VERSION: '2', TERMS_FILE: nowhere })).rejects.toThrow(
      'TERMS_FILE cannot be read',
    );
    await expect(app.anotherApi({}, { TERMS_VERSION: '2' })).rejects.toThrow(
      'TERMS_FILE must be set too, because TERMS_VERSION is.',
    );
  });
});
