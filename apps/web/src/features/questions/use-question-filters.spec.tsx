import { describe, expect, it, jest } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Router, type Navigator } from 'react-router-dom';
import { noFilters, withToggle } from './question-filters';
import { useQuestionFilters } from './use-question-filters';

/** A router that has heard of the new address and not yet come to follow it. */
function renderFilters() {
  const push = jest.fn<Navigator['push']>();
  const navigator: Navigator = { push, replace: jest.fn(), go: jest.fn(), createHref: () => '' };
  const { result } = renderHook(() => useQuestionFilters(), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <Router location="/dashboard?subject=s1&question=q1" navigator={navigator}>
        {children}
      </Router>
    ),
  });
  return { result, push };
}

describe('useQuestionFilters', () => {
  it('shows what was chosen before the address follows', () => {
    const { result } = renderFilters();
    expect(result.current).toMatchObject({ filters: { subject: 's1' }, selectedId: 'q1' });
    act(() => result.current.setFilters(noFilters));
    expect(result.current).toMatchObject({ filters: noFilters, selectedId: null });
  });

  it('adds the next choice to the last one, and brings nothing back', () => {
    const { result, push } = renderFilters();
    act(() => result.current.setFilters(noFilters));
    act(() => result.current.setFilters(withToggle(result.current.filters, 'unsolvedQuestions')));
    expect(push).toHaveBeenLastCalledWith(
      expect.objectContaining({ search: '?unsolvedQuestions=true' }),
      undefined,
      expect.anything(),
    );
  });

  it('shows what the address says to whoever went back before the router came to follow', () => {
    const { result } = renderFilters();
    act(() => result.current.setFilters(noFilters));
    act(() => void window.dispatchEvent(new PopStateEvent('popstate')));
    expect(result.current).toMatchObject({ filters: { subject: 's1' }, selectedId: 'q1' });
  });
});
