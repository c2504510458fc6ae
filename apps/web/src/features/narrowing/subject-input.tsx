import { CloseButton, Loader, TextInput } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { type SubjectKind, useFindSubject } from './use-find-subject';

interface SubjectInputProps {
  label: string;
  kind: SubjectKind;
  /** The id that the list is narrowed to. */
  chosen: string | null;
  /** What that is called, as far as the list tells. */
  name: string | undefined;
  space: string | null;
  onChange: (id: string | null) => void;
}

/** Narrows a list to a person or a post, named by a link, an id or a user name; what was typed counts with Enter or on leaving. */
export function SubjectInput({ label, kind, chosen, name, space, onChange }: SubjectInputProps) {
  const { t } = useTranslation('areas');
  const find = useFindSubject(space);
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const [isLooking, setLooking] = useState(false);
  const settle = (id: string | null) => {
    setTyped(undefined);
    setError(undefined);
    if (id !== chosen) onChange(id);
  };
  const look = async () => {
    if (typed === undefined) return;
    if (typed.trim() === '') {
      settle(null);
      return;
    }
    setLooking(true);
    const found = await find(kind, typed);
    setLooking(false);
    if ('id' in found) settle(found.id);
    else setError(found.wrong);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') void look();
    if (key === 'Escape') settle(chosen);
  };
  return (
    <TextInput
      label={label}
      placeholder={t(`narrow.${kind}Hint`)}
      value={typed ?? (chosen === null ? '' : name || chosen)}
      error={error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        setError(undefined);
      }}
      onKeyDown={onKeyDown}
      onBlur={() => void look()}
      rightSection={
        isLooking ? (
          <Loader size="xs" />
        ) : (
          chosen !== null && (
            <CloseButton
              size="sm"
              aria-label={t('narrow.clearOne', { label })}
              onClick={() => settle(null)}
            />
          )
        )
      }
    />
  );
}
