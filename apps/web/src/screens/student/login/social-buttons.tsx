import { Button, Group, Text } from '@mantine/core';
import IconBrandFacebook from '@tabler/icons-react/dist/esm/icons/IconBrandFacebook.mjs';
import IconBrandGoogle from '@tabler/icons-react/dist/esm/icons/IconBrandGoogle.mjs';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SignInProvidersQuery } from '../../../generated/graphql';
import { useOnRecovery } from '../../../lib/api/connection';
import { errorText } from '../../../lib/api/errors';
import { postGraphql } from '../../../lib/api/graphql-fetch';
import signInProviders from './sign-in-providers.graphql?call';

type Provider = SignInProvidersQuery['getSignInProviders'][number];

const icons: Readonly<Record<string, typeof IconKey>> = {
  Google: IconBrandGoogle,
  Facebook: IconBrandFacebook,
};

/** Until the API has returned which providers are set up. */
const unknown: readonly Provider[] = [
  { _id: 'first', label: 'Google', isEnabled: false },
  { _id: 'second', label: 'Facebook', isEnabled: false },
];

function useProviders() {
  const [providers, setProviders] = useState<readonly Provider[]>();
  const [failure, setFailure] = useState<string>();
  const ask = () =>
    void postGraphql<SignInProvidersQuery, object>(signInProviders, {}).then(
      ({ getSignInProviders }) => setProviders(getSignInProviders),
      // The password login may work by then.
      (error: unknown) => setFailure(errorText(error)),
    );
  useEffect(ask, []);
  const isKnown = providers !== undefined;
  useOnRecovery(!isKnown && failure !== undefined, ask);
  return { providers: providers ?? unknown, isKnown, failure, ask };
}

interface SocialButtonsProps {
  /** The provider being redirected to. */
  leavingFor: string | undefined;
  onChoose: (provider: string) => void;
}

/**
 * Login with other accounts. A provider that is not set up is explained on hover, to assistive technology, and below
 * when pressed.
 */
export function SocialButtons({ leavingFor, onChoose }: SocialButtonsProps) {
  const { t } = useTranslation('auth');
  const { providers, isKnown, failure, ask } = useProviders();
  const [pressed, setPressed] = useState<string>();
  const hintFor = (provider: string) => (isKnown ? t('login.socialHint', { provider }) : failure);
  const press = (label: string) => {
    setPressed(label);
    if (!isKnown && failure !== undefined) ask();
  };
  const refused = providers.find(({ label, isEnabled }) => label === pressed && !isEnabled);
  return (
    <>
      <Group grow>
        {providers.map(({ _id, label, isEnabled }) => {
          const ProviderIcon = icons[label] ?? IconKey;
          const hint = hintFor(label);
          const icon = <ProviderIcon size={18} stroke={1.75} aria-hidden />;
          return isEnabled ? (
            <Button
              key={label}
              variant="default"
              leftSection={icon}
              loading={leavingFor === _id}
              onClick={() => onChoose(_id)}
            >
              {label}
            </Button>
          ) : (
            // The UI kit's tooltip would add an eighth to this page's size.
            <Button
              key={label}
              variant="default"
              leftSection={icon}
              title={hint}
              aria-disabled
              aria-description={hint}
              onClick={() => press(label)}
            >
              {label}
            </Button>
          );
        })}
      </Group>
      <Text aria-live="polite" size="sm" c="dimmed" ta="center" mt={refused === undefined ? 0 : 'xs'}>
        {refused && hintFor(refused.label)}
      </Text>
    </>
  );
}
