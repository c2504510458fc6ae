import { timings } from '../../lib/timings';
import { languageOf } from './code-languages';
import classes from './code-blocks.module.css';

export interface CodeTexts {
  label: string;
  copy: string;
  copied: string;
  copyFailed: string;
}

function copyButton(pre: HTMLElement, texts: CodeTexts): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = classes.copy ?? '';
  button.textContent = texts.copy;
  // The word on the button changes, and that is to be heard.
  button.ariaLive = 'polite';
  const say = (words: string) => {
    button.textContent = words;
    setTimeout(() => (button.textContent = texts.copy), timings.copied);
  };
  button.addEventListener('click', () => {
    // Without a secure context there is no clipboard at all.
    const copied = Promise.resolve().then(() => navigator.clipboard.writeText(pre.textContent));
    copied.then(
      () => say(texts.copied),
      () => say(texts.copyFailed),
    );
  });
  return button;
}

function frame(pre: HTMLElement, texts: CodeTexts): void {
  const box = document.createElement('div');
  box.className = classes.frame ?? '';
  pre.replaceWith(box);
  box.append(pre, copyButton(pre, texts));
  // What scrolls has to be reachable with the keyboard, and then has a name.
  pre.tabIndex = 0;
  pre.setAttribute('role', 'group');
  pre.ariaLabel = texts.label;
}

/** Gives the code blocks of a body their copy button, and colours those whose language is known. */
export async function enrichCodeBlocks(
  blocks: readonly HTMLElement[],
  texts: CodeTexts,
  signal: AbortSignal,
): Promise<void> {
  blocks.forEach((pre) => frame(pre, texts));
  const codes = blocks.flatMap((pre) => {
    const code = pre.querySelector('code');
    const language = languageOf(code);
    return code && language !== null ? [{ code, language }] : [];
  });
  if (codes.length === 0) return;
  const highlighting = await import('./code-highlighting').catch(() => undefined);
  if (signal.aborted) return;
  codes.forEach(({ code, language }) => highlighting?.highlight(code, language));
}
