import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildSchema, Kind, parse, separateOperations, type DocumentNode } from 'graphql';
import { weightOf } from './document-weight.js';
import { QUERY_LIMITS } from './query-limits.rule.js';

const WEB = 'apps/web/src';
/** Of each limit: what the screens ask for may grow a good deal before anybody has to think of it. */
const SHARE = 0.65;

const schema = buildSchema(readFileSync('apps/api/schema.graphql', 'utf8'));
const document: DocumentNode = {
  kind: Kind.DOCUMENT,
  definitions: readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.graphql'))
    .flatMap((path) => parse(readFileSync(join(WEB, path), 'utf8')).definitions),
};
const operations = Object.entries(separateOperations(document));

describe('an operation of the web app', () => {
  it('is there', () => {
    expect(operations.length).toBeGreaterThan(50);
  });

  // Variables are left out: then a page is weighed as the largest that the resolver gives.
  it.each(operations)('%s stays far below what a request may cost', (_, only) => {
    const operation = only.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('there is no operation');
    const { width, depth, cost, bytes } = weightOf(schema, only, operation);
    expect(cost).toBeLessThan(QUERY_LIMITS.cost * SHARE);
    expect(bytes).toBeLessThan(QUERY_LIMITS.bytes * SHARE);
    expect(depth).toBeLessThanOrEqual(QUERY_LIMITS.depth - 2);
    expect(width).toBeLessThanOrEqual(QUERY_LIMITS.rootFields[operation.operation]);
  });
});
