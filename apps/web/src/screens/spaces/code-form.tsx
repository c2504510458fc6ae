import { Button, Group, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../app/paths';

/** A class code, as it stands on the board: the next page says which space it opens. Few need it, so it unfolds. */
export function CodeForm() {
  const { t } = useTranslation('spaces');
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate(paths.invitation(code.trim()));
  };
  if (!isOpen)
    return (
      <Button variant="subtle" size="compact-sm" mt="xs" ml="-0.5rem" onClick={() => setOpen(true)}>
        {t('code.open')}
      </Button>
    );
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-end" mt="xs">
        <TextInput
          ref={field}
          label={t('code.label')}
          placeholder="KDTW-7XRM"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={50}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={code.trim() === ''}>
          {t('code.submit')}
        </Button>
      </Group>
    </form>
  );
}
