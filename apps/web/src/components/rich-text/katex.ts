import katex, { type KatexOptions } from 'katex';
import 'katex/dist/katex.min.css';

/** In ems: no rule or space of a formula leaves its post. */
const MAX_SIZE = 40;
const MAX_EXPANSIONS = 500;

const options: KatexOptions = {
  // For screen readers as well as for the eye.
  output: 'htmlAndMathml',
  throwOnError: true,
  // No link, picture, class, id or style out of a formula.
  trust: false,
  strict: 'ignore',
  maxSize: MAX_SIZE,
  maxExpand: MAX_EXPANSIONS,
};

/**
 * For these two the library writes style attributes, which the content security policy forbids: one has a look-alike, the other
 * is no command here.
 */
const macros = { '\\pmb': '\\boldsymbol{#1}', '\\fcolorbox': '\\fcolorboxIsNotOffered' };

/**
 * Draws a formula into an element, by elements and their style objects alone.
 *
 * @returns what is wrong with the source, in the library's words; nothing where it was drawn
 */
export function drawFormula(target: HTMLElement, source: string, isBlock: boolean): string | undefined {
  try {
    // Definitions of one formula (`\gdef`) would otherwise hold in all that follow.
    katex.render(source, target, { ...options, displayMode: isBlock, macros: { ...macros } });
    return undefined;
  } catch (error) {
    // Deep nesting ends in a RangeError of the engine instead of the library's own.
    return error instanceof Error ? error.message.replace(/^KaTeX parse error: /, '') : String(error);
  }
}
