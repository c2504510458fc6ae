import { describe, expect, it } from '@jest/globals';
import { signRequest } from './sigv4.js';

// The worked examples of "Authenticating Requests: Using the Authorization Header" in the S3 documentation.
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const now = new Date('2013-05-24T00:00:00.000Z');
const bucket = 'https://examplebucket.s3.amazonaws.com';
const signatureOf = (headers: Record<string, string>): string | undefined =>
  /Signature=(\w+)$/.exec(headers['authorization'] ?? '')?.[1];

describe('signature version 4', () => {
  it('signs the published GET', () => {
    const headers = signRequest(
      { method: 'GET', url: new URL(`${bucket}/test.txt`), headers: { Range: 'bytes=0-9' }, payload: '' },
      credentials,
      now,
    );
    expect(signatureOf(headers)).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
  });

  it('signs the published PUT', () => {
    const headers = signRequest(
      {
        method: 'PUT',
        url: new URL(`${bucket}/test%24file.text`),
        headers: { Date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        payload: 'Welcome to Amazon S3.',
      },
      credentials,
      now,
    );
    expect(signatureOf(headers)).toBe('98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd');
  });

  it('signs the published GET with a query', () => {
    const headers = signRequest(
      { method: 'GET', url: new URL(`${bucket}/?max-keys=2&prefix=J`), headers: {}, payload: '' },
      credentials,
      now,
    );
    expect(signatureOf(headers)).toBe('34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7');
  });
});
