import { describe, expect, it } from '@jest/globals';
import { compareSchemas } from '../../scripts/checks/breaking-changes.mjs';

const PUBLISHED = 'type Query { name(first: Int): String! old: String } enum Sort { NEW OLD }';
const nothing = { unannounced: [], dangerous: [], obsolete: [] };

describe('the published schema', () => {
  it('is kept by what only adds', () => {
    const current =
      'type Query { name(first: Int, after: ID): String! old: String more: Int } enum Sort { NEW OLD }';
    expect(compareSchemas(PUBLISHED, current, '')).toEqual({
      ...nothing,
      dangerous: ['An optional arg after on Query.name was added.'],
    });
  });

  it.each([
    ['a field', 'type Query { name(first: Int): String! } enum Sort { NEW OLD }', 'Query.old was removed.'],
    [
      'an argument that must be given',
      'type Query { name(first: Int!): String! old: String } enum Sort { NEW OLD }',
      'Query.name arg first has changed type from Int to Int!.',
    ],
    [
      'a value',
      'type Query { name(first: Int): String! old: String } enum Sort { NEW }',
      'OLD was removed from enum type Sort.',
    ],
    [
      'a type that may be null now',
      'type Query { name(first: Int): String old: String } enum Sort { NEW OLD }',
      'Query.name changed type from String! to String.',
    ],
  ])('is broken by %s', (_, current, change) => {
    expect(compareSchemas(PUBLISHED, current, '').unannounced).toEqual([change]);
    const announced = `- 2026-11-24 · \`${change}\` · nobody used it`;
    expect(compareSchemas(PUBLISHED, current, announced)).toEqual(nothing);
    // A date and a reason are part of it.
    expect(compareSchemas(PUBLISHED, current, `- \`${change}\``).unannounced).toEqual([change]);
  });

  it('is not said to have lost what is there', () => {
    const announced = '- 2026-11-24 · `Query.old was removed.` · nobody used it';
    expect(compareSchemas(PUBLISHED, PUBLISHED, announced).obsolete).toEqual(['Query.old was removed.']);
  });
});
