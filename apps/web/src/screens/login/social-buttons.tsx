import { Button, Group } from '@mantine/core';
import IconBrandFacebook from '@tabler/icons-react/dist/esm/icons/IconBrandFacebook.mjs';
import IconBrandGoogle from '@tabler/icons-react/dist/esm/icons/IconBrandGoogle.mjs';
import { useTranslation } from 'react-i18next';

const providers = [
  { name: 'Google', icon: IconBrandGoogle },
  { name: 'Facebook', icon: IconBrandFacebook },
];

/** Sign-in by another account. No provider is configured, so the buttons say so and do nothing. */
export function SocialButtons() {
  const { t } = useTranslation('auth');
  return (
    <Group grow>
      {providers.map(({ name, icon: ProviderIcon }) => (
        <Button
          key={name}
          variant="default"
          leftSection={<ProviderIcon size={18} stroke={1.75} aria-hidden />}
          aria-disabled
          data-disabled
          // The kit's tooltip would bring its positioning along, 18 kB that this page does without.
          title={t('login.socialHint', { provider: name })}
          onClick={(event) => event.preventDefault()}
        >
          {name}
        </Button>
      ))}
    </Group>
  );
}
