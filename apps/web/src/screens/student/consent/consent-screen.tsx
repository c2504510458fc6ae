import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { FormAlert } from '../../../components/notices';
import { SkeletonRows } from '../../../components/skeletons';
import { AuthPage } from '../../../features/auth-page/auth-page';
import { useLinkToken } from '../../../features/auth-page/use-link-token';
import type {
  AnswerGuardianConsentMutation,
  AnswerGuardianConsentMutationVariables,
  GetGuardianConsentQuery,
  GetGuardianConsentQueryVariables,
} from '../../../generated/graphql';
import { errorText, usePending } from '../../../lib/api/errors';
import { postGraphql } from '../../../lib/api/graphql-fetch';
import { useScreenTitle } from '../../../lib/browser/announce';
import answerConsent from './answer-consent.graphql?call';
import getConsent from './consent.graphql?call';

type Consent = GetGuardianConsentQuery['getGuardianConsent'];

/** A student's request for consent, and the answer of a parent or guardian, who has no account. */
export default function ConsentScreen() {
  const token = useLinkToken();
  return <ConsentPage key={token} token={token} />;
}

const titles = { ASKED: 'title', GIVEN: 'givenTitle', REFUSED: 'refusedTitle' } as const;

function ConsentPage({ token }: { token: string | undefined }) {
  const { t } = useTranslation('consent', { keyPrefix: 'page' });
  const [consent, setConsent] = useState<Consent>();
  const title = t(titles[consent?.state ?? 'ASKED']);
  const status = consent && t(consent.state === 'ASKED' ? 'lead' : 'answered');
  const lead = token === undefined ? t('missing') : (status ?? '\u00a0');
  useScreenTitle(title);
  return (
    <AuthPage
      heading={title}
      lead={lead}
      foot={
        <Anchor component={Link} to={paths.login} fw={600}>
          {t('aboutNimo')}
        </Anchor>
      }
    >
      {token !== undefined && <Question token={token} consent={consent} onConsent={setConsent} />}
    </AuthPage>
  );
}

interface QuestionProps {
  token: string;
  consent: Consent | undefined;
  onConsent: (consent: Consent) => void;
}

function Question({ token, consent, onConsent }: QuestionProps) {
  const [failure, setFailure] = useState<string>();
  const { isPending, error, run } = usePending();
  useEffect(() => {
    postGraphql<GetGuardianConsentQuery, GetGuardianConsentQueryVariables>(getConsent, { token }).then(
      ({ getGuardianConsent }) => onConsent(getGuardianConsent),
      (reason: unknown) => setFailure(errorText(reason)),
    );
  }, [token, onConsent]);
  if (failure !== undefined) return <FormAlert kind="error">{failure}</FormAlert>;
  if (!consent) return <SkeletonRows count={3} height={48} />;
  // The button answers, not the visit: mail scanners follow links, too.
  const answer = (isGiven: boolean) =>
    run(async () => {
      const { answerGuardianConsent } = await postGraphql<
        AnswerGuardianConsentMutation,
        AnswerGuardianConsentMutationVariables
      >(answerConsent, { token, isGiven, termsVersion: consent.termsVersion });
      onConsent(answerGuardianConsent);
    });
  return (
    <Stack gap="md">
      {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
      <Answer
        key={consent.state}
        consent={consent}
        isPending={isPending}
        onAnswer={(isGiven) => void answer(isGiven)}
      />
    </Stack>
  );
}

interface AnswerProps {
  consent: Consent;
  isPending: boolean;
  onAnswer: (isGiven: boolean) => void;
}

function Answer({ consent, isPending, onAnswer }: AnswerProps) {
  const { t } = useTranslation('consent', { keyPrefix: 'page' });
  const { userName, spaceName: name, spaceDescription: description, consentAge: age, state } = consent;
  if (state === 'GIVEN')
    return (
      <>
        <FormAlert kind="success">{t('given', { userName, name })}</FormAlert>
        <Text>{t('keepEmail', { userName })}</Text>
        <Button variant="default" loading={isPending} onClick={() => onAnswer(false)}>
          {t('withdraw')}
        </Button>
      </>
    );
  return (
    <>
      {state === 'REFUSED' && <FormAlert kind="success">{t('refused', { userName, name })}</FormAlert>}
      <Text>{t('question', { userName, name, age })}</Text>
      {description !== '' && <Text>{t('about', { description })}</Text>}
      <Text>
        <Trans
          t={t}
          i18nKey="terms"

          components={{ terms: <Anchor component={Link} to={paths.terms} target="_blank" /> }}
        />
      </Text>
      <Text size="sm" c="dimmed">
        {t('privacy')}
      </Text>
      <Group grow>
        {state !== 'REFUSED' && (
          <Button variant="default" disabled={isPending} onClick={() => onAnswer(false)}>
            {t('refuse')}
          </Button>
        )}
        <Button loading={isPending} onClick={() => onAnswer(true)}>
          {t('agree')}
        </Button>
      </Group>
    </>
  );
}
