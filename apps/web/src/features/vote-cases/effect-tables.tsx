import { Stack, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
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
      <Table.ScrollContainer minWidth={640}>
        <Table aria-label={t('effect.students')} className="nimo-tabular">
          <Table.Thead>
            <Table.Tr>
              {(['student', 'space', 'votes', 'score', 'reputations', 'commitments', 'rank'] as const).map(
                (column) => (
                  <Table.Th key={column}>{t(`effect.${column}`)}</Table.Th>
                ),
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {students.map((each) => (
              <StudentRow key={`${each.space._id} ${each.student._id}`} effect={each} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Shown shown={students.length} all={studentCount} />
      {students.length === 0 && <Text c="dimmed">{t('effect.nobody')}</Text>}
      <Title order={3}>{t('effect.posts')}</Title>
      <Table.ScrollContainer minWidth={480}>
        <Table aria-label={t('effect.posts')} className="nimo-tabular">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('column.post')}</Table.Th>
              <Table.Th>{t('effect.upvotes')}</Table.Th>
              <Table.Th>{t('effect.downvotes')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {posts.map(({ postId, postType, question, before, after }) => (
              <Table.Tr key={postId}>
                <Table.Td>
                  {t(postType === 'ANSWER' ? 'answerTo' : 'question')}{' '}
                  <bdi>{question.title || t('untitled')}</bdi>
                </Table.Td>
                <Table.Td>
                  <Moved from={before.upvotes} to={after.upvotes} />
                </Table.Td>
                <Table.Td>
                  <Moved from={before.downvotes} to={after.downvotes} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Shown shown={posts.length} all={postCount} />
    </Stack>
  );
}

/** Nothing where all are there. */
function Shown({ shown, all }: { shown: number; all: number }) {
  const { t, i18n } = useTranslation('patterns');
  if (shown >= all) return null;
  const said = (count: number) => wholeNumber(count, i18n.language);
  return <Text c="dimmed">{t('effect.shownOf', { shown: said(shown), all: said(all) })}</Text>;
}

function StudentRow({ effect }: { effect: Student }) {
  const { t } = useTranslation('patterns');
  const { student, space, before, after, votesGiven, votesReceived } = effect;
  return (
    <Table.Tr>
      <Table.Td>
        <PersonName person={student} spaceId={space._id} />
      </Table.Td>
      <Table.Td>{space.name}</Table.Td>
      <Table.Td>{t('effect.votesOf', { given: votesGiven, received: votesReceived })}</Table.Td>
      {(['score', 'reputations', 'commitments', 'rank'] as const).map((column) => (
        <Table.Td key={column}>
          <Moved from={before[column]} to={after[column]} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** As "161 → 11", or one number where nothing moves. */
function Moved({ from, to }: { from: number | null; to: number | null }) {
  const { t, i18n } = useTranslation('patterns');
  const shown = (value: number | null) => (value === null ? '–' : wholeNumber(value, i18n.language));
  if (from === to) return shown(from);
  return <strong>{t('effect.moved', { from: shown(from), to: shown(to) })}</strong>;
}
