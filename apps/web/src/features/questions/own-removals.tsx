import { skipToken, useQuery } from '@apollo/client/react';
import { Alert, Stack, Text, Title } from '@mantine/core';
import IconShieldX from '@tabler/icons-react/dist/esm/icons/IconShieldX.mjs';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time';
import { SafeHtml } from '../../components/safe-html';
import { OwnRemovalsDocument, type OwnRemovalFragment } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import classes from './own-removals.module.css';
import { useWithQuestion } from './use-question';

/** What moderators removed of the reader's own posts on a question's page; nothing while that is not known. */
export function useOwnRemovals(questionId: string): readonly OwnRemovalFragment[] {
  const user = useAuthUser();
  const { isAwaited, fetchPolicy } = useWithQuestion(questionId);
  const { data } = useQuery(
    OwnRemovalsDocument,
    user ? { variables: { questionId }, fetchPolicy } : skipToken,
  );
  return (!isAwaited && data?.getOwnRemovals) || [];
}

/** Tells the author of a removed post why, where the post was. */
export function OwnRemovals({ removals }: { removals: readonly OwnRemovalFragment[] }) {
  return removals.map((removal) => <Removal key={removal.postId} removal={removal} />);
}

function Removal({ removal: { postType, title, body, reason, at } }: { removal: OwnRemovalFragment }) {
  const { t } = useTranslation('ask', { keyPrefix: 'removal' });
  const isHtml = postType === 'QUESTION' || postType === 'ANSWER';
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconShieldX aria-hidden />}
      role="note"
      aria-label={t(postType)}
    >
      <Stack gap="xs">
        <Title order={2} size="h4">
          {t(postType)}
        </Title>
        <Text size="sm" c="dimmed">
          <RelativeTime at={at} />
        </Text>
        <Text fw={600}>{t('reason', { reason })}</Text>
        <Text size="sm">{t('text')}</Text>
        <div className={classes.post}>
          {postType === 'QUESTION' && (
            <Text fw={600} dir="auto">
              {title}
            </Text>
          )}
          {isHtml ? <SafeHtml html={body} /> : <Text dir="auto">{body}</Text>}
        </div>
      </Stack>
    </Alert>
  );
}
