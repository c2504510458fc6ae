import { findCode } from '../../components/rich-text/split-markup';

/** Part of a comment: text, or a mentioned person. */
export type CommentPiece = { kind: 'text'; text: string } | { kind: 'mention'; name: string };

const mentionPattern = /@\[([^\]\n]+)\]/g;

/** Unwraps mentions inside code: they are code. */
function withoutMentionsInCode(body: string, mentions: readonly string[]): string {
  if (!body.includes('`')) return body;
  const names = (code: string): string =>
    code.replace(mentionPattern, (like, name: string) => (mentions.includes(name) ? `@${name}` : like));
  let end = 0;
  const parts = findCode(body).flatMap((code) => {
    const words = body.slice(end, code.start);
    end = code.end;
    return [words, names(body.slice(code.start, code.end))];
  });
  return [...parts, body.slice(end)].join('');
}

/** Splits a comment at each `@[name]` that is one of its mentions. Any other `@[…]` is typed text. */
export function commentPieces(comment: string, mentions: readonly string[]): CommentPiece[] {
  const body = withoutMentionsInCode(comment, mentions);
  const pieces: CommentPiece[] = [];
  let end = 0;
  for (const match of body.matchAll(mentionPattern)) {
    const [, name = ''] = match;
    if (!mentions.includes(name)) continue;
    if (match.index > end) pieces.push({ kind: 'text', text: body.slice(end, match.index) });
    pieces.push({ kind: 'mention', name });
    end = match.index + match[0].length;
  }
  if (end < body.length) pieces.push({ kind: 'text', text: body.slice(end) });
  return pieces;
}

/** The parts of a ProseMirror document that determine its text. */
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

/** Remirror's empty document. */
export const emptyDoc: CommentNode = { type: 'doc', content: [{ type: 'paragraph' }] };

/** Document of a plain text: one paragraph per line. */
export const docFromText = (text: string): CommentNode => ({
  type: 'doc',
  content: text
    .split('\n')
    .map((line) => ({ type: 'paragraph', ...(line !== '' && { content: [{ type: 'text', text: line }] }) })),
});

export const hasMention = ({ type, content = [] }: CommentNode): boolean =>
  type === 'mentionAtom' || content.some(hasMention);

/** `first` with `since` appended. */
export const appended = (first: CommentNode, since: CommentNode): CommentNode =>
  commentText(since) === ''
    ? first
    : { type: 'doc', content: [...(first.content ?? []), ...(since.content ?? [])] };

/** The text to send: one line per paragraph, mentions by student ID. */
export function commentText(doc: CommentNode): string {
  return (doc.content ?? []).map(inlineText).join('\n').trim();
}
