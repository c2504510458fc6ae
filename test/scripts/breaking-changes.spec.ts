import { describe, expect, it } from '@jest/globals';
import { compareSchemas } from '../../scripts/checks/breaking-changes.mjs';

const PUBLISHED = 'type Query { name(first: Int): String! old: String } enum Sort { NEW OLD }';
const nothing = { unannounced: [], dangerous: [], obsolete: [] };

describe('the published schema', () => {
  it('allows additions', () => {
    const current =
      'type Query { name(first: Int, after: ID): String! old: String more: Int } enum Sort { NEW OLD }';
    expect(compareSchemas(PUBLISHED, current, '')).toEqual({
      ...nothing,
      dangerous: ['An optional arg after on Query.name was added.'],
    });
  });

  it.each([
    [
      'a removed field',
      'type Query { name(first: Int): String! } enum Sort { NEW OLD }',
      'Query.old was removed.',
    ],
    [
      'a required argument',
      'type Query { name(first: Int!): String! old: String } enum Sort { NEW OLD }',
      'Query.name arg first has changed type from Int to Int!.',
    ],
    [
      'a removed enum value',
      'type Query { name(first: Int): String! old: String } enum Sort { NEW }',
      'OLD was removed from enum type Sort.',
    ],
    [
      'a type that became nullable',
      'type Query { name(first: Int): String old: String } enum Sort { NEW OLD }',
      'Query.name changed type from String! to String.',
    ],
  ])('requires an announcement of %s', (_, current, change) => {
    expect(compareSchemas(PUBLISHED, current, '').unannounced).toEqual([change]);
    const announced = `- 2026-11-24 · \`${change}\` · unused`;
    expect(compareSchemas(PUBLISHED, current, announced)).toEqual(nothing);
    // An announcement needs a date and a reason.
    expect(compareSchemas(PUBLISHED, current, `- \`${change}\``).unannounced).toEqual([change]);
  });

  it('reports announcements of changes that were not made', () => {
    const announced = '- 2026-11-24 · `Query.old was removed.` · unused';
    expect(compareSchemas(PUBLISHED, PUBLISHED, announced).obsolete).toEqual(['Query.old was removed.']);
  });
});
