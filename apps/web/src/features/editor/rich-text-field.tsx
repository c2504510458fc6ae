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
import type { HtmlHandler } from './editor-sync';
import type { PictureUploads } from './picture-uploads';
import type { RichTextEditorProps } from './rich-text-editor';
import classes from './rich-text.module.css';

const RichTextEditor = lazyPart(() => import('./rich-text-editor'));

interface RichTextFieldProps {
  label: string;
  placeholder: string;
  initialHtml: string;
  error?: string | undefined;
  /** Opened by the reader, rather than for a restored draft. */
  startsFocused?: boolean;
  /** Accepts images; omit to allow none. */
  uploads?: PictureUploads;
  onChange: HtmlHandler;
}

/** The rich text editor as a form field with label and error, and a plain field until it has loaded. */
export function RichTextField(props: RichTextFieldProps) {
  const { label, placeholder, initialHtml, error, startsFocused = false, uploads, onChange } = props;
  const id = useId();
  const errorId = `${id}-error`;
  const [first] = useState(initialHtml);
  const before = useRef({ text: '', hasFocus: startsFocused });
  // The editor is slow to create: first paint the plain field, even if the code is loaded.
  const isPainted = useIsPainted();
  const trackFocus = ({ type }: FocusEvent) => {
    before.current.hasFocus = type === 'focus';
  };
  const change = (text: string) => {
    before.current.text = text;
    onChange(first + textToHtml(text));
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
      onFocus={trackFocus}
      onBlur={trackFocus}
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
              initialHtml: first + textToHtml(before.current.text),
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

/** Takes over the text and focus of the plain field. */
function EditorAfterPlainField({
  start,
  ...rest
}: { start: () => Start } & Omit<RichTextEditorProps, keyof Start>) {
  const [initial, setInitial] = useState(start);
  useLayoutEffect(() => {
    // Keys may have been pressed between render and commit.
    setInitial((before) => {
      const now = start();
      return now.initialHtml === before.initialHtml && now.startsFocused === before.startsFocused
        ? before
        : now;
    });
    // oxlint-disable-next-line react/exhaustive-deps -- once, as it appears
  }, []);
  return <RichTextEditor key={initial.initialHtml.length} {...initial} {...rest} />;
}

/** HTML of plain text: one paragraph per line. */
function textToHtml(text: string): string {
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
  /** Takes the field out of the tab order. */
  isSkippedByTab?: boolean;
  /** Reserves space for the toolbar, so that the text does not move when it loads. */
  hasToolbar?: boolean;
  onFocus?: FocusEventHandler;
  onBlur?: FocusEventHandler;
  onChange?: (text: string) => void;
}

/** Looks like the rich text editor, without its code. */
export function PlainField(props: PlainFieldProps) {
  const { placeholder, labelledBy, describedBy, invalid = false, startsFocused = false } = props;
  const { isSkippedByTab = false, hasToolbar = false, onFocus, onBlur, onChange } = props;
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
        tabIndex={isSkippedByTab ? -1 : undefined}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- only if the reader opened it to write
        autoFocus={startsFocused}
        onFocus={onFocus}
        onBlur={onBlur}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      />
    </div>
  );
}
