import { Badge, Button, TextInput, Title } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconTags from '@tabler/icons-react/dist/esm/icons/IconTags.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { LoadedRows } from '../../components/paged-rows';
import classes from '../../features/managed-content/managed.module.css';
import { MoreRows } from '../../features/managed-content/more-rows';
import { useSearchText } from '../../features/managed-content/use-search-text';
import {
  ManagedTopicsDocument,
  type ManagedSubjectPartsFragment,
  type ManagedTopicPartsFragment,
} from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import { freshAtEachVisit, idOf, usePagedList, type PagedList } from '../../lib/paged-list';
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
  const topics = usePagedList(
    ManagedTopicsDocument,
    { subject: subject._id, search: asked, page: 1 },
    'getManagedTopics',
    freshAtEachVisit,
  );
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
      <TopicList list={topics} isSearch={asked !== ''} onEdit={(topic) => setEditing({ topic })} />
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

interface TopicListProps {
  list: PagedList<ManagedTopicPartsFragment>;
  isSearch: boolean;
  onEdit: (topic: ManagedTopicPartsFragment) => void;
}

function TopicList({ list, isSearch, onEdit }: TopicListProps) {
  const { t, i18n } = useTranslation('content');
  const empty = (
    <EmptyState
      icon={IconTags}
      titleOrder={3}
      title={isSearch ? t('noneFoundTitle') : t('space.noTopicsTitle')}
      text={isSearch ? t('noneFoundText') : t('space.noTopicsText')}
    />
  );
  return (
    <LoadedRows list={list} count={4} height={44} empty={empty}>
      {(topics) => (
        <>
          <DataTable
            minWidth={560}
            verticalSpacing="xs"
            rows={topics}
            keyOf={idOf}
            columns={[
              { label: t('name'), cell: ({ topicName }) => topicName },
              {
                label: t('space.type'),
                cell: ({ topicType }) => (
                  <Badge variant={topicType === 'PRIMARY' ? 'light' : 'default'} tt="none">
                    {t(topicType === 'PRIMARY' ? 'space.primary' : 'space.secondary')}
                  </Badge>
                ),
              },
              {
                label: t('space.questions'),
                look: { className: classes.number },
                cell: ({ questionCount }) => wholeNumber(questionCount, i18n.language),
              },
              {
                label: t('actions'),
                isLabelHidden: true,
                cell: (topic) => (
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
                ),
              },
            ]}
          />
          <MoreRows list={list} />
        </>
      )}
    </LoadedRows>
  );
}
