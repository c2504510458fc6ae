import { startTransition } from 'react';
import { flushSync } from 'react-dom';

/** How much typing a killed tab may lose, and how long a pause in typing is. */
const HAND_OVER_MS = 250;

/** @param isTyping more changes follow: store the HTML, but do not render */
export type TakeHtml = (html: string, isTyping?: boolean) => void;

const open = new Set<HandOver>();

/** Flushes every open editor; call it before a draft is read, stored or discarded. */
export const handOverNow = (): void => open.forEach((editor) => editor.now());

/** Also renders the forms synchronously; call it before their content is sent or copied. */
export const handOverDrawn = (): void => open.forEach((editor) => editor.drawn());

/**
 * Passes the HTML of an editor to its form without delaying keys: while typing, the draft is only stored. The form renders it
 * in the first pause, or at once if the form, the tab or the editor may be about to go away.
 */
export class HandOver {
  private readonly write: () => string;
  private readonly take: TakeHtml;
  private readonly prepare: () => boolean;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hasChanged = false;
  private last: string | undefined;

  /**
   * @param write serializes the current document
   * @param take receives the HTML
   * @param prepare serializes ahead for a few milliseconds; returns whether it is done
   */
  constructor(write: () => string, take: TakeHtml, prepare: () => boolean) {
    this.write = write;
    this.take = take;
    this.prepare = prepare;
  }

  note(): void {
    this.hasChanged = true;
    this.timer ??= setTimeout(this.tick, HAND_OVER_MS);
  }

  now(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.take(this.latest());
  }

  private tick = (): void => {
    if (this.hasChanged && !this.prepare()) this.timer = setTimeout(this.tick);
    else if (this.hasChanged) {
      this.take(this.latest(), true);
      this.timer = setTimeout(this.tick, HAND_OVER_MS);
    } else startTransition(() => this.now());
  };

  private latest(): string {
    if (this.hasChanged || this.last === undefined) this.last = this.write();
    this.hasChanged = false;
    return this.last;
  }

  /** Flushes and renders synchronously: React may not have rendered the last flush yet. */
  readonly drawn = (): void => {
    if (this.timer === undefined && this.last === undefined) return;
    flushSync(() => {
      if (this.timer === undefined) this.take(this.latest());
      else this.now();
    });
  };

  private ifHidden = (): void => {
    if (document.visibilityState === 'hidden') this.now();
  };

  private onLeave = (): void => this.now();

  /** @returns a function that flushes and stops watching */
  watch(editor: HTMLElement): () => void {
    const end = new AbortController();
    const { signal } = end;
    editor.addEventListener('focusout', this.onLeave, { signal });
    editor.closest('form')?.addEventListener('submit', this.drawn, { signal });
    document.addEventListener('visibilitychange', this.ifHidden, { signal });
    window.addEventListener('pagehide', this.onLeave, { signal });
    open.add(this);
    return () => {
      this.now();
      open.delete(this);
      end.abort();
    };
  }
}
