import { useMutation } from '@apollo/client/react';
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import {
  FinishPasskeyDocument,
  StartPasskeyDocument,
  StartTotpDocument,
  type StartTotpMutation,
} from '../../generated/graphql';
import { usePending } from '../../lib/use-pending';
import { PasswordField } from '../credentials/password-field';
import { AppCode } from './app-code';
import { makePasskey } from './passkeys';
import { RecoveryCodes } from './recovery-codes';

type Stage =
  | { at: 'choice' }
  | { at: 'app'; started: StartTotpMutation['startTotp'] }
  | { at: 'codes'; codes: readonly string[] };

interface SetUpFactorProps {
  /** Where passkeys of this installation work. */
  passkeyHost: string;
  onDone: () => void;
  onCancel?: () => void;
}

/** From the password to a factor that works, and to the recovery codes that come with the first one. */
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
    const { data: begun } = await startPasskey({ variables: { password } });
    const passkey = await makePasskey(begun?.startPasskey ?? '');
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
