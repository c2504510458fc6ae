import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useCallback, useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { FormAlert } from '../../../components/notices';
import { SkeletonRows } from '../../../components/skeletons';
import { logIn } from '../../../features/credentials/log-in';
import { NewPasswordField, usePasswordError } from '../../../features/credentials/new-password-field';
import { mustAcceptTerms } from '../../../features/credentials/terms';
import type {
  ConfirmEmailMutation,
  ConfirmEmailMutationVariables,
  IsEmailConfirmedQuery,
  IsEmailConfirmedQueryVariables,
} from '../../../generated/graphql';
import { errorField, errorRule, errorText } from '../../../lib/api/errors';
import { postGraphql } from '../../../lib/api/graphql-fetch';
import confirmEmail from './confirm-email.graphql?call';
import isEmailConfirmed from './email-confirmed.graphql?call';

type State =
  | { name: 'looking' }
  | { name: 'waiting' }
  | { name: 'sending' }
  /** The username is known if the account was confirmed in this browser. */
  | { name: 'confirmed'; userName?: string }
  | { name: 'over'; reason: string }
  | { name: 'refused'; reason: string; isUserNameTaken: boolean };

/** Whether the new account is logged in; otherwise the student logs in as usual. */
const isLoggedIn = (userName: string, password: string): Promise<boolean> =>
  logIn({ userName, password, remember: false }).then(
    ({ kind }) => kind === 'signedIn',
    () => false,
  );

const isOver = (error: unknown): boolean => errorRule(error) === 'MAIL_LINK_INVALID';

async function stateOf(token: string): Promise<State> {
  try {
    const found = await postGraphql<IsEmailConfirmedQuery, IsEmailConfirmedQueryVariables>(isEmailConfirmed, {
      token,
    });
    return { name: found.isEmailConfirmed ? 'confirmed' : 'waiting' };
  } catch (error) {
    return isOver(error) ? { name: 'over', reason: errorText(error) } : { name: 'waiting' };
  }
}

interface ConfirmEmailProps {
  token: string;
  onConfirmed: (token: string) => void;
}

/** The button confirms, not the visit: mail scanners follow links, too. */
export function ConfirmEmail({ token, onConfirmed }: ConfirmEmailProps) {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const [state, setState] = useState<State>({ name: 'looking' });
  const [userName, setUserName] = useState<string | null>(null);
  const [password, setPassword] = useState('');
  const [isChecked, setChecked] = useState(false);
  const passwordError = usePasswordError(password);
  const look = useCallback(async () => setState(await stateOf(token)), [token]);
  useEffect(() => void look(), [look]);
  const isConfirmed = state.name === 'confirmed';
  useEffect(() => {
    if (isConfirmed) onConfirmed(token);
  }, [isConfirmed, onConfirmed, token]);

  const confirm = async () => {
    setState({ name: 'sending' });
    try {
      const { confirmEmail: account } = await postGraphql<
        ConfirmEmailMutation,
        ConfirmEmailMutationVariables
      >(confirmEmail, { token, password, userName });
      if (await isLoggedIn(account.userName, password))
        void navigate((await mustAcceptTerms()) ? paths.terms : paths.spaces, { replace: true });
      else setState({ name: 'confirmed', userName: account.userName });
    } catch (error) {
      if (isOver(error)) return look();
      const isUserNameTaken = errorField(error) === 'userName';
      if (isUserNameTaken) setUserName((current) => current ?? '');
      setState({ name: 'refused', reason: errorText(error), isUserNameTaken });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (passwordError === undefined) void confirm();
  };

  if (state.name === 'looking') return <SkeletonRows count={2} height={48} />;
  if (state.name === 'over') {
    return (
      <Stack gap="md">
        <FormAlert kind="error">{state.reason}</FormAlert>
        <RegisterAgain />
      </Stack>
    );
  }
  if (state.name === 'confirmed') {
    const { userName: ownName } = state;
    return (
      <Stack gap="md">
        <FormAlert kind="success">{t('confirm.done')}</FormAlert>
        <Text>
          {ownName === undefined ? t('confirmed.used') : t('confirm.doneText', { userName: ownName })}
        </Text>
        <Button component={Link} to={paths.login} size="md">
          {t('confirm.login')}
        </Button>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {state.name === 'refused' && <FormAlert kind="error">{state.reason}</FormAlert>}
        {userName !== null && (
          <TextInput
            label={t('userName')}
            description={t('confirm.userNameTaken')}
            autoComplete="username"
            autoCapitalize="none"
            size="md"
            value={userName}
            onChange={({ currentTarget }) => setUserName(currentTarget.value)}
          />
        )}
        <NewPasswordField
          label={t('password')}
          description={t('confirm.password')}
          size="md"
          current={password}
          error={isChecked ? passwordError : undefined}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" size="md" loading={state.name === 'sending'}>
          {t('confirm.submit')}
        </Button>
        {state.name === 'refused' && !state.isUserNameTaken && <RegisterAgain />}
      </Stack>
    </form>
  );
}

function RegisterAgain() {
  const { t } = useTranslation('account');
  // The address is this page's own, which keeps the token until a reload.
  return (
    <Button component={Link} to={paths.register} reloadDocument variant="default" size="md">
      {t('confirm.registerAgain')}
    </Button>
  );
}
