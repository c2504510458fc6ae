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
const stateOf = (found: PatternFinding, ...triages: PatternTriage[]) => {
  const [{ state, hasGrown, revision } = { state: null, hasGrown: null, revision: null }] = withTriage(
    [found],
    triages,
  );
  return [state, hasGrown, revision];
};

describe('a triaged pattern', () => {
  it('is new until it is triaged', () => expect(stateOf(finding())).toEqual(['NEW', false, 0]));
  it.each(['SEEN', 'HARMLESS', 'WATCHED'] as const)('stays %s while it does not grow', (verdict) => {
    expect(stateOf(finding(), triage(verdict))).toEqual([verdict, false, 2]);
    expect(stateOf(finding({ votes: 12 }), triage(verdict))).toEqual([verdict, false, 2]);
  });
  it('grows with one more vote, and is new again if it was harmless', () => {
    const grown = finding({ votes: 21 });
    expect(stateOf(grown, triage('WATCHED'))).toEqual(['WATCHED', true, 2]);
    expect(stateOf(grown, triage('SEEN'))).toEqual(['SEEN', true, 2]);
    expect(stateOf(grown, triage('HARMLESS'))).toEqual(['NEW', true, 2]);
  });
  it('is the same group with one member more, which counts as growth, or one fewer, which does not', () => {
    const larger = finding({ id: 'ring-2', studentIds: ['a', 'b', 'c', 'd'] });
    expect(stateOf(larger, triage('WATCHED'))).toEqual(['WATCHED', true, 0]);
    expect(stateOf(larger, triage('HARMLESS'))).toEqual(['NEW', true, 0]);
    const pair = finding({ id: 'pair-1', kind: 'PAIR', studentIds: ['a', 'b'], votes: 12 });
    expect(stateOf(pair, triage('HARMLESS'))).toEqual(['HARMLESS', false, 0]);
    expect(stateOf(finding({ id: 'ring-3', studentIds: ['a', 'b', 'x'] }), triage('HARMLESS'))).toEqual([
      'NEW',
      false,
      0,
    ]);
  });
  it('prefers its own triage to that of a subgroup', () => {
    const part = triage('HARMLESS', { patternId: 'pair-1', kind: 'PAIR', studentIds: ['a', 'b'], votes: 8 });
    expect(stateOf(finding(), part, triage('SEEN'))).toEqual(['SEEN', false, 2]);
  });
  it('is a different pattern if the kind differs', () => {
    const burst = finding({ id: 'burst-1', kind: 'BURST', studentIds: ['a', 'b'] });
    expect(stateOf(burst, triage('HARMLESS'))).toEqual(['NEW', false, 0]);
  });
  it('grows by its votes only, if it is a star with unlisted accounts', () => {
    const shown = (first: number) => Array.from({ length: 41 }, (_, index) => `s${first + index}`);
    const star = finding({ id: 'star-1', kind: 'STAR', studentIds: shown(1), votes: 400 });
    const harmless = triage('HARMLESS', {
      patternId: 'star-1',
      kind: 'STAR',
      studentIds: shown(0),
      votes: 400,
    });
    expect(stateOf(star, harmless)).toEqual(['HARMLESS', false, 2]);
    expect(stateOf({ ...star, votes: 401 }, harmless)).toEqual(['NEW', true, 2]);
  });
});
