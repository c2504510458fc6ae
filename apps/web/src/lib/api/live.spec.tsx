import { ApolloProvider } from '@apollo/client/react';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { QuestionUpdatedDocument } from '../../generated/graphql';
import { fakeApi } from '../../testing/fake-api';
import { createApolloClient } from './apollo';
import { useLive } from './live';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] });
});
afterEach(() => {
  jest.useRealTimers();
});

async function listen() {
  const api = fakeApi({});
  const client = createApolloClient();
  const reread = jest.fn();
  const view = renderHook(
    () => useLive(QuestionUpdatedDocument, { variables: { questionId: 'q' } }, reread),
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <ApolloProvider client={client}>{children}</ApolloProvider>
      ),
    },
  );
  await jest.advanceTimersByTimeAsync(50);
  return { api, reread, ...view };
}

describe('a live screen', () => {
  it('refetches once the API is listening, because earlier changes were not signalled', async () => {
    const { api, reread } = await listen();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(reread).not.toHaveBeenCalled();
    api.live.confirm('QuestionUpdated');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(reread).toHaveBeenCalledTimes(1);
  });

  it('refetches after each connection', async () => {
    const { api, reread } = await listen();
    api.live.confirm('QuestionUpdated');
    await jest.advanceTimersByTimeAsync(2_000);
    api.live.drop();
    await jest.advanceTimersByTimeAsync(30_000);
    api.live.confirm('QuestionUpdated');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(reread).toHaveBeenCalledTimes(2);
  });

  it('refetches once for a signal during confirmation, immediately for a later one, and never after unmounting', async () => {
    const { api, reread, unmount } = await listen();
    api.live.confirm('QuestionUpdated');
    await jest.advanceTimersByTimeAsync(50);
    const announce = () =>
      api.live.announce('QuestionUpdated', {
        questionUpdated: { __typename: 'QuestionUpdate', questionId: 'q', sequence: 1 },
      });
    announce();
    await jest.advanceTimersByTimeAsync(50);
    expect(reread).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(reread).toHaveBeenCalledTimes(1);
    announce();
    await jest.advanceTimersByTimeAsync(50);
    expect(reread).toHaveBeenCalledTimes(2);
    api.live.confirm('QuestionUpdated');
    await jest.advanceTimersByTimeAsync(50);
    unmount();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(reread).toHaveBeenCalledTimes(2);
  });

  it("refetches once after the reader's own change: at its signal, or without one", async () => {
    const { api, reread, result } = await listen();
    api.live.confirm('QuestionUpdated');
    await jest.advanceTimersByTimeAsync(5_000);
    reread.mockClear();
    result.current();
    await jest.advanceTimersByTimeAsync(50);
    api.live.announce('QuestionUpdated', {
      questionUpdated: { __typename: 'QuestionUpdate', questionId: 'q', sequence: 1 },
    });
    await jest.advanceTimersByTimeAsync(5_000);
    expect(reread).toHaveBeenCalledTimes(1);
    api.live.setRefusing(true);
    api.live.drop();
    result.current();
    result.current();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(reread).toHaveBeenCalledTimes(2);
  });
});
