import { useApolloClient } from '@apollo/client/react';
import { CloseButton, Loader, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PersonByNameDocument } from '../../generated/graphql';
import { errorText } from '../../lib/api/errors';
import { useModeratedSpaces } from '../areas/use-moderated-spaces';
import { idIn, parseLocalMinute, localMinuteValue } from './address-params';

interface SubjectInputProps {
  label: string;
  kind: SubjectKind;
  /** ID that the list is filtered by. */
  chosen: string | null;
  /** Name of `chosen`, if known from the list. */
  name: string | undefined;
  space: string | null;
  onChange: (id: string | null) => void;
}

/** Filters a list by a person or a post, given as a link, ID or username. Applies on Enter or blur. */
export function SubjectInput({ label, kind, chosen, name, space, onChange }: SubjectInputProps) {
  const { t } = useTranslation('areas');
  const find = useFindSubject(space);
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const [isSearching, setSearching] = useState(false);
  const settle = (id: string | null) => {
    setTyped(undefined);
    setError(undefined);
    if (id !== chosen) onChange(id);
  };
  const lookUp = async () => {
    if (typed === undefined) return;
    if (typed.trim() === '') {
      settle(null);
      return;
    }
    setSearching(true);
    const found = await find(kind, typed);
    setSearching(false);
    if ('id' in found) settle(found.id);
    else setError(found.wrong);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') void lookUp();
    if (key === 'Escape') settle(chosen);
  };
  return (
    <TextInput
      label={label}
      placeholder={t(`filters.${kind}Hint`)}
      value={typed ?? (chosen === null ? '' : name || chosen)}
      error={error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        setError(undefined);
      }}
      onKeyDown={onKeyDown}
      onBlur={() => void lookUp()}
      rightSection={
        isSearching ? (
          <Loader size="xs" />
        ) : (
          chosen !== null && (
            <CloseButton
              size="sm"
              aria-label={t('filters.clearOne', { label })}
              onClick={() => settle(null)}
            />
          )
        )
      }
    />
  );
}

type SubjectKind = 'person' | 'post';

/** Maximum number of spaces to search, one after another. */
const MAX_SPACES = 20;

type Found = { readonly id: string } | { readonly wrong: string };

/**
 * Resolves a link or an ID to a post or a person, or a username to a member.
 * @param space the space to search; null for all spaces that the caller moderates
 */
export function useFindSubject(space: string | null): (kind: SubjectKind, text: string) => Promise<Found> {
  const { t } = useTranslation('areas');
  const client = useApolloClient();
  const { spaces = [] } = useModeratedSpaces();
  const spaceIds = space === null ? spaces.slice(0, MAX_SPACES).map(({ _id }) => _id) : [space];

  async function findPerson(userName: string): Promise<string | undefined> {
    for (const one of spaceIds) {
      const { data } = await client.query({
        query: PersonByNameDocument,
        variables: { space: one, userName },
        fetchPolicy: 'network-only',
      });
      const found = data?.searchUsers.hits.find(
        (hit) => hit.userName.toLowerCase() === userName.toLowerCase(),
      );
      if (found) return found._id;
    }
    return undefined;
  }

  return async (kind, text) => {
    const id = idIn(text);
    if (id !== null) return { id };
    const name = text.trim().replace(/^@/, '');
    if (kind === 'post' || name === '') return { wrong: t(`filters.${kind}Invalid`) };
    try {
      const found = await findPerson(name);
      return found === undefined ? { wrong: t('filters.unknownUser') } : { id: found };
    } catch (failure) {
      return { wrong: errorText(failure) };
    }
  };
}

interface MinuteInputProps {
  label: string;
  /** In UTC, as in the URL. */
  minute: string | null;
  onChange: (minute: string | null) => void;
}

/** Input for a minute in local time. Incomplete input does not filter. */
export function MinuteInput({ label, minute, onChange }: MinuteInputProps) {
  const [{ known, text }, setDraft] = useState({ known: minute, text: localMinuteValue(minute) });
  if (known !== minute)
    setDraft({ known: minute, text: parseLocalMinute(text) === minute ? text : localMinuteValue(minute) });
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setDraft({ known, text: value });
        const typed = parseLocalMinute(value);
        if (typed !== minute && (typed !== null || value === '')) onChange(typed);
      }}
    />
  );
}
