import {
  Fragment,
  Slice,
  type Mark,
  type Node as ProsemirrorNode,
  type ResolvedPos,
} from '@remirror/pm/model';
import { writtenCode, writtenPieces } from '../../components/rich-text/written-text';
import { literalText } from './literal-dollars';
import { languageName } from './pasted-html';
import { writtenLinks } from '../../components/rich-text/written-links';

/** Words with the breaks and the links among them. */
function wordNodes(words: string, marks: readonly Mark[], { doc }: ResolvedPos): ProsemirrorNode[] {
  const { schema } = doc.type;
  const { hardBreak } = schema.nodes;
  const link = schema.marks['link'];
  return words.split(/(\n)/).flatMap((line) => {
    if (line === '') return [];
    if (line === '\n' && hardBreak) return [hardBreak.create()];
    const nodes: ProsemirrorNode[] = [];
    let end = 0;
    for (const found of link ? writtenLinks(line) : []) {
      if (found.start > end) nodes.push(schema.text(line.slice(end, found.start), marks));
      const mark = link?.create({ href: found.href, auto: true });
      nodes.push(schema.text(line.slice(found.start, found.end), mark?.addToSet(marks)));
      end = found.end;
    }
    return end < line.length ? [...nodes, schema.text(line.slice(end), marks)] : nodes;
  });
}

function formatted(text: string, marks: readonly Mark[], $context: ResolvedPos): ProsemirrorNode[] {
  const { schema } = $context.doc.type;
  const { code } = schema.marks;
  const { inlineFormula } = schema.nodes;
  return writtenPieces(text).flatMap((piece) => {
    if (piece.kind === 'text') return wordNodes(piece.text, marks, $context);
    if (piece.kind === 'code') return [schema.text(piece.text, code ? [code.create()] : [])];
    return inlineFormula ? [inlineFormula.create({ source: piece.source })] : [];
  });
}

/** Lines as they are; a blank one begins a paragraph. */
function paragraphsOf(text: string, $context: ResolvedPos, isBare: boolean): ProsemirrorNode[] {
  const { schema } = $context.doc.type;
  const { paragraph, hardBreak } = schema.nodes;
  const marks = $context.marks();
  return text.split(/\n{2,}/).flatMap((lines) => {
    const content = isBare
      ? lines
          .split(/(\n)/)
          .filter((line) => line !== '')
          .flatMap((line) =>
            line === '\n' && hardBreak ? [hardBreak.create()] : literalText(line, marks, schema),
          )
      : formatted(lines, marks, $context);
    return paragraph?.create(null, content) ?? [];
  });
}

/** Blocks of code between fences, and the paragraphs around them. */
function blocksOf(text: string, $context: ResolvedPos): ProsemirrorNode[] {
  const { schema } = $context.doc.type;
  const { codeBlock } = schema.nodes;
  const blocks: ProsemirrorNode[] = [];
  let end = 0;
  const takeWords = (to: number): void => {
    const words = text.slice(end, to).replace(/^\n+|\n+$/g, '');
    if (words !== '') blocks.push(...paragraphsOf(words, $context, false));
  };
  for (const code of writtenCode(text)) {
    if (!codeBlock || !code.isBlock) continue;
    takeWords(code.start);
    const language = code.language === '' ? null : languageName(code.language);
    blocks.push(codeBlock.create({ language }, code.text === '' ? [] : schema.text(code.text)));
    end = code.end;
  }
  takeWords(text.length);
  return blocks;
}

/**
 * Plain text as it is: a line is a line, a blank line begins a paragraph, and every character stays. Only what would be formatted if it
 * were typed (code, formulas, links) is formatted here as well.
 *
 * @param isBare nothing is formatted, as for Ctrl+Shift+V
 */
export function pastedText(text: string, $context: ResolvedPos, isBare: boolean): Slice {
  const isCode = $context.marks().some(({ type }) => type.name === 'code');
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
  const nodes = isBare || isCode ? paragraphsOf(lines, $context, true) : blocksOf(lines, $context);
  return new Slice(Fragment.from(nodes), 0, 0);
}
