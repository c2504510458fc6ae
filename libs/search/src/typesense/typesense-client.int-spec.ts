import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { plainError, shippingClient } from './typesense-client.js';
import { TypesenseDouble } from './testing/typesense-double.js';

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => plainError(error),
  );

describe('errors of the Typesense client', () => {
  it('say what failed and carry neither the key nor documents along', async () => {
    const double = await TypesenseDouble.start();
    const documents = shippingClient(double).collections('nowhere').documents();
    const failures = [await failureOf(documents.import([{ id: 'a', secret: 'of a student' }]))];
    double.disturb('fails');
    failures.push(await failureOf(documents.import([{ id: 'a', secret: 'of a student' }])));
    await double.up();
    await double.down();
    failures.push(await failureOf(documents.export()));
    const told = inspect(failures, { depth: 10, showHidden: true });
    expect(told).toContain('404');
    expect(told).toContain('503');
    expect(told).toContain('ECONNREFUSED');
    expect(told).not.toContain(double.apiKey);
    expect(told).not.toContain('of a student');
  });

  it('leave other errors as they are', () => {
    const error = new RangeError('ours');
    expect(plainError(error)).toBe(error);
    expect(plainError('text')).toBe('text');
  });
});
