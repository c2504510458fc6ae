import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { queryLimitsRule } from './query-limits.rule.js';

const schema = buildSchema(`
  type Post { _id: ID! title: String parent: Post children: [Post!]! }
  type Query { post: Post posts: [Post!]! }
  type Mutation { vote: Post }
`);
const problemsOf = (document: string): string[] =>
  validate(schema, parse(document), [queryLimitsRule]).map(({ message }) => message);
const nested = (field: string, times: number): string =>
  `${`${field} { `.repeat(times)} _id ${'}'.repeat(times)}`;

describe('query limits', () => {
  it('let what the screens ask pass', () => {
    expect(problemsOf('{ posts { _id title children { _id title children { _id title } } } }')).toEqual([]);
    expect(problemsOf(`{ post { ${nested('parent', 8)} } }`)).toEqual([]);
  });

  it('stop at depth, also through fragments', () => {
    expect(problemsOf(`{ post { ${nested('parent', 9)} } }`)).toEqual([
      'The query is too deep: at most 10 levels of fields.',
    ]);
    const document = `{ post { ...F } } fragment F on Post { ${nested('parent', 5)} parent { ...G } }
      fragment G on Post { ${nested('parent', 8)} }`;
    expect(problemsOf(document)).toEqual(['The query is too deep: at most 10 levels of fields.']);
  });

  it('count the operations of one request', () => {
    const votes = (count: number) =>
      `mutation { ${Array.from({ length: count }, (_, n) => `a${n}: vote { _id }`).join(' ')} }`;
    expect(problemsOf(votes(5))).toEqual([]);
    expect(problemsOf(votes(6))).toEqual(['The query is too wide: at most 5 fields of the first level.']);
    expect(problemsOf(`mutation { ...F } fragment F on Mutation { ${votes(6).slice(10)}`)).toEqual([
      'The query is too wide: at most 5 fields of the first level.',
    ]);
  });

  it('end for a cycle of fragments', () => {
    expect(problemsOf('{ post { ...F } } fragment F on Post { parent { ...F } }')).toEqual([]);
  });
});
