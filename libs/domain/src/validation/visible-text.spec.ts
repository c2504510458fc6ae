import { describe, expect, it } from '@jest/globals';
import { fc } from '@nimo/testing';
import { truncateText, isBlankText, lengthOf, personName, visibleName, visibleText } from './visible-text.js';

describe('isBlankText', () => {
  it('does not read text as HTML', () => {
    expect(isBlankText('<p></p>')).toBe(false);
    expect(isBlankText('&nbsp;')).toBe(false);
    expect(isBlankText(' \u200b\u00a0')).toBe(true);
  });

  it.each([
    '\u0301',
    'ा',
    '\u0489\u20dd',
    '\ue000\u{f0000}',
    '\u202e\u2066',
    '\u0007\u0085',
    '\u{e0041}\u3164',
  ])('treats %j as blank', (text) => expect(isBlankText(text)).toBe(true));

  it.each(['e\u0301', 'का', '1\ufe0f\u20e3', '👩‍🔬', '。', '\ufffc'])('treats %j as content', (text) =>
    expect(isBlankText(text)).toBe(false),
  );
});

describe('lengthOf', () => {
  it('counts characters, not UTF-16 units', () => expect(lengthOf('😀é')).toBe(2));
});

describe('visibleName and personName', () => {
  it.each([
    ['\u202eadA\u202c', 'adA'],
    ['A\u200bd\u200da\u2060\ufeff', 'Ada'],
    ['Ad\u00ada\u0000\u0007', 'Ada'],
    ['\u2066Ada\u2069\u061c\u200e', 'Ada'],
    ['Ada\u3164\u115f\u2800', 'Ada'],
    ['\ue000Ada\ufe0f\udc00', 'Ada'],
    ['  Ada \n\t King  ', 'Ada King'],
    ['Ame\u0301lie', 'Am\u00e9lie'],
    ["Ó'Brien-Núñez, Jr.", "Ó'Brien-Núñez, Jr."],
    ['क्‍ष', 'क्‍ष'],
    ['می‌خواهم', 'می‌خواهم'],
    ['ක්‍ර', 'ක්‍ර'],
    ['a‍b', 'ab'],
    ['می‌', 'می'],
    ['李小龙', '李小龙'],
  ])('store %j as %j', (given, shown) => {
    expect(visibleName(given)).toBe(shown);
    expect(personName(given)).toBe(shown);
    expect(personName(personName(given))).toBe(shown);
  });

  it.each(['Ada ✓', 'Ada ✔️', '✅ Ada', 'Ada 🛡️', '★ Ada', 'Ada ☑', 'Ada 👩🏽\u200d🏫', 'Ada ®'])(
    'drop badges from the name of a person: %j',
    (name) => expect(personName(name)).toBe('Ada'),
  );
});

describe('visibleName', () => {
  it.each(['👩🏽‍🔬 Lab', '❤️ Maths', '🏳️‍🌈'])('keeps the emoji in %j', (name) =>
    expect(visibleName(name)).toBe(name),
  );
  it.each([
    ['Class 1\ufe0f', 'Class 1'],
    ['❤\u200dLab', '❤Lab'],
  ])('stores %j as %j', (given, stored) => expect(visibleName(given)).toBe(stored));
});

describe('visibleText', () => {
  it.each([
    ['\u202Egnp.exe', 'gnp.exe'],
    ['a\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069b', 'ab'],
    ['a\u0000\u0001\u0008\u000e\u001b\u001f\u007f\u0080\u009fb', 'ab'],
    ['a\r\nb\rc\u000bd\u000ce\u0085f', 'a\nb\nc\nd\ne\nf'],
  ])('stores %j as %j', (given, stored) => {
    expect(visibleText(given)).toBe(stored);
    expect(visibleText(stored)).toBe(stored);
  });

  it.each([
    'a\tb\nc  d',
    'क्\u200dष and می\u200cخواهم',
    '👩🏽\u200d🔬 🏳️\u200d🌈 ❤️ 🇮🇳',
    'e\u0301 \u00e9 Å',
    'ภาษา\u200bไทย soft\u00adhyphen \u2060',
    '\ue000 𠮷',
  ])('keeps %j unchanged', (text) => expect(visibleText(text)).toBe(text));
});

describe('truncateText', () => {
  it.each([
    ['abcdef', 3, 'abc'],
    ['abc', 3, 'abc'],
    ['Привет', 3, 'При'],
    ['光合作用', 3, '光合作'],
    ['😀😀😀', 2, '😀😀'],
    ['ab👨‍👩‍👧‍👦', 4, 'ab'],
    ['a🇮🇳🇩🇪', 2, 'a'],
    ['a🇮🇳🇩🇪', 4, 'a🇮🇳'],
    ['abe\u0301f', 3, 'ab'],
    ['abe\u0301f', 4, 'abe\u0301'],
    ['कहानी', 3, 'कहा'],
    ['कहानी', 4, 'कहा'],
    ['a\r\nb', 2, 'a'],
    ['\u1100\u1161\u11a8\u1100\u1161\u11a8', 4, '\u1100\u1161\u11a8'],
  ])('cuts %j to at most %i characters: %j', (text, max, beginning) =>
    expect(truncateText(text, max)).toBe(beginning),
  );

  it('splits a single letter with too many marks', () =>
    expect(truncateText(`Z${'\u0351'.repeat(50)}`, 10)).toBe(`Z${'\u0351'.repeat(9)}`));

  it('returns a well-formed prefix of at most the requested length', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(40), (text, max) => {
        const beginning = truncateText(text, max);
        expect(text.startsWith(beginning)).toBe(true);
        expect(beginning.isWellFormed()).toBe(true);
        expect(lengthOf(beginning)).toBeLessThanOrEqual(max);
        expect(beginning === '' && max > 0 && text !== '').toBe(false);
      }),
    ));
});
