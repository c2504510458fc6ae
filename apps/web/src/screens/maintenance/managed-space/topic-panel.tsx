import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Badge, Button, NativeSelect, TextInput, Title } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconTags from '@tabler/icons-react/dist/esm/icons/IconTags.mjs';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DataTable } from '../../../components/data-table';
import { EmptyState } from '../../../components/empty-state';
import { LoadedRows } from '../../../components/paged-rows';
import { changedFields, FormDialog, saving } from '../../../components/dialogs';
import classes from '../../../features/managed-content/managed.module.css';
import { MoreRows, useSearchText } from '../../../features/managed-content/managed-screen';
import { PictureField } from '../../../features/managed-content/fields';
import {
  AddTopicDocument,
  ChangeTopicDocument,
  type ManagedSubjectPartsFragment,
  type ManagedTopicPartsFragment,
  ManagedTopicsDocument,
} from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';
import { refetchOnMount, idOf, type PagedList, usePagedList } from '../../../lib/api/paged-list';

interface TopicPanelProps {
  subject: ManagedSubjectPartsFragment;
  onActed: (act: number | null) => void;
}

/** Topics of one subject, searchable by any part of the name. */
export function TopicPanel({ subject, onActed }: TopicPanelProps) {
  const { t } = useTranslation('content');
  const { text, setText, query } = useSearchText();
  const [editing, setEditing] = useState<{ topic?: ManagedTopicPartsFragment }>();
  const topics = usePagedList(
    ManagedTopicsDocument,
    { subject: subject._id, search: query, page: 1 },
    'getManagedTopics',
    refetchOnMount,
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
      <TopicList list={topics} isSearch={query !== ''} onEdit={(topic) => setEditing({ topic })} />
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
                cellProps: { className: classes.number },
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

function useTopicSchema() {
  const { t } = useTranslation('content');
  return z.object({
    topicName: z
      .string()
      .check(z.trim(), z.minLength(1, t('missing.name')), z.maxLength(100, t('tooLong', { max: 100 }))),
    topicType: z.enum(['PRIMARY', 'SECONDARY']),
    imageS3Url: z.nullable(z.string()),
  });
}
type TopicValues = z.infer<ReturnType<typeof useTopicSchema>>;

interface TopicDialogProps {
  subjectId: string;
  /** The topic to edit; undefined to add one. */
  topic: ManagedTopicPartsFragment | undefined;
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

function TopicDialog({ subjectId, topic, onSaved, onClose }: TopicDialogProps) {
  const { t } = useTranslation('content');
  const [add] = useMutation(AddTopicDocument);
  const [change] = useMutation(ChangeTopicDocument);
  const shown: TopicValues = {
    topicName: topic?.topicName ?? '',
    topicType: topic?.topicType ?? 'PRIMARY',
    imageS3Url: topic?.imageS3Url ?? null,
  };
  const { register, control, handleSubmit, setError, formState } = useForm<TopicValues>({
    resolver: zodResolver(useTopicSchema()),
    defaultValues: shown,
  });
  const { errors } = formState;
  const send = async (values: TopicValues) => {
    const { topicName, imageS3Url } = values;
    const saved = topic
      ? (await change({ variables: { id: topic._id, ...changedFields(values, shown) } })).data?.changeTopic
      : (await add({ variables: { subject: subjectId, topicName, imageS3Url } })).data?.addTopic;
    if (saved) onSaved(saved.act ?? null);
  };
  return (
    <FormDialog
      title={topic ? t('space.editTopic', { name: topic.topicName }) : t('space.addTopic')}
      onClose={onClose}
      onSubmit={handleSubmit((values) => saving(() => send(values), setError, ['topicName', 'imageS3Url']))}
    >
      <TextInput
        label={t('name')}
        description={topic && t('space.renameHint')}
        withAsterisk
        data-autofocus
        error={errors.topicName?.message}
        {...register('topicName')}
      />
      {topic && (
        <NativeSelect
          label={t('space.type')}
          description={t('space.typeHint')}
          data={[
            { value: 'PRIMARY', label: t('space.primary') },
            { value: 'SECONDARY', label: t('space.secondary') },
          ]}
          {...register('topicType')}
        />
      )}
      <Controller
        control={control}
        name="imageS3Url"
        render={({ field }) => (
          <PictureField
            label={t('picture')}
            isOptional
            value={field.value}
            error={errors.imageS3Url?.message}
            onChange={field.onChange}
          />
        )}
      />
    </FormDialog>
  );
}
