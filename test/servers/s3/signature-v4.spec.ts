import { describe, expect, it } from '@jest/globals';
import { sha256, signatureOf } from './signature-v4.js';

// Examples from the S3 documentation, with headers and with a query.
const key = { secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1' };
const time = '20130524T000000Z';
const host = 'examplebucket.s3.amazonaws.com';
const none = new URLSearchParams();
const dated = { host, 'x-amz-content-sha256': sha256(''), 'x-amz-date': time };

describe('signature version 4', () => {
  it('matches the published GET example', () => {
    const headers = { ...dated, range: 'bytes=0-9' };
    const parts = { method: 'GET', path: '/test.txt', query: none, headers, payloadHash: sha256(''), time };
    expect(signatureOf(parts, key)).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
  });

  it('matches the published PUT example', () => {
    const payloadHash = sha256('Welcome to Amazon S3.');
    const headers = {
      ...dated,
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-content-sha256': payloadHash,
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    };
    const parts = { method: 'PUT', path: '/test%24file.text', query: none, headers, payloadHash, time };
    expect(signatureOf(parts, key)).toBe('98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd');
  });

  it('matches the published GET example with a query', () => {
    const query = new URLSearchParams({ prefix: 'J', 'max-keys': '2' });
    const parts = { method: 'GET', path: '/', query, headers: dated, payloadHash: sha256(''), time };
    expect(signatureOf(parts, key)).toBe('34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7');
  });

  it('matches the published presigned URL example', () => {
    const query = new URLSearchParams({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
      'X-Amz-Date': time,
      'X-Amz-Expires': '86400',
      'X-Amz-SignedHeaders': 'host',
    });
    const payloadHash = 'UNSIGNED-PAYLOAD';
    const parts = { method: 'GET', path: '/test.txt', query, headers: { host }, payloadHash, time };
    expect(signatureOf(parts, key)).toBe('aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404');
  });
});
