import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EditorSync, flushEditors } from './editor-sync';

/** An editor in a form. Counts serialisations, and records the HTML that the form received. */
function newEditor() {
  const form = document.body.appendChild(document.createElement('form'));
  const field = form.appendChild(document.createElement('div'));
  const received: string[] = [];
  const editor = { text: '', writes: 0, slices: 0 };
  const sync = new EditorSync(
    () => {
      editor.writes += 1;
      return editor.text;
    },
    (html, isTyping = false) => received.push(isTyping ? `${html}…` : html),
    () => --editor.slices < 0,
  );
  const end = sync.watch(field);
  const type = (letter: string): void => {
    editor.text += letter;
    sync.markChanged();
  };
  return { editor, form, field, received, type, end };
}

let visibility = 'visible';
let open: ReturnType<typeof newEditor>;

beforeEach(() => {
  jest.useFakeTimers();
  visibility = 'visible';
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility });
  open = newEditor();
});
afterEach(() => {
  open.end();
  Reflect.deleteProperty(document, 'visibilityState');
  jest.useRealTimers();
});

describe('the HTML of an editor', () => {
  it('is serialised four times a second while typing, and reaches the form in the first pause', () => {
    const { editor, received, type } = open;
    for (const letter of 'quick') {
      type(letter);
      jest.advanceTimersByTime(100);
    }
    expect(editor.writes).toBe(2);
    expect(received).toEqual(['qui…', 'quick…']);
    jest.advanceTimersByTime(250);
    expect(editor.writes).toBe(2);
    expect(received).toEqual(['qui…', 'quick…', 'quick']);
  });

  it('is serialised in slices if it is long, and at once if flushed', () => {
    const { editor, received, type } = open;
    editor.slices = 3;
    type('long');
    jest.advanceTimersByTime(250);
    type('er');
    expect(received).toEqual([]);
    jest.advanceTimersByTime(3);
    expect(received).toEqual(['longer…']);
    editor.slices = 3;
    type('!');
    jest.advanceTimersByTime(250);
    flushEditors();
    expect(received).toEqual(['longer…', 'longer!']);
  });

  it.each<[string, (editor: typeof open) => void]>([
    [
      'the field loses the focus',
      ({ field }) => field.dispatchEvent(new Event('focusout', { bubbles: true })),
    ],
    ['the page is hidden', () => window.dispatchEvent(new Event('pagehide'))],
    [
      'the tab is hidden',
      () => {
        visibility = 'hidden';
        document.dispatchEvent(new Event('visibilitychange'));
      },
    ],
    ['the form is submitted', ({ form }) => form.dispatchEvent(new Event('submit'))],
    ['the editor unmounts', ({ end }) => end()],
    ['its draft is read', () => flushEditors()],
  ])('is flushed when %s', (_when, happen) => {
    open.type('a');
    happen(open);
    expect(open.received).toEqual(['a']);
    happen(open);
    jest.advanceTimersByTime(1000);
    expect(open.editor.writes).toBe(1);
  });

  it('is not flushed when the tab becomes visible', () => {
    open.type('a');
    document.dispatchEvent(new Event('visibilitychange'));
    expect(open.received).toEqual([]);
  });

  it('is passed again on submit, although a pause already flushed it', () => {
    open.type('a');
    jest.advanceTimersByTime(500);
    open.form.dispatchEvent(new Event('submit'));
    expect(open.received).toEqual(['a…', 'a', 'a']);
  });

  it('is never serialised if nothing was typed', () => {
    open.form.dispatchEvent(new Event('submit'));
    flushEditors();
    open.end();
    expect(open.editor.writes).toBe(0);
    expect(open.received).toEqual([]);
  });
});
