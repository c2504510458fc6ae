import { prosemirrorNodeToHtml, type ProsemirrorNode, type RemirrorEventListenerProps } from '@remirror/core';
import { Remirror, useRemirror } from '@remirror/react';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import readingClasses from '../../components/rich-text/safe-html.module.css';
import { allowedHtml } from './allowed-html';
import { withStoredFormulas } from './pasting/body-formulas';
import { EditorToolbar } from './toolbar/editor-toolbar';
import { FocusNow, SafeEditor } from './safe-editor';
import { HandOver, type TakeHtml } from './hand-over';
import classes from './rich-text.module.css';
import type { PictureUploads } from './picture-uploads';
import { richTextExtensions, richTextSettings, type RichTextExtension } from './rich-text-extensions';

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
  /** Called a moment after a key, and before the form is sent or the editor is gone. */
  onChange: TakeHtml;
}

const emptyEnd = /(?:<p[^>]*>(?:<br[^>]*>)?<\/p>)+$/;

const htmlOfBlocks = new WeakMap<ProsemirrorNode, string>();

/** Blocks that did not change are the same nodes as before, and were written already. */
function htmlOf(block: ProsemirrorNode): string {
  const html = htmlOfBlocks.get(block) ?? prosemirrorNodeToHtml(block);
  htmlOfBlocks.set(block, html);
  return html;
}

/** Keys come between two slices. */
const SLICE_MS = 4;

/** Writes blocks ahead for a moment. Says whether all are written. */
function writeAhead(doc: ProsemirrorNode): boolean {
  const end = performance.now() + SLICE_MS;
  return doc.children.every((block) => {
    if (htmlOfBlocks.has(block)) return true;
    htmlOf(block);
    return performance.now() < end;
  });
}

/** The editor always ends in a paragraph to type into, which is not part of the text. */
const bodyOf = (doc: ProsemirrorNode): string => doc.children.map(htmlOf).join('').replace(emptyEnd, '');

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
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  const [handOver] = useState(
    () =>
      new HandOver(
        () => bodyOf(manager.view.state.doc),
        (html, isTyping) => latestOnChange.current(html, isTyping),
        () => writeAhead(manager.view.state.doc),
      ),
  );
  const frame = useRef<HTMLDivElement>(null);
  // In the same moment as the elements: the form's own effects end later, and can still take what is handed over.
  useLayoutEffect(() => (frame.current ? handOver.watch(frame.current) : undefined), [handOver]);
  // The view takes its attributes over with a state only, and the message of a field comes without one.
  useLayoutEffect(() => manager.view.updateState(manager.view.state), [manager, invalid, describedBy]);
  const handleChange = useCallback(
    ({ tr, transactions }: RemirrorEventListenerProps<RichTextExtension>) => {
      const hasChanged = (transactions ?? (tr ? [tr] : [])).some(({ docChanged }) => docChanged);
      if (hasChanged) handOver.note();
    },
    [handOver],
  );
  return (
    <div ref={frame} className={classes.frame} data-invalid={invalid || undefined}>
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
