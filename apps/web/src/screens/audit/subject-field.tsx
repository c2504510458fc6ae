import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFindSubject } from '../../features/narrowing/use-find-subject';
import type { AuditAddress } from './audit-address';
import classes from './audit.module.css';

interface SubjectFieldProps {
  address: AuditAddress;
  onChoose: (id: string) => void;
}

/** Names the post or the person whose history is wanted: by a link or an id, a person by the user name as well. */
export function SubjectField({ address: { view, of, space }, onChoose }: SubjectFieldProps) {
  const { t } = useTranslation('audit');
  const [text, setText] = useState(of ?? '');
  const [error, setError] = useState<string>();
  const [isLooking, setLooking] = useState(false);
  const find = useFindSubject(space);
  if (view === 'space' || view === 'acts' || view === 'reads') return null;
  const what = view === 'post' ? 'post' : 'person';

  const choose = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    setLooking(true);
    const seen = await find(what, text);
    setLooking(false);
    if ('id' in seen) onChoose(seen.id);
    else setError(seen.wrong);
  };
  return (
    <form onSubmit={(event) => void choose(event)} className={classes.subject}>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          className={classes.subjectText}
          label={t(`subject.${what}`)}
          description={t(`subject.${what}Hint`)}
          value={text}
          error={error}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" loading={isLooking}>
          {t('subject.show')}
        </Button>
      </Group>
    </form>
  );
}
