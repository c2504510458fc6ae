import { Anchor, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths';

/** Consent note below the sign-up button. Opens the terms in a new tab, so that the form is not lost. */
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
