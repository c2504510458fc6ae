import { startTransition } from 'react';
import { flushSync } from 'react-dom';

/** How much typing a killed tab may lose, and how long a pause in typing is. */
const FLUSH_MS = 250;

/** @param isTyping more changes follow: store the HTML, but do not render */
export type HtmlHandler = (html: string, isTyping?: boolean) => void;

const open = new Set<EditorSync>();

/** Flushes every open editor; call it before a draft is read, stored or discarded. */
export const flushEditors = (): void => open.forEach((editor) => editor.flush());

/** Also renders the forms synchronously; call it before their content is sent or copied. */
export const flushAndRenderEditors = (): void => open.forEach((editor) => editor.flushAndRender());

/**
 * Passes the HTML of an editor to its form without delaying keys: while typing, the draft is only stored. The form renders it
 * in the first pause, or at once if the form, the tab or the editor may be about to go away.
 */
export class EditorSync {
  private readonly serialise: () => string;
  private readonly onHtml: HtmlHandler;
  private readonly serialiseAhead: () => boolean;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hasChanged = false;
  private last: string | undefined;

  /**
   * @param serialise returns the HTML of the current document
   * @param onHtml receives the HTML
   * @param serialiseAhead serialises blocks for a few milliseconds; returns whether it is done
   */
  constructor(serialise: () => string, onHtml: HtmlHandler, serialiseAhead: () => boolean) {
    this.serialise = serialise;
    this.onHtml = onHtml;
    this.serialiseAhead = serialiseAhead;
  }

  markChanged(): void {
    this.hasChanged = true;
    this.timer ??= setTimeout(this.tick, FLUSH_MS);
  }

  flush(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.onHtml(this.latest());
  }

  private tick = (): void => {
    if (this.hasChanged && !this.serialiseAhead()) this.timer = setTimeout(this.tick);
    else if (this.hasChanged) {
      this.onHtml(this.latest(), true);
      this.timer = setTimeout(this.tick, FLUSH_MS);
    } else startTransition(() => this.flush());
  };

  private latest(): string {
    if (this.hasChanged || this.last === undefined) this.last = this.serialise();
    this.hasChanged = false;
    return this.last;
  }

  /** Flushes and renders synchronously: React may not have rendered the last flush yet. */
  readonly flushAndRender = (): void => {
    if (this.timer === undefined && this.last === undefined) return;
    flushSync(() => {
      if (this.timer === undefined) this.onHtml(this.latest());
      else this.flush();
    });
  };

  private ifHidden = (): void => {
    if (document.visibilityState === 'hidden') this.flush();
  };

  private onLeave = (): void => this.flush();

  /** @returns a function that flushes and stops watching */
  watch(editor: HTMLElement): () => void {
    const end = new AbortController();
    const { signal } = end;
    editor.addEventListener('focusout', this.onLeave, { signal });
    editor.closest('form')?.addEventListener('submit', this.flushAndRender, { signal });
    document.addEventListener('visibilitychange', this.ifHidden, { signal });
    window.addEventListener('pagehide', this.onLeave, { signal });
    open.add(this);
    return () => {
      this.flush();
      open.delete(this);
      end.abort();
    };
  }
}
