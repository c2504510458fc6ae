import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AddAnswerCommentDocument, SpaceSubjectsDocument } from '../../generated/graphql';
import { physics } from '../../testing/ask-fixtures';
import { apiError, fakeApi } from '../../testing/fake-api';
import { createApolloClient } from './apollo';
import { errorText } from './errors';

const comment = { mutation: AddAnswerCommentDocument, variables: { answerId: 'a', body: 'Good point.' } };
/** The real timer, to let responses arrive. */
const turn = setTimeout;
const AWAY = 'Something went wrong! Please try again after 10 minutes.';

beforeEach(() => {
  localStorage.clear();
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** An API that is unavailable for the first calls. */
function apiAwayFor(calls: number, rule?: string) {
  let left = calls;
  const unlessAway =
    <Answer>(answer: Answer) =>
    (): Answer => {
      left -= 1;
      if (left >= 0) throw apiError(AWAY, 'UNAVAILABLE', undefined, rule);
      return answer;
    };
  return fakeApi({
    createComment: unlessAway({ _id: 'c' }),
    getSubjectsForSpace: unlessAway([physics]),
  });
}

/** The final answer after all retries. */
async function answerOf<Answer>(asking: Promise<Answer>): Promise<Answer | string> {
  let answer: Answer | string | undefined;
  asking.then(
    (given) => (answer = given),
    (error: unknown) => (answer = errorText(error)),
  );
  while (answer === undefined) {
    await jest.advanceTimersByTimeAsync(250);
    await new Promise((resolve) => turn(resolve, 0));
  }
  return answer;
}

describe('a mutation while a component of the server is unavailable', () => {
  it('is retried with the same key', async () => {
    const api = apiAwayFor(2);
    const answer = await answerOf(createApolloClient().mutate(comment));
    // The fake comment lacks fields of the query, but it is an answer.
    expect(answer).not.toBe(AWAY);
    const keys = api.calls('AddAnswerComment').map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('fails after a few attempts', async () => {
    const api = apiAwayFor(50);
    expect(await answerOf(createApolloClient().mutate(comment))).toBe(AWAY);
    expect(api.calls('AddAnswerComment')).toHaveLength(3);
  });

  it('is not retried if a rule refused it', async () => {
    const api = apiAwayFor(50, 'SUBSCRIPTIONS_AT_ONCE');
    await answerOf(createApolloClient().mutate(comment));
    expect(api.calls('AddAnswerComment')).toHaveLength(1);
  });

  it('does not include queries, which retry on their own', async () => {
    const api = apiAwayFor(50);
    await answerOf(createApolloClient().query({ query: SpaceSubjectsDocument, variables: { space: 's' } }));
    expect(api.calls('SpaceSubjects')).toHaveLength(1);
  });
});
