import { prosemirrorNodeToHtml, type ProsemirrorNode, type RemirrorEventListenerProps } from '@remirror/core';
import { Remirror, useRemirror } from '@remirror/react';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import readingClasses from '../../components/rich-text/safe-html.module.css';
import { allowedHtml } from './allowed-html';
import { withStoredFormulas } from './pasting/body-formulas';
import { EditorToolbar } from './toolbar/editor-toolbar';
import { FocusOnMount, SafeEditor } from './safe-editor';
import { EditorSync, type HtmlHandler } from './editor-sync';
import classes from './rich-text.module.css';
import type { PictureUploads } from './picture-uploads';
import { richTextExtensions, richTextSettings, type RichTextExtension } from './rich-text-extensions';

export interface RichTextEditorProps {
  /** Initial HTML. The editor is uncontrolled: change its key to start a new document. */
  initialHtml: string;
  placeholder: string;
  labelledBy: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  startsFocused?: boolean;
  /** Accepts images; omit to allow none. */
  uploads?: PictureUploads | undefined;
  /** Called shortly after a key, and before the form is submitted or the editor unmounts. */
  onChange: HtmlHandler;
}

const emptyEnd = /(?:<p[^>]*>(?:<br[^>]*>)?<\/p>)+$/;

const htmlOfBlocks = new WeakMap<ProsemirrorNode, string>();

/** HTML of a block, cached by node: unchanged blocks keep their node. */
function htmlOf(block: ProsemirrorNode): string {
  const html = htmlOfBlocks.get(block) ?? prosemirrorNodeToHtml(block);
  htmlOfBlocks.set(block, html);
  return html;
}

/** Maximum time that keys wait for serialisation. */
const SLICE_MS = 4;

/** Serialises blocks for one slice. Returns whether all are done. */
function serialiseAhead(doc: ProsemirrorNode): boolean {
  const end = performance.now() + SLICE_MS;
  return doc.children.every((block) => {
    if (htmlOfBlocks.has(block)) return true;
    htmlOf(block);
    return performance.now() < end;
  });
}

/** HTML of the document without the empty paragraph at its end. */
const bodyOf = (doc: ProsemirrorNode): string => doc.children.map(htmlOf).join('').replace(emptyEnd, '');

/** Rich text editor for HTML. Loaded on demand, because Remirror is large. */
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
    // A draft has not been sanitised by the API, and Remirror parses HTML in the page's document, where image handlers run.
    content: useMemo(() => withStoredFormulas(allowedHtml(initialHtml)), [initialHtml]),
    selection: 'end',
  });
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  const [sync] = useState(
    () =>
      new EditorSync(
        () => bodyOf(manager.view.state.doc),
        (html, isTyping) => latestOnChange.current(html, isTyping),
        () => serialiseAhead(manager.view.state.doc),
      ),
  );
  const frame = useRef<HTMLDivElement>(null);
  // A layout effect is cleaned up before the form's effects, which can then still store the last flush.
  useLayoutEffect(() => (frame.current ? sync.watch(frame.current) : undefined), [sync]);
  // The view only applies its attributes with a state, but a validation error changes them without one.
  useLayoutEffect(() => manager.view.updateState(manager.view.state), [manager, invalid, describedBy]);
  const handleChange = useCallback(
    ({ tr, transactions }: RemirrorEventListenerProps<RichTextExtension>) => {
      const hasChanged = (transactions ?? (tr ? [tr] : [])).some(({ docChanged }) => docChanged);
      if (hasChanged) sync.markChanged();
    },
    [sync],
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
        {startsFocused && <FocusOnMount />}
      </Remirror>
    </div>
  );
}
