import { Badge, Button, Table, TextInput, Title, VisuallyHidden } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconTags from '@tabler/icons-react/dist/esm/icons/IconTags.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { MoreButton } from '../../components/more-button';
import { SkeletonRows } from '../../components/skeletons';
import classes from '../../features/managed-content/managed.module.css';
import { useSearchText } from '../../features/managed-content/use-search-text';
import {
  ManagedTopicsDocument,
  type ManagedSubjectPartsFragment,
  type ManagedTopicPartsFragment,
} from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import { usePages } from '../../lib/use-pages';
import { TopicDialog } from './topic-dialog';

interface TopicPanelProps {
  subject: ManagedSubjectPartsFragment;
  onActed: (act: number | null) => void;
}

/** The topics of one subject, found by any part of the name. */
export function TopicPanel({ subject, onActed }: TopicPanelProps) {
  const { t } = useTranslation('content');
  const { text, setText, asked } = useSearchText();
  const [editing, setEditing] = useState<{ topic?: ManagedTopicPartsFragment }>();
  const topics = useTopics(subject._id, asked);
  return (
    <section className={classes.panel} aria-labelledby="topics-heading">
      <div className={classes.tools}>
        <Title order={2} size="h3" id="topics-heading" className={classes.grow}>
          {t('space.topicsOf', { name: subject.subjectName })}
        </Title>
        <TextInput
          type="search"
          aria-label={t('space.searchTopics')}
          placeholder={t('space.searchTopics')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => setEditing({})}
        >
          {t('space.addTopic')}
        </Button>
      </div>
      <TopicList topics={topics} isSearch={asked !== ''} onEdit={(topic) => setEditing({ topic })} />
      {editing && (
        <TopicDialog
          subjectId={subject._id}
          topic={editing.topic}
          onClose={() => setEditing(undefined)}
          onSaved={(act) => {
            setEditing(undefined);
            topics.refetch();
            onActed(act);
          }}
        />
      )}
    </section>
  );
}

function useTopics(subject: string, search: string) {
  const { rows, ...list } = usePages(
    ManagedTopicsDocument,
    { subject, search, page: 1 },
    ({ getManagedTopics }) => getManagedTopics,
    (getManagedTopics) => ({ getManagedTopics }),
  );
  return { topics: rows, ...list };
}

interface TopicListProps {
  topics: ReturnType<typeof useTopics>;
  isSearch: boolean;
  onEdit: (topic: ManagedTopicPartsFragment) => void;
}

function TopicList({
  topics: { topics, error, hasNext, nextPage, refetch },
  isSearch,
  onEdit,
}: TopicListProps) {
  const { t, i18n } = useTranslation('content');
  if (error && !topics) return <ErrorNotice error={error} onRetry={refetch} />;
  if (!topics) return <SkeletonRows count={4} height={44} />;
  if (topics.length === 0)
    return (
      <EmptyState
        icon={IconTags}
        titleOrder={3}
        title={isSearch ? t('noneFoundTitle') : t('space.noTopicsTitle')}
        text={isSearch ? t('noneFoundText') : t('space.noTopicsText')}
      />
    );
  return (
    <>
      <Table.ScrollContainer minWidth={560}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('name')}</Table.Th>
              <Table.Th>{t('space.type')}</Table.Th>
              <Table.Th className={classes.number}>{t('space.questions')}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{t('actions')}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {topics.map((topic) => (
              <Table.Tr key={topic._id}>
                <Table.Td>{topic.topicName}</Table.Td>
                <Table.Td>
                  <Badge variant={topic.topicType === 'PRIMARY' ? 'light' : 'default'} tt="none">
                    {t(topic.topicType === 'PRIMARY' ? 'space.primary' : 'space.secondary')}
                  </Badge>
                </Table.Td>
                <Table.Td className={classes.number}>
                  {wholeNumber(topic.questionCount, i18n.language)}
                </Table.Td>
                <Table.Td>
                  <div className={classes.actions}>
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={t('space.editTopic', { name: topic.topicName })}
                      onClick={() => onEdit(topic)}
                    >
                      {t('edit')}
                    </Button>
                  </div>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {hasNext && (
        <MoreButton
          display="block"
          mx="auto"
          mt="md"
          isLoading={nextPage.isLoading}
          error={nextPage.error}
          onMore={nextPage.load}
        >
          {t('more')}
        </MoreButton>
      )}
    </>
  );
}
