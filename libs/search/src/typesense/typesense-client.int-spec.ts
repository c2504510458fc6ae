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
  it('name the failure without the API key or documents', async () => {
    const double = await TypesenseDouble.start();
    const documents = shippingClient(double).collections('nowhere').documents();
    const failures = [await failureOf(documents.import([{ id: 'a', secret: 'of a student' }]))];
    double.injectFault('fails');
    failures.push(await failureOf(documents.import([{ id: 'a', secret: 'of a student' }])));
    await double.up();
    await double.down();
    failures.push(await failureOf(documents.export()));
    const output = inspect(failures, { depth: 10, showHidden: true });
    expect(output).toContain('404');
    expect(output).toContain('503');
    expect(output).toContain('ECONNREFUSED');
    expect(output).not.toContain(double.apiKey);
    expect(output).not.toContain('of a student');
  });

  it('pass other errors through', () => {
    const error = new RangeError('ours');
    expect(plainError(error)).toBe(error);
    expect(plainError('text')).toBe('text');
  });
});
