import { describe, expect, it } from '@jest/globals';
import { fc } from '@nimo/testing';
import { MAX_BODY_BYTES } from '../limits.js';
import { isBlankHtml, optionalReason, requireReason } from './content.js';

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
    '<p>\u0301\u0489\u20dd</p>',
    '<p>&#x301;&#xe000;</p>',
    '<p>\ue000\u{f0000}\u{10fffd}</p>',
    '<p>\ufdd0\u202e\u0007</p>',
  ])('treats %j as blank', (html) => expect(isBlankHtml(html)).toBe(true));

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
  ])('treats %j as content', (html) => expect(isBlankHtml(html)).toBe(false));

  it('finds a visible character among any markup', () =>
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

// The benchmark `inputs` measures their duration.
describe('a body of maximum length', () => {
  it.each(['<a', '<img ', '<img src ', '<b data-tex="', '<b data-tex', '&#', '< src= '])(
    'consisting only of %j is content',
    (piece) => expect(isBlankHtml(piece.repeat(MAX_BODY_BYTES / piece.length))).toBe(false),
  );

  it('consisting only of spaces without semicolons is blank', () =>
    expect(isBlankHtml('&nbsp'.repeat(MAX_BODY_BYTES / 5))).toBe(true));
});

describe('reasons', () => {
  it('are stored without control characters', () => {
    expect(requireReason('\u202eIt\u0007 repeats\r\nanother.')).toBe('It repeats\nanother.');
    expect(optionalReason('\u0301\u202e')).toBeUndefined();
  });
});
