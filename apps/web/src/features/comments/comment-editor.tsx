import type { RemirrorEventListenerProps, RemirrorJSON } from '@remirror/core';
import { Selection } from '@remirror/pm/state';
import { Remirror, useKeymap, useRemirror, useRemirrorContext } from '@remirror/react';
import { useCallback, useEffect, useLayoutEffect } from 'react';
import { MentionAtomExtension } from 'remirror/extensions';
import { FocusNow } from '../editor/focus-now';
import { LineBreak } from '../editor/line-break-extension';
import { SafeEditor } from '../editor/safe-editor';
import classes from './comments.module.css';
import { MentionCandidates } from './mention-candidates';
import { MentionStep } from './mention-step';
import { PlainPaste } from './plain-paste';
import type { CommentNode } from './mention-text';
import type { ShownDoc } from './use-comment-draft';

export interface CommentEditorProps {
  label: string;
  placeholder: string;
  space: string;
  /** Text to begin with: of a draft, or typed before the editor was there. */
  initialDoc: CommentNode;
  startsFocused: boolean;
  /** Takes the place of what stands there: nothing once it is sent, all of it again where that failed. */
  shown: ShownDoc | undefined;
  errorId: string | undefined;
  onChange: (doc: CommentNode) => void;
  onSend: () => void;
}

type CommentExtension = MentionAtomExtension | LineBreak | MentionStep | PlainPaste;

/** Letters of every script, with the signs that join them. The type of the library leaves the flag out, which it takes. */
const student = {
  name: 'student',
  char: '@',
  supportedCharacters: /[\p{L}\p{M}\p{N}_\u200C\u200D]/u,
  unicode: true,
  // A single unit, which may be half of a letter: `isValidPosition` looks at the letter.
  invalidPrefixCharacters: /(?!)/,
  matchOffset: 0,
};

/** `a@asha` is an address, and no mention. In scripts without spaces a mention follows right behind a letter. */
const endOfWord =
  /(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{M}\p{N}]$/u;

export function commentExtensions(): CommentExtension[] {
  return [
    new LineBreak({}),
    new MentionStep({}),
    new PlainPaste({}),
    new MentionAtomExtension({
      matchers: [student],
      isValidPosition: (_, { textBefore }) => !endOfWord.test(textBefore),
      appendText: '',
    }),
  ];
}

function SendKey({ onSend }: { onSend: () => void }) {
  const send = useCallback(() => {
    onSend();
    return true;
  }, [onSend]);
  useKeymap('Mod-Enter', send);
  return null;
}

/** Shows another document, with the caret behind it. */
function Shown({ shown }: { shown: ShownDoc }) {
  const { view, setContent } = useRemirrorContext();
  useLayoutEffect(() => {
    setContent(shown.doc as RemirrorJSON);
    view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)));
    if (shown.isSent) view.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- once a document
  }, [shown]);
  return null;
}

/** Proposes people for an `@` that was typed before the editor was there, too. */
function MentionsOfStart() {
  const { view } = useRemirrorContext();
  useEffect(() => {
    view.dispatch(view.state.tr.setSelection(view.state.selection));
  }, [view]);
  return null;
}

/** The field of a comment: text and mentions. Loaded when somebody begins to write. */
export default function CommentEditor(props: CommentEditorProps) {
  const { label, placeholder, space, initialDoc, startsFocused, shown, errorId, onChange, onSend } = props;
  const { manager, state } = useRemirror({
    extensions: commentExtensions,
    stringHandler: 'html',
    content: initialDoc as RemirrorJSON,
    selection: 'end',
  });
  const handleChange = useCallback(
    ({ state: { doc }, tr, transactions }: RemirrorEventListenerProps<CommentExtension>) => {
      // The library also calls it as the editor appears, when more may stand in the plain field by now.
      const hasChanged = (transactions ?? (tr ? [tr] : [])).some(({ docChanged }) => docChanged);
      if (hasChanged) onChange(doc.toJSON() as CommentNode);
    },
    [onChange],
  );
  return (
    <Remirror
      manager={manager}
      initialContent={state}
      placeholder={placeholder}
      onChange={handleChange}
      attributes={{
        'aria-label': label,
        ...(errorId === undefined ? {} : { 'aria-describedby': errorId, 'aria-invalid': 'true' }),
      }}
    >
      <SafeEditor className={classes.input} />
      {startsFocused && <FocusNow />}
      {shown && <Shown shown={shown} />}
      <SendKey onSend={onSend} />
      <MentionCandidates space={space} />
      {startsFocused && <MentionsOfStart />}
    </Remirror>
  );
}
