import { Text } from '@mantine/core';
import {
  type FocusEvent,
  type FocusEventHandler,
  Suspense,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { lazyPart } from '../../lib/browser/loading';
import { useIsPainted } from '../../lib/browser/viewport';
import type { TakeHtml } from './hand-over';
import type { PictureUploads } from './picture-uploads';
import type { RichTextEditorProps } from './rich-text-editor';
import classes from './rich-text.module.css';

const RichTextEditor = lazyPart(() => import('./rich-text-editor'));

interface RichTextFieldProps {
  label: string;
  placeholder: string;
  initialHtml: string;
  error?: string | undefined;
  /** It was opened to be written in. */
  startsFocused?: boolean;
  /** Where pictures may stand in the text; without it they may not. */
  uploads?: PictureUploads;
  onChange: TakeHtml;
}

/** The rich editor as a field of a form: label, message, and a plain field to write in while its code is on its way. */
export function RichTextField(props: RichTextFieldProps) {
  const { label, placeholder, initialHtml, error, startsFocused = false, uploads, onChange } = props;
  const id = useId();
  const errorId = `${id}-error`;
  const [first] = useState(initialHtml);
  const before = useRef({ text: '', hasFocus: startsFocused });
  // The editor is heavy: the form is painted, and can be written in, before it is made, even where its code is there.
  const isPainted = useIsPainted();
  const noteFocus = ({ type }: FocusEvent) => {
    before.current.hasFocus = type === 'focus';
  };
  const change = (text: string) => {
    before.current.text = text;
    onChange(first + bodyOfLines(text));
  };
  const field = {
    placeholder,
    labelledBy: id,
    describedBy: error === undefined ? undefined : errorId,
    invalid: error !== undefined,
  };
  const plain = (
    <PlainField
      {...field}
      placeholder={first === '' ? placeholder : ''}
      startsFocused={startsFocused}
      hasToolbar
      onFocus={noteFocus}
      onBlur={noteFocus}
      onChange={change}
    />
  );
  return (
    <div>
      <span className={classes.label} id={id}>
        {label}
      </span>
      <Suspense fallback={plain}>
        {isPainted ? (
          <EditorAfterPlainField
            {...field}
            start={() => ({
              initialHtml: first + bodyOfLines(before.current.text),
              startsFocused: before.current.hasFocus,
            })}
            uploads={uploads}
            onChange={onChange}
          />
        ) : (
          plain
        )}
      </Suspense>
      {error !== undefined && (
        <Text id={errorId} role="alert" size="xs" c="var(--mantine-color-error)" mt={5}>
          {error}
        </Text>
      )}
    </div>
  );
}

type Start = Required<Pick<RichTextEditorProps, 'initialHtml' | 'startsFocused'>>;

/** Goes on with the text and the focus of the plain field. */
function EditorAfterPlainField({
  start,
  ...rest
}: { start: () => Start } & Omit<RichTextEditorProps, keyof Start>) {
  const [begun, setBegun] = useState(start);
  useLayoutEffect(() => {
    // Keys may have come between the drawing of the editor and its appearance.
    setBegun((before) => {
      const now = start();
      return now.initialHtml === before.initialHtml && now.startsFocused === before.startsFocused
        ? before
        : now;
    });
    // oxlint-disable-next-line react/exhaustive-deps -- once, as it appears
  }, []);
  return <RichTextEditor key={begun.initialHtml.length} {...begun} {...rest} />;
}

/** The body of a post that was written without the rich editor: a paragraph a line. */
function bodyOfLines(text: string): string {
  if (text === '') return '';
  return text
    .split('\n')
    .map((line) => {
      const paragraph = document.createElement('p');
      paragraph.textContent = line;
      return paragraph.outerHTML;
    })
    .join('');
}

interface PlainFieldProps {
  placeholder: string;
  labelledBy: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  startsFocused?: boolean;
  /** The Tab key passes it by. */
  isPassedBy?: boolean;
  /** Leaves room for the toolbar, so that the text stays where it is when that comes. */
  hasToolbar?: boolean;
  onFocus?: FocusEventHandler;
  onBlur?: FocusEventHandler;
  onChange?: (text: string) => void;
}

/** Looks like the rich editor and needs none of its code. */
export function PlainField(props: PlainFieldProps) {
  const { placeholder, labelledBy, describedBy, invalid = false, startsFocused = false } = props;
  const { isPassedBy = false, hasToolbar = false, onFocus, onBlur, onChange } = props;
  return (
    <div className={classes.frame} data-invalid={invalid || undefined}>
      {hasToolbar && <div className={classes.toolbarRoom} />}
      <textarea
        className={classes.plain}
        data-tall={hasToolbar || undefined}
        placeholder={placeholder}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        dir="auto"
        tabIndex={isPassedBy ? -1 : undefined}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- only where somebody opened it to write
        autoFocus={startsFocused}
        onFocus={onFocus}
        onBlur={onBlur}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      />
    </div>
  );
}
