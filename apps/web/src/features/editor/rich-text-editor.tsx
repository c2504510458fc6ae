import { prosemirrorNodeToHtml, type RemirrorEventListenerProps } from '@remirror/core';
import { Remirror, useRemirror, useRemirrorContext } from '@remirror/react';
import { useCallback, useLayoutEffect, useMemo } from 'react';
import readingClasses from '../../components/safe-html.module.css';
import { allowedHtml } from './allowed-html';
import { withStoredFormulas } from './body-formulas';
import { EditorToolbar } from './editor-toolbar';
import classes from './rich-text.module.css';
import type { PictureUploads } from './picture-uploads';
import { richTextExtensions, richTextSettings, type RichTextExtension } from './rich-text-extensions';
import { SafeEditor } from './safe-editor';

export interface RichTextEditorProps {
  /** HTML to begin with. The editor is not controlled: a new key starts a new document. */
  initialHtml: string;
  placeholder: string;
  labelledBy: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  startsFocused?: boolean;
  /** Where pictures may stand in the text; without it they may not. */
  uploads?: PictureUploads | undefined;
  onChange: (html: string) => void;
}

/** The library's own way waits for a frame, in which a key would be lost. */
function FocusNow() {
  const { view } = useRemirrorContext();
  useLayoutEffect(() => view.focus(), [view]);
  return null;
}

const emptyEnd = /(?:<p[^>]*>(?:<br[^>]*>)?<\/p>)+$/;

// The editor always ends in a paragraph to type into.
function withoutEmptyEnd(html: string): string {
  return html.replace(emptyEnd, '');
}

/** Rich text in, sanitisable HTML out. Loaded on demand: the library is heavy. */
export default function RichTextEditor(props: RichTextEditorProps) {
  const {
    initialHtml,
    placeholder,
    labelledBy,
    describedBy,
    invalid = false,
    startsFocused = false,
    uploads,
    onChange,
  } = props;
  const { manager, state } = useRemirror({
    ...richTextSettings,
    extensions: () => richTextExtensions(uploads),
    // The library reads HTML in the page's own document, where a picture's handler would run: a draft was never at the api.
    content: useMemo(() => withStoredFormulas(allowedHtml(initialHtml)), [initialHtml]),
    selection: 'end',
  });
  const handleChange = useCallback(
    ({ state: { doc }, tr, transactions }: RemirrorEventListenerProps<RichTextExtension>) => {
      const hasChanged = (transactions ?? (tr ? [tr] : [])).some(({ docChanged }) => docChanged);
      if (hasChanged) onChange(withoutEmptyEnd(prosemirrorNodeToHtml(doc)));
    },
    [onChange],
  );
  return (
    <div className={classes.frame} data-invalid={invalid || undefined}>
      <Remirror
        manager={manager}
        initialContent={state}
        placeholder={placeholder}
        onChange={handleChange}
        attributes={{
          'aria-labelledby': labelledBy,
          ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
          'aria-invalid': String(invalid),
        }}
      >
        <EditorToolbar uploads={uploads} />
        <SafeEditor className={`${readingClasses.body} ${classes.content}`} />
        {startsFocused && <FocusNow />}
      </Remirror>
    </div>
  );
}
