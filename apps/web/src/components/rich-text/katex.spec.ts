/**
 * jsdom, because happy-dom's style objects set the attribute by `setAttribute` as well.
 *
 * @jest-environment jsdom
 */
import { expect, it, jest } from '@jest/globals';
import { drawFormula } from './katex';

it('writes no style attribute, which the content security policy forbids', () => {
  const setAttribute = jest.spyOn(Element.prototype, 'setAttribute');
  const body = document.createElement('div');
  const source = '\\pmb{x}\\colorbox{red}{y}\\boxed{y}\\textcolor{red}{z}\\sqrt{x}\\overbrace{y}';
  expect(drawFormula(body, source, true)).toBeUndefined();
  expect(body.querySelector('.katex')).not.toBeNull();
  expect(setAttribute.mock.calls.filter(([name]) => name === 'style')).toEqual([]);
  setAttribute.mockRestore();
});
