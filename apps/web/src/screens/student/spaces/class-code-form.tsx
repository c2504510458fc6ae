import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { invitationPath } from './pending-invitation';

/** Field for a class code; the next page names its space. Tolerates case, hyphens, and a pasted link. */
export function ClassCodeForm({ isFocused = false }: { isFocused?: boolean }) {
  const { t } = useTranslation('spaces');
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, [isFocused]);
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') void navigate(invitationPath(code));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-end" mt="xs">
        <TextInput
          ref={field}
          label={t('code.label')}
          placeholder="KDT-W7X"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={500}
          flex="1 1 8rem"
          maw="16rem"
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

/** On the spaces page, where few need it. */
export function CollapsedClassCodeForm() {
  const { t } = useTranslation('spaces');
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <ClassCodeForm isFocused />;
  return (
    <Button variant="subtle" size="compact-sm" mt="xs" ml="-0.5rem" onClick={() => setOpen(true)}>
      {t('code.open')}
    </Button>
  );
}
