import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  getOperationAST,
  isListType,
  getNullableType,
  isObjectType,
  parse,
} from 'graphql';
import { untrustedDocumentCost, DOCUMENT_LIMITS } from './untrusted-documents.js';

const schema = buildSchema(`
  input PaginateOptions { page: Int limit: Int }
  type Posts { total: Int docs: [Post!]! }
  type Post { _id: ID! title: String tags: [String!]! parent: Post children: [Post!]! }
  type Query { post(id: ID): Post posts(paginateOptions: PaginateOptions): Posts search(limit: Int = 7): [Post!]! }
  type Mutation { vote: Post }
`);

function costOf(text: string, variables?: Readonly<Record<string, unknown>>): number {
  const document = parse(text);
  const operation = getOperationAST(document, 'Q') ?? getOperationAST(document);
  if (!operation) throw new Error('the document has no operation');
  return untrustedDocumentCost(schema, document, operation, variables);
}
/** The rule that rejects it. */
function ruleOf(text: string, variables?: Readonly<Record<string, unknown>>): unknown {
  try {
    costOf(text, variables);
    return undefined;
  } catch (error) {
    return (error as { readonly extensions: Record<string, unknown> }).extensions['rule'];
  }
}
const nested = (times: number): string => `${'parent { '.repeat(times)} _id ${'}'.repeat(times)}`;
const votes = (count: number): string =>
  `{ ${Array.from({ length: count }, (_, n) => `a${n}: vote { _id }`).join(' ')} }`;

describe('an untrusted document', () => {
  it('is rejected beyond ten levels, also through fragments', () => {
    expect(ruleOf(`{ post { ${nested(8)} } }`)).toBeUndefined();
    expect(ruleOf(`{ post { ${nested(9)} } }`)).toBe('QUERY_TOO_DEEP');
    const document = `{ post { ...F } } fragment F on Post { ${nested(5)} parent { ...G } } fragment G on Post { ${nested(8)} }`;
    expect(ruleOf(document)).toBe('QUERY_TOO_DEEP');
    expect(ruleOf('{ post { ...F ... on Post { ...F } } } fragment F on Post { _id }')).toBeUndefined();
  });

  it('is rejected beyond five aliases, also through fragments', () => {
    expect(ruleOf(`mutation ${votes(5)}`)).toBeUndefined();
    expect(ruleOf(`mutation ${votes(6)}`)).toBe('QUERY_TOO_WIDE');
    expect(ruleOf(`mutation { ...F ...F } fragment F on Mutation ${votes(6)}`)).toBe('QUERY_TOO_WIDE');
    const inside = Array.from('abcdef', (name) => `${name}: _id`).join(' ');
    expect(ruleOf(`{ post { ${inside} } }`)).toBe('QUERY_TOO_WIDE');
  });

  it('costs its fields multiplied by the page size', () => {
    const page = (argument: string): string => `posts${argument} { docs { _id title } }`;
    expect(costOf('{ post { _id title } }')).toBe(3);
    expect(costOf(`{ ${page('(paginateOptions: { limit: 20 })')} }`)).toBe(1 + 20 * 3);
    expect(costOf(`{ ${page('')} }`)).toBe(1 + 100 * 3);
    expect(costOf('{ search { _id } }')).toBe(1 + 7);
    expect(costOf('{ search(limit: 3) { tags children { _id } } }')).toBe(1 + 3 * (1 + 11));
  });

  it('takes page sizes from variables', () => {
    const byOptions =
      'query ($options: PaginateOptions) { posts(paginateOptions: $options) { docs { _id } } }';
    expect(costOf(byOptions, { options: { limit: 4 } })).toBe(1 + 4 * 2);
    expect(costOf(byOptions, { options: null })).toBe(1 + 100 * 2);
    const byDefault =
      'query ($limit: Int = 4) { posts(paginateOptions: { limit: $limit }) { docs { _id } } }';
    expect(costOf(byDefault)).toBe(1 + 4 * 2);
    expect(costOf(byDefault, { limit: 9 })).toBe(1 + 9 * 2);
  });

  it('is rejected when it costs too much', () => {
    const children = 'children { children { _id } }';
    expect(ruleOf(`{ search(limit: 100) { ${children} } }`)).toBeUndefined();
    expect(ruleOf(`{ search(limit: 100) { children { ${children} } } }`)).toBe('QUERY_TOO_COSTLY');
    // Excessive page sizes are left to the resolver.
    expect(ruleOf('{ search(limit: 2000000000) { _id } }')).toBeUndefined();
  });

  it('is rejected when fragments spread each other twice', () => {
    const doubled = Array.from(
      { length: 60 },
      (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`,
    );
    const text = `{ ...F0 } ${doubled.join(' ')} fragment F60 on Query { __typename }`;
    expect(ruleOf(text)).toBe('QUERY_TOO_COSTLY');
  });

  it('leaves invalid variables to the executor', () => {
    expect(costOf('query ($limit: Int) { search(limit: $limit) { _id } }', { limit: 'many' })).toBe(0);
  });

  it('costs what the selected operation costs', () => {
    const other = `query Other { search(limit: 900) { children { children { _id } } } }`;
    expect(costOf(`query Q { post { _id } } ${other}`)).toBe(2);
    expect(DOCUMENT_LIMITS.cost).toBeLessThan(900 * 100);
  });
});

describe('every paginated field of the schema', () => {
  it('has a size argument', () => {
    const own = buildSchema(readFileSync('apps/api/schema.graphql', 'utf8'));
    const fields = Object.values(own.getTypeMap())
      .filter(isObjectType)
      .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));
    const pages = new Set(
      fields
        .filter(({ field }) => ['docs', 'hits', 'nodes'].includes(field.name))
        .filter(({ field }) => isListType(getNullableType(field.type)))
        .map(({ type }) => type.name),
    );
    const unlimited = fields
      .filter(({ field }) => pages.has(getNamedType(field.type).name))
      .filter(
        ({ field }) => !field.args.some(({ name }) => ['paginateOptions', 'limit', 'first'].includes(name)),
      )
      .map(({ type, field }) => `${type.name}.${field.name}`);
    expect([pages.size > 10, unlimited]).toEqual([true, []]);
  });
});
