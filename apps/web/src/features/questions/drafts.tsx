import { useCallback, useEffect, useRef, useState } from 'react';
import { Alert, Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { handOverNow } from '../editor/hand-over';
import { hideUndo, showUndo } from '../../components/toast';

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Texts that another tab has just sent, by key. A message can arrive before the removal from storage does. */
const sentTexts = new Map<string, readonly string[]>();

/** The stored draft, unless it has just been sent. */
const readUnsent = (key: string): unknown =>
  sentTexts.get(key)?.includes(localStorage.getItem(key) ?? '') ? undefined : read(key);

/** Where a draft of a student is kept. */
export const draftKey = (studentId: string, place: string): string => `draft:${studentId}:${place}`;

/** Whether something of the student's was begun there and not sent. */
export const hasDraft = (studentId: string, place: string): boolean =>
  localStorage.getItem(draftKey(studentId, place)) !== null;

/** Ids of the posts where something of that kind was begun and not sent. */
export function draftsOf(studentId: string, kind: 'answer'): string[] {
  const start = draftKey(studentId, `${kind}:`);
  return Object.keys(localStorage).flatMap((key) => (key.startsWith(start) ? key.slice(start.length) : []));
}

/** What somebody had begun to write is nobody else's business who uses this browser next. */
export function forgetDraftsOf(studentId: string): void {
  Object.keys(localStorage)
    .filter((key) => key.startsWith(draftKey(studentId, '')))
    .forEach((key) => localStorage.removeItem(key));
}

export interface Draft<T> {
  value: T;
  /** It was begun earlier: before a reload, in another tab, or before the composer was closed. */
  isRestored: boolean;
  /** Keeps what has changed and draws it. The same function for as long as the draft is written. */
  change: (changes: Partial<T>) => void;
  /** Keeps what has changed, and draws nothing. */
  keep: (changes: Partial<T>) => void;
  /** Says whether closing leaves a draft behind: something was written that differs from what was there. */
  isKept: () => boolean;
  /** Forgets what was kept; on purpose, or because it was `sent` and nothing was written since. */
  discard: (sent?: Partial<T>) => void;
}

/**
 * What is being written, kept until it is discarded or sent: over a reload, days, and in every tab.
 *
 * @param key names student and place; another key is another draft
 * @param onSentElsewhere another tab has sent it: all that is written here, or an earlier version
 */
export function useDraft<T extends object>(
  key: string,
  initial: T,
  onSentElsewhere: (isAll: boolean) => void,
): Draft<T> {
  const [restored] = useState(() => readUnsent(key) as Partial<T> | undefined);
  const [first] = useState(() => JSON.stringify(initial));
  const [value, setValue] = useState<T>({ ...initial, ...restored });
  const [opened] = useState(() => JSON.stringify(value));
  const latest = useRef(value);
  const kept = useRef(opened);
  const isOver = useRef(false);
  const isSent = useRef(false);
  useEffect(() => {
    isOver.current = false;
    return () => {
      isOver.current = true;
    };
  }, []);
  useEffect(() => void sentTexts.delete(key), [key]);
  const keep = useCallback(
    (changes: Partial<T>) => {
      // An upload that ends after its form: the draft may be discarded by now.
      if (isOver.current) return;
      latest.current = { ...latest.current, ...changes };
      const written = JSON.stringify(latest.current);
      // Another tab may have written on.
      if (written === kept.current) return;
      kept.current = written;
      // What is again as it was is no draft.
      if (written === first) localStorage.removeItem(key);
      else localStorage.setItem(key, written);
    },
    [key, first],
  );
  useSentElsewhere(key, (sent) => {
    handOverNow();
    const written = JSON.stringify(latest.current);
    if (written === first) return;
    const isAll = written === opened || written === sent;
    if (isAll) sentTexts.set(key, [sent, written]);
    // The other tab may have written last.
    if (!isAll) localStorage.setItem(key, written);
    onSentElsewhere(isAll);
  });
  const change = useCallback(
    (changes: Partial<T>) => {
      keep(changes);
      setValue(latest.current);
    },
    [keep],
  );
  return {
    value,
    isRestored: restored !== undefined,
    change,
    keep,
    isKept: () => {
      handOverNow();
      const isWritten = !isSent.current && JSON.stringify(latest.current) !== first;
      return isWritten && localStorage.getItem(key) !== null;
    },
    discard: (sent) => {
      handOverNow();
      const written = JSON.stringify(latest.current);
      if (sent === undefined) {
        localStorage.removeItem(key);
        return;
      }
      const all = JSON.stringify({ ...latest.current, ...sent });
      const stored = JSON.stringify({ ...latest.current, ...(read(key) as Partial<T> | undefined) });
      isSent.current = all === written;
      // Another tab may have written on.
      if (all === written && all === stored) localStorage.removeItem(key);
      tellSent(key, all);
    },
  };
}

interface SentDraft {
  key: string;
  sent: string;
}

type Listener = (draft: SentDraft) => void;

const listeners = new Set<Listener>();
/** One for all drafts of a page: what is posted to a channel comes to all others, those of the same page included. */
let channel: BroadcastChannel | undefined;

function listen(listener: Listener): () => void {
  if (!channel) {
    channel = new BroadcastChannel('nimo-sent-drafts');
    channel.onmessage = ({ data }: MessageEvent<SentDraft>) => listeners.forEach((each) => each(data));
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    channel?.close();
    channel = undefined;
  };
}

/** Tells the other tabs of this browser that a draft was sent, and what was in it. */
export const tellSent = (key: string, sent: string): void => channel?.postMessage({ key, sent });

/** Learns that another tab has sent the draft. */
export function useSentElsewhere(key: string, onSent: (sent: string) => void): void {
  const latest = useRef(onSent);
  latest.current = onSent;
  useEffect(
    () =>
      listen((draft) => {
        if (draft.key === key) latest.current(draft.sent);
      }),
    [key],
  );
}

/** Says that what was written before a reload is back. */
export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  return (
    <Alert variant="light" py="xs" role="status">
      <Group justify="space-between">
        {t('draftRestored')}
        <Button variant="subtle" size="compact-sm" onClick={onDiscard}>
          {t('discardDraft')}
        </Button>
      </Group>
    </Alert>
  );
}

/** Says that another tab sent what was written here, or an earlier version of it. */
export function SentNotice({ sent }: { sent: Sent }) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  return (
    <Alert variant="light" py="xs" role="status">
      {t(sent === 'all' ? 'sentElsewhere' : 'sentBefore')}
    </Alert>
  );
}

/** How much of what is written another tab has sent. */
export type Sent = 'all' | 'part';

/**
 * A draft that is discarded leaves an empty form, not a closed one: another attempt is another form. So does one that another
 * tab has sent.
 *
 * @param closeEdit closes the edit of a post, which shows by then what was sent
 */
export function useAttempts(closeEdit: (() => void) | undefined) {
  const [{ attempt, sent }, setState] = useState<{ attempt: number; sent?: Sent }>({ attempt: 0 });
  return {
    attempt,
    sent,
    restart: () => setState((before) => ({ attempt: before.attempt + 1 })),
    noteSent: (isAll: boolean) => {
      if (isAll && closeEdit) closeEdit();
      else
        setState((before) => ({
          attempt: before.attempt + (isAll ? 1 : 0),
          sent: isAll ? 'all' : 'part',
        }));
    },
  };
}

/**
 * Leaves a composer: what was written stays, and a message says so and offers to discard it.
 *
 * @param key of the draft: the message goes when the composer is opened again
 */
export function useLeaveDraft(key: string, draft: Pick<Draft<object>, 'isKept' | 'discard'>) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  useEffect(() => hideUndo(key), [key]);
  return (close: () => void) => {
    if (draft.isKept())
      showUndo({ id: key, message: t('draftKept'), label: t('discard'), onUndo: () => draft.discard() });
    close();
  };
}

/** Stands with a text that the connection kept from being sent. */
export function UnsentNotice() {
  const { t } = useTranslation('connection');
  return (
    <Alert color="yellow" variant="light" py="xs" my="xs" role="status">
      {t('unsent')}
    </Alert>
  );
}
