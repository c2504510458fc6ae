import { describe, expect, it } from '@jest/globals';
import { ballotsOf, honestBallots, patternsOf, randomFrom } from '../testing/voting.fixture.js';
import type { PatternFinding } from './find-patterns.js';

const summary = (findings: readonly PatternFinding[]) =>
  findings.map(({ kind, studentIds }) => [kind, ...studentIds]);
/** Everyone has posts. */
const writing = () => 20;
const crowd = () => honestBallots(randomFrom(7), 60, 1_500);
const mutual = (votes: number, ...people: readonly string[]) =>
  people.flatMap((voter) =>
    people.filter((author) => author !== voter).flatMap((author) => ballotsOf(voter, author, votes)),
  );

describe('findPatterns', () => {
  it('finds nothing in 99 of 100 spaces with random votes', () => {
    const suspected: number[] = [];
    for (let seed = 1; seed <= 200; seed += 1) {
      const random = randomFrom(seed);
      const students = 5 + Math.floor(random() * 60);
      const ballots = honestBallots(random, students, 50 + Math.floor(random() * 600));
      if (patternsOf(ballots).length > 0) suspected.push(seed);
    }
    expect(suspected.length).toBeLessThanOrEqual(2);
  });

  it('finds two accounts that vote for each other', () => {
    const [pair, ...others] = patternsOf([...crowd(), ...mutual(12, 'ann', 'bea')], writing);
    expect(summary(others)).toEqual([]);
    expect(pair).toMatchObject({ kind: 'PAIR', studentIds: ['ann', 'bea'], votes: 24 });
    expect(pair?.expected).toBeLessThan(2);
    expect(pair?.chanceLog10).toBeLessThan(-8);
    expect(pair?.links).toHaveLength(2);
  });

  it('ignores one-sided votes', () => {
    const ballots = [...crowd(), ...ballotsOf('ann', 'bea', 12), ...ballotsOf('ann', 'student-3', 3)];
    expect(summary(patternsOf(ballots, writing))).toEqual([]);
  });

  it('finds a ring, with or without mutual votes', () => {
    expect(summary(patternsOf([...crowd(), ...mutual(8, 'ann', 'bea', 'cid')], writing))).toEqual([
      ['RING', 'ann', 'bea', 'cid'],
    ]);
    const circle = [
      ballotsOf('ann', 'bea', 10),
      ballotsOf('bea', 'cid', 10),
      ballotsOf('cid', 'ann', 10),
    ].flat();
    expect(summary(patternsOf([...crowd(), ...circle], writing))).toEqual([['RING', 'ann', 'bea', 'cid']]);
  });

  it('finds a ring whose pairs are not significant on their own', () => {
    const small = honestBallots(randomFrom(9), 12, 90);
    expect(summary(patternsOf([...small, ...mutual(4, 'ann', 'bea')], writing))).toEqual([]);
    const [ring, ...others] = patternsOf([...small, ...mutual(4, 'ann', 'bea', 'cid')], writing);
    expect(others).toEqual([]);
    expect(ring).toMatchObject({ kind: 'RING', studentIds: ['ann', 'bea', 'cid'], votes: 24 });
    expect(ring?.links).toHaveLength(6);
    expect(summary(patternsOf([...small, ...mutual(2, 'ann', 'bea', 'cid')], writing))).toEqual([]);
  });

  it('finds a ring with two votes per link, but not among three students', () => {
    const six = ['ann', 'bea', 'cid', 'dan', 'eve', 'fay'];
    for (const votes of [2, 3])
      expect(summary(patternsOf([...crowd(), ...mutual(votes, ...six)], writing))).toEqual([
        ['RING', ...six],
      ]);
    expect(patternsOf([...crowd(), ...mutual(2, 'ann', 'bea', 'cid')], writing)).toEqual([]);
  });

  it('finds six of eleven authors who give each other nearly half of all votes', () => {
    const authors = Array.from({ length: 11 }, (_, index) => `author-${index + 10}`);
    const six = authors.slice(0, 6);
    const random = randomFrom(664);
    const honest = Array.from({ length: 364 }, (_, vote) => {
      const voter = vote % 3 === 0 ? (six[vote % 6] ?? '') : `reader-${vote % 40}`;
      const popular = authors.filter((author) => author !== voter);
      return ballotsOf(voter, popular[Math.floor(popular.length * random() ** 0.6)] ?? '', 1);
    }).flat();
    const votes = [...honest, ...mutual(10, ...six)];
    expect(votes).toHaveLength(664);
    expect(summary(patternsOf(votes, writing))).toEqual([['RING', ...six]]);
    expect(patternsOf(honest, writing)).toEqual([]);
  });

  it('compares with votes by stand-ins of an import', () => {
    const six = ['ann', 'bea', 'cid', 'dan', 'eve', 'fay'];
    const imported = crowd().map((ballot, index) => ({
      ...ballot,
      voterId: `stand-in-${index}`,
      isStandIn: true,
    }));
    expect(patternsOf(mutual(10, ...six), writing)).toEqual([]);
    expect(summary(patternsOf([...imported, ...mutual(10, ...six)], writing))).toEqual([['RING', ...six]]);
    const puppets = Array.from({ length: 8 }, (_, index) => ballotsOf(`puppet-${index}`, 'ann', 7)).flat();
    expect(patternsOf(puppets)).toEqual([]);
    expect(summary(patternsOf([...imported, ...puppets])).map(([kind, author]) => [kind, author])).toEqual([
      ['STAR', 'ann'],
    ]);
  });

  it.each([7, 9, 10])('reports a star of eight accounts with %i votes within minutes once', (votes) => {
    const puppets = Array.from({ length: 8 }, (_, index) =>
      ballotsOf(`puppet-${index}`, 'ann', votes, 0.5),
    ).flat();
    const found = patternsOf([...crowd(), ...puppets]);
    expect(found.map(({ kind, studentIds: [author] }) => [kind, author])).toEqual([['STAR', 'ann']]);
  });

  it('reports a ring that votes within minutes once', () => {
    const burst = mutual(10, 'ann', 'bea', 'cid').map((ballot) => ({ ...ballot, at: ballot.at / 120 }));
    expect(summary(patternsOf([...crowd(), ...burst], writing))).toEqual([['RING', 'ann', 'bea', 'cid']]);
  });

  it('gives links their own probabilities, separate from the ring’s', () => {
    const small = honestBallots(randomFrom(9), 12, 90);
    const [ring] = patternsOf([...small, ...mutual(4, 'ann', 'bea', 'cid')], writing);
    expect(ring?.chanceLog10).toBeLessThan(-6);
    for (const { chanceLog10 } of ring?.links ?? []) expect(chanceLog10).toBeGreaterThan(-2);
    const [pair] = patternsOf([...crowd(), ...mutual(12, 'ann', 'bea')], writing);
    for (const { chanceLog10 } of pair?.links ?? [])
      expect(chanceLog10).toBeGreaterThan((pair?.chanceLog10 ?? 0) / 1.5);
  });

  it('ignores friends who give most of their votes to others', () => {
    const reads = (voter: string) =>
      Array.from({ length: 30 }, (_, index) => ballotsOf(voter, `student-${index}`, 1)).flat();
    const friends = [...reads('ann'), ...reads('bea'), ...mutual(7, 'ann', 'bea')];
    expect(summary(patternsOf([...crowd(), ...friends], writing))).toEqual([]);
    const heavy = [...reads('ann'), ...reads('bea'), ...mutual(15, 'ann', 'bea')];
    expect(summary(patternsOf([...crowd(), ...heavy], writing))).toEqual([['PAIR', 'ann', 'bea']]);
  });

  it('ignores a group that outsiders vote for just as often', () => {
    const outside = Array.from({ length: 12 }, (_, reader) =>
      ['ann', 'bea', 'cid'].flatMap((author) => ballotsOf(`reader-${reader}`, author, 4)),
    );
    expect(patternsOf([...outside.flat(), ...mutual(4, 'ann', 'bea', 'cid')], writing)).toEqual([]);
  });

  it('finds a burst of votes, but not the same votes over weeks', () => {
    const usual = honestBallots(randomFrom(8), 60, 1_500);
    const burst = ballotsOf('student-1', 'student-50', 10, 0.5).map((ballot) => ({
      ...ballot,
      direction: 'DOWN' as const,
    }));
    const [found] = patternsOf([...usual, ...burst]);
    expect(found).toMatchObject({ kind: 'BURST', studentIds: ['student-1', 'student-50'], votes: 10 });
    expect(found?.links).toMatchObject([{ direction: 'DOWN', given: 10 }]);
    expect([found?.from, found?.until]).toEqual(['0', '4.5']);
    const slow = burst.map((ballot, index) => ({ ...ballot, at: index * 5_000 }));
    expect(summary(patternsOf([...usual, ...slow])).filter(([kind]) => kind === 'BURST')).toEqual([]);
  });

  it('finds an account that only votes for one person', () => {
    const ballots = [...crowd(), ...ballotsOf('sock', 'ann', 14), ...ballotsOf('sock', 'student-2', 1)];
    expect(summary(patternsOf(ballots))).toEqual([['ONE_PERSON', 'sock', 'ann']]);
    const writes = (studentId: string) => (studentId === 'sock' ? 5 : 0);
    expect(patternsOf(ballots, writes)).toEqual([]);
  });

  it('does not suspect the only author of a space', () => {
    const class_ = Array.from({ length: 20 }, (_, pupil) => ballotsOf(`pupil-${pupil}`, 'teacher', 15, 0.5));
    expect(patternsOf(class_.flat())).toEqual([]);
  });

  it('keeps the id of a finding while its people are the same', () => {
    const idOf = (votes: number, seed: number) =>
      patternsOf([...honestBallots(randomFrom(seed), 60, 1_500), ...mutual(votes, 'ann', 'bea')], writing)[0]
        ?.id;
    expect(idOf(12, 1)).toBe(idOf(15, 2));
    expect(idOf(12, 1)).toMatch(/^pair-[0-9a-f]{16}$/);
  });
});
