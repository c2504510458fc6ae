import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { confirmedLogout, paths } from '../../../lib/paths';
import { FormAlert } from '../../../components/notices';
import { Placeholder } from '../../../components/skeletons';
import { AuthPage } from '../../../features/auth-page/auth-page';
import { readTerms, type Terms } from '../../../features/credentials/terms';
import type { AcceptTermsMutation, AcceptTermsMutationVariables } from '../../../generated/graphql';
import { useAuthUser } from '../../../lib/auth-storage';
import { errorText, usePending } from '../../../lib/api/errors';
import { postGraphql } from '../../../lib/api/graphql-fetch';
import { useScreenTitle } from '../../../lib/browser/announce';
import acceptTerms from './accept-terms.graphql?call';

/** The terms of use. After a change, students accept them here or leave. */
export default function TermsScreen() {
  const { t } = useTranslation('account');
  const user = useAuthUser();
  const [terms, setTerms] = useState<Terms>();
  const [failure, setFailure] = useState<string>();
  useScreenTitle(t('terms.title'));
  useEffect(() => {
    readTerms().then(setTerms, (error: unknown) => setFailure(errorText(error)));
  }, []);
  return (
    <AuthPage
      heading={t('terms.title')}
      lead={terms ? t('terms.version', { version: terms.version }) : '\u00a0'}
      foot={
        <Anchor component={Link} to={user ? paths.spaces : paths.login} fw={600}>
          {t(user ? 'terms.back' : 'register.login')}
        </Anchor>
      }
    >
      <Stack gap="md">
        {failure !== undefined && <FormAlert kind="error">{failure}</FormAlert>}
        {terms?.mustAccept === true && <Text fw={600}>{t('terms.changed')}</Text>}
        {terms && <Paragraphs text={terms.text ?? t('terms.text')} />}
        {!terms && failure === undefined && (
          <Placeholder>
            <Stack gap="md">
              <Paragraphs text={t('terms.text')} />
            </Stack>
          </Placeholder>
        )}
        {terms?.mustAccept === true && <Acceptance version={terms.version} />}
      </Stack>
    </AuthPage>
  );
}

function Paragraphs({ text }: { text: string }) {
  return text.split(/\n{2,}/).map((paragraph) => (
    <Text key={paragraph} style={{ whiteSpace: 'pre-line' }}>
      {paragraph}
    </Text>
  ));
}

function Acceptance({ version }: { version: string }) {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const { isPending, error, run } = usePending();
  const accept = () =>
    run(async () => {
      await postGraphql<AcceptTermsMutation, AcceptTermsMutationVariables>(acceptTerms, { version });
      void navigate(paths.spaces);
    });
  return (
    <>
      {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
      <Button size="md" loading={isPending} onClick={() => void accept()}>
        {t('terms.accept')}
      </Button>
      <Group grow>
        <Button component={Link} to={paths.logout} state={confirmedLogout.state} variant="default">
          {t('terms.signOut')}
        </Button>
        <Button component={Link} to={paths.deleteAccount} variant="default">
          {t('terms.deleteAccount')}
        </Button>
      </Group>
    </>
  );
}
