import { ApolloLink } from '@apollo/client';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { Subject } from 'rxjs';
import { newestAnswers, invalidatePendingAnswers } from './newest-answer';

/** A link to an API that responds on demand. */
function asking() {
  const waiting: Subject<ApolloLink.Result>[] = [];
  const api = new ApolloLink(() => {
    const answer = new Subject<ApolloLink.Result>();
    waiting.push(answer);
    return answer;
  });
  const link = newestAnswers().concat(api);
  const heard: unknown[] = [];
  const send = (text: string, id: string) =>
    ApolloLink.execute(
      link,
      { query: parse(text), variables: { id } },
      // The link does not use the client.
      { client: undefined as never },
    ).subscribe(({ data }) => heard.push(data));
  return {
    waiting,
    heard,
    ask: (id: string) => send('query Count($id: ID!) { count(id: $id) }', id),
    act: (id: string) => send('mutation Add($id: ID!) { count: add(id: $id) }', id),
    answer(place: number, count: number) {
      waiting[place]?.next({ data: { count } });
      waiting[place]?.complete();
    },
  };
}

describe('answers to queries', () => {
  it('resolves an older request with the newer answer, and keeps queries apart', () => {
    const { ask, answer, heard } = asking();
    ask('a');
    invalidatePendingAnswers();
    ['a', 'b'].forEach(ask);
    invalidatePendingAnswers();
    ask('a');
    answer(2, 7);
    answer(1, 2);
    answer(0, 1);
    answer(3, 3);
    expect(heard).toEqual([{ count: 7 }, { count: 2 }, { count: 2 }, { count: 3 }]);
  });

  it('shares a pending request, and sends a new one afterwards', () => {
    const { waiting, ask, answer, heard } = asking();
    const left = ask('a');
    ask('a');
    left.unsubscribe();
    answer(0, 1);
    expect(heard).toEqual([{ count: 1 }]);
    ask('a');
    expect(waiting).toHaveLength(2);
  });

  it.each([
    ['was notified', invalidatePendingAnswers],
    ['was done', undefined],
  ])('sends a new request after something %s, because the pending answer may be outdated', (_, tell) => {
    const { waiting, ask, act, answer, heard } = asking();
    ask('a');
    if (tell) tell();
    else {
      act('a');
      answer(1, 9);
    }
    ask('a');
    const [before, after] = [0, waiting.length - 1];
    expect(after).toBeGreaterThan(before);
    answer(before, 1);
    answer(after, 2);
    expect(heard.slice(-2)).toEqual([{ count: 1 }, { count: 2 }]);
  });
});
