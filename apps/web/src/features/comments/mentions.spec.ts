import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EditorView } from '@remirror/pm/view';
import { createReactManager } from '@remirror/react';
import { MentionAtomExtension } from 'remirror/extensions';
import { commentExtensions } from './comment-editor';
import { commentText, type CommentNode } from './mention-text';

function newCommentBox() {
  const manager = createReactManager(commentExtensions, { stringHandler: 'html' });
  const state = manager.createState({ content: '<p></p>', selection: 'end' });
  const view = new EditorView(document.body.appendChild(document.createElement('div')), { state });
  manager.addView(view);
  let asked: string | undefined;
  let mention: (person: { id: string; label: string }) => void;
  manager.getExtension(MentionAtomExtension).addHandler('onChange', ({ exitReason, query }, choose) => {
    asked = exitReason ? undefined : query.full;
    mention = choose;
  });
  return {
    view,
    type: (text: string) => {
      for (const letter of text) view.dispatch(view.state.tr.insertText(letter));
    },
    paste: (text: string) => view.pasteText(text),
    /** The text that the list of people is searched for; undefined while it is closed. */
    asked: () => asked,
    choose: (name: string) => mention({ id: name, label: `@${name}` }),
    sent: () => commentText(view.state.doc.toJSON() as CommentNode),
  };
}

let box: ReturnType<typeof newCommentBox>;
beforeEach(() => {
  box = newCommentBox();
});
afterEach(() => box.view.destroy());

describe('the list of people to mention', () => {
  it.each([
    ['@asha', 'asha'],
    ['so @asha', 'asha'],
    ['(@asha', 'asha'],
    ['"@asha', 'asha'],
    ['[@', ''],
    ['/@', ''],
    ['–@a', 'a'],
    ['@प्रि', 'प्रि'],
    ['@Émi', 'Émi'],
    ['@E\u0301mi', 'E\u0301mi'],
    ['@小', '小'],
    ['@Ольга_1', 'Ольга_1'],
    ['@مريم', 'مريم'],
    ['谢谢@小明', '小明'],
  ])('is open behind %j', (text, asked) => {
    box.type(text);
    expect(box.asked()).toBe(asked);
  });

  it.each(['a@asha', '1@asha', 'é@asha', 'प्रि@asha', '@asha ', '@[0', '@asha)'])(
    'is closed behind %j',
    (text) => {
      box.type(text);
      expect(box.asked()).toBeUndefined();
    },
  );
});

describe('a mention', () => {
  it('adds nothing that was not typed', () => {
    box.type('(cc @ash');
    box.choose('asha');
    box.type(') ok');
    expect(box.sent()).toBe('(cc @[asha]) ok');
  });
});

describe('a comment', () => {
  it.each([
    '3*4*5 and x**2',
    'PHP: $sum=$a+$b; swap($a,$b)',
    '`x` and $$y$$',
    '- a',
    '1947. b',
    '# c',
    'arr @[0]',
  ])('is sent as it was typed: %j', (text) => {
    box.type(text);
    expect(box.sent()).toBe(text);
  });

  it('keeps the lines and the spaces of what is pasted', () => {
    box.paste('a\r\n\r\n  b  c\n');
    expect(box.sent()).toBe('a\n\n  b  c');
  });
});
