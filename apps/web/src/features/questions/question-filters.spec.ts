import { describe, expect, it } from '@jest/globals';
import {
  activeCount,
  filtersFrom,
  noFilters,
  queryOf,
  searchParamsOf,
  withSubject,
  withToggle,
} from './question-filters';

const from = (search: string) => filtersFrom(new URLSearchParams(search));

describe('filters in the URL', () => {
  it('survive a round trip', () => {
    const search = 'sort=2&subject=s1&topic=t1&unsolvedQuestions=true&myQuestions=true&savedQuestions=true';
    expect(searchParamsOf(from(search)).toString()).toBe(search);
  });

  it('are empty by default', () => {
    expect(searchParamsOf(noFilters).toString()).toBe('');
    expect(activeCount(noFilters)).toBe(0);
  });

  it.each(['sort=3', 'sort=-1', 'sort=drop', 'topic=t1', 'myQuestions=yes', 'page=7'])(
    'ignore %s',
    (search) => {
      expect(activeCount(from(search))).toBe(0);
    },
  );

  it.each([
    ['sort=2&subject=s1&topic=t1&unsolvedQuestions=true', 4],
    ['myQuestions=true&savedQuestions=true', 2],
  ])('are counted in %s', (search, count) => expect(activeCount(from(search))).toBe(count));

  it('never combine solved and unsolved', () => {
    expect([...from('solvedQuestions=true&unsolvedQuestions=true').toggles]).toEqual(['unsolvedQuestions']);
  });
});

describe('withToggle', () => {
  it('makes solved and unsolved exclude each other', () => {
    const solved = withToggle(withToggle(noFilters, 'unsolvedQuestions'), 'solvedQuestions');
    expect([...solved.toggles]).toEqual(['solvedQuestions']);
    expect([...withToggle(solved, 'unsolvedQuestions').toggles]).toEqual(['unsolvedQuestions']);
  });

  it('combines the others, and turns off an active one', () => {
    const both = withToggle(withToggle(noFilters, 'myQuestions'), 'savedQuestions');
    expect([...both.toggles]).toEqual(['myQuestions', 'savedQuestions']);
    expect([...withToggle(both, 'myQuestions').toggles]).toEqual(['savedQuestions']);
  });
});

describe('withSubject', () => {
  it('drops the topic of another subject', () => {
    const filters = from('subject=s1&topic=t1');
    expect(withSubject(filters, 's2').topic).toBeNull();
    expect(withSubject(filters, null).topic).toBeNull();
    expect(withSubject(filters, 's1').topic).toBe('t1');
  });
});

describe('queryOf', () => {
  it('starts at page 1 of 20 and includes only active filters', () => {
    expect(queryOf(from('sort=2&subject=s1&solvedQuestions=true'), 'space')).toEqual({
      page: 1,
      limit: 20,
      sort: 2,
      queryVals: { space: 'space', scope: 'world', subject: 's1', solvedQuestions: true },
    });
  });
});
