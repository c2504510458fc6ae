import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import {
  AddAnswerCommentDocument,
  QuestionUpdatedDocument,
  SpaceSubjectsDocument,
  UpvoteQuestionDocument,
} from '../../generated/graphql';
import { physics } from '../../testing/ask-fixtures';
import '../../testing/async-timeout';
import { apiError, fakeApi } from '../../testing/fake-api';
import { i18n } from '../../i18n/i18n';
import { documentIds } from '../../generated/document-ids';
import { createApolloClient } from './apollo';
import { tryNow, useConnection, useHasNewVersion } from './connection';
import { errorRule, errorText } from './errors';
import { invalidatePendingAnswers } from './newest-answer';
import { CHECK_DELAYS_MS, onStale, useAreChangesDelayed } from './stale-answers';
import { GraphqlError, postGraphql } from './graphql-fetch';
import { mutationRetryDelays } from './until-answered';

type Fetch = typeof fetch;

/** Like the modules of `?call` imports. */
const callOf = (name: string, isMutation = false) => ({ id: documentIds[name] ?? '', isMutation });
const sendOtp = callOf('SendOtp', true);
const signInProviders = callOf('SignInProviders');

/** Loses the API's responses to the first calls, which it has handled. */
function losing(count: number, answered: Fetch): Fetch {
  let left = count;
  return async (...request) => {
    const response = await answered(...request);
    if (request[0] === '/health/live') return response;
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
    getSignInProviders: () => [],
  });
  globalThis.fetch = losing(lost, globalThis.fetch);
  return { api, apollo: createApolloClient() };
}

const keysOf = ({ calls }: ReturnType<typeof fakeApi>, operation: string) =>
  calls(operation).map(({ idempotencyKey }) => idempotencyKey);

beforeEach(() => localStorage.clear());

function bodiesOf(): string[] {
  const bodies: string[] = [];
  const answered = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    bodies.push(typeof init?.body === 'string' ? init.body : '');
    return answered(input, init);
  };
  return bodies;
}

describe('an operation', () => {
  const ask = {
    query: SpaceSubjectsDocument,
    variables: { space: 's' },
    fetchPolicy: 'network-only',
  } as const;

  it('shares one request among concurrent callers, and sends a new one after a change', async () => {
    const { api, apollo } = client();
    const asked = [apollo.query(ask), apollo.query(ask)];
    invalidatePendingAnswers();
    await Promise.all([...asked, apollo.query(ask)]);
    expect(api.calls('SpaceSubjects')).toHaveLength(2);
  });

  it('is sent by id, without its text', async () => {
    fakeApi({ getSubjectsForSpace: () => [physics] });
    const bodies = bodiesOf();
    const { data } = await createApolloClient().query(ask);
    expect(data?.getSubjectsForSpace).toHaveLength(1);
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).not.toContain('getSubjectsForSpace');
  });

  it('is sent by text once the API has rejected an unknown id', async () => {
    fakeApi({ getSubjectsForSpace: () => [physics] }, {});
    const bodies = bodiesOf();
    const apollo = createApolloClient();
    expect((await apollo.query(ask)).data?.getSubjectsForSpace).toHaveLength(1);
    expect((await apollo.query(ask)).data?.getSubjectsForSpace).toHaveLength(1);
    expect(bodies.map((body) => body.includes('getSubjectsForSpace'))).toEqual([false, true, true]);
    expect(bodies[1]).not.toContain('persistedQuery');
  });
});

describe('a page of another version', () => {
  it('asks for a reload if the API knows neither id nor text', async () => {
    fakeApi({});
    const bodies: string[] = [];
    globalThis.fetch = (_input, init) => {
      const body = typeof init?.body === 'string' ? init.body : '';
      bodies.push(body);
      const isByText = body.includes('getSubjectsForSpace');
      const error = {
        message: isByText ? 'This server accepts only registered documents.' : 'PersistedQueryNotFound',
        extensions: { code: isByText ? 'FORBIDDEN' : 'VALIDATION_FAILED', rule: 'DOCUMENT_NOT_REGISTERED' },
      };
      return Promise.resolve(
        new Response(JSON.stringify({ errors: [error] }), {
          status: isByText ? 403 : 200,
          headers: { 'content-type': 'application/graphql-response+json' },
        }),
      );
    };
    const { result } = renderHook(() => useHasNewVersion());
    expect(result.current).toBe(false);
    const asked = {
      query: SpaceSubjectsDocument,
      variables: { space: 's' },
      fetchPolicy: 'network-only',
    } as const;
    const error = await act(() =>
      createApolloClient()
        .query(asked)
        .catch((thrown: unknown) => thrown),
    );
    expect(errorRule(error)).toBe('DOCUMENT_NOT_REGISTERED');
    expect(bodies.at(-1)).toContain('getSubjectsForSpace');
    expect(result.current).toBe(true);
  });
});

describe('an operation without the client', () => {
  it('is sent by id, without its text', async () => {
    fakeApi({ getSignInProviders: () => [] });
    const bodies = bodiesOf();
    await postGraphql(signInProviders, {});
    expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([
      {
        variables: {},
        extensions: { persistedQuery: { version: 1, sha256Hash: documentIds['SignInProviders'] } },
      },
    ]);
  });

  it('asks for a reload if the API does not know it', async () => {
    fakeApi({}, {});
    const error = await postGraphql(signInProviders, {}).catch((thrown: unknown) => thrown);
    expect(errorText(error)).toBe(i18n.t('shell:error.unreachable'));
    expect(errorText(error)).not.toContain('Persisted');
  });
});

describe('the idempotency key', () => {
  it('stays the same over automatic retries of a mutation', async () => {
    const { api, apollo } = client(2);
    await apollo.mutate(comment).catch(() => undefined);
    const keys = keysOf(api, 'AddAnswerComment');
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
  });

  it('changes with each new attempt by the person', async () => {
    const { api, apollo } = client(1);
    await apollo.mutate(comment).catch(() => undefined);
    await apollo.mutate(comment).catch(() => undefined);
    await apollo.mutate({ mutation: UpvoteQuestionDocument, variables: { id: 'q' } }).catch(() => undefined);
    const [first, second, third] = keysOf(api, 'AddAnswerComment');
    expect(first).toBe(second);
    expect(third).not.toBe(first);
    expect(new Set([...keysOf(api, 'AddAnswerComment'), ...keysOf(api, 'UpvoteQuestion')]).size).toBe(3);
  });

  describe('of a mutation without a response', () => {
    beforeEach(() => void jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] }));
    afterEach(() => void jest.useRealTimers());

    /** Number of attempts until the app gives up. */
    async function givenUp(apollo: ReturnType<typeof createApolloClient>, options: typeof comment) {
      const sent = expect(apollo.mutate(options)).rejects.toThrow('the connection was lost');
      await jest.advanceTimersByTimeAsync(60_000);
      await sent;
    }
    const tries = mutationRetryDelays.length + 1;

    it('stays the same when the person resends the same text, so that the comment is posted once', async () => {
      const { api, apollo } = client(tries);
      await givenUp(apollo, comment);
      await apollo.mutate(comment).catch(() => undefined);
      await apollo.mutate(comment).catch(() => undefined);
      const keys = keysOf(api, 'AddAnswerComment');
      expect(keys).toHaveLength(tries + 2);
      expect(new Set(keys.slice(0, tries + 1)).size).toBe(1);
      expect(keys.at(-1)).not.toBe(keys[0]);
    });

    it('changes with the text', async () => {
      const { api, apollo } = client(tries);
      await givenUp(apollo, comment);
      await apollo
        .mutate({ ...comment, variables: { answerId: 'a', body: 'Another point.' } })
        .catch(() => undefined);
      const keys = keysOf(api, 'AddAnswerComment');
      expect(keys.at(-1)).not.toBe(keys[0]);
    });
  });

  it('stays the same after an API error that may have followed the change', async () => {
    const { api, apollo } = client();
    for (const code of ['INTERNAL', 'VALIDATION_FAILED']) {
      api.change({
        createComment: () => {
          throw apiError('Nimo is busy.', code);
        },
      });
      await apollo.mutate(comment).catch(() => undefined);
    }
    await apollo.mutate(comment).catch(() => undefined);
    const [unknown, refused, next] = keysOf(api, 'AddAnswerComment');
    expect(refused).toBe(unknown);
    expect(next).not.toBe(refused);
  });

  it('is not sent with queries', async () => {
    const { api, apollo } = client();
    await apollo.query({ query: SpaceSubjectsDocument, variables: { space: 's' } });
    expect(keysOf(api, 'SpaceSubjects')).toEqual([null]);
  });

  it('is sent with mutations without the client', async () => {
    const { api } = client();
    await postGraphql(sendOtp, { phone: '919999999999', purpose: 'SIGN_UP', requestKey: 'k' });
    await postGraphql(sendOtp, { phone: '919999999999', purpose: 'SIGN_UP', requestKey: 'k' });
    await postGraphql(signInProviders, {});
    const [first, second] = keysOf(api, 'SendOtp');
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
    expect(keysOf(api, 'SignInProviders')).toEqual([null]);
  });
});

describe('a retried mutation', () => {
  it('shows that the server is unreachable, and completes when it is back', async () => {
    const { api, apollo } = client();
    const answered = globalThis.fetch;
    let isAway = true;
    globalThis.fetch = (input, init) => {
      if (isAway) return Promise.reject(new TypeError('Failed to fetch'));
      return input === '/health/live' ? Promise.resolve(new Response('{}')) : answered(input, init);
    };
    const { result } = renderHook(() => useConnection());
    const sent = apollo.mutate(comment).catch(() => undefined);
    await waitFor(() => expect(result.current).toBe('unreachable'));
    isAway = false;
    await act(() => tryNow());
    await sent;
    expect(result.current).toBe('reached');
    expect(api.calls('AddAnswerComment').map(({ variables }) => variables)).toEqual([comment.variables]);
  });
});

describe('a stale answer', () => {
  const pauses = [...CHECK_DELAYS_MS];
  afterEach(() => void CHECK_DELAYS_MS.splice(0, CHECK_DELAYS_MS.length, ...pauses));

  /** Watches queries of these spaces, as a screen would. */
  function watching(apollo: ReturnType<typeof createApolloClient>, ...spaces: string[]) {
    const end = onStale(() => Promise.allSettled(apollo.refetchQueries({ include: 'active' }).results));
    const watched = spaces.map((space) =>
      apollo.watchQuery({ query: SpaceSubjectsDocument, variables: { space } }).subscribe(() => undefined),
    );
    return () => {
      watched.forEach((subscription) => subscription.unsubscribe());
      act(end);
    };
  }

  const stale = async (answer: Response) =>
    Response.json({ ...((await answer.json()) as object), extensions: { stale: true } });

  it('is refetched until it is fresh, with a notice if that takes longer', async () => {
    const { api, apollo } = client();
    const answered = globalThis.fetch;
    let isBehind = true;
    globalThis.fetch = async (...request) => {
      const answer = await answered(...request);
      return isBehind ? stale(answer) : answer;
    };
    CHECK_DELAYS_MS.fill(1);
    const { result } = renderHook(() => useAreChangesDelayed());
    const end = watching(apollo, 's');
    await waitFor(() => expect(result.current).toBe(true));
    isBehind = false;
    await waitFor(() => expect(result.current).toBe(false));
    const read = api.calls('SpaceSubjects').length;
    isBehind = true;
    await act(() => apollo.mutate(comment).catch(() => undefined));
    await waitFor(() => expect(api.calls('SpaceSubjects').length).toBeGreaterThan(read + 1));
    expect(result.current).toBe(true);
    end();
    expect(result.current).toBe(false);
  });

  it('counts as stale even if another one is fresh', async () => {
    const { apollo } = client();
    const answered = globalThis.fetch;
    let other: Promise<unknown> = Promise.resolve();
    globalThis.fetch = async (input, init) => {
      const answer = answered(input, init);
      if (typeof init?.body === 'string' && init.body.includes('"late"')) {
        await other;
        return stale(await answer);
      }
      other = answer;
      return answer;
    };
    CHECK_DELAYS_MS.fill(1);
    const { result } = renderHook(() => useAreChangesDelayed());
    const end = watching(apollo, 'other', 'late');
    await waitFor(() => expect(result.current).toBe(true));
    end();
  });

  it("is requested with the API's positions until they are reached, and no longer", async () => {
    const { apollo } = client();
    const answered = globalThis.fetch;
    const headers: (string | null)[] = [];
    globalThis.fetch = async (input, init) => {
      const answer = await answered(input, init);
      const header = new Headers(init?.headers).get('x-read-after');
      if (!new Headers(init?.headers).has('idempotency-key')) {
        headers.push(header);
        return answer;
      }
      const extensions = { stale: true, readAfter: { moderation: '07', questions: '12' } };
      return Response.json({ ...((await answer.json()) as object), extensions });
    };
    CHECK_DELAYS_MS.fill(1);
    const end = watching(apollo, 's');
    await waitFor(() => expect(headers).toEqual([null]));
    await apollo.mutate(comment).catch(() => undefined);
    await waitFor(() => expect(headers).toEqual([null, 'moderation=07,questions=12']));
    await waitFor(async () => {
      await apollo.query({
        query: SpaceSubjectsDocument,
        variables: { space: 't' },
        fetchPolicy: 'network-only',
      });
      expect(headers.at(-1)).toBeNull();
    });
    end();
  });

  it('is refetched even if an older answer arrives after it', async () => {
    const { api, apollo } = client();
    const answered = globalThis.fetch;
    let answerRead = () => {};
    const isRead = new Promise<void>((resolve) => (answerRead = resolve));
    globalThis.fetch = async (input, init) => {
      const answer = await answered(input, init);
      if (new Headers(init?.headers).has('idempotency-key')) return stale(answer);
      await isRead;
      return answer;
    };
    CHECK_DELAYS_MS.fill(50);
    const end = watching(apollo, 's');
    await apollo.mutate(comment).catch(() => undefined);
    answerRead();
    await waitFor(() => expect(api.calls('SpaceSubjects')).toHaveLength(2));
    end();
  });
});

describe('the correlation id', () => {
  it('is sent with every operation, differs between operations, and stays the same over retries', async () => {
    const { api, apollo } = client(1);
    await apollo.mutate(comment).catch(() => undefined);
    await apollo.query({ query: SpaceSubjectsDocument, variables: { space: 's' } });
    await postGraphql(signInProviders, {});
    const [first, retried] = api.calls('AddAnswerComment').map(({ correlationId }) => correlationId);
    const [read] = api.calls('SpaceSubjects').map(({ correlationId }) => correlationId);
    const [light] = api.calls('SignInProviders').map(({ correlationId }) => correlationId);
    for (const id of [first, read, light]) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(retried).toBe(first);
    expect(new Set([first, read, light]).size).toBe(3);
  });

  it('is shown with an error, so that support finds it', () => {
    const correlationId = '1f0c2b3e-6d0e-4b52-9c5e-0d7c1c9a4b11';
    const fault = new GraphqlError('Something went wrong!', { code: 'INTERNAL', correlationId });
    expect(errorText(fault)).toMatch(/\(Support reference: 1f0c2b3e\)$/);
  });
});

describe('the socket of live updates', () => {
  it('reconnects when nothing answers, for example while the API restarts', async () => {
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
      await waitFor(() => expect(tries).toBeGreaterThan(2));
      expect(errors).toEqual([]);
    } finally {
      open.unsubscribe();
      globalThis.WebSocket = real;
    }
  });
});
