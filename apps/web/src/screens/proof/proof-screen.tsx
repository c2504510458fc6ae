import { useQuery } from '@apollo/client/react';
import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { QuietNotice } from '../../components/quiet-notice';
import { Misfits } from '../../features/areas/log-alarm';
import { LogProofDocument } from '../../generated/graphql';
import { ChainCard } from './chain-card';
import { Meaning } from './meaning';
import { ProvenExport } from './proven-export';
import { PublicKeyCard } from './public-key-card';
import { SignedHeads } from './signed-heads';
import classes from './proof.module.css';

const everyMs = 10_000;

/** How far the history is proven, the audit with its proof, and what that means. */
export default function ProofScreen() {
  const { t } = useTranslation('proof');
  const { data, error, refetch } = useQuery(LogProofDocument, {
    fetchPolicy: 'cache-and-network',
    pollInterval: everyMs,
    skipPollAttempt: () => document.hidden,
  });
  const proof = data?.getLogProof;
  return (
    <div className={classes.screen}>
      <PageHeading>{t('title')}</PageHeading>
      <p className={classes.lead}>{t('lead')}</p>
      {error && !proof && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {error && proof && <QuietNotice error={error} isStale onRetry={() => void refetch()} />}
      {!error && !proof && (
        <>
          <Skeleton height={132} radius="lg" />
          <Skeleton height={220} radius="lg" />
        </>
      )}
      {proof && proof.misfits.length > 0 && <Misfits misfits={proof.misfits} />}
      {proof && <ChainCard proof={proof} />}
      <ProvenExport />
      {proof && <SignedHeads heads={proof.signedHeads} />}
      {proof && <PublicKeyCard keyId={proof.keyId} pem={proof.publicKey} />}
      <Meaning />
    </div>
  );
}
