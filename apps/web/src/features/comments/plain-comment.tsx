import { useLayoutEffect, useRef, type FocusEventHandler, type KeyboardEvent } from 'react';
import { isSendKey } from '../../lib/send-key';
import classes from './comments.module.css';
import { commentText, docOfLines, hasMention, joined, nothing, type CommentNode } from './mention-text';
import type { ShownDoc } from './use-comment-draft';

interface PlainCommentProps {
  label: string;
  placeholder: string;
  /** Text to begin with, of a draft. */
  restored: CommentNode | undefined;
  /** As with the editor. */
  shown: ShownDoc | undefined;
  startsFocused: boolean;
  errorId: string | undefined;
  onFocus: FocusEventHandler;
  onBlur: FocusEventHandler;
  onChange: (doc: CommentNode) => void;
  onSend: () => void;
}

/** Takes the keys while the code of the editor is on its way. Text with mentions waits for that, and what is typed goes behind it. */
export function PlainComment(props: PlainCommentProps) {
  const { label, placeholder, restored, shown, startsFocused, errorId } = props;
  const { onFocus, onBlur, onChange, onSend } = props;
  const doc = shown?.doc ?? restored ?? nothing;
  const field = useRef<HTMLTextAreaElement>(null);
  const isHidden = hasMention(doc);
  useLayoutEffect(() => {
    if (field.current) field.current.value = isHidden ? '' : commentText(doc);
  }, [shown, doc, isHidden]);
  const sendByKey = (event: KeyboardEvent) => {
    if (!isSendKey(event) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  return (
    <textarea
      ref={field}
      className={classes.plain}
      rows={1}
      placeholder={isHidden ? '' : placeholder}
      aria-label={label}
      aria-describedby={errorId}
      aria-invalid={errorId !== undefined}
      dir="auto"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was just pressed
      autoFocus={startsFocused}
      onFocus={onFocus}
      onBlur={onBlur}
      onKeyDown={sendByKey}
      onChange={({ currentTarget: { value } }) =>
        onChange(isHidden ? joined(doc, docOfLines(value)) : docOfLines(value))
      }
    />
  );
}
