import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EMPTY_CHAIN } from './event-chain.js';
import { HeadsFolder } from './log-heads.js';
import { isGenuineHead, publicKeyOf, publicKeyText, signHead, signingKeyOf } from './signed-head.js';

const key = signingKeyOf(randomBytes(32));
const now = new Date('2026-03-01T10:00:00.000Z');
const headAt = (ordinal: number) => signHead({ ordinal, head: EMPTY_CHAIN.head }, key, now);

describe('a signed head', () => {
  it('is verified with only the public key, in base64 or PEM', () => {
    const pem = key.publicKey.export({ format: 'pem', type: 'spki' }).toString();
    for (const text of [publicKeyText(key), pem]) {
      const known = publicKeyOf(text);
      expect(known?.keyId).toBe(key.keyId);
      expect(known && isGenuineHead(headAt(3), known)).toBe(true);
    }
  });

  it.each([{ ordinal: 4 }, { head: 'a'.repeat(64) }, { at: '2026-03-01T10:00:01.000Z' }, { signature: '' }])(
    'is invalid with %j',
    (change) => {
      expect(isGenuineHead({ ...headAt(3), ...change }, key)).toBe(false);
    },
  );

  it('is invalid with a different key', () => {
    expect(isGenuineHead(headAt(3), signingKeyOf(randomBytes(32)))).toBe(false);
  });

  it.each([
    '',
    'short',
    Buffer.alloc(33).toString('base64'),
    '-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----',
  ])('rejects the public key %j', (text) => {
    expect(publicKeyOf(text)).toBeUndefined();
  });

  it('uses keys as in RFC 8032, section 7.1, test 1', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const expected = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');
    expect(publicKeyText(signingKeyOf(seed))).toBe(expected.toString('base64'));
  });
});

describe('HeadsFolder', () => {
  let path: string;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'nimo-heads-'));
  });
  afterEach(() => rm(path, { recursive: true }));

  it('is created with the first head and returns heads by ordinal', async () => {
    const folder = new HeadsFolder(join(path, 'new'));
    expect(await folder.read()).toEqual({ heads: [], damagedLines: 0 });
    await folder.append([headAt(2)]);
    await folder.append([headAt(1)]);
    expect((await folder.read()).heads).toEqual([headAt(1), headAt(2)]);
  });

  it('appends after a line truncated by a crash and removes nothing', async () => {
    const folder = new HeadsFolder(path);
    await folder.append([headAt(1)]);
    const file = join(path, 'signed-heads.ndjson');
    await appendFile(file, JSON.stringify(headAt(2)).slice(0, 40));
    const truncated = await readFile(file, 'utf8');
    await folder.append([headAt(3)]);
    expect(await folder.read()).toEqual({ heads: [headAt(1), headAt(3)], damagedLines: 1 });
    expect((await readFile(file, 'utf8')).startsWith(truncated)).toBe(true);
  });

  it('reads other files in the folder', async () => {
    const folder = new HeadsFolder(path);
    await folder.append([headAt(1)]);
    await writeFile(join(path, 'other-machine.ndjson'), `${JSON.stringify(headAt(5))}\n`);
    expect((await folder.read()).heads.map(({ ordinal }) => ordinal)).toEqual([1, 5]);
  });
});
