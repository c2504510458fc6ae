import { useCallback, useRef, useState } from 'react';
import { toast } from '../../components/toast';
import { type Sent, tellSent, useSentElsewhere } from '../questions/drafts';
import { errorText } from '../../lib/api/errors';
import { useOnRecovery } from '../../lib/api/connection';
import { isLostSending } from '../../lib/api/unavailable';
import { commentText, joined, nothing, type CommentNode } from './mention-text';

const nodeTypes: ReadonlySet<string> = new Set(['doc', 'paragraph', 'text', 'hardBreak', 'mentionAtom']);

/** The editor rejects documents with unknown nodes. */
function isKnown({ type, content = [] }: CommentNode): boolean {
  return nodeTypes.has(type) && content.every(isKnown);
}

function docIn(stored: string | null): CommentNode | undefined {
  try {
    const doc = JSON.parse(stored ?? 'null') as CommentNode | null;
    return doc?.type === 'doc' && isKnown(doc) ? doc : undefined;
  } catch {
    return undefined;
  }
}

/** A document to show in the editor, compared by identity. */
export interface ShownDoc {
  readonly doc: CommentNode;
  /** The previous comment is being sent; the next one can be written. */
  readonly isSent: boolean;
}

/**
 * The draft of a comment, kept across reloads until it is sent.
 *
 * @param key identifies student and place
 */
export function useCommentDraft(key: string, onSend: (body: string) => Promise<void>) {
  const [found] = useState(() => localStorage.getItem(key));
  const [restored] = useState(() => docIn(found));
  const written = useRef(restored ?? nothing);
  /** Being sent; no longer in the box. */
  const sending = useRef<CommentNode>();
  const [shown, setShown] = useState<ShownDoc>();
  const [pending, setPending] = useState(false);
  const [isEmpty, setIsEmpty] = useState(false);
  /** Sending failed with the connection, and nothing has changed since. */
  const [isUnsent, setIsUnsent] = useState(false);
  const [sent, setSent] = useState<Sent>();
  /** The stored draft as last seen by this tab. */
  const stored = useRef(found);
  const keep = useCallback(() => {
    const all = sending.current ? joined(sending.current, written.current) : written.current;
    if (commentText(all) !== '') {
      stored.current = JSON.stringify(all);
      localStorage.setItem(key, stored.current);
    } else if (localStorage.getItem(key) === stored.current) localStorage.removeItem(key);
  }, [key]);
  useSentElsewhere(key, (text) => {
    if (sending.current || commentText(written.current) === '') return;
    const isAll = written.current === restored || commentText(written.current) === text;
    if (isAll) {
      written.current = nothing;
      setShown({ doc: nothing, isSent: false });
    } else keep();
    setIsUnsent(false);
    setSent(isAll ? 'all' : 'part');
  });
  const change = useCallback(
    (doc: CommentNode) => {
      if (commentText(doc) !== commentText(written.current)) setIsUnsent(false);
      written.current = doc;
      keep();
      if (commentText(doc) !== '') setIsEmpty(false);
    },
    [keep],
  );
  const send = useCallback(async () => {
    if (sending.current) return;
    const doc = written.current;
    if (commentText(doc) === '') {
      setIsEmpty(true);
      return;
    }
    sending.current = doc;
    written.current = nothing;
    setSent(undefined);
    setShown({ doc: nothing, isSent: true });
    setPending(true);
    setIsUnsent(false);
    try {
      await onSend(commentText(doc));
      tellSent(key, commentText(doc));
    } catch (error) {
      // Text typed meanwhile may be unfinished.
      const isSentLater = isLostSending(error) && commentText(written.current) === '';
      setIsUnsent(isSentLater);
      if (!isSentLater) toast.error(errorText(error));
      written.current = joined(doc, written.current);
      setShown({ doc: written.current, isSent: false });
    } finally {
      sending.current = undefined;
      setPending(false);
      keep();
    }
  }, [keep, key, onSend]);
  useOnRecovery(isUnsent, () => void send());
  const latest = useCallback(() => written.current, []);
  return { pending, isEmpty, isUnsent, restored, shown, sent, latest, change, send };
}
