import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

const NAME_MAX_LENGTH = 60;

interface RenameFactorProps {
  name: string;
  isSaving: boolean;
  onSave: (name: string) => void;
  onCancel: () => void;
}

/** In place of the name, until it is saved or Escape is pressed. */
export function RenameFactor({ name, isSaving, onSave, onCancel }: RenameFactorProps) {
  const { t } = useTranslation('secondFactor', { keyPrefix: 'list' });
  const [text, setText] = useState(name);
  const [isMissing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const named = text.trim();
    if (named === '') setMissing(true);
    else if (named === name) onCancel();
    else onSave(named);
  };
  return (
    <form onSubmit={save} noValidate>
      <Group align="flex-end" gap="xs">
        <TextInput
          ref={input}
          label={t('newName')}
          value={text}
          maxLength={NAME_MAX_LENGTH}
          error={isMissing && t('nameMissing')}
          onKeyDown={({ key }) => {
            if (key === 'Escape') onCancel();
          }}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setMissing(false);
          }}
        />
        <Button type="submit" size="sm" loading={isSaving}>
          {t('save')}
        </Button>
        <Button variant="default" size="sm" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </Group>
    </form>
  );
}
