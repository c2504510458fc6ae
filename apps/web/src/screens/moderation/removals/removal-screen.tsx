import { Alert, Anchor, Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@apollo/client/react';
import IconMoodEmpty from '@tabler/icons-react/dist/esm/icons/IconMoodEmpty.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { DataTable } from '../../../components/data-table';
import { ReasonDialog } from '../../../components/dialogs';
import { EmptyState } from '../../../components/empty-state';
import { ExactTime } from '../../../components/exact-time';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { SkeletonRows } from '../../../components/skeletons';
import { toast } from '../../../components/toast';
import { PersonName } from '../../../features/vote-cases/person-name';
import {
  ModerationChangedDocument,
  PostsRemovalDocument,
  type PostsRemovalPartsFragment,
  type RemovedPostState,
  RestorePostsDocument,
} from '../../../generated/graphql';
import { errorCode } from '../../../lib/api/errors';
import { useLive } from '../../../lib/api/live';
import { paths } from '../../../lib/paths';

const notFoundCodes: ReadonlySet<string | undefined> = new Set(['NOT_FOUND', 'VALIDATION_FAILED']);

const STATE_COLORS: Readonly<Record<RemovedPostState, string>> = {
  PENDING: 'yellow',
  REMOVED: 'red',
  RESTORED: 'gray',
  DELETED: 'gray',
};

/** One removal of all posts of a student: decision, posts and reversal. */
export default function RemovalScreen() {
  const { t } = useTranslation('moderation');
  const { removalId = '' } = useParams();
  const { data, error, refetch } = useQuery(PostsRemovalDocument, {
    variables: { removalId },
    fetchPolicy: 'cache-and-network',
  });
  // The posts of a removal change state one after another.
  useLive(ModerationChangedDocument, { variables: {} }, () => void refetch().catch(() => undefined));
  const removal = data?.getPostsRemoval;
  const isNotFound = error !== undefined && notFoundCodes.has(errorCode(error));
  return (
    <Stack gap="lg">
      <Anchor component={Link} to={paths.removals}>
        {t('removals.title')}
      </Anchor>
      <PageHeading>{t('removals.oneTitle')}</PageHeading>
      {isNotFound && <EmptyState icon={IconMoodEmpty} title={t('unknown')} text={t('unknownText')} />}
      {error && !isNotFound && !removal && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !removal && <SkeletonRows count={6} height={48} />}
      {removal && <RemovalDetails removal={removal} onRestored={() => void refetch()} />}
    </Stack>
  );
}

interface RemovalDetailsProps {
  removal: PostsRemovalPartsFragment;
  onRestored: () => void;
}

function RemovalDetails({ removal, onRestored }: RemovalDetailsProps) {
  const { t } = useTranslation('moderation', { keyPrefix: 'removals' });
  const { author, moderator, reason, removedAt, space, posts } = removal;
  const { restoredAt, restoredBy, restoreReason } = removal;
  return (
    <>
      <Card withBorder component="section" aria-label={t('decision')}>
        <Stack gap="xs">
          <Group>
            <Text c="dimmed">{t('author')}</Text>
            <PersonName person={author} spaceId={space._id} />
            <Text c="dimmed">{space.name}</Text>
          </Group>
          <Group>
            <Text c="dimmed">{t('moderator')}</Text>
            <PersonName person={moderator} />
            <ExactTime at={removedAt} />
          </Group>
          <Text dir="auto">{reason || t('noReason')}</Text>
        </Stack>
      </Card>
      {restoredAt !== null && restoredBy && (
        <Alert color="gray" title={t('restoredTitle')}>
          <Group>
            <PersonName person={restoredBy} />
            <ExactTime at={restoredAt} />
          </Group>
          <Text dir="auto">{restoreReason || t('noReason')}</Text>
        </Alert>
      )}
      {restoredAt === null && <Restore removalId={removal._id} onRestored={onRestored} />}
      <Title order={2}>{t('postsHeading', { count: posts })}</Title>
      <RemovedPosts posts={removal.removedPosts} />
    </>
  );
}

function Restore({ removalId, onRestored }: { removalId: string; onRestored: () => void }) {
  const { t } = useTranslation('moderation', { keyPrefix: 'removals.restore' });
  const { t: moderation } = useTranslation('moderation');
  const [isOpen, setOpen] = useState(false);
  const [restore] = useMutation(RestorePostsDocument);
  const close = () => setOpen(false);
  return (
    <>
      <Group>
        <Button onClick={() => setOpen(true)}>{t('confirm')}</Button>
      </Group>
      {isOpen && (
        <ReasonDialog
          title={t('title')}
          text={t('text')}
          label={t('reason')}
          missing={moderation('reasonMissing')}
          submitLabel={t('confirm')}
          onSubmit={async (reason) => {
            await restore({ variables: { removalId, reason } });
            toast.success(t('done'));
            close();
            onRestored();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

/** Each post that has a case is linked to it. */
function RemovedPosts({ posts }: { posts: PostsRemovalPartsFragment['removedPosts'] }) {
  const { t } = useTranslation('moderation');
  return (
    <DataTable
      minWidth={520}
      aria-label={t('removals.posts')}
      rows={posts}
      keyOf={({ postId }) => postId}
      columns={[
        {
          label: t('removals.post'),
          isRowHeader: true,
          cell: ({ postId, title, excerpt, state }) => (
            <>
              {state === 'REMOVED' || state === 'RESTORED' ? (
                <Anchor component={Link} to={paths.moderationCase(postId)}>
                  <bdi>{title}</bdi>
                </Anchor>
              ) : (
                <bdi>{title}</bdi>
              )}
              <Text size="sm" c="dimmed" fw={400} dir="auto">
                {excerpt}
              </Text>
            </>
          ),
        },
        { label: t('removals.type'), cell: ({ postType }) => t(`postTypes.${postType}`) },
        {
          label: t('removals.state'),
          cell: ({ state }) => (
            <Badge variant="light" color={STATE_COLORS[state]}>
              {t(`removals.postStates.${state}`)}
            </Badge>
          ),
        },
      ]}
    />
  );
}
