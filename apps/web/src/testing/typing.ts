import { prosemirrorNodeToHtml } from '@remirror/core';
import { EditorView } from '@remirror/pm/view';
import { createReactManager } from '@remirror/react';
import { withStoredFormulas } from '../features/editor/pasting/body-formulas';
import { richTextExtensions, richTextSettings } from '../features/editor/rich-text-extensions';

/** The rich text editor in a document. Input goes through its handlers for text, keys and paste. */
export function newTypingEditor() {
  const manager = createReactManager(() => richTextExtensions(), richTextSettings);
  const newState = (html: string) =>
    manager.createState({ content: withStoredFormulas(html), selection: 'end' });
  const view = new EditorView(document.body.appendChild(document.createElement('div')), {
    state: newState('<p></p>'),
  });
  manager.addView(view);
  const insert = (text: string): void => {
    const { from, to } = view.state.selection;
    const typed = () => view.state.tr.insertText(text);
    if (!view.someProp('handleTextInput', (handle) => handle(view, from, to, text, typed)))
      view.dispatch(typed());
  };
  const press = (key: string, more: KeyboardEventInit = {}): void => {
    view.dom.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
  };
  return {
    view,
    commands: manager.store.commands,
    press,
    /** Opens another document. */
    open: (html = '<p></p>') => view.updateState(newState(html)),
    /** Types character by character; a line feed is Enter. */
    type: (text: string) => {
      for (const character of text)
        if (character === '\n') press('Enter');
        else insert(character);
    },
    paste: (text: string, type = 'text/plain') => {
      const clipboardData = {
        getData: (format: string) => (format === type ? text : ''),
        files: [],
        items: [],
      };
      const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData });
      view.dom.dispatchEvent(event);
    },
    /** HTML as it is sent, without empty paragraphs at the end. */
    html: () => prosemirrorNodeToHtml(view.state.doc).replace(/(?:<p[^>]*>(?:<br[^>]*>)?<\/p>)+$/, ''),
  };
}

const inOneLine = (element: Element, isMarked: boolean): string =>
  [...element.childNodes].map((node) => inlineText(node, isMarked)).join('');

function inlineText(node: Node, isMarked: boolean): string {
  if (!(node instanceof Element)) return node.textContent ?? '';
  const { localName } = node;
  const text = node.textContent;
  if (localName === 'br') return '\n';
  const source = node.getAttribute('data-source');
  if (source !== null) return node.hasAttribute('data-block') ? `$$${source}$$` : `$${source}$`;
  if (localName !== 'code') return inOneLine(node, isMarked);
  if (node.classList.contains('nimo-math')) return `$${text}$`;
  return isMarked ? `\`${text}\`` : text;
}

function blockLines(element: Element, isMarked: boolean): string[] {
  const { localName } = element;
  const code = element.querySelector('code');
  // A rendered code block is in a container with a copy button.
  if (localName === 'div' && element.querySelector('button'))
    return [...element.querySelectorAll('pre')].flatMap((pre) => blockLines(pre, isMarked));
  if (localName === 'pre' && !code)
    return [isMarked ? `$$${element.textContent}$$` : `$${element.textContent}$`];
  if (localName === 'pre') {
    const language = /language-(\S+)/.exec(code?.className ?? '')?.[1] ?? '';
    return isMarked ? [`\`\`\`${language}`, element.textContent, '```'] : [element.textContent];
  }
  if (localName === 'ul' || localName === 'ol') {
    const first = Number(element.getAttribute('start') ?? 1);
    return [...element.children].flatMap((item, at) => {
      const marker = localName === 'ul' ? '- ' : `${first + at}. `;
      const [line = '', ...more] = [...item.children].flatMap((child) => blockLines(child, isMarked));
      return [`${isMarked ? marker : ''}${line}`, ...more];
    });
  }
  return [inlineText(element, isMarked)];
}

/**
 * Reconstructs the text that the author typed, without blank lines.
 *
 * @param isMarked includes the markers that formatting removes
 */
export const typedTextIn = (body: Element, isMarked = true): string =>
  [...body.children]
    .flatMap((element) => blockLines(element, isMarked))
    .join('\n')
    .replace(/\n+/g, '\n')
    .replace(/^\n|\n$/g, '');
