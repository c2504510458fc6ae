import katex, { type KatexOptions } from 'katex';
import 'katex/dist/katex.min.css';

/** In ems: no rule or space of a formula leaves its post. */
const MAX_SIZE = 40;
const MAX_EXPANSIONS = 500;

const options: KatexOptions = {
  // For screen readers and for the eye.
  output: 'htmlAndMathml',
  throwOnError: true,
  // No links, images, classes, ids or styles from a formula.
  trust: false,
  strict: 'ignore',
  maxSize: MAX_SIZE,
  maxExpand: MAX_EXPANSIONS,
};

/**
 * The library renders these with style attributes, which the content security policy forbids: one has an equivalent,
 * the other is disabled.
 */
const macros = { '\\pmb': '\\boldsymbol{#1}', '\\fcolorbox': '\\fcolorboxIsNotOffered' };

/**
 * Renders a formula into an element, without style attributes.
 * @returns the library's error message; undefined on success
 */
export function drawFormula(target: HTMLElement, source: string, isBlock: boolean): string | undefined {
  try {
    // Definitions (`\gdef`) of one formula would otherwise apply to all that follow.
    katex.render(source, target, { ...options, displayMode: isBlock, macros: { ...macros } });
    return undefined;
  } catch (error) {
    // Deep nesting throws the engine's RangeError instead of the library's error.
    return error instanceof Error ? error.message.replace(/^KaTeX parse error: /, '') : String(error);
  }
}
