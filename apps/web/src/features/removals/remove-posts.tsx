import { useMutation, useQuery } from '@apollo/client/react';
import { Button, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { ReasonDialog } from '../../components/dialogs';
import { ErrorNotice } from '../../components/notices';
import { SkeletonRows } from '../../components/skeletons';
import { toast } from '../../components/toast';
import {
  PreviewPostsRemovalDocument,
  type PreviewPostsRemovalQuery,
  RemovePostsDocument,
} from '../../generated/graphql';
import { paths } from '../../lib/paths';

interface RemovePostsProps {
  author: { readonly _id: string; readonly userName: string };
  space: string;
}

/** For moderators: removes all posts of a student in a space. */
export function RemovePosts(props: RemovePostsProps) {
  const { t } = useTranslation('userDetail', { keyPrefix: 'removeAll' });
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" c="var(--nimo-danger)" onClick={() => setOpen(true)}>
        {t('button')}
      </Button>
      {isOpen && <RemovePostsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Shows what would be removed, and asks for a reason. */
function RemovePostsDialog({ author, space, onClose }: RemovePostsProps & { onClose: () => void }) {
  const { t } = useTranslation('userDetail');
  const navigate = useNavigate();
  const of = { space, author: author._id };
  const { data, error, refetch } = useQuery(PreviewPostsRemovalDocument, {
    variables: of,
    fetchPolicy: 'network-only',
  });
  const [remove] = useMutation(RemovePostsDocument);
  const preview = data?.previewPostsRemoval;
  const submit = async (reason: string) => {
    if (!preview) return;
    const { fingerprint } = preview;
    try {
      const done = await remove({ variables: { ...of, reason, fingerprint } });
      toast.success(t('removeAll.done'));
      onClose();
      if (done.data) void navigate(paths.removal(done.data.removePosts._id));
    } catch (failure) {
      // The posts may have changed since the preview.
      await refetch();
      throw failure;
    }
  };
  return (
    <ReasonDialog
      title={t('removeAll.title', { name: author.userName })}
      text={t('removeAll.text')}
      label={t('reason')}
      hint={t('removeAll.hint')}
      missing={t('reasonMissing')}
      submitLabel={t('removeAll.button')}
      danger
      isIncomplete={!preview || isEmpty(preview)}
      onSubmit={submit}
      onClose={onClose}
    >
      {error && !preview && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !preview && <SkeletonRows count={1} height={96} />}
      {preview && <Preview preview={preview} />}
    </ReasonDialog>
  );
}

type RemovalPreview = PreviewPostsRemovalQuery['previewPostsRemoval'];

const isEmpty = ({ questions, answers, comments }: RemovalPreview): boolean =>
  questions + answers + comments === 0;

function Preview({ preview }: { preview: RemovalPreview }) {
  const { t } = useTranslation('userDetail', { keyPrefix: 'removeAll' });
  const kinds = (['questions', 'answers', 'comments'] as const).filter((kind) => preview[kind] > 0);
  const notes = (['answersOfOthers', 'leftOut', 'remaining'] as const).filter((note) => preview[note] > 0);
  return (
    <Stack gap="xs" role="status">
      {isEmpty(preview) ? (
        <Text>{t('nothing')}</Text>
      ) : (
        <List aria-label={t('preview')}>
          {kinds.map((kind) => (
            <List.Item key={kind}>{t(kind, { count: preview[kind] })}</List.Item>
          ))}
        </List>
      )}
      {notes.map((note) => (
        <Text key={note}>{t(note, { count: preview[note] })}</Text>
      ))}
    </Stack>
  );
}
