import { useCallback, useRef, useState } from 'react';
import { toast } from '../../components/toast';
import { errorText } from '../../lib/errors';
import { commentText, type CommentNode } from './mention-text';

const nodeTypes: ReadonlySet<string> = new Set(['doc', 'paragraph', 'text', 'hardBreak', 'mentionAtom']);

/** The editor refuses a document with nodes that it does not know. */
function isKnown({ type, content = [] }: CommentNode): boolean {
  return nodeTypes.has(type) && content.every(isKnown);
}

function read(key: string): CommentNode | undefined {
  try {
    const doc = JSON.parse(localStorage.getItem(key) ?? 'null') as CommentNode | null;
    return doc?.type === 'doc' && isKnown(doc) ? doc : undefined;
  } catch {
    return undefined;
  }
}

interface Sending {
  /** Counts the comments sent; each begins with a new editor. */
  attempt: number;
  pending: boolean;
  isEmpty: boolean;
}

/**
 * What is being written of a comment, kept over a reload until it is sent.
 *
 * @param key names student and place; another key is another draft
 */
export function useCommentDraft(key: string, onSend: (body: string) => Promise<void>) {
  const [restored] = useState(() => read(key));
  const text = useRef(restored ? commentText(restored) : '');
  const [sending, setSending] = useState<Sending>({ attempt: 0, pending: false, isEmpty: false });
  const isPending = useRef(false);
  const change = useCallback(
    (doc: CommentNode) => {
      text.current = commentText(doc);
      if (text.current === '') localStorage.removeItem(key);
      else {
        localStorage.setItem(key, JSON.stringify(doc));
        setSending((current) => (current.isEmpty ? { ...current, isEmpty: false } : current));
      }
    },
    [key],
  );
  const send = useCallback(async () => {
    if (isPending.current) return;
    if (text.current === '') {
      setSending((current) => ({ ...current, isEmpty: true }));
      return;
    }
    isPending.current = true;
    setSending((current) => ({ ...current, pending: true }));
    try {
      const sent = text.current;
      await onSend(sent);
      // Text typed meanwhile was not sent.
      const isDone = text.current === sent;
      if (isDone) {
        text.current = '';
        localStorage.removeItem(key);
      }
      setSending(({ attempt }) => ({ attempt: attempt + Number(isDone), pending: false, isEmpty: false }));
    } catch (error) {
      toast.error(errorText(error));
      setSending((current) => ({ ...current, pending: false }));
    } finally {
      isPending.current = false;
    }
  }, [key, onSend]);
  return { ...sending, restored: sending.attempt === 0 ? restored : undefined, change, send };
}
