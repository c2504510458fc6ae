/** A comment's text in pieces: words, and the people mentioned in it. */
export type CommentPiece = { kind: 'text'; text: string } | { kind: 'mention'; name: string };

const likeMention = /@\[([^\]\n]+)\]/g;

/** Takes `@[name]` apart from the words around it, where the name is one of the mentions: all else is what somebody typed. */
export function commentPieces(body: string, mentions: readonly string[]): CommentPiece[] {
  const pieces: CommentPiece[] = [];
  let end = 0;
  for (const match of body.matchAll(likeMention)) {
    const [, name = ''] = match;
    if (!mentions.includes(name)) continue;
    if (match.index > end) pieces.push({ kind: 'text', text: body.slice(end, match.index) });
    pieces.push({ kind: 'mention', name });
    end = match.index + match[0].length;
  }
  if (end < body.length) pieces.push({ kind: 'text', text: body.slice(end) });
  return pieces;
}

/** The document of the comment box, as far as its text matters. */
export interface CommentNode {
  type: string;
  text?: string;
  attrs?: Record<string, unknown>;
  content?: readonly CommentNode[];
}

function inlineText(node: CommentNode): string {
  switch (node.type) {
    case 'mentionAtom':
      return `@[${String(node.attrs?.['id'])}]`;
    case 'hardBreak':
      return '\n';
    default:
      return node.text ?? (node.content ?? []).map(inlineText).join('');
  }
}

/** What is sent: text, a line a paragraph, a mention by the student's id. */
export function commentText(doc: CommentNode): string {
  return (doc.content ?? []).map(inlineText).join('\n').trim();
}
