import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './event-chain.js';

const canonical = (json: string): string => canonicalJson(JSON.parse(json));
const double = (hex: string): number => Buffer.from(hex, 'hex').readDoubleBE();

describe('canonical JSON: examples of RFC 8785', () => {
  it('serializes section 3.2.2 as in section 3.2.3', () => {
    const input = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonical(input)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts keys by UTF-16 code units, as in section 3.2.3', () => {
    const input = String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }`;
    expect(Object.values(JSON.parse(canonical(input)) as object)).toEqual([
      'One',
      'Carriage Return',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  // Appendix B: IEEE 754 numbers and their serialization.
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number %s as %s', (bits, text) => {
    expect(canonicalJson(double(bits))).toBe(text);
  });

  it.each([NaN, Infinity, -Infinity])('rejects %d', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it('serializes nested values', () => {
    expect(canonical('[56, {"d": true, "10": null, "1": []}, {}]')).toBe(
      '[56,{"1":[],"10":null,"d":true},{}]',
    );
  });
});

describe('canonical JSON: further cases', () => {
  it.each([
    ['{ "b" : 1.0 ,"a":1e2}', '{"a":100,"b":1}'],
    ['{"a":-0.0,"b":-0}', '{"a":0,"b":0}'],
    ['{"a":1,"a":2}', '{"a":2}'],
    ['{"n":12345678901234567890}', '{"n":12345678901234567000}'],
    [String.raw`{"u":"\u00e9","l":"\u2028"}`, '{"l":"\u2028","u":"é"}'],
  ])('normalizes %s', (json, text) => {
    expect(canonical(json)).toBe(text);
  });

  it('treats __proto__ as an ordinary key', () => {
    expect(canonical('{"b":1,"__proto__":{"x":1}}')).toBe('{"__proto__":{"x":1},"b":1}');
  });

  it('rejects a number that overflows a double', () => {
    expect(() => canonical('{"n":1e400}')).toThrow(TypeError);
  });
});
