import { useLazyQuery } from '@apollo/client/react';
import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PersonByNameDocument } from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { type AuditAddress, idIn } from './audit-address';
import classes from './audit.module.css';

interface SubjectFieldProps {
  address: AuditAddress;
  onChoose: (id: string) => void;
}

/** Names the post or the person whose history is wanted: by a link or an id, a person by the user name as well. */
export function SubjectField({ address: { view, of }, onChoose }: SubjectFieldProps) {
  const { t } = useTranslation('audit');
  const [text, setText] = useState(of ?? '');
  const [error, setError] = useState<string>();
  const [find, { loading }] = useLazyQuery(PersonByNameDocument, { fetchPolicy: 'network-only' });
  if (view === 'space' || view === 'acts') return null;
  const what = view === 'post' ? 'post' : 'person';

  /** The id of what is meant, or what is wrong with it. */
  const look = async (): Promise<{ id: string } | { wrong: string }> => {
    const id = idIn(text);
    if (id !== null) return { id };
    if (what === 'post' || text.trim() === '') return { wrong: t(`subject.${what}Unknown`) };
    const { data, error: failure } = await find({ variables: { userName: text.trim() } });
    const found = data?.getStudent?._id;
    if (found !== undefined) return { id: found };
    return { wrong: failure ? errorText(failure) : t('subject.personUnknown') };
  };
  const choose = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    const seen = await look();
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
        <Button type="submit" loading={loading}>
          {t('subject.show')}
        </Button>
      </Group>
    </form>
  );
}
