import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { v4 as uuid } from 'uuid';
import { hidePosts, useHiddenPosts } from './hidden-posts';
import { reportTypes, wireTypeOf, type ReportType } from './report-type';

let studentId: string;
let key: string;

beforeEach(() => {
  localStorage.clear();
  studentId = uuid();
  key = `hiddenPosts:${studentId}`;
});

const hidden = (type: ReportType) => [...renderHook(() => useHiddenPosts(studentId, type)).result.current];
const stored = () => JSON.parse(localStorage.getItem(key) ?? 'null') as unknown;

it.each([
  ['QUESTION', 'QUESTION'],
  ['ANSWER', 'ANSWER'],
  ['QUESTION_COMMENT', 'QUESTION_COMMENT'],
  ['ANSWER_COMMENT', 'COMMENT'],
] as const)('maps %s to %s in the API', (type, wireType) => {
  expect(reportTypes).toContain(type);
  expect(wireTypeOf(type)).toBe(wireType);
});

describe('hidden posts', () => {
  it("are stored by the app's own type", () => {
    const { result } = renderHook(() => useHiddenPosts(studentId, 'ANSWER_COMMENT'));
    act(() => hidePosts(studentId, 'ANSWER_COMMENT', ['a', 'b']));
    act(() => hidePosts(studentId, 'ANSWER_COMMENT', ['b', 'c']));
    expect([...result.current]).toEqual(['a', 'b', 'c']);
    expect(stored()).toEqual({ ANSWER_COMMENT: ['a', 'b', 'c'] });
    expect(hidden('QUESTION_COMMENT')).toEqual([]);
  });

  it.each(['not json', 'null', '{"COMMENT":7}', '{"ANSWER_COMMENT":{"a":1}}'])(
    'ignore %s in the storage',
    (broken) => {
      localStorage.setItem(key, broken);
      expect(hidden('ANSWER_COMMENT')).toEqual([]);
    },
  );
});
