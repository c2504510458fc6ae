import { useApolloClient, useMutation, useQuery } from '@apollo/client/react';
import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice, FormAlert } from '../../../components/notices';
import { SkeletonRows } from '../../../components/skeletons';
import { toast } from '../../../components/toast';
import { isEmailShaped } from '../../../features/credentials/account-fields';
import { PasswordField } from '../../../features/credentials/password-field';
import { phoneDigits, PhoneField, withCountryCode } from '../../../features/credentials/phone-field';
import { solveProofOfWork } from '../../../features/credentials/account-calls';
import { ConfirmFactor } from '../../../features/second-factor/confirm-factor';
import {
  FinishContactChangeDocument,
  OwnAccountDocument,
  OwnSecondFactorDocument,
  StartContactChangeDocument,
  type StartContactChangeMutation,
  type StartContactChangeMutationVariables,
  type OwnAccountQuery,
} from '../../../generated/graphql';
import { errorRule, usePending } from '../../../lib/api/errors';
import { useFocusReturn } from '../../../lib/browser/focus';

export type OwnAccount = NonNullable<OwnAccountQuery['getStudent']>;

export type ContactKindName = 'EMAIL' | 'PHONE';
type Started = StartContactChangeMutation['startContactChange'];

interface ContactChangeProps {
  /** Required for every change. */
  kind: ContactKindName | undefined;
  account: OwnAccount;
  onClose: () => void;
}

/** First the new contact and the password, then the codes sent to both. */
export function ContactChange({ kind, account, onClose }: ContactChangeProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'contacts' });
  useFocusReturn(kind !== undefined);
  return (
    <Modal opened={kind !== undefined} onClose={onClose} title={kind && t(`titles.${kind}`)}>
      {kind && <Steps kind={kind} account={account} onClose={onClose} />}
    </Modal>
  );
}

function useContactChange() {
  const client = useApolloClient();
  const [start] = useMutation(StartContactChangeDocument);
  const [finish] = useMutation(FinishContactChangeDocument);
  const begin = async (variables: StartContactChangeMutationVariables): Promise<Started | undefined> => {
    try {
      return (await start({ variables })).data?.startContactChange;
    } catch (error) {
      if (errorRule(error) !== 'CHALLENGE_REQUIRED') throw error;
      const proof = await solveProofOfWork();
      return (await start({ variables: { ...variables, proof } })).data?.startContactChange;
    }
  };
  const end = async (id: string, { newCode, ownCode }: EnteredCodes): Promise<void> => {
    await finish({ variables: { id, newCode, ownCode: ownCode === '' ? null : ownCode } });
    await client.refetchQueries({ include: [OwnAccountDocument] });
  };
  return { begin, end };
}

function Steps({ kind, account, onClose }: ContactChangeProps & { kind: ContactKindName }) {
  const { t } = useTranslation('settings', { keyPrefix: 'contacts' });
  const { begin, end } = useContactChange();
  const [started, setStarted] = useState<Started>();
  const [needsFactor, setNeedsFactor] = useState(false);
  const request = async (contact: ContactRequest) => {
    try {
      setStarted(await begin({ kind, ...contact }));
    } catch (error) {
      if (errorRule(error) !== 'SECOND_FACTOR_REQUIRED') throw error;
      setNeedsFactor(true);
    }
  };
  const confirm = async (codes: EnteredCodes) => {
    if (!started) return;
    await end(started._id, codes);
    toast.success(t(`changed.${kind}`));
    onClose();
  };
  if (needsFactor) return <ContactFactor onConfirmed={() => setNeedsFactor(false)} />;
  if (started)
    return (
      <ContactCodes
        kind={kind}
        sentTo={started.sentTo}
        ownSentTo={started.ownSentTo ?? null}
        onEntered={confirm}
        onRestart={() => setStarted(undefined)}
      />
    );
  return <ContactForm kind={kind} account={account} onRequested={request} />;
}

const contactCodeDigits = 6;

interface EnteredCodes {
  newCode: string;
  ownCode: string;
}

interface ContactCodesProps {
  kind: ContactKindName;
  sentTo: string;
  /** Null if the account had no contact to send a code to. */
  ownSentTo: string | null;
  onEntered: (codes: EnteredCodes) => Promise<void>;
  onRestart: () => void;
}

function ContactCodes({ kind, sentTo, ownSentTo, onEntered, onRestart }: ContactCodesProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'contacts' });
  const [codes, setCodes] = useState<EnteredCodes>({ newCode: '', ownCode: '' });
  const { isPending, error, setError, run } = usePending();
  const isWhole =
    codes.newCode.length === contactCodeDigits &&
    (ownSentTo === null || codes.ownCode.length === contactCodeDigits);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWhole) void run(() => onEntered(codes));
    else setError(t('codesIncomplete'));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        <Text>{t('codesLead')}</Text>
        {ownSentTo !== null && (
          <CodeField
            label={t('codeSentTo', { contact: ownSentTo })}
            value={codes.ownCode}
            onChange={(ownCode) => setCodes((entered) => ({ ...entered, ownCode }))}
          />
        )}
        <CodeField
          label={t('codeSentTo', { contact: sentTo })}
          value={codes.newCode}
          onChange={(newCode) => setCodes((entered) => ({ ...entered, newCode }))}
        />
        <Group justify="space-between">
          <Button variant="subtle" onClick={onRestart} disabled={isPending}>
            {t('startOver')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t(`submit.${kind}`)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface CodeFieldProps {
  label: string;
  value: string;
  onChange: (digits: string) => void;
}

function CodeField({ label, value, onChange }: CodeFieldProps) {
  return (
    <TextInput
      label={label}
      inputMode="numeric"
      autoComplete="one-time-code"
      value={value}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value.replace(/\D/g, '').slice(0, contactCodeDigits))
      }
    />
  );
}

/** An account with a second factor: the password alone is not enough. */
function ContactFactor({ onConfirmed }: { onConfirmed: () => void }) {
  const { t } = useTranslation('settings', { keyPrefix: 'contacts' });
  const { data, error, refetch } = useQuery(OwnSecondFactorDocument, { fetchPolicy: 'network-only' });
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={1} height={72} />;
  return (
    <Stack gap="md">
      <Text>{t('factorLead')}</Text>
      <ConfirmFactor
        factor={data.getSecondFactor}
        submitLabel={t('next')}
        onConfirmed={() => {
          onConfirmed();
          return Promise.resolve();
        }}
      />
    </Stack>
  );
}

interface ContactRequest {
  value: string;
  password: string;
  via: ContactKindName | null;
}

interface ContactFormProps {
  kind: ContactKindName;
  account: OwnAccount;
  onRequested: (contact: ContactRequest) => Promise<void>;
}

/** The new contact and proof of identity: the password, and which existing contact gets a code. */
function ContactForm({ kind, account, onRequested }: ContactFormProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'contacts' });
  const [value, setValue] = useState('');
  const [password, setPassword] = useState('');
  const [via, setVia] = useState<ContactKindName>(kind);
  const [problem, setProblem] = useState<string>();
  const { isPending, error, run } = usePending();
  const hasBoth = account.email != null && account.phone != null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isWellFormed = kind === 'EMAIL' ? isEmailShaped(value.trim()) : value.length === phoneDigits;
    setProblem(isWellFormed ? undefined : t(`invalid.${kind}`));
    if (!isWellFormed) return;
    const contact = kind === 'EMAIL' ? value.trim() : withCountryCode(value);
    void run(() => onRequested({ value: contact, password, via: hasBoth ? via : null }));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        {kind === 'EMAIL' ? (
          <TextInput
            type="email"
            label={t('newEmail')}
            autoComplete="email"
            value={value}
            error={problem}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            data-autofocus
          />
        ) : (
          <PhoneField value={value} error={problem} onChange={setValue} />
        )}
        {hasBoth && <ViaChoice via={via} account={account} onChange={setVia} />}
        <PasswordField
          label={t('password')}
          description={t('passwordHint')}
          autoComplete="current-password"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            {t('send')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ViaChoiceProps {
  via: ContactKindName;
  account: OwnAccount;
  onChange: (via: ContactKindName) => void;
}

/** If the old phone is lost, the code goes to the email, and vice versa. */
function ViaChoice({ via, account, onChange }: ViaChoiceProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'contacts' });
  return (
    <Radio.Group
      label={t('via')}
      description={t('viaHint')}
      value={via}
      onChange={(chosen) => onChange(chosen === 'EMAIL' ? 'EMAIL' : 'PHONE')}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="PHONE" label={`+${account.phone ?? ''}`} />
        <Radio value="EMAIL" label={account.email ?? ''} />
      </Stack>
    </Radio.Group>
  );
}
