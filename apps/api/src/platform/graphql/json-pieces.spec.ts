import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../../../test/fast-check.js';
import { jsonPieces } from './json-pieces.js';

const named = fc.string({ unit: 'binary' }).map((text) => ({ toJSON: (key: string) => `${key} ${text}` }));
const gone = fc.constant({ toJSON: () => undefined });
const others = fc.oneof(
  named,
  gone,
  fc.constant(undefined),
  fc.constant(() => 0),
  fc.constant(Symbol.iterator),
);
const { tree } = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ maxLength: 60 }),
    fc.double(),
    fc.date({ noInvalidDate: false }),
    fc.constantFrom<unknown>(null, true, Object(1), Object('boxed'), new Map([[1, 2]]), '\ud800"\\\u2028'),
    others,
  ),
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('__proto__')), tie('tree'), {
      maxKeys: 5,
    }),
  ),
}));

describe('JSON in pieces', () => {
  it('is what JSON.stringify writes, whatever the size of a piece', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(tree, { maxLength: 5 }), fc.dictionary(fc.string(), tree, { maxKeys: 5 })),
        fc.nat(200),
        (value, bytes) => {
          expect([...jsonPieces(value, bytes)].join('')).toBe(JSON.stringify(value));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is one piece where it is small', () => {
    expect([...jsonPieces({ data: { a: [1, 'two'] } }, 1_000)]).toEqual(['{"data":{"a":[1,"two"]}}']);
  });

  it('has pieces that are hardly larger than they may be', () => {
    const body = 'x'.repeat(300);
    const pages = Array.from({ length: 20 }, () => ({ docs: Array.from({ length: 20 }, () => ({ body })) }));
    const pieces = [...jsonPieces({ data: { pages } }, 1_000)];
    expect(pieces.length).toBeGreaterThan(80);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2_400);
  });
});
