import { Skeleton, Text } from '@mantine/core';
import { Suspense, useId } from 'react';
import { lazyPart } from '../../lib/lazy-part';
import type { TakeHtml } from './hand-over';
import type { PictureUploads } from './picture-uploads';
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

/** The rich editor as a field of a form: label, message, and an outline while its code is on its way. */
export function RichTextField({
  label,
  placeholder,
  initialHtml,
  error,
  startsFocused,
  uploads,
  onChange,
}: RichTextFieldProps) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div>
      <span className={classes.label} id={id}>
        {label}
      </span>
      <Suspense fallback={<Skeleton height={196} radius="md" />}>
        <RichTextEditor
          initialHtml={initialHtml}
          placeholder={placeholder}
          labelledBy={id}
          describedBy={error === undefined ? undefined : errorId}
          invalid={error !== undefined}
          startsFocused={startsFocused}
          uploads={uploads}
          onChange={onChange}
        />
      </Suspense>
      {error !== undefined && (
        <Text id={errorId} role="alert" size="xs" c="var(--mantine-color-error)" mt={5}>
          {error}
        </Text>
      )}
    </div>
  );
}
