import { useQuery } from '@apollo/client/react';
import { Anchor, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { PageHeading } from '../../components/page-heading';
import { OwnSecondFactorDocument } from '../../generated/graphql';
import { ShellSkeleton } from '../../components/skeletons';
import { ConfirmFactor, type OwnSecondFactor } from './confirm-factor';
import classes from './second-factor.module.css';
import { SetUpFactor } from './set-up-factor';

/**
 * Asks for the second factor before the staff areas, which the API requires. If the status cannot be loaded, the screens show the
 * API's refusals instead. When a confirmation expires, an open area is hidden, not unmounted, so that its input is kept.
 */
export function StaffGate({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useQuery(OwnSecondFactorDocument, { fetchPolicy: 'cache-and-network' });
  const [wasOpen, setOpen] = useState(false);
  const factor = data?.getSecondFactor;
  if (!factor) return error ? children : <ShellSkeleton />;
  if (factor.opensStaffAreas && !wasOpen) setOpen(true);
  return (
    <>
      {!factor.opensStaffAreas && <FactorQuestion factor={factor} onDone={refetch} />}
      {wasOpen && <div hidden={!factor.opensStaffAreas}>{children}</div>}
    </>
  );
}

function FactorQuestion({ factor, onDone }: { factor: OwnSecondFactor; onDone: () => Promise<unknown> }) {
  const { t } = useTranslation('secondFactor', { keyPrefix: 'gate' });
  const isSetUp = factor.hasTotp || factor.passkeys.length > 0;
  return (
    <main className={classes.gate}>
      <Stack gap="lg">
        <PageHeading>{t(isSetUp ? 'confirmTitle' : 'setUpTitle')}</PageHeading>
        <Text>{t(isSetUp ? 'confirmLead' : 'setUpLead')}</Text>
        <section className={classes.card}>
          {isSetUp ? (
            <ConfirmFactor factor={factor} submitLabel={t('open')} onConfirmed={onDone} />
          ) : (
            // Refetches only when done: the factor opens the areas at once, but its recovery codes must be seen first.
            <SetUpFactor passkeyHost={factor.passkeyHost} onDone={() => void onDone()} />
          )}
        </section>
        <Anchor component={Link} to={paths.spaces}>
          {t('leave')}
        </Anchor>
      </Stack>
    </main>
  );
}
