import { useEffect, useRef } from 'react';

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
