import type { PatternVerdict } from '@nimo/domain';
import { describe, expect, it } from '@jest/globals';
import type { PatternFinding } from './find-patterns.js';
import { type PatternTriage, withTriage } from './triage.js';

const finding = (changes: Partial<PatternFinding> = {}): PatternFinding => ({
  ...{ id: 'ring-1', kind: 'RING', studentIds: ['a', 'b', 'c'], links: [], votes: 20, expected: 2 },
  ...{ chanceLog10: -9, newAccounts: null, from: null, until: null, ...changes },
});
const triage = (verdict: PatternVerdict, changes: Partial<PatternTriage> = {}): PatternTriage => ({
  ...{ patternId: 'ring-1', kind: 'RING', verdict, moderatorId: 'm', at: '2026-11-20T08:00:00.000Z' },
  ...{ votes: 20, studentIds: ['a', 'b', 'c'], revision: 2, ...changes },
});
const told = (found: PatternFinding, ...triages: PatternTriage[]) => {
  const [{ state, hasGrown, revision } = { state: null, hasGrown: null, revision: null }] = withTriage(
    [found],
    triages,
  );
  return [state, hasGrown, revision];
};

describe('a triaged pattern', () => {
  it('is new before anybody triaged it', () => expect(told(finding())).toEqual(['NEW', false, 0]));
  it.each(['SEEN', 'HARMLESS', 'WATCHED'] as const)(
    'is %s as long as it is what was judged, or less',
    (verdict) => {
      expect(told(finding(), triage(verdict))).toEqual([verdict, false, 2]);
      expect(told(finding({ votes: 12 }), triage(verdict))).toEqual([verdict, false, 2]);
    },
  );
  it('is shown as grown with one more vote; one found harmless comes back', () => {
    const grown = finding({ votes: 21 });
    expect(told(grown, triage('WATCHED'))).toEqual(['WATCHED', true, 2]);
    expect(told(grown, triage('SEEN'))).toEqual(['SEEN', true, 2]);
    expect(told(grown, triage('HARMLESS'))).toEqual(['NEW', true, 2]);
  });
  it('is the same group with another member, which counts as growth, or with one fewer, which does not', () => {
    const larger = finding({ id: 'ring-2', studentIds: ['a', 'b', 'c', 'd'] });
    expect(told(larger, triage('WATCHED'))).toEqual(['WATCHED', true, 0]);
    expect(told(larger, triage('HARMLESS'))).toEqual(['NEW', true, 0]);
    const pair = finding({ id: 'pair-1', kind: 'PAIR', studentIds: ['a', 'b'], votes: 12 });
    expect(told(pair, triage('HARMLESS'))).toEqual(['HARMLESS', false, 0]);
    expect(told(finding({ id: 'ring-3', studentIds: ['a', 'b', 'x'] }), triage('HARMLESS'))).toEqual([
      'NEW',
      false,
      0,
    ]);
  });
  it('is judged by what was made of it itself before what was made of a part', () => {
    const part = triage('HARMLESS', { patternId: 'pair-1', kind: 'PAIR', studentIds: ['a', 'b'], votes: 8 });
    expect(told(finding(), part, triage('SEEN'))).toEqual(['SEEN', false, 2]);
  });
  it('is another one of another shape', () => {
    const burst = finding({ id: 'burst-1', kind: 'BURST', studentIds: ['a', 'b'] });
    expect(told(burst, triage('HARMLESS'))).toEqual(['NEW', false, 0]);
  });
  it('has grown as a star of more accounts than are shown by its votes alone', () => {
    const shown = (first: number) => Array.from({ length: 41 }, (_, place) => `s${first + place}`);
    const star = finding({ id: 'star-1', kind: 'STAR', studentIds: shown(1), votes: 400 });
    const judged = triage('HARMLESS', {
      patternId: 'star-1',
      kind: 'STAR',
      studentIds: shown(0),
      votes: 400,
    });
    expect(told(star, judged)).toEqual(['HARMLESS', false, 2]);
    expect(told({ ...star, votes: 401 }, judged)).toEqual(['NEW', true, 2]);
  });
});
