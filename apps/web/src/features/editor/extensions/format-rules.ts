import type { ProsemirrorNode } from '@remirror/core';
import type { ResolvedPos } from '@remirror/pm/model';
import type { EditorState, Transaction } from '@remirror/pm/state';
import { findWrapping } from '@remirror/pm/transform';
import { codeLanguages, languageName } from '../../../components/rich-text/enrich-body';
import { findFormulas } from '../../../components/rich-text/formula-source';
import { findCode } from '../../../components/rich-text/split-markup';
import { caretAfter } from '../transactions';
import { isLiteral } from './literal-dollars';
import { findLinks } from '../../../components/rich-text/find-links';

/** Input to a rule: a typed or composed text, or an empty one at the end of the line or when the editor loses the focus. */
export interface RuleInput {
  state: EditorState;
  $caret: ResolvedPos;
  /** Text of the block up to the caret, including the typed text. Code, images and literal dollar signs are U+FFFC. */
  before: string;
  text: string;
}

/** Formats typed text if it is unambiguous, as an undo step that Backspace or Ctrl+Z reverts. */
export type FormatRule = (typed: RuleInput) => Transaction | undefined;

const OPAQUE = '\uFFFC';

function charactersOf(node: ProsemirrorNode, length: number): string {
  if (node.type.name === 'hardBreak') return '\n';
  const isCode = node.marks.some(({ type }) => type.name === 'code');
  const isWords = node.isText && !isCode && !isLiteral(node);
  return isWords ? (node.text ?? '').slice(0, length) : OPAQUE.repeat(Math.min(node.nodeSize, length));
}

export function textBefore($caret: ResolvedPos): string {
  let text = '';
  $caret.parent.forEach((node, offset) => {
    if (offset < $caret.parentOffset) text += charactersOf(node, $caret.parentOffset - offset);
  });
  return text;
}

const positionOf = ({ $caret, before }: RuleInput, index: number): number =>
  $caret.pos - (before.length - index);
const isAtEnd = ({ $caret }: RuleInput): boolean => $caret.parentOffset === $caret.parent.content.size;
const isParagraph = ({ $caret }: RuleInput): boolean => $caret.parent.type.name === 'paragraph';

/** Inline code, on the closing backtick. */
const code: FormatRule = (typed) => {
  const { state, $caret, before, text } = typed;
  const mark = state.schema.marks['code'];
  if (!mark || !text.endsWith('`')) return undefined;
  const found = findCode(before).at(-1);
  if (found?.end !== before.length || found.end - found.start !== found.text.length + 2) return undefined;
  if (found.text.includes(OPAQUE)) return undefined;
  const [from, to] = [positionOf(typed, found.start), positionOf(typed, found.end)];
  return state.tr
    .delete(to - 1, to)
    .delete(from, from + 1)
    .addMark(from, to - 2, mark.create())
    .setStoredMarks(state.storedMarks ?? $caret.marks());
};

/**
 * Inline formula, once the text after it is unambiguous: `$PATH:$` may become `$PATH:$HOME`, and `$n$t` may become `$n$th`.
 * Scripts without case are mostly written without spaces, so their letters may follow directly.
 */
const inlineFormula: FormatRule = (typed) => {
  const { state, before, text } = typed;
  const type = state.schema.nodes['inlineFormula'];
  if (!type || /^[\p{Lu}\p{Ll}\p{N}_]/u.test(text)) return undefined;
  const prefix = before.slice(0, before.length - text.length);
  const end = prefix.length - (/\p{Ll}{0,5}$/u.exec(prefix)?.[0].length ?? 0);
  if (prefix[end - 1] !== '$') return undefined;
  const found = findFormulas(before).find((formula) => formula.end === end);
  if (!found || found.isBlock || found.source.includes(OPAQUE)) return undefined;
  const { source } = found;
  return state.tr.replaceWith(
    positionOf(typed, found.start),
    positionOf(typed, end),
    type.create({ source }),
  );
};

/** Block formula: a paragraph that consists of `$$…$$`. */
const blockFormula: FormatRule = (typed) => {
  const { state, $caret, before, text } = typed;
  const type = state.schema.nodes['blockFormula'];
  if (!type || !text.endsWith('$') || !isParagraph(typed) || !isAtEnd(typed)) return undefined;
  const [found] = findFormulas(before);
  if (!found?.isBlock || found.start !== 0 || found.end !== before.length) return undefined;
  if (found.source.includes(OPAQUE)) return undefined;
  if (!$caret.node(-1).canReplaceWith($caret.index(-1), $caret.indexAfter(-1), type)) return undefined;
  const node = type.create({ source: found.source });
  const tr = state.tr.replaceWith($caret.before(), $caret.after(), node);
  return caretAfter(tr, $caret.before() + node.nodeSize);
};

/** Whether the caret is in the empty paragraph added after a block formula. */
export function isAfterBlockFormula({ selection: { $from, empty }, schema }: EditorState): boolean {
  if (!empty || $from.depth === 0 || $from.parent.content.size > 0) return false;
  const index = $from.index(-1);
  return index > 0 && $from.node(-1).child(index - 1).type === schema.nodes['blockFormula'];
}

/** A letter or a quotation mark: `- 5 is minus five` and `1. 5` are not list items. */
const itemStart = /^[\p{L}"'“„‘«¿¡`]/u;
const marker = /^(?:- |(\d{1,3})\. )$/;

/** The marker of the list item at the caret. */
function currentMarker($caret: ResolvedPos): string | undefined {
  if ($caret.depth < 3 || $caret.node(-1).type.name !== 'listItem' || $caret.index(-1) > 0) return undefined;
  const list = $caret.node(-2);
  if (list.type.name === 'bulletList') return '- ';
  return list.type.name === 'orderedList'
    ? `${Number(list.attrs['order'] ?? 1) + $caret.index(-2)}. `
    : undefined;
}

/** List, on the first letter after `- ` or `1. `. In a list item, removes a typed marker that repeats its own. */
const list: FormatRule = (typed) => {
  const { state, $caret, before, text } = typed;
  const prefix = before.slice(0, before.length - text.length);
  if (!isParagraph(typed) || !itemStart.test(text) || !marker.test(prefix)) return undefined;
  const start = $caret.start();
  const tr = state.tr.delete(start, start + prefix.length);
  const shown = currentMarker($caret);
  if (shown !== undefined) return shown === prefix ? tr : undefined;
  const name = { '- ': 'bulletList', '1. ': 'orderedList' }[prefix];
  const type = name === undefined ? undefined : state.schema.nodes[name];
  // Remirror joins adjacent lists, which would renumber their items.
  const { nodeBefore } = state.doc.resolve($caret.before());
  const { nodeAfter } = state.doc.resolve($caret.after());
  if (prefix === '1. ' && (nodeBefore?.type === type || nodeAfter?.type === type)) return undefined;
  const range = tr.doc.resolve(start).blockRange();
  const wrapping = type && range && findWrapping(range, type);
  return wrapping ? tr.wrap(range, wrapping) : undefined;
};

/** Three backticks and an optional language. */
const fence = /^```([\w+#-]{0,30})$/;

/** Code block, on a space or Enter after a fence. Before a space, the fence must name a known language. */
const openFence: FormatRule = (typed) => {
  const { state, $caret, before, text } = typed;
  const type = state.schema.nodes['codeBlock'];
  const [, name] = fence.exec(before.slice(0, before.length - text.length)) ?? [];
  if (!type || name === undefined || !/^\s?$/.test(text) || !isParagraph(typed) || !isAtEnd(typed))
    return undefined;
  const language = name === '' ? null : languageName(name);
  if (text !== '' && language !== null && !Object.hasOwn(codeLanguages, language)) return undefined;
  if (!$caret.node(-1).canReplaceWith($caret.index(-1), $caret.indexAfter(-1), type)) return undefined;
  const start = $caret.start();
  return state.tr.delete(start, $caret.pos).setBlockType(start, start, type, { language });
};

/** Whether the range has a link made with the toolbar. */
function hasOwnLink({ doc }: EditorState, from: number, to: number): boolean {
  const found: boolean[] = [];
  doc.nodesBetween(from, to, ({ marks }) => {
    found.push(marks.some(({ type, attrs }) => type.name === 'link' && attrs['auto'] !== true));
  });
  return found.includes(true);
}

/** Link, on a space or the end of the line after a URL. */
const link: FormatRule = (typed) => {
  const { state, before, text } = typed;
  const mark = state.schema.marks['link'];
  const end = before.length - text.length;
  const [word = ''] = /^\s?$/.test(text) ? (/\S+$/.exec(before.slice(0, end)) ?? []) : [];
  if (!mark || !/:\/\/|www\./i.test(word)) return undefined;
  const { tr } = state;
  for (const found of findLinks(word)) {
    const from = positionOf(typed, end - word.length + found.start);
    const to = positionOf(typed, end - word.length + found.end);
    if (!hasOwnLink(state, from, to)) tr.addMark(from, to, mark.create({ href: found.href, auto: true }));
  }
  return tr.docChanged ? tr.removeStoredMark(mark) : undefined;
};

/** Applied on each key. */
export const typingRules: readonly FormatRule[] = [code, blockFormula, inlineFormula, list, openFence, link];
/** Applied when the line ends or the editor loses the focus. */
export const lineEndRules: readonly FormatRule[] = [inlineFormula, link];
/** Applied on Enter, instead of a new line. */
export const enterRules: readonly FormatRule[] = [openFence];

/** Leaves a code block whose last line is a fence, and removes the fence. */
export function closeFence(state: EditorState): Transaction | undefined {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type.name !== 'codeBlock' || $from.parentOffset !== $from.parent.content.size)
    return undefined;
  const [line] = /(?:^|\n)```$/.exec($from.parent.textContent) ?? [];
  if (line === undefined) return undefined;
  const tr = state.tr.delete($from.pos - line.length, $from.pos);
  return caretAfter(tr, tr.mapping.map($from.after()));
}
