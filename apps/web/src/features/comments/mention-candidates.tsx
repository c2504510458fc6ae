import { skipToken, useQuery } from '@apollo/client/react';
import { useDebouncedValue } from '@mantine/hooks';
import { useMentionAtom, useRemirrorContext } from '@remirror/react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { PersonAvatar } from '../../components/person-avatar';
import { MentionCandidatesDocument, type PersonNameFragment } from '../../generated/graphql';
import { timings } from '../../lib/timings';
import classes from './comments.module.css';

const CANDIDATES = 8;

interface Candidate {
  id: string;
  label: string;
  person: PersonNameFragment;
}

/** The list neither takes the focus of the text, which would close it, nor changes under the pointer that presses it. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

function useSteadyWhilePressed(found: readonly Candidate[]) {
  const [pressed, setPressed] = useState<readonly Candidate[]>();
  useEffect(() => {
    if (!pressed) return undefined;
    // The click follows the release, and is to find the list as it was pressed.
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

/** Says in the field, which keeps the focus, what is chosen in the list beneath it. The kit says so in the list, where nobody hears it. */
function useChosenSaid(listId: string | undefined, optionId: string | undefined): void {
  const field = useRemirrorContext().view.dom;
  useLayoutEffect(() => {
    const said = { 'aria-controls': listId, 'aria-activedescendant': optionId };
    for (const [name, value] of Object.entries(said))
      if (value === undefined) field.removeAttribute(name);
      else field.setAttribute(name, value);
    return () => Object.keys(said).forEach((name) => field.removeAttribute(name));
  }, [field, listId, optionId]);
}

/** Members of the space whose name begins with what was typed after @. */
export function MentionCandidates({ space }: { space: string }) {
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
  const { shown: items, press } = useSteadyWhilePressed(found);
  // Only id and label may reach the document: what else an item carries would be an attribute of the node.
  const { state, getMenuProps, getItemProps, indexIsHovered, indexIsSelected } = useMentionAtom({
    items: useMemo(() => items.map(({ id, label }) => ({ id, label })), [items]),
  });
  const list = useRef<HTMLUListElement>(null);
  const typed = state?.query.full;
  if (typed !== query) setQuery(typed);
  const isOpen = state !== null && items.length > 0;
  const menu = getMenuProps({ ref: list });
  useChosenSaid(isOpen ? menu.id : undefined, isOpen ? menu['aria-activedescendant'] : undefined);
  // A box at the foot of a screen, or above the keyboard of a phone, has no room beneath it.
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
            {t('noMention')}
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
