import { Button, Select, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { useModeratedSpaces } from '../../../features/areas/use-moderated-spaces';
import { useCurrentSpace } from '../../../lib/auth-storage';
import classes from './as-of.module.css';
import { questionIdIn } from './point';

/** Selects a leaderboard or a question to view at an earlier time. */
export default function AsOfStartScreen() {
  const { t } = useTranslation('asOf');
  return (
    <div className={classes.screen}>
      <PageHeading>{t('title')}</PageHeading>
      <p className={classes.intro}>{t('intro')}</p>
      <div className={classes.choices}>
        <BoardChoice />
        <QuestionChoice />
      </div>
    </div>
  );
}

function BoardChoice() {
  const { t } = useTranslation('asOf', { keyPrefix: 'start' });
  const navigate = useNavigate();
  const current = useCurrentSpace()?._id;
  const { spaces, error, refetch } = useModeratedSpaces();
  const [chosen, setChosen] = useState<string | null>(null);
  const standard = spaces?.find(({ _id }) => _id === current) ?? spaces?.[0];
  const space = chosen ?? standard?._id ?? null;
  const open = (event: FormEvent) => {
    event.preventDefault();
    if (space !== null) void navigate(paths.leaderboardAsOf(space));
  };
  return (
    <form className={classes.card} onSubmit={open}>
      <Title order={2} size="h3">
        {t('board')}
      </Title>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      <Select
        label={t('space')}
        data={(spaces ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
        value={space}
        allowDeselect={false}
        searchable
        onChange={setChosen}
      />
      <Button type="submit" disabled={space === null}>
        {t('openBoard')}
      </Button>
    </form>
  );
}

function QuestionChoice() {
  const { t } = useTranslation('asOf', { keyPrefix: 'start' });
  const navigate = useNavigate();
  const [link, setLink] = useState('');
  const [isWrong, setWrong] = useState(false);
  const open = (event: FormEvent) => {
    event.preventDefault();
    const questionId = questionIdIn(link);
    if (questionId === undefined) setWrong(true);
    else void navigate(paths.questionAsOf(questionId));
  };
  return (
    <form className={classes.card} onSubmit={open} noValidate>
      <Title order={2} size="h3">
        {t('question')}
      </Title>
      <TextInput
        label={t('link')}
        description={t('linkHint')}
        value={link}
        error={isWrong && t('linkInvalid')}
        onChange={({ currentTarget }) => {
          setLink(currentTarget.value);
          setWrong(false);
        }}
      />
      <Button type="submit">{t('openQuestion')}</Button>
    </form>
  );
}
