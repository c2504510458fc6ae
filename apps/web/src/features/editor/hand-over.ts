import { startTransition } from 'react';
import { flushSync } from 'react-dom';

/** A tab that is killed loses no more than was typed in this time, and a pause of this length is one. */
const HAND_OVER_MS = 250;

/** @param isTyping there is more to come: to be kept, not to be drawn */
export type TakeHtml = (html: string, isTyping?: boolean) => void;

const open = new Set<HandOver>();

/** Makes every open editor hand over what it holds back: before a draft is read, kept or dropped. */
export const handOverNow = (): void => open.forEach((editor) => editor.now());

/** The same, and draws their forms: before what a form shows is sent or copied. */
export const handOverDrawn = (): void => open.forEach((editor) => editor.drawn());

/**
 * Brings the text of an editor to its form. No key waits for it: while somebody types, the text is only kept, and the form learns
 * of it in the first pause, or at once where the form, the tab or the editor may be gone the moment after.
 */
export class HandOver {
  private readonly write: () => string;
  private readonly take: TakeHtml;
  private readonly prepare: () => boolean;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hasChanged = false;
  private last: string | undefined;

  /**
   * @param write makes the HTML of the text as it is
   * @param take what the form does with it
   * @param prepare does a little of the writing ahead; says whether there is nothing left
   */
  constructor(write: () => string, take: TakeHtml, prepare: () => boolean) {
    this.write = write;
    this.take = take;
    this.prepare = prepare;
  }

  /** The text has changed. */
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

  /** Also draws the form, which may not have come to that since a pause. */
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

  /** @returns what ends it, with all handed over */
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
