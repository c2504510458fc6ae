import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import {
  AddAnswerCommentDocument,
  QuestionUpdatedDocument,
  SpaceSubjectsDocument,
  UpvoteQuestionDocument,
} from '../generated/graphql';
import { physics } from '../testing/ask-fixtures';
import { fakeApi } from '../testing/fake-api';
import { createApolloClient } from './apollo';
import { errorText } from './errors';
import { GraphqlError, postGraphql } from './graphql-fetch';

type Fetch = typeof fetch;

/** Loses what the api answers to the first calls: they are done, but nobody hears of it. */
function losing(count: number, answered: Fetch): Fetch {
  let left = count;
  return async (...request) => {
    const response = await answered(...request);
    left -= 1;
    if (left >= 0) throw new TypeError('the connection was lost');
    return response;
  };
}

const comment = { mutation: AddAnswerCommentDocument, variables: { answerId: 'a', body: 'Good point.' } };

function client(lost = 0) {
  const api = fakeApi({
    createComment: () => ({ _id: 'c' }),
    upvoteQuestion: () => ({ _id: 'v' }),
    getSubjectsForSpace: () => [physics],
    sendOTP: () => ({ flag: 1 }),
  });
  globalThis.fetch = losing(lost, globalThis.fetch);
  return { api, apollo: createApolloClient() };
}

const keysOf = ({ calls }: ReturnType<typeof fakeApi>, operation: string) =>
  calls(operation).map(({ idempotencyKey }) => idempotencyKey);

beforeEach(() => localStorage.clear());

describe('an operation', () => {
  const bodiesOf = (): string[] => {
    const bodies: string[] = [];
    const answered = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      bodies.push(typeof init?.body === 'string' ? init.body : '');
      return answered(input, init);
    };
    return bodies;
  };
  const ask = {
    query: SpaceSubjectsDocument,
    variables: { space: 's' },
    fetchPolicy: 'network-only',
  } as const;

  it('is named by its id, and its text is not sent', async () => {
    fakeApi({ getSubjectsForSpace: () => [physics] });
    const bodies = bodiesOf();
    const { data } = await createApolloClient().query(ask);
    expect(data?.getSubjectsForSpace).toHaveLength(1);
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).not.toContain('getSubjectsForSpace');
  });

  it('goes by its text from the first id that the api does not know', async () => {
    fakeApi({ getSubjectsForSpace: () => [physics] }, {});
    const bodies = bodiesOf();
    const apollo = createApolloClient();
    expect((await apollo.query(ask)).data?.getSubjectsForSpace).toHaveLength(1);
    expect((await apollo.query(ask)).data?.getSubjectsForSpace).toHaveLength(1);
    expect(bodies.map((body) => body.includes('getSubjectsForSpace'))).toEqual([false, true, true]);
    expect(bodies[1]).not.toContain('persistedQuery');
  });
});

describe('the idempotency key', () => {
  it('stays the same over automatic retries of one mutation', async () => {
    const { api, apollo } = client(2);
    await apollo.mutate(comment).catch(() => undefined);
    const keys = keysOf(api, 'AddAnswerComment');
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
  });

  it('is another one for each new try by the person, also after one that was given up', async () => {
    const { api, apollo } = client(3);
    await expect(apollo.mutate(comment)).rejects.toThrow('the connection was lost');
    await apollo.mutate(comment).catch(() => undefined);
    await apollo.mutate({ mutation: UpvoteQuestionDocument, variables: { id: 'q' } }).catch(() => undefined);
    const [first, , third, fourth] = keysOf(api, 'AddAnswerComment');
    expect(first).toBe(third);
    expect(fourth).not.toBe(first);
    expect(new Set([...keysOf(api, 'AddAnswerComment'), ...keysOf(api, 'UpvoteQuestion')]).size).toBe(3);
  });

  it('is not sent with what only reads', async () => {
    const { api, apollo } = client();
    await apollo.query({ query: SpaceSubjectsDocument, variables: { space: 's' } });
    expect(keysOf(api, 'SpaceSubjects')).toEqual([null]);
  });

  it('goes with the mutations that are sent without the client', async () => {
    const { api } = client();
    const send = 'mutation SendOtp($phone: Phone!) { sendOTP(phone: $phone) { flag } }';
    await postGraphql(send, { phone: '919999999999' });
    await postGraphql(send, { phone: '919999999999' });
    await postGraphql('query SpaceSubjects { getSubjectsForSpace(id: "s") { _id } }', {});
    const [first, second] = keysOf(api, 'SendOtp');
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
    expect(keysOf(api, 'SpaceSubjects')).toEqual([null]);
  });
});

describe('the correlation id', () => {
  it('goes with every operation, another with each, and stays the same over retries', async () => {
    const { api, apollo } = client(1);
    await apollo.mutate(comment).catch(() => undefined);
    await apollo.query({ query: SpaceSubjectsDocument, variables: { space: 's' } });
    await postGraphql('query SpaceSubjects { getSubjectsForSpace(id: "s") { _id } }', {});
    const [first, retried] = api.calls('AddAnswerComment').map(({ correlationId }) => correlationId);
    const [read, light] = api.calls('SpaceSubjects').map(({ correlationId }) => correlationId);
    for (const id of [first, read, light]) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(retried).toBe(first);
    expect(new Set([first, read, light]).size).toBe(3);
  });

  it('is told to whoever meets a fault, so that support finds it', () => {
    const correlationId = '1f0c2b3e-6d0e-4b52-9c5e-0d7c1c9a4b11';
    const fault = new GraphqlError('Something went wrong!', { code: 'INTERNAL', correlationId });
    expect(errorText(fault)).toMatch(/\(For support: 1f0c2b3e\)$/);
  });
});

describe('the socket of live updates', () => {
  it('is tried again where nobody answers, as while the api starts again', async () => {
    let tries = 0;
    class DeadSocket {
      onerror?: (event: Event) => void;
      onclose?: (event: { code: number; reason: string }) => void;
      constructor() {
        tries += 1;
        queueMicrotask(() => {
          this.onerror?.(new Event('error'));
          this.onclose?.({ code: 1006, reason: '' });
        });
      }
    }
    fakeApi({});
    const real = globalThis.WebSocket;
    Object.assign(DeadSocket, { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 });
    globalThis.WebSocket = DeadSocket as unknown as typeof WebSocket;
    const apollo = createApolloClient();
    const errors: unknown[] = [];
    const open = apollo
      .subscribe({ query: QuestionUpdatedDocument, variables: { questionId: 'q' } })
      .subscribe({ next: () => undefined, error: (error: unknown) => errors.push(error) });
    try {
      await waitFor(() => expect(tries).toBeGreaterThan(2), { timeout: 15_000 });
      expect(errors).toEqual([]);
    } finally {
      open.unsubscribe();
      globalThis.WebSocket = real;
    }
  });
});
