import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QuestionUpdatedDocument, SpaceSubjectsDocument } from '../../generated/graphql';
import { physics } from '../../testing/ask-fixtures';
import { fakeApi } from '../../testing/fake-api';
import { createApolloClient } from './apollo';
import { accessToken, signIn, signOut, whySignedOut } from '../auth-storage';

const longestWait = 30_000;
const ada = {
  _id: 'ada',
  firstName: 'Ada',
  lastName: 'Lovelace',
  userName: 'ada',
  profileDesc: '',
  realProfilePicUrl: null,
};

beforeEach(() => {
  localStorage.clear();
  // The fake socket responds in microtasks.
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A page with a query and a live subscription. */
async function openPage() {
  const api = fakeApi({ getSubjectsForSpace: () => [physics] });
  const apollo = createApolloClient();
  const heard: unknown[] = [];
  const shown = apollo.watchQuery({ query: SpaceSubjectsDocument, variables: { space: 's' } });
  shown.subscribe({ next: () => undefined });
  apollo
    .subscribe({ query: QuestionUpdatedDocument, variables: { questionId: 'q' } })
    .subscribe({ next: ({ data }) => heard.push(data) });
  await jest.advanceTimersByTimeAsync(50);
  return { api, heard, reads: () => api.calls('SpaceSubjects').length };
}

describe('the WebSocket of live updates', () => {
  it('reconnects, refetches what the page shows, and resubscribes', async () => {
    const { api, heard, reads } = await openPage();
    expect([api.live.listeners('QuestionUpdated').length, reads()]).toEqual([1, 1]);
    api.live.drop();
    expect(api.live.listeners('QuestionUpdated')).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(longestWait);
    expect([api.live.listeners('QuestionUpdated').length, reads()]).toEqual([1, 2]);
    api.live.announce('QuestionUpdated', {
      questionUpdated: { __typename: 'QuestionUpdate', questionId: 'q', sequence: 1 },
    });
    await jest.advanceTimersByTimeAsync(50);
    expect(heard).toHaveLength(1);
  });

  it('reconnects after the server was down for a while', async () => {
    const { api, reads } = await openPage();
    api.live.setRefusing(true);
    api.live.drop();
    await jest.advanceTimersByTimeAsync(5 * 60_000);
    expect(reads()).toBe(1);
    api.live.setRefusing(false);
    await jest.advanceTimersByTimeAsync(longestWait);
    expect([api.live.listeners('QuestionUpdated').length, reads()]).toEqual([1, 2]);
  });

  it('reports the end of its own session, but not of a newer one', async () => {
    signIn('first', ada, true);
    const { api } = await openPage();
    signIn('second', ada, true);
    api.live.askToSignIn('QuestionUpdated');
    await jest.advanceTimersByTimeAsync(50);
    expect(accessToken()).toBe('second');
    signOut();
    signIn('first', ada, true);
    const again = await openPage();
    again.api.live.askToSignIn('QuestionUpdated');
    await jest.advanceTimersByTimeAsync(50);
    expect([accessToken(), whySignedOut()]).toEqual([null, 'ended']);
  });

  it('reconnects as the student who is signed in at that time', async () => {
    signIn('first', ada, true);
    const { api } = await openPage();
    signIn('second', ada, true);
    api.live.drop();
    await jest.advanceTimersByTimeAsync(longestWait);
    expect(api.live.authorizations()).toEqual(['Bearer first', 'Bearer second']);
  });

  it('detects a dead peer that did not close the socket', async () => {
    const { api, reads } = await openPage();
    await jest.advanceTimersByTimeAsync(5 * 60_000);
    expect(reads()).toBe(1);
    api.live.setDead(true);
    await jest.advanceTimersByTimeAsync(25_000);
    api.live.setDead(false);
    await jest.advanceTimersByTimeAsync(2 * longestWait);
    expect(reads()).toBe(2);
  });
});
