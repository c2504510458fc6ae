import { useCallback, useEffect, useRef, useState } from 'react';
import { Alert, Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { flushEditors } from '../editor/editor-sync';
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

/** `localStorage` key of a student's draft. */
export const draftKey = (studentId: string, place: string): string => `draft:${studentId}:${place}`;

/** Whether the student has a draft there. */
export const hasDraft = (studentId: string, place: string): boolean =>
  localStorage.getItem(draftKey(studentId, place)) !== null;

/** IDs of the posts with a draft of that kind. */
export function draftsOf(studentId: string, kind: 'answer'): string[] {
  const start = draftKey(studentId, `${kind}:`);
  return Object.keys(localStorage).flatMap((key) => (key.startsWith(start) ? key.slice(start.length) : []));
}

/** Deletes a student's drafts, so that the next user of this browser does not see them. */
export function deleteDrafts(studentId: string): void {
  Object.keys(localStorage)
    .filter((key) => key.startsWith(draftKey(studentId, '')))
    .forEach((key) => localStorage.removeItem(key));
}

export interface Draft<T> {
  value: T;
  /** Started earlier: before a reload, in another tab, or before the composer was closed. */
  isRestored: boolean;
  /** Stores changes and re-renders. Stable across renders. */
  change: (changes: Partial<T>) => void;
  /** Stores changes without re-rendering. */
  keep: (changes: Partial<T>) => void;
  /** Whether closing would leave a draft: the text differs from the initial one. */
  leavesDraft: () => boolean;
  /** Deletes the stored draft; with `sent`, only if nothing was written since. */
  discard: (sent?: Partial<T>) => void;
}

/**
 * A draft in `localStorage`, kept across reloads and tabs until it is discarded or sent.
 *
 * @param key identifies student and place
 * @param onSentElsewhere called when another tab has sent the draft, in full or an earlier version
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
  const lastStored = useRef(opened);
  const isUnmounted = useRef(false);
  const isSent = useRef(false);
  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
    };
  }, []);
  useEffect(() => void sentTexts.delete(key), [key]);
  const keep = useCallback(
    (changes: Partial<T>) => {
      // An upload may finish after its form has closed and the draft was discarded.
      if (isUnmounted.current) return;
      latest.current = { ...latest.current, ...changes };
      const serialised = JSON.stringify(latest.current);
      // Unchanged: do not overwrite what another tab may have stored since.
      if (serialised === lastStored.current) return;
      lastStored.current = serialised;
      // Text equal to the initial one is not a draft.
      if (serialised === first) localStorage.removeItem(key);
      else localStorage.setItem(key, serialised);
    },
    [key, first],
  );
  useSentElsewhere(key, (sent) => {
    flushEditors();
    const serialised = JSON.stringify(latest.current);
    if (serialised === first) return;
    const isAll = serialised === opened || serialised === sent;
    if (isAll) sentTexts.set(key, [sent, serialised]);
    // The other tab may have stored its version last.
    if (!isAll) localStorage.setItem(key, serialised);
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
    leavesDraft: () => {
      flushEditors();
      const isEdited = !isSent.current && JSON.stringify(latest.current) !== first;
      return isEdited && localStorage.getItem(key) !== null;
    },
    discard: (sent) => {
      flushEditors();
      const serialised = JSON.stringify(latest.current);
      if (sent === undefined) {
        localStorage.removeItem(key);
        return;
      }
      const all = JSON.stringify({ ...latest.current, ...sent });
      const stored = JSON.stringify({ ...latest.current, ...(read(key) as Partial<T> | undefined) });
      isSent.current = all === serialised;
      // Another tab may have stored a newer version.
      if (all === serialised && all === stored) localStorage.removeItem(key);
      broadcastSent(key, all);
    },
  };
}

interface SentDraft {
  key: string;
  sent: string;
}

type Listener = (draft: SentDraft) => void;

const listeners = new Set<Listener>();
/** One channel for all drafts of a page: a message also reaches other channel objects of the same page. */
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

/** Notifies other tabs that a draft was sent, with its content. */
export const broadcastSent = (key: string, sent: string): void => channel?.postMessage({ key, sent });

/** Calls `onSent` when another tab has sent the draft. */
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

/** Notice that a draft was restored. */
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

/** Notice that another tab has sent this text, or an earlier version of it. */
export function SentNotice({ sent }: { sent: Sent }) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  return (
    <Alert variant="light" py="xs" role="status">
      {t(sent === 'all' ? 'sentElsewhere' : 'earlierVersionSent')}
    </Alert>
  );
}

/** How much of the text another tab has sent. */
export type Sent = 'all' | 'part';

/**
 * Key of a form, changed to start over empty after a draft was discarded or another tab has sent it.
 *
 * @param closeEdit closes the form instead, when editing a post that now shows the sent version
 */
export function useAttempts(closeEdit: (() => void) | undefined) {
  const [{ attempt, sent }, setState] = useState<{ attempt: number; sent?: Sent }>({ attempt: 0 });
  return {
    attempt,
    sent,
    restart: () => setState((before) => ({ attempt: before.attempt + 1 })),
    markSent: (isAll: boolean) => {
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
 * Closes a composer and keeps the draft, with a message that offers to discard it.
 *
 * @param key key of the draft; reopening its composer hides the message
 */
export function useLeaveDraft(key: string, draft: Pick<Draft<object>, 'leavesDraft' | 'discard'>) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  useEffect(() => hideUndo(key), [key]);
  return (close: () => void) => {
    if (draft.leavesDraft())
      showUndo({ id: key, message: t('draftSaved'), label: t('discard'), onUndo: () => draft.discard() });
    close();
  };
}

/** Notice that the text was not sent because the connection was lost. */
export function UnsentNotice() {
  const { t } = useTranslation('connection');
  return (
    <Alert color="yellow" variant="light" py="xs" my="xs" role="status">
      {t('unsent')}
    </Alert>
  );
}
