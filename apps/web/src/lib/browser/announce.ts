import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { useDocumentTitle } from '@mantine/hooks';
import { timings } from '../timings';
import { newListeners } from '../listeners';

interface Announcement {
  readonly id: number;
  readonly text: string;
}

const { subscribe, notify } = newListeners();
const timers = new Set<ReturnType<typeof setTimeout>>();
let announcements: readonly Announcement[] = [];
let count = 0;

function setAnnouncements(next: readonly Announcement[]): void {
  announcements = next;
  notify();
}

/** Announces a message politely to screen readers. Not for toasts, which are live regions themselves. */
export function announce(text: string): void {
  count += 1;
  const announcement = { id: count, text };
  setAnnouncements([...announcements, announcement]);
  const timer = setTimeout(() => {
    timers.delete(timer);
    setAnnouncements(announcements.filter((other) => other !== announcement));
  }, timings.announcement);
  timers.add(timer);
}

/** The next person must not hear announcements for the previous one. */
export function clearAnnouncements(): void {
  timers.forEach(clearTimeout);
  timers.clear();
  setAnnouncements([]);
}

/** Announced a moment ago. */
export const useAnnouncements = (): readonly Announcement[] =>
  useSyncExternalStore(subscribe, () => announcements);

/**
 * Announces how many entries were added, except the reader's own.
 * @returns call it when the reader adds one: it may be counted before its response arrives
 */
export function useAnnounceGrowth(total: number, text: (more: number) => string) {
  const known = useRef(total);
  const sent = useRef(0);
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  });
  useEffect(() => {
    const more = total - known.current;
    known.current = total;
    if (more <= 0) return;
    const own = Math.min(sent.current, more);
    sent.current -= own;
    if (more > own) announce(latest.current(more - own));
  }, [total]);
  return useCallback(async <Sent>(send: () => Promise<Sent>): Promise<Sent> => {
    sent.current += 1;
    try {
      return await send();
    } catch (error) {
      sent.current = Math.max(0, sent.current - 1);
      throw error;
    }
  }, []);
}

/** Suffix of every screen's title. */
export const TITLE_END = ' | Nimo';

/** Sets the document title, which screen readers announce. */
export function useScreenTitle(title: string): void {
  useDocumentTitle(title === '' ? 'Nimo' : `${title}${TITLE_END}`);
}
