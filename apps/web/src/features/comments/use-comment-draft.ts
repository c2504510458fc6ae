import { useCallback, useRef, useState } from 'react';
import { toast } from '../../components/toast';
import { type Sent, broadcastSent, useSentElsewhere } from '../questions/drafts';
import { errorText } from '../../lib/api/errors';
import { useOnRecovery } from '../../lib/api/connection';
import { isOfflineError } from '../../lib/api/unavailable';
import { commentText, appended, emptyDoc, type CommentNode } from './mention-text';

const nodeTypes: ReadonlySet<string> = new Set(['doc', 'paragraph', 'text', 'hardBreak', 'mentionAtom']);

/** The editor rejects documents with unknown nodes. */
function isKnown({ type, content = [] }: CommentNode): boolean {
  return nodeTypes.has(type) && content.every(isKnown);
}

function parseDoc(stored: string | null): CommentNode | undefined {
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
  const [restored] = useState(() => parseDoc(found));
  const draft = useRef(restored ?? emptyDoc);
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
    const all = sending.current ? appended(sending.current, draft.current) : draft.current;
    if (commentText(all) !== '') {
      stored.current = JSON.stringify(all);
      localStorage.setItem(key, stored.current);
    } else if (localStorage.getItem(key) === stored.current) localStorage.removeItem(key);
  }, [key]);
  useSentElsewhere(key, (text) => {
    if (sending.current || commentText(draft.current) === '') return;
    const isAll = draft.current === restored || commentText(draft.current) === text;
    if (isAll) {
      draft.current = emptyDoc;
      setShown({ doc: emptyDoc, isSent: false });
    } else keep();
    setIsUnsent(false);
    setSent(isAll ? 'all' : 'part');
  });
  const change = useCallback(
    (doc: CommentNode) => {
      if (commentText(doc) !== commentText(draft.current)) setIsUnsent(false);
      draft.current = doc;
      keep();
      if (commentText(doc) !== '') setIsEmpty(false);
    },
    [keep],
  );
  const send = useCallback(async () => {
    if (sending.current) return;
    const doc = draft.current;
    if (commentText(doc) === '') {
      setIsEmpty(true);
      return;
    }
    sending.current = doc;
    draft.current = emptyDoc;
    setSent(undefined);
    setShown({ doc: emptyDoc, isSent: true });
    setPending(true);
    setIsUnsent(false);
    try {
      await onSend(commentText(doc));
      broadcastSent(key, commentText(doc));
    } catch (error) {
      // Text typed meanwhile may be unfinished.
      const isSentLater = isOfflineError(error) && commentText(draft.current) === '';
      setIsUnsent(isSentLater);
      if (!isSentLater) toast.error(errorText(error));
      draft.current = appended(doc, draft.current);
      setShown({ doc: draft.current, isSent: false });
    } finally {
      sending.current = undefined;
      setPending(false);
      keep();
    }
  }, [keep, key, onSend]);
  useOnRecovery(isUnsent, () => void send());
  const latest = useCallback(() => draft.current, []);
  return { pending, isEmpty, isUnsent, restored, shown, sent, latest, change, send };
}
