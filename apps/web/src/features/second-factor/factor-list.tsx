import { useMutation } from '@apollo/client/react';
import { Button, Group, Text, TextInput } from '@mantine/core';
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import rows from '../../components/framed-rows.module.css';
import { RelativeTime } from '../../components/relative-time';
import { toast } from '../../components/toast';
import {
  RemovePasskeyDocument,
  RemoveTotpDocument,
  RenamePasskeyDocument,
  RenameTotpDocument,
} from '../../generated/graphql';
import { errorText } from '../../lib/api/errors';
import type { OwnSecondFactor } from './confirm-factor';

interface FactorListProps {
  factor: OwnSecondFactor;
  onChanged: () => Promise<unknown>;
}

/** The account's factors. Each can be renamed, or removed after a recent confirmation. */
export function FactorList({ factor, onChanged }: FactorListProps) {
  const { t } = useTranslation('secondFactor', { keyPrefix: 'list' });
  const onError = (cause: Error) => void toast.error(errorText(cause));
  const settled = { onCompleted: () => void onChanged(), onError };
  const [removeTotp, totp] = useMutation(RemoveTotpDocument, settled);
  const [removePasskey, passkey] = useMutation(RemovePasskeyDocument, settled);
  const [renameTotp] = useMutation(RenameTotpDocument, { onError });
  const [renamePasskey] = useMutation(RenamePasskeyDocument, { onError });
  /** Resolves to whether it succeeded; a toast has shown any error. */
  const renamed = async (renaming: Promise<{ data?: unknown }>): Promise<boolean> => {
    const { data } = await renaming;
    if (!data) return false;
    await onChanged();
    return true;
  };
  return (
    <ul className={rows.list} aria-label={t('title')}>
      {factor.hasTotp && (
        <FactorRow
          icon={<IconDeviceMobile size={22} stroke={1.5} aria-hidden />}
          name={factor.totpName ?? t('app')}
          onRename={(name) => renamed(renameTotp({ variables: { name } }))}
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
          onRename={(other) => renamed(renamePasskey({ variables: { id: _id, name: other } }))}
          about={
            <>
              <RelativeTime at={createdAt} phrase={(when) => t('added', { when })} /> ·{' '}
              {lastUsedAt == null ? (
                t('neverUsed')
              ) : (
                <RelativeTime at={lastUsedAt} phrase={(when) => t('lastUsed', { when })} />
              )}
            </>
          }
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
  about?: ReactNode;
  canRemove: boolean;
  isRemoving: boolean;
  onRemove: () => void;
  /** Resolves to whether it succeeded. */
  onRename: (name: string) => Promise<boolean>;
}

function FactorRow({ icon, name, about, canRemove, isRemoving, onRemove, onRename }: FactorRowProps) {
  const { t } = useTranslation('secondFactor', { keyPrefix: 'list' });
  const [step, setStep] = useState<'shown' | 'renaming' | 'saving' | 'left'>('shown');
  const button = useRef<HTMLButtonElement>(null);
  // Returns the focus to the button after renaming.
  useEffect(() => {
    if (step === 'left') button.current?.focus();
  }, [step]);
  const save = async (other: string) => {
    setStep('saving');
    setStep((await onRename(other)) ? 'left' : 'renaming');
  };
  if (step === 'renaming' || step === 'saving')
    return (
      <li className={rows.row}>
        {icon}
        <div className={rows.grow}>
          <RenameFactor
            name={name}
            isSaving={step === 'saving'}
            onSave={(other) => void save(other)}
            onCancel={() => setStep('left')}
          />
        </div>
      </li>
    );
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
      <Button
        ref={button}
        variant="default"
        size="xs"
        aria-label={t('renameOne', { name })}
        onClick={() => setStep('renaming')}
      >
        {t('rename')}
      </Button>
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

const MAX_NAME_LENGTH = 60;

interface RenameFactorProps {
  name: string;
  isSaving: boolean;
  onSave: (name: string) => void;
  onCancel: () => void;
}

/** Form in place of the name, until it is saved or cancelled. */
function RenameFactor({ name, isSaving, onSave, onCancel }: RenameFactorProps) {
  const { t } = useTranslation('secondFactor', { keyPrefix: 'list' });
  const [text, setText] = useState(name);
  const [isMissing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const named = text.trim();
    if (named === '') setMissing(true);
    else if (named === name) onCancel();
    else onSave(named);
  };
  return (
    <form onSubmit={save} noValidate>
      <Group align="flex-end" gap="xs">
        <TextInput
          ref={input}
          label={t('newName')}
          value={text}
          maxLength={MAX_NAME_LENGTH}
          error={isMissing && t('nameMissing')}
          onKeyDown={({ key }) => {
            if (key === 'Escape') onCancel();
          }}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setMissing(false);
          }}
        />
        <Button type="submit" size="sm" loading={isSaving}>
          {t('save')}
        </Button>
        <Button variant="default" size="sm" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </Group>
    </form>
  );
}
