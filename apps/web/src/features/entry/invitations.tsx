import { useMutation, useQuery } from '@apollo/client/react';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../lib/paths';
import { ErrorNotice } from '../../components/notices';
import { SkeletonRows } from '../../components/skeletons';
import { toast } from '../../components/toast';
import {
  InvitationsDocument,
  RevokeInvitationDocument,
  type InvitationRowFragment,
} from '../../generated/graphql';
import { errorText } from '../../lib/api/errors';
import { formatCode } from './class-code';
import { NewInvitationDialog } from './new-invitation-dialog';

/** Invitations for several students: links, codes, lists, domains and groups. */
export function Invitations({ spaceId }: { spaceId: string }) {
  const { t } = useTranslation('entry');
  const [isMaking, setMaking] = useState(false);
  const { data, error, refetch } = useQuery(InvitationsDocument, {
    variables: { space: spaceId },
    fetchPolicy: 'cache-and-network',
  });
  const invitations = data?.getInvitations;
  return (
    <Stack component="section" gap="sm" aria-labelledby="invitations">
      <Group justify="space-between">
        <Title order={2} size="h3" id="invitations">
          {t('sharedInvitations')}
        </Title>
        <Button onClick={() => setMaking(true)}>{t('newInvitation')}</Button>
      </Group>
      <Text>{t('sharedInvitationsLead')}</Text>
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && <SkeletonRows count={2} height={56} />}
      {invitations?.length === 0 && <Text c="dimmed">{t('noSharedInvitations')}</Text>}
      {invitations && invitations.length > 0 && (
        <Stack component="ul" gap="sm" p={0} m={0}>
          {invitations.map((invitation) => (
            <Row
              key={invitation._id}
              invitation={invitation}
              spaceId={spaceId}
              onRevoked={() => void refetch()}
            />
          ))}
        </Stack>
      )}
      {isMaking && (
        <NewInvitationDialog
          spaceId={spaceId}
          onClose={() => setMaking(false)}
          onMade={() => {
            setMaking(false);
            toast.success(t('created'));
            void refetch();
          }}
        />
      )}
    </Stack>
  );
}

interface RowProps {
  invitation: InvitationRowFragment;
  spaceId: string;
  onRevoked: () => void;
}

function Row({ invitation, spaceId, onRevoked }: RowProps) {
  const { t, i18n } = useTranslation('entry');
  const { _id, kind, state, secret, rule, uses, used, expiresAt, createdBy } = invitation;
  const [revoke, { loading }] = useMutation(RevokeInvitationDocument);
  const revokeInvitation = async () => {
    try {
      await revoke({ variables: { space: spaceId, id: _id } });
      toast.success(t('sharedInvitationRevoked'));
    } catch (failure) {
      toast.error(errorText(failure));
    }
    onRevoked();
  };
  const date = (at: string) =>
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' }).format(new Date(at));
  const details = [
    uses === null ? t('used', { used }) : t('usedOf', { used, uses }),
    expiresAt && t('expires', { date: date(expiresAt) }),
    createdBy && t('createdBy', { name: createdBy.userName }),
  ].filter(Boolean);
  const name = [t(`kind.${kind}`), rule && shownRule(kind, rule)].filter(Boolean).join(' ');
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={4}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          <Badge variant="light" tt="none" color={state === 'ACTIVE' ? 'green' : 'gray'}>
            {t(`state.${state}`)}
          </Badge>
        </Group>
        {secret && kind === 'CODE' && (
          <Text ff="monospace" fz="xl" fw={700}>
            {formatCode(secret)}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {details.join(' · ')}
        </Text>
      </Stack>
      <Group wrap="nowrap">
        {secret && <CopyButton text={kind === 'LINK' ? linkOf(secret) : formatCode(secret)} kind={kind} />}
        {(state === 'ACTIVE' || state === 'USED_UP') && (
          <Button
            variant="default"
            size="compact-sm"
            loading={loading}
            aria-label={t('revokeSharedInvitation', { name })}
            onClick={() => void revokeInvitation()}
          >
            {t('revoke')}
          </Button>
        )}
      </Group>
    </Group>
  );
}

/** `@domain`, or the group without the ID of its provider. */
const shownRule = (kind: InvitationRowFragment['kind'], rule: string): string =>
  kind === 'DOMAIN' ? `@${rule}` : rule.slice(rule.indexOf(':') + 1);

const linkOf = (secret: string): string => `${window.location.origin}${paths.invitation(secret)}`;

function CopyButton({ text, kind }: { text: string; kind: InvitationRowFragment['kind'] }) {
  const { t } = useTranslation('entry');
  // `navigator.clipboard` is undefined outside a secure context.
  const copy = () =>
    void Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(
        () => toast.success(t('copied')),
        () => toast.error(t('copyFailed', { text })),
      );
  return (
    <Button size="compact-sm" leftSection={<IconCopy size={14} aria-hidden />} onClick={copy}>
      {kind === 'LINK' ? t('copyLink') : t('copyCode')}
    </Button>
  );
}
