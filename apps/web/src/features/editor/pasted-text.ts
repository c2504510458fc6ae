import {
  Fragment,
  Slice,
  type Mark,
  type Node as ProsemirrorNode,
  type ResolvedPos,
} from '@remirror/pm/model';
import { writtenPieces } from '../../components/rich-text/written-text';
import { writtenLinks } from './written-links';

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
    if (piece.kind === 'code')
      return code && !piece.isBlock ? [schema.text(piece.text, [code.create()])] : [schema.text(piece.text)];
    return inlineFormula ? [inlineFormula.create({ source: piece.source })] : [];
  });
}

/**
 * Plain text as it is: a line is a line, a blank line begins a paragraph, and every character stays. Only what would be formatted if it
 * were typed (code, formulas, links) is formatted here as well.
 *
 * @param isBare nothing is formatted, as for Ctrl+Shift+V
 */
export function pastedText(text: string, $context: ResolvedPos, isBare: boolean): Slice {
  const { schema } = $context.doc.type;
  const { paragraph, hardBreak } = schema.nodes;
  const marks = $context.marks();
  const isCode = marks.some(({ type }) => type.name === 'code');
  const blocks = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n+$/, '')
    .split(/\n{2,}/);
  const nodes = blocks.map((block) => {
    if (!isBare && !isCode) return formatted(block, marks, $context);
    return block
      .split(/(\n)/)
      .filter((line) => line !== '')
      .map((line) => (line === '\n' && hardBreak ? hardBreak.create() : schema.text(line, marks)));
  });
  return new Slice(Fragment.from(nodes.flatMap((content) => paragraph?.create(null, content) ?? [])), 0, 0);
}
