import { useMutation } from '@apollo/client/react';
import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/notices';
import { QrCode } from '../../components/qr-code';
import {
  FinishPasskeyDocument,
  FinishTotpDocument,
  StartPasskeyDocument,
  StartTotpDocument,
  type StartTotpMutation,
} from '../../generated/graphql';
import { usePending } from '../../lib/api/errors';
import { PasswordField } from '../credentials/password-field';
import { makePasskey } from './passkeys';
import { RecoveryCodes } from './recovery-codes';
import classes from './second-factor.module.css';

type Stage =
  | { at: 'choice' }
  | { at: 'app'; started: StartTotpMutation['startTotp'] }
  | { at: 'codes'; codes: readonly string[] };

interface SetUpFactorProps {
  /** Host name where passkeys of this installation work. */
  passkeyHost: string;
  onDone: () => void;
  onCancel?: () => void;
}

/** Adds a factor after a password check, and shows the recovery codes that come with the first one. */
export function SetUpFactor({ passkeyHost, onDone, onCancel }: SetUpFactorProps) {
  const [stage, setStage] = useState<Stage>({ at: 'choice' });
  const added = (codes: readonly string[] | null | undefined) =>
    codes ? setStage({ at: 'codes', codes }) : onDone();
  switch (stage.at) {
    case 'choice':
      return (
        <FactorChoice
          passkeyHost={passkeyHost}
          onApp={(started) => setStage({ at: 'app', started })}
          onAdded={added}
          {...(onCancel && { onCancel })}
        />
      );
    case 'app':
      return <AppCode started={stage.started} onAdded={added} onCancel={() => setStage({ at: 'choice' })} />;
    case 'codes':
      return <RecoveryCodes codes={stage.codes} onDone={onDone} />;
  }
}

interface FactorChoiceProps {
  passkeyHost: string;
  onApp: (started: StartTotpMutation['startTotp']) => void;
  onAdded: (codes: readonly string[] | null | undefined) => void;
  onCancel?: () => void;
}

function FactorChoice({ passkeyHost, onApp, onAdded, onCancel }: FactorChoiceProps) {
  const { t } = useTranslation('secondFactor', { keyPrefix: 'setUp' });
  const [kind, setKind] = useState('app');
  const [name, setName] = useState<string>(t('defaultName'));
  const [password, setPassword] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [startTotp] = useMutation(StartTotpDocument);
  const [startPasskey] = useMutation(StartPasskeyDocument);
  const [finishPasskey] = useMutation(FinishPasskeyDocument);
  const { isPending, error, setError, run } = usePending();
  const isHere = location.hostname === passkeyHost;
  const isPasskey = kind === 'passkey';

  const addPasskey = async () => {
    const { data: options } = await startPasskey({ variables: { password } });
    const passkey = await makePasskey(options?.startPasskey ?? '');
    if (passkey === undefined) {
      setError(t('passkeyFailed'));
      return;
    }
    const { data } = await finishPasskey({ variables: { name: name.trim(), passkey } });
    onAdded(data?.finishPasskey.recoveryCodes);
  };
  const addApp = async () => {
    const { data } = await startTotp({ variables: { password } });
    if (data) onApp(data.startTotp);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (password === '' || (isPasskey && name.trim() === '')) return;
    void run(isPasskey ? addPasskey : addApp);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        <Radio.Group label={t('kind')} value={kind} onChange={setKind}>
          <Stack gap="sm" mt="xs">
            <Radio value="app" label={t('app')} description={t('appHint')} />
            <Radio
              value="passkey"
              label={t('passkey')}
              description={isHere ? t('passkeyHint') : t('passkeyElsewhere', { host: passkeyHost })}
              disabled={!isHere}
            />
          </Stack>
        </Radio.Group>
        {isPasskey && (
          <TextInput
            label={t('name')}
            description={t('nameHint')}
            maxLength={60}
            error={isChecked && name.trim() === '' && t('nameMissing')}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
        <PasswordField
          label={t('password')}
          description={t('passwordHint')}
          autoComplete="current-password"
          error={isChecked && password === '' && t('passwordMissing')}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Group justify="flex-end">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          )}
          <Button type="submit" loading={isPending}>
            {t('next')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface AppCodeProps {
  started: StartTotpMutation['startTotp'];
  onAdded: (codes: readonly string[] | null | undefined) => void;
  onCancel: () => void;
}

/** Splits the secret into groups of four for typing. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

/** Shows the new secret and asks for the app's first code. */
function AppCode({ started, onAdded, onCancel }: AppCodeProps) {
  const { t } = useTranslation('secondFactor', { keyPrefix: 'app' });
  const [code, setCode] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [finish] = useMutation(FinishTotpDocument);
  const { isPending, error, run } = usePending();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (code.trim() === '') return;
    void run(async () => {
      const { data } = await finish({ variables: { code: code.trim() } });
      onAdded(data?.finishTotp.recoveryCodes);
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        <Text>{t('scan')}</Text>
        <QrCode text={started.address} label={t('qr')} className={classes.qr} />
        <div>
          <Text size="sm" c="dimmed">
            {t('key')}
          </Text>
          <Text className={classes.key} data-testid="totp-key">
            {grouped(started.secret)}
          </Text>
        </div>
        <TextInput
          label={t('code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={10}
          error={isChecked && code.trim() === '' && t('codeMissing')}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('back')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('finish')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
