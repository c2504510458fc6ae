import { useMutation } from '@apollo/client/react';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../../components/notices';
import { toast } from '../../../components/toast';
import { isEmailShaped } from '../../../features/credentials/account-fields';
import { AskGuardianDocument, type SpaceCardFragment, StateAgeDocument } from '../../../generated/graphql';
import { useFocusReturn } from '../../../lib/browser/focus';
import { usePending } from '../../../lib/api/errors';

interface AdmissionDialogProps {
  space: SpaceCardFragment;
  onClose: () => void;
  /** Nothing more to ask. */
  onAdmitted?: (() => void) | undefined;
}

/** Questions before joining a space: whether the student is under an age, and then a guardian's consent. */
export function AdmissionDialog({ space, onClose, onAdmitted }: AdmissionDialogProps) {
  const { t } = useTranslation('consent');
  useFocusReturn();
  const step = admissionStep(space);
  return (
    <Modal opened onClose={onClose} title={t(step === 'consent' ? 'ask.title' : 'age.title')} size="sm">
      {step === 'consent' ? (
        <GuardianForm space={space} onClose={onClose} />
      ) : (
        <AgeForm space={space} onAdmitted={onAdmitted} />
      )}
    </Modal>
  );
}

function AgeForm({ space, onAdmitted }: Omit<AdmissionDialogProps, 'onClose'>) {
  const { t } = useTranslation('consent');
  const { isPending, error, run } = usePending();
  const [state] = useMutation(StateAgeDocument);
  const age = space.consent?.age ?? 0;
  const say = (band: 'BELOW' | 'FROM') =>
    void run(async () => {
      const { data } = await state({ variables: { spaceId: space._id, band } });
      // The answer may already have unmounted this form.
      if (data && !admissionStep(data.declareAge)) onAdmitted?.();
    });
  return (
    <Stack gap="md">
      {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
      <Text>{t('age.text', { age, name: space.name })}</Text>
      <Button variant="default" disabled={isPending} data-autofocus onClick={() => say('BELOW')}>
        {t('age.under', { age })}
      </Button>
      <Button variant="default" disabled={isPending} onClick={() => say('FROM')}>
        {t('age.orOlder', { age })}
      </Button>
    </Stack>
  );
}

interface GuardianFormProps {
  space: SpaceCardFragment;
  onClose: () => void;
}

function GuardianForm({ space, onClose }: GuardianFormProps) {
  const { t } = useTranslation('consent');
  const [email, setEmail] = useState('');
  const { isPending, error, run } = usePending();
  const [ask] = useMutation(AskGuardianDocument);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await ask({ variables: { spaceId: space._id, email: email.trim() } });
      toast.success(t('ask.sent'));
      setEmail('');
    });
  };
  const guardian = space.consent?.guardian;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        {guardian === 'ASKED' && error === undefined && (
          <FormAlert kind="success">{t('ask.pending')}</FormAlert>
        )}
        {guardian === 'REFUSED' && error === undefined && (
          <FormAlert kind="error">{t('ask.refused')}</FormAlert>
        )}
        <Text>{t('ask.text', { name: space.name })}</Text>
        <TextInput
          label={t('ask.email')}
          type="email"
          autoComplete="off"
          data-autofocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('ask.close')}
          </Button>
          <Button type="submit" loading={isPending} disabled={!isEmailShaped(email.trim())}>
            {t(guardian ? 'ask.sendAgain' : 'ask.send')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Remaining questions for a student who wants to join; the API enforces them. */
export function admissionStep({
  consent,
}: Pick<SpaceCardFragment, 'consent'>): 'age' | 'consent' | undefined {
  if (!consent) return undefined;
  if (!consent.stated) return 'age';
  return consent.stated === 'BELOW' && consent.guardian !== 'GIVEN' ? 'consent' : undefined;
}

/** Asked before the way to join; in a space by invitation only, afterwards. */
export const needsAdmission = (space: SpaceCardFragment): boolean =>
  !space.joined &&
  space.request !== 'OPEN' &&
  (space.entry !== 'INVITATION' || space.isInvited) &&
  admissionStep(space) !== undefined;
