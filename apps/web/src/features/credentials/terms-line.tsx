import { Anchor, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths';

/** Below the button that signs up: what pressing it says. In another tab, so that nothing that was typed is lost. */
export function TermsLine() {
  const { t } = useTranslation('account');
  return (
    <Text size="sm" c="dimmed">
      <Trans
        t={t}
        i18nKey="terms.bySigningUp"
        components={{
          terms: <Anchor component={Link} to={paths.terms} target="_blank" inherit underline="always" />,
        }}
      />
    </Text>
  );
}
