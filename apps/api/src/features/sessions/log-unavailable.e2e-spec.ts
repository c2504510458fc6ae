import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDbDouble } from '@nimo/event-store/testing';
import request from 'supertest';
import { bootApp, type BootedApp, type SignedUpStudent } from '../../../../../test/app.js';
import { BlockStudent } from '../students/commands/block-student.js';

const LOGIN = `mutation ($userName: String, $phone: Phone, $password: String!) {
  login(userName: $userName, phone: $phone, password: $password) { accessToken rule }
}`;
const ME = '{ getStudent { _id } }';
const JOIN = 'mutation { joinSpace(spaceId: "0f5c9d0e-3b6e-4c9c-9b45-6f5d9f3f6a11") { _id } }';

interface Answer {
  readonly data?: { readonly login?: { readonly accessToken: string | null; readonly rule: string | null } };
}

describe('an API started while the event log is unavailable', () => {
  let double: EventStoreDbDouble;
  let app: BootedApp;
  let api: Awaited<ReturnType<BootedApp['anotherApi']>> | undefined;
  let ada: SignedUpStudent;
  let blocked: SignedUpStudent;

  beforeAll(async () => {
    double = await EventStoreDbDouble.start();
    app = await bootApp({ EVENTSTORE_URL: double.connectionString });
    [ada, blocked] = await Promise.all([app.signUp(), app.signUp()]);
    await app.execute(new BlockStudent(app.operator(), blocked.studentId, 'spam'));
    await app.caughtUp();
    await double.stop();
    api = await app.anotherApi({ logTimeoutMs: 200 });
  });
  afterAll(async () => {
    await api?.close();
    await app.close();
  });

  const ask = async (query: string, variables: object = {}, token = ''): Promise<Answer> => {
    const { body } = await request(api?.url ?? '')
      .post('/graphql')
      .set(token === '' ? {} : { authorization: `Bearer ${token}` })
      .send({ query, variables });
    return body as Answer;
  };
  const login = async (named: Readonly<Record<string, string>>) =>
    (await ask(LOGIN, { password: ada.password, ...named })).data?.login;

  it('lets users log in and read from the projections', async () => {
    for (const named of [
      { userName: ada.userName },
      { userName: ada.userName.toUpperCase() },
      { phone: ada.phone },
    ]) {
      const token = (await login(named))?.accessToken ?? '';
      expect(await ask(ME, {}, token)).toEqual({ data: { getStudent: { _id: ada.studentId } } });
    }
    expect((await request(api?.url ?? '').get('/health/ready')).status).toBe(200);
  });

  it('rejects writes as unavailable', async () => {
    expect(await ask(JOIN, {}, ada.token)).toMatchObject({
      errors: [{ extensions: { code: 'UNAVAILABLE' } }],
    });
  });

  it('still rejects wrong passwords, blocked accounts and unverified phones', async () => {
    expect(await login({ userName: ada.userName, password: 'wrong' })).toMatchObject(refused('LOGIN_FAILED'));
    expect(await login({ userName: blocked.userName })).toMatchObject(refused('STUDENT_BLOCKED'));
    await app.pool.query('update read.students set is_phone_verified = false where student_id = $1', [
      ada.studentId,
    ]);
    expect(await login({ phone: ada.phone })).toMatchObject(refused('LOGIN_FAILED'));
  });
});

const refused = (rule: string) => ({ accessToken: null, rule });
