import type { RemirrorEventListenerProps, RemirrorJSON } from '@remirror/core';
import { Remirror, useKeymap, useRemirror } from '@remirror/react';
import { useCallback } from 'react';
import { MentionAtomExtension } from 'remirror/extensions';
import { LineBreak } from '../editor/line-break-extension';
import { SafeEditor } from '../editor/safe-editor';
import classes from './comments.module.css';
import { MentionCandidates } from './mention-candidates';
import type { CommentNode } from './mention-text';

export interface CommentEditorProps {
  label: string;
  placeholder: string;
  space: string;
  /** What a draft holds. */
  initialDoc: CommentNode | undefined;
  errorId: string | undefined;
  onChange: (doc: CommentNode) => void;
  onSend: () => void;
}

type CommentExtension = MentionAtomExtension | LineBreak;

function commentExtensions(): CommentExtension[] {
  return [
    new LineBreak({}),
    new MentionAtomExtension({
      // Without flags: the library takes the expression's source only.
      matchers: [{ name: 'student', char: '@', supportedCharacters: /\w+/, matchOffset: 0 }],
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

/** The field of a comment: text and mentions. Loaded when somebody begins to write. */
export default function CommentEditor(props: CommentEditorProps) {
  const { label, placeholder, space, initialDoc, errorId, onChange, onSend } = props;
  const { manager, state } = useRemirror({
    extensions: commentExtensions,
    stringHandler: 'html',
    ...(initialDoc && { content: initialDoc as RemirrorJSON, selection: 'end' }),
  });
  const handleChange = useCallback(
    ({ state: { doc } }: RemirrorEventListenerProps<CommentExtension>) =>
      onChange(doc.toJSON() as CommentNode),
    [onChange],
  );
  return (
    <Remirror
      manager={manager}
      initialContent={state}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was just pressed
      autoFocus={initialDoc === undefined}
      placeholder={placeholder}
      onChange={handleChange}
      attributes={{
        'aria-label': label,
        ...(errorId === undefined ? {} : { 'aria-describedby': errorId, 'aria-invalid': 'true' }),
      }}
    >
      <SafeEditor className={classes.input} />
      <SendKey onSend={onSend} />
      <MentionCandidates space={space} />
    </Remirror>
  );
}
