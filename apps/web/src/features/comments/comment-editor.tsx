import { skipToken, useQuery } from '@apollo/client/react';
import { useDebouncedValue } from '@mantine/hooks';
import {
  type CreateExtensionPlugin,
  PlainExtension,
  type RemirrorEventListenerProps,
  type RemirrorJSON,
} from '@remirror/core';
import { closeHistory } from '@remirror/pm/history';
import { Selection, type Transaction } from '@remirror/pm/state';
import { ReplaceStep } from '@remirror/pm/transform';
import { Remirror, useKeymap, useMentionAtom, useRemirror, useRemirrorContext } from '@remirror/react';
import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MentionAtomExtension } from 'remirror/extensions';
import { PersonAvatar } from '../../components/person-avatar';
import { MentionCandidatesDocument, type PersonNameFragment } from '../../generated/graphql';
import { timings } from '../../lib/timings';
import { FocusOnMount, SafeEditor } from '../editor/safe-editor';
import { LineBreak } from '../editor/extensions/line-break-extension';
import classes from './comments.module.css';
import type { CommentNode } from './mention-text';
import { PlainPaste } from './plain-paste';
import type { ShownDoc } from './use-comment-draft';

export interface CommentEditorProps {
  label: string;
  placeholder: string;
  space: string;
  /** Initial text: from a draft, or typed before the editor loaded. */
  initialDoc: CommentNode;
  startsFocused: boolean;
  /** Replaces the document: empty once it is sent, the whole text again if that failed. */
  shown: ShownDoc | undefined;
  errorId: string | undefined;
  onChange: (doc: CommentNode) => void;
  onSend: () => void;
}

type CommentExtension = MentionAtomExtension | LineBreak | MentionUndoStep | PlainPaste;

/** Letters of every script, including joiners. Remirror's type lacks the `unicode` flag, which it supports. */
const student = {
  name: 'student',
  char: '@',
  supportedCharacters: /[\p{L}\p{M}\p{N}_\u200C\u200D]/u,
  unicode: true,
  // Remirror tests one UTF-16 unit, perhaps half of a letter: `isValidPosition` checks the letter.
  invalidPrefixCharacters: /(?!)/,
  matchOffset: 0,
};

/** `a@asha` is an email address, not a mention. In scripts without spaces, a mention may directly follow a letter. */
const endOfWord =
  /(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{M}\p{N}]$/u;

export function commentExtensions(): CommentExtension[] {
  return [
    new LineBreak({}),
    new MentionUndoStep({}),
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

/** Shows another document, with the caret at its end. */
function ReplacedDocument({ shown }: { shown: ShownDoc }) {
  const { view, setContent } = useRemirrorContext();
  useLayoutEffect(() => {
    setContent(shown.doc as RemirrorJSON);
    view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)));
    if (shown.isSent) view.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- once per document
  }, [shown]);
  return null;
}

/** Suggests people for an `@` typed before the editor loaded, too. */
function InitialSuggestions() {
  const { view } = useRemirrorContext();
  useEffect(() => {
    view.dispatch(view.state.tr.setSelection(view.state.selection));
  }, [view]);
  return null;
}

/** Editor for a comment: text and mentions. Loaded once someone starts to write. */
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
      // Remirror also calls this on mount, when the plain field may already hold more text.
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
      {startsFocused && <FocusOnMount />}
      {shown && <ReplacedDocument shown={shown} />}
      <SendKey onSend={onSend} />
      <MentionCandidates space={space} />
      {startsFocused && <InitialSuggestions />}
    </Remirror>
  );
}

const CANDIDATES = 8;

interface Candidate {
  id: string;
  label: string;
  person: PersonNameFragment;
}

/** Keeps the focus in the text: losing it would close the list. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/** Freezes the list while it is pressed. */
function useFrozenWhilePressed(found: readonly Candidate[]) {
  const [pressed, setPressed] = useState<readonly Candidate[]>();
  useEffect(() => {
    if (!pressed) return undefined;
    // The click follows the release and must still find the list that was pressed.
    const release = () => setTimeout(() => setPressed(undefined));
    window.addEventListener('pointerup', release);
    window.addEventListener('pointercancel', release);
    return () => {
      window.removeEventListener('pointerup', release);
      window.removeEventListener('pointercancel', release);
    };
  }, [pressed]);
  return { shown: pressed ?? found, press: () => setPressed(found) };
}

/** Sets the ARIA attributes of the list on the focused field. Remirror sets them on the list, where screen readers ignore them. */
function useActiveDescendant(listId: string | undefined, optionId: string | undefined): void {
  const field = useRemirrorContext().view.dom;
  useLayoutEffect(() => {
    const attributes = { 'aria-controls': listId, 'aria-activedescendant': optionId };
    for (const [name, value] of Object.entries(attributes))
      if (value === undefined) field.removeAttribute(name);
      else field.setAttribute(name, value);
    return () => Object.keys(attributes).forEach((name) => field.removeAttribute(name));
  }, [field, listId, optionId]);
}

/** Suggests members of the space whose name starts with the text after @. */
function MentionCandidates({ space }: { space: string }) {
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const [query, setQuery] = useState<string>();
  const [search] = useDebouncedValue(query, timings.suggestionDebounce);
  const { data, previousData, loading } = useQuery(
    MentionCandidatesDocument,
    search === undefined ? skipToken : { variables: { space, search, limit: CANDIDATES } },
  );
  const hits = (data ?? previousData)?.searchUsers.hits;
  const found = useMemo<Candidate[]>(
    () => (hits ?? []).map((person) => ({ id: person._id, label: `@${person.userName}`, person })),
    [hits],
  );
  const { shown: items, press } = useFrozenWhilePressed(found);
  // Only ID and label may reach the document: Remirror stores all fields of an item as node attributes.
  const { state, getMenuProps, getItemProps, indexIsHovered, indexIsSelected } = useMentionAtom({
    items: useMemo(() => items.map(({ id, label }) => ({ id, label })), [items]),
  });
  const list = useRef<HTMLUListElement>(null);
  const typed = state?.query.full;
  if (typed !== query) setQuery(typed);
  const isOpen = state !== null && items.length > 0;
  const menu = getMenuProps({ ref: list });
  useActiveDescendant(isOpen ? menu.id : undefined, isOpen ? menu['aria-activedescendant'] : undefined);
  // There may be no room below the box, for example above a phone's keyboard.
  useEffect(() => {
    if (isOpen) list.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, items.length]);
  if (!state) return null;
  if (!isOpen)
    return (
      !loading &&
      search === typed && (
        <div className={classes.candidates}>
          <p role="status" className={classes.noCandidate}>
            {t('noMatchingMembers')}
          </p>
        </div>
      )
    );
  return (
    <ul
      {...menu}
      role="listbox"
      onPointerDown={press}
      onMouseDown={keepFocus}
      className={classes.candidates}
      aria-label={t('mentionList')}
    >
      {items.map(({ id, label, person }, index) => (
        <li
          key={id}
          {...getItemProps({ item: { id, label }, index })}
          role="option"
          aria-selected={indexIsSelected(index) || indexIsHovered(index)}
          className={classes.candidate}
        >
          <PersonAvatar person={person} size={24} />
          <span>{person.userName}</span>
          <span className={classes.candidateName}>
            {person.firstName} {person.lastName}
          </span>
        </li>
      ))}
    </ul>
  );
}

function insertsMention({ steps }: Transaction): boolean {
  let isFound = false;
  for (const step of steps)
    if (step instanceof ReplaceStep)
      step.slice.content.descendants(({ type }) => {
        isFound ||= type.name === 'mentionAtom';
      });
  return isFound;
}

/** Makes text typed right after a mention a separate undo step. */
class MentionUndoStep extends PlainExtension {
  get name() {
    return 'nimoMentionStep' as const;
  }
  override createPlugin(): CreateExtensionPlugin {
    return {
      appendTransaction: (transactions, _, { tr }) =>
        transactions.some(insertsMention) ? closeHistory(tr) : null,
    };
  }
}
