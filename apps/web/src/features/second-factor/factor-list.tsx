import { useMutation } from '@apollo/client/react';
import { Button, Text } from '@mantine/core';
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import rows from '../../components/framed-rows.module.css';
import { toast } from '../../components/toast';
import { RemovePasskeyDocument, RemoveTotpDocument } from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { relativeTime } from '../../lib/format';
import type { OwnSecondFactor } from './confirm-factor';

interface FactorListProps {
  factor: OwnSecondFactor;
  onChanged: () => Promise<unknown>;
}

/** The factors there are; each can be removed once one was given a moment ago. */
export function FactorList({ factor, onChanged }: FactorListProps) {
  const { t, i18n } = useTranslation('secondFactor', { keyPrefix: 'list' });
  const settled = {
    onCompleted: () => void onChanged(),
    onError: (cause: Error) => void toast.error(errorText(cause)),
  };
  const [removeTotp, totp] = useMutation(RemoveTotpDocument, settled);
  const [removePasskey, passkey] = useMutation(RemovePasskeyDocument, settled);
  const ago = (time: string) => relativeTime(new Date(time), new Date(), i18n.language);
  const usedText = (time: string | null | undefined) =>
    time == null ? t('neverUsed') : t('lastUsed', { when: ago(time) });
  return (
    <ul className={rows.list} aria-label={t('title')}>
      {factor.hasTotp && (
        <FactorRow
          icon={<IconDeviceMobile size={22} stroke={1.5} aria-hidden />}
          name={t('app')}
          canRemove={factor.isRecent}
          isRemoving={totp.loading}
          onRemove={() => void removeTotp()}
        />
      )}
      {factor.passkeys.map(({ _id, name, createdAt, lastUsedAt }) => (
        <FactorRow
          key={_id}
          icon={<IconKey size={22} stroke={1.5} aria-hidden />}
          name={name}
          about={`${t('added', { when: ago(createdAt) })} · ${usedText(lastUsedAt)}`}
          canRemove={factor.isRecent}
          isRemoving={passkey.loading}
          onRemove={() => void removePasskey({ variables: { id: _id } })}
        />
      ))}
    </ul>
  );
}

interface FactorRowProps {
  icon: ReactNode;
  name: string;
  about?: string;
  canRemove: boolean;
  isRemoving: boolean;
  onRemove: () => void;
}

function FactorRow({ icon, name, about, canRemove, isRemoving, onRemove }: FactorRowProps) {
  const { t } = useTranslation('secondFactor', { keyPrefix: 'list' });
  return (
    <li className={rows.row}>
      {icon}
      <div className={rows.grow}>
        <Text fw={600}>{name}</Text>
        {about !== undefined && (
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        )}
      </div>
      {canRemove && (
        <Button
          variant="default"
          size="xs"
          loading={isRemoving}
          aria-label={t('removeOne', { name })}
          onClick={onRemove}
        >
          {t('remove')}
        </Button>
      )}
    </li>
  );
}
