import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../components/data-table';
import type { CaseEffectFragment } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import { PersonName } from './person-name';

type Student = CaseEffectFragment['students'][number];

/** Scores, ranks and votes before and after a case. */
export function EffectTables({
  effect: { students, studentCount, posts, postCount },
}: {
  effect: CaseEffectFragment;
}) {
  const { t } = useTranslation('patterns');
  return (
    <Stack gap="sm">
      <Title order={3}>{t('effect.students')}</Title>
      <DataTable
        minWidth={640}
        aria-label={t('effect.students')}
        className="nimo-tabular"
        rows={students}
        keyOf={({ space, student }) => `${space._id} ${student._id}`}
        columns={[
          {
            label: t('effect.student'),
            cell: ({ student, space }) => <PersonName person={student} spaceId={space._id} />,
          },
          { label: t('effect.space'), cell: ({ space }) => space.name },
          {
            label: t('effect.votes'),
            cell: ({ votesGiven, votesReceived }) =>
              t('effect.votesOf', { given: votesGiven, received: votesReceived }),
          },
          ...(['score', 'reputations', 'commitments', 'rank'] as const).map((figure) => ({
            label: t(`effect.${figure}`),
            cell: ({ before, after }: Student) => <Moved from={before[figure]} to={after[figure]} />,
          })),
        ]}
      />
      <Shown shown={students.length} all={studentCount} />
      {students.length === 0 && <Text c="dimmed">{t('effect.noScores')}</Text>}
      <Title order={3}>{t('effect.posts')}</Title>
      <DataTable
        minWidth={480}
        aria-label={t('effect.posts')}
        className="nimo-tabular"
        rows={posts}
        keyOf={({ postId }) => postId}
        columns={[
          {
            label: t('column.post'),
            cell: ({ postType, question }) => (
              <>
                {t(postType === 'ANSWER' ? 'answerTo' : 'question')}{' '}
                <bdi>{question.title || t('untitled')}</bdi>
              </>
            ),
          },
          {
            label: t('effect.upvotes'),
            cell: ({ before, after }) => <Moved from={before.upvotes} to={after.upvotes} />,
          },
          {
            label: t('effect.downvotes'),
            cell: ({ before, after }) => <Moved from={before.downvotes} to={after.downvotes} />,
          },
        ]}
      />
      <Shown shown={posts.length} all={postCount} />
    </Stack>
  );
}

/** Renders nothing if all rows are shown. */
function Shown({ shown, all }: { shown: number; all: number }) {
  const { t, i18n } = useTranslation('patterns');
  if (shown >= all) return null;
  const formatted = (count: number) => wholeNumber(count, i18n.language);
  return <Text c="dimmed">{t('effect.shownOf', { shown: formatted(shown), all: formatted(all) })}</Text>;
}

/** "161 → 11", or one number if nothing changes. */
function Moved({ from, to }: { from: number | null; to: number | null }) {
  const { t, i18n } = useTranslation('patterns');
  const shown = (value: number | null) => (value === null ? '–' : wholeNumber(value, i18n.language));
  if (from === to) return shown(from);
  return <strong>{t('effect.change', { from: shown(from), to: shown(to) })}</strong>;
}
