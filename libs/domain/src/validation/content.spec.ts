import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../../test/fast-check.js';
import { BODY_MAX_BYTES } from '../limits.js';
import { isBlankHtml, isBlankText, lengthOf, personName, visibleName } from './content.js';

describe('isBlankHtml', () => {
  it.each([
    '',
    '<p></p>',
    '<p><br></p><p><br/></p>',
    '<p>&nbsp;</p>',
    '<p>&nbsp &#160; &#xA0; &#8203;</p>',
    '<p>&ZeroWidthSpace;&zwj;&shy;</p>',
    '<p>\u200b\u200c\u200d\u2060\ufeff\u00ad</p>',
    '<p>\u3164\u115f\u2800\ufe0f</p>',
    '<p class="size-2"><strong> </strong></p>',
    '<ul><li></li></ul>',
    '<img>',
    '<p><img src=""></p>',
    '<span data-tex="  "></span>',
  ])('takes %j for blank', (html) => expect(isBlankHtml(html)).toBe(true));

  it.each([
    'a',
    '<p>.</p>',
    '<p>&amp;</p>',
    '<p>&lt;p&gt;</p>',
    '<p>1 &lt; 2</p>',
    '<p>a < b</p>',
    '<p>&#65;</p>',
    '<p>&nbspx</p>',
    '<p>😀</p>',
    '<p>का</p>',
    '<img src="/media/a.webp">',
    '<p><img alt="" src="/media/a.webp" /></p>',
    '<span data-tex="x^2"></span>',
    '<math-inline>x^2</math-inline>',
  ])('takes %j for content', (html) => expect(isBlankHtml(html)).toBe(false));

  it('sees what a person sees, however it is wrapped', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom<string>(
            '<p>',
            '</p>',
            '<br>',
            '&nbsp;',
            '\u200b',
            ' ',
            '\n',
            '<b class="x">',
            '</b>',
          ),
        ),
        fc.nat(),
        (noise, place) => {
          expect(isBlankHtml(noise.join(''))).toBe(true);
          expect(isBlankHtml(noise.toSpliced(place % (noise.length + 1), 0, 'x').join(''))).toBe(false);
        },
      ),
    ));
});

// Bench figure `inputs` measures how long these take.
describe('the longest body', () => {
  it.each(['<a', '<img ', '<img src ', '<b data-tex="', '<b data-tex', '&#', '< src= '])(
    'of nothing but %j is content',
    (piece) => expect(isBlankHtml(piece.repeat(BODY_MAX_BYTES / piece.length))).toBe(false),
  );

  it('of nothing but spaces without their semicolons is blank', () =>
    expect(isBlankHtml('&nbsp'.repeat(BODY_MAX_BYTES / 5))).toBe(true));
});

describe('isBlankText', () => {
  it('does not read text as HTML', () => {
    expect(isBlankText('<p></p>')).toBe(false);
    expect(isBlankText('&nbsp;')).toBe(false);
    expect(isBlankText(' \u200b\u00a0')).toBe(true);
  });
});

describe('lengthOf', () => {
  it('counts characters, not UTF-16 units', () => expect(lengthOf('😀é')).toBe(2));
});

describe('a name', () => {
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
  ])('%j is shown as %j', (given, shown) => {
    expect(visibleName(given)).toBe(shown);
    expect(personName(given)).toBe(shown);
    expect(personName(personName(given))).toBe(shown);
  });

  it.each(['Ada ✓', 'Ada ✔️', '✅ Ada', 'Ada 🛡️', '★ Ada', 'Ada ☑', 'Ada 👩🏽\u200d🏫', 'Ada ®'])(
    'of a person wears no badge: %j',
    (name) => expect(personName(name)).toBe('Ada'),
  );
});
