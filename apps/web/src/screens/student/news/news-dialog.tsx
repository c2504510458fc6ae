import { useApolloClient } from '@apollo/client/react';
import { Group, Radio, TextInput } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../../components/dialogs';
import { toast } from '../../../components/toast';
import { RichTextField } from '../../../features/editor/rich-text-field';
import { draftKey, DraftNotice, useDraft, useLeaveDraft } from '../../../features/questions/drafts';
import { plainText } from '../../../components/rich-text/truncate';
import { PublishNewsDocument, UpdateNewsDocument, type NewsItemFragment } from '../../../generated/graphql';
import { useAuthUser, useCurrentSpace } from '../../../lib/auth-storage';
import { isSendKey } from '../../../lib/browser/device';
import type { NewsPlace } from './news-places';

interface NewsDialogProps {
  /** The post to edit; omitted for a new one. */
  post: NewsItemFragment | undefined;
  /** Where a new post may go; the first is the default. */
  places: readonly NewsPlace[];
  onSaved: () => void;
  onClose: () => void;
}

interface NewsDraft {
  title: string;
  body: string;
  place: NewsPlace;
}

/** Writes or edits news. The draft survives a reload. */
export function NewsDialog({ post, places, onSaved, onClose }: NewsDialogProps) {
  const { t } = useTranslation('news');
  const { key, draft, place, missing } = useNewsDraft(post, places, (isAll) => isAll && onClose());
  const [isTried, setIsTried] = useState(false);
  const save = useSaveNews(post?._id);
  const leave = useLeaveDraft(key, draft);
  const discard = () => {
    draft.discard();
    onClose();
  };
  const submit = async () => {
    setIsTried(true);
    if (missing.title !== undefined || missing.body !== undefined) return;
    const sent = draft.value;
    await save({ ...sent, place });
    draft.discard(sent);
    leave(onSaved);
  };
  const sendByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    // Popovers of the editor render in portals, but their events bubble to the form.
    const isInside = event.target instanceof Element && event.currentTarget.contains(event.target);
    if (!isInside || !isSendKey(event) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  return (
    <FormDialog
      title={post ? t('form.editTitle') : t('write')}
      submitLabel={post ? t('form.save') : t('form.publish')}
      cancelLabel={t('form.cancel')}
      size="56rem"
      closeOnEscape={false}
      onKeyDown={sendByKey}
      onSubmit={submit}
      onClose={() => leave(onClose)}
    >
      {draft.isRestored && <DraftNotice onDiscard={discard} />}
      {!post && places.length > 1 && (
        <PlaceChoice places={places} value={place} onChange={(next) => draft.change({ place: next })} />
      )}
      <TextInput
        label={t('form.title')}
        value={draft.value.title}
        dir="auto"
        error={isTried && missing.title}
        required
        data-autofocus
        onChange={(event) => draft.change({ title: event.currentTarget.value })}
      />
      <RichTextField
        label={t('form.body')}
        placeholder={t('form.bodyPlaceholder')}
        initialHtml={draft.value.body}
        error={isTried ? missing.body : undefined}
        onChange={(next) => draft.change({ body: next })}
      />
    </FormDialog>
  );
}

/** Form state with validation. */
function useNewsDraft(
  post: NewsItemFragment | undefined,
  places: readonly NewsPlace[],
  onSentElsewhere: (isAll: boolean) => void,
) {
  const { t } = useTranslation('news');
  const studentId = useAuthUser()?._id ?? '';
  const [first = 'everywhere'] = places;
  const key = draftKey(studentId, `news:${post?._id ?? 'new'}`);
  const initial = { title: post?.title ?? '', body: post?.body ?? '', place: first };
  const draft = useDraft<NewsDraft>(key, initial, onSentElsewhere);
  const { title, body, place } = draft.value;
  const missing = {
    title: title.trim() === '' ? t('form.titleMissing') : undefined,
    body: plainText(body) === '' ? t('form.bodyMissing') : undefined,
  };
  // A draft may be older than the roles or the space.
  return { key, draft, place: places.includes(place) ? place : first, missing };
}

interface PlaceChoiceProps {
  places: readonly NewsPlace[];
  value: NewsPlace;
  onChange: (place: NewsPlace) => void;
}

function PlaceChoice({ places, value, onChange }: PlaceChoiceProps) {
  const { t } = useTranslation('news');
  const space = useCurrentSpace();
  const choose = (next: string) => {
    const place = places.find((candidate) => candidate === next);
    if (place) onChange(place);
  };
  return (
    <Radio.Group label={t('form.audience')} value={value} onChange={choose}>
      <Group mt="xs">
        {places.map((place) => (
          <Radio key={place} value={place} label={place === 'space' ? (space?.name ?? '') : t('allSpaces')} />
        ))}
      </Group>
    </Radio.Group>
  );
}

/** Publishes or updates a post. */
function useSaveNews(id: string | undefined) {
  const { t } = useTranslation('news');
  const client = useApolloClient();
  const space = useCurrentSpace()?._id ?? null;
  return async ({ title, body, place }: NewsDraft): Promise<void> => {
    if (id === undefined) {
      const variables = { space: place === 'space' ? space : null, title, body };
      await client.mutate({ mutation: PublishNewsDocument, variables });
    } else {
      await client.mutate({ mutation: UpdateNewsDocument, variables: { id, title, body } });
    }
    toast.success(id === undefined ? t('published') : t('updated'));
  };
}
