import { describe, expect, it } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { useOpenQuestion } from './dashboard-screen';

interface Shown {
  selected?: string;
  ids: readonly string[] | undefined;
  list?: string;
}

const open = (first: Shown) =>
  renderHook(
    ({ selected, ids, list = '' }: Shown) =>
      useOpenQuestion(
        selected ?? null,
        ids?.map((_id) => ({ _id })),
        list,
      ),
    { initialProps: first },
  );

describe('the question next to the list', () => {
  it('stays the same when others come before it, and while the list is refetched', () => {
    const { result, rerender } = open({ ids: undefined });
    expect(result.current).toBeUndefined();
    rerender({ ids: ['a', 'b'] });
    expect(result.current).toBe('a');
    rerender({ ids: ['new', 'a', 'b'] });
    expect(result.current).toBe('a');
    rerender({ ids: undefined });
    expect(result.current).toBe('a');
    rerender({ ids: ['newer', 'new', 'a'] });
    expect(result.current).toBe('a');
  });

  it('is the first again when it is gone, and in another list', () => {
    const { result, rerender } = open({ ids: ['a', 'b'] });
    rerender({ ids: ['b', 'c'] });
    expect(result.current).toBe('b');
    rerender({ ids: ['c', 'b'], list: 'sort=2' });
    expect(result.current).toBe('c');
  });

  it('is the selected one, if any', () => {
    const { result, rerender } = open({ ids: ['a', 'b'] });
    rerender({ ids: ['a', 'b'], selected: 'b' });
    expect(result.current).toBe('b');
    rerender({ ids: ['new', 'a', 'b'] });
    expect(result.current).toBe('a');
  });
});
