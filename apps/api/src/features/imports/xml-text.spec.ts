import { describe, expect, it } from '@jest/globals';
import { XmlText } from './xml-text.js';

function read(bytes: Buffer, chunkLength = bytes.length): { text: string; dropped: object } {
  const text = new XmlText();
  let read = '';
  for (let at = 0; at < bytes.length; at += chunkLength)
    read += text.write(bytes.subarray(at, at + chunkLength));
  return { text: read + text.end(), dropped: Object.fromEntries(text.dropped) };
}

const bytesOf = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

const CASES: readonly (readonly [string, Buffer, string, object])[] = [
  ['a control character by reference', bytesOf('a&#x0E;b&#11;c&#0;d'), 'abcd', { 'control characters': 3 }],
  ['a raw control character', bytesOf('a\u0000\u0001\u001fb\t\r\n'), 'ab\t\r\n', { 'control characters': 3 }],
  ['a lone surrogate by reference', bytesOf('a&#xD83D;b&#56832;'), 'ab', { 'lone surrogates': 2 }],
  ['a surrogate as bytes', bytesOf('a', [0xed, 0xa0, 0xbd], 'b'), 'ab', { 'bytes that are not UTF-8': 3 }],
  ['a byte of Latin-1', bytesOf('caf', [0xe9], ' ol', [0xe9]), 'caf ol', { 'bytes that are not UTF-8': 2 }],
  ['U+FFFE and U+FFFF', bytesOf('a\ufffeb&#xFFFF;c'), 'abc', { noncharacters: 2 }],
  ['a number beyond Unicode', bytesOf('a&#x110000;b'), 'ab', { 'characters beyond Unicode': 1 }],
];

const KEPT = 'é 中 😀 \u{1FFFE} \uFFFD &#xA; &#x1F600; &#13; &amp;#x0E; &lt; & &# &#x';

describe('XmlText', () => {
  it.each(CASES)('drops and counts %s', (_, bytes, text, dropped) =>
    expect(read(bytes)).toEqual({ text, dropped }),
  );

  it.each(CASES)('drops %s at any chunk boundary', (_, bytes, text, dropped) => {
    for (const length of [1, 2, 3, 5]) expect(read(bytes, length)).toEqual({ text, dropped });
  });

  it('keeps everything that XML allows at any chunk length', () => {
    for (const length of [1, 2, 3, 4, 7, 64])
      expect(read(Buffer.from(KEPT), length)).toEqual({ text: KEPT, dropped: {} });
  });
});
