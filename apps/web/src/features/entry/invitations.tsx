import { useMutation, useQuery } from '@apollo/client/react';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { ErrorNotice } from '../../components/notices';
import { SkeletonRows } from '../../components/skeletons';
import { toast } from '../../components/toast';
import {
  InvitationsDocument,
  OwnRolesDocument,
  RevokeInvitationDocument,
  type InvitationRowFragment,
} from '../../generated/graphql';
import { errorText } from '../../lib/api/errors';
import { moderates } from '../areas/use-moderated-spaces';
import { formatCode } from './class-code';
import { CopyButton } from './copy-button';
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

function Row(props: RowProps) {
  const { t, i18n } = useTranslation('entry');
  const { kind, state, secret, rule, uses, used, expiresAt, createdBy } = props.invitation;
  const date = (at: string) =>
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' }).format(new Date(at));
  const details = [
    uses === null ? t('used', { used }) : t('usedOf', { used, uses }),
    expiresAt && t('expires', { date: date(expiresAt) }),
    createdBy && t('createdBy', { name: createdBy.userName }),
  ].filter(Boolean);
  const name = [t(`kind.${kind}`), rule && shownRule(kind, rule)].filter(Boolean).join(' ');
  return (
    <Group component="li" justify="space-between" align="flex-start">
      <Stack gap={4} flex="1 1 14rem">
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
      <Group>
        <ShareButtons {...props} />
        {(state === 'ACTIVE' || state === 'USED_UP') && <RevokeButton {...props} name={name} />}
      </Group>
    </Group>
  );
}

function ShareButtons({ invitation: { _id, kind, secret }, spaceId }: RowProps) {
  const { t } = useTranslation('entry');
  // Maintainers also see this list, but not who joined.
  const { data } = useQuery(OwnRolesDocument, { fetchPolicy: 'cache-first' });
  if (!secret) return null;
  if (kind !== 'CODE') return <CopyButton text={linkOf(secret)} label={t('copyLink')} size="compact-sm" />;
  return (
    <>
      {moderates(data?.getStudent?.roles ?? [], spaceId) && (
        <Button component={Link} to={paths.shownClassCode(spaceId, _id)} size="compact-sm">
          {t('classCode.show')}
        </Button>
      )}
      <CopyButton text={formatCode(secret)} label={t('copyCode')} size="compact-sm" />
    </>
  );
}

function RevokeButton({ invitation: { _id }, spaceId, onRevoked, name }: RowProps & { name: string }) {
  const { t } = useTranslation('entry');
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
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={loading}
      aria-label={t('revokeSharedInvitation', { name })}
      onClick={() => void revokeInvitation()}
    >
      {t('revoke')}
    </Button>
  );
}

/** `@domain`, or the group without the ID of its provider. */
const shownRule = (kind: InvitationRowFragment['kind'], rule: string): string =>
  kind === 'DOMAIN' ? `@${rule}` : rule.slice(rule.indexOf(':') + 1);

const linkOf = (secret: string): string => `${window.location.origin}${paths.invitation(secret)}`;
