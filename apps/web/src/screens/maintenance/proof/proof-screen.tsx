import { useQuery } from '@apollo/client/react';
import { ActionIcon, Badge, Button, CopyButton, Group, ScrollArea, Skeleton, Tooltip } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../components/data-table';
import { ErrorNotice, QuietNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { ExactTime } from '../../../components/exact-time';
import { SaveButtons } from '../../../components/save-buttons';
import { Mismatches } from '../../../features/areas/log-alarm';
import { LogProofDocument, type LogProofQuery } from '../../../generated/graphql';
import { relativeTime, wholeNumber } from '../../../lib/format';
import { timings } from '../../../lib/timings';
import classes from './proof.module.css';

const REFRESH_MS = 10_000;

/** State of the hash chain, export with proof, and what the proof means. */
export default function ProofScreen() {
  const { t } = useTranslation('proof');
  const { data, error, refetch } = useQuery(LogProofDocument, {
    fetchPolicy: 'cache-and-network',
    pollInterval: REFRESH_MS,
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
      {proof && proof.mismatches.length > 0 && <Mismatches mismatches={proof.mismatches} />}
      {proof && <ChainCard proof={proof} />}
      <ProvenExport />
      {proof && <SignedHeads heads={proof.signedHeads} />}
      {proof && <PublicKeyCard keyId={proof.keyId} pem={proof.publicKey} />}
      <Meaning />
    </div>
  );
}

/** The API's count is capped here. */
const MAX_BEHIND = 1000;

function ChainBadge({ proof }: { proof: LogProofQuery['getLogProof'] }) {
  const { t, i18n } = useTranslation('proof');
  const { ordinal, behind, verifiedAt, mismatches } = proof;
  const number = wholeNumber(ordinal, i18n.language);
  const state = (): readonly [color: string, text: string] => {
    if (mismatches.length > 0) return ['red', t('chain.mismatch')];
    if (behind >= MAX_BEHIND)
      return ['orange', t('chain.farBehind', { number: wholeNumber(behind, i18n.language) })];
    if (behind > 0) return ['orange', t('chain.behind', { count: behind })];
    if (verifiedAt === null) return ['orange', t('chain.notVerified', { number })];
    const ago = relativeTime(new Date(verifiedAt), new Date(), i18n.language);
    return ['green', t('chain.verified', { number, ago })];
  };
  const [color, text] = state();
  return (
    <Badge
      classNames={{ root: classes.badge, label: classes.badge }}
      color={color}
      variant="light"
      role="status"
      tt="none"
    >
      {text}
    </Badge>
  );
}

function ChainCard({ proof }: { proof: LogProofQuery['getLogProof'] }) {
  const { t, i18n } = useTranslation('proof');
  const { ordinal, head, behind, wholeVerifiedAt } = proof;
  return (
    <section className={classes.card} aria-labelledby="proof-chain">
      <div className={classes.row}>
        <h2 id="proof-chain" className={classes.title}>
          {t('chain.title')}
        </h2>
        <ChainBadge proof={proof} />
      </div>
      <dl className={classes.facts}>
        <dt>{t('chain.events')}</dt>
        <dd className={classes.number}>{wholeNumber(ordinal, i18n.language)}</dd>
        <dt>{t('chain.head')}</dt>
        <dd>
          <CopyText text={head} label={t('copyHead', { number: wholeNumber(ordinal, i18n.language) })} />
        </dd>
        <dt>{t('chain.wholeLogVerified')}</dt>
        <dd>{wholeVerifiedAt === null ? t('chain.never') : <ExactTime at={wholeVerifiedAt} />}</dd>
      </dl>
      {behind > 0 && <p className={classes.note}>{t('chain.behindHint')}</p>}
    </section>
  );
}

const proven = ['content', 'order', 'line'] as const;
const unproven = ['tail', 'key', 'truth'] as const;

/** Explains the limits of the proof: overestimating it is worse than having none. */
function Meaning() {
  const { t } = useTranslation('proof');
  return (
    <div className={classes.meaning}>
      <section className={classes.card} aria-labelledby="proof-proves">
        <h2 id="proof-proves" className={classes.title}>
          {t('proves.title')}
        </h2>
        <ul className={classes.points}>
          {proven.map((point) => (
            <li key={point}>
              <IconCircleCheck size={18} stroke={1.75} className={classes.yes} aria-hidden />
              <span>{t(`proves.${point}`)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section className={classes.card} aria-labelledby="proof-not">
        <h2 id="proof-not" className={classes.title}>
          {t('provesNot.title')}
        </h2>
        <ul className={classes.points}>
          {unproven.map((point) => (
            <li key={point}>
              <IconCircleX size={18} stroke={1.75} className={classes.no} aria-hidden />
              <span>{t(`provesNot.${point}`)}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** The public key for verifying signatures. */
function PublicKeyCard({ keyId, pem }: { keyId: string; pem: string }) {
  const { t } = useTranslation('proof');
  return (
    <section className={classes.card} aria-labelledby="proof-key">
      <div className={classes.row}>
        <h2 id="proof-key" className={classes.title}>
          {t('key.title')}
        </h2>
        <CopyButton value={pem} timeout={timings.copied}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="default"
              leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
              onClick={copy}
            >
              {copied ? t('copied') : t('key.copy')}
            </Button>
          )}
        </CopyButton>
      </div>
      <p className={classes.text}>{t('key.text', { keyId })}</p>
      <pre className={classes.pem}>{pem.trim()}</pre>
    </section>
  );
}

type Heads = LogProofQuery['getLogProof']['signedHeads'];

/** The latest signed heads, also stored outside the database. */
function SignedHeads({ heads }: { heads: Heads }) {
  const { t } = useTranslation('proof');
  return (
    <section className={classes.card} aria-labelledby="proof-heads">
      <h2 id="proof-heads" className={classes.title}>
        {t('heads.title')}
      </h2>
      <p className={classes.text}>{t('heads.text')}</p>
      {heads.length === 0 ? <p className={classes.note}>{t('heads.none')}</p> : <HeadsTable heads={heads} />}
    </section>
  );
}

function HeadsTable({ heads }: { heads: Heads }) {
  const { t, i18n } = useTranslation('proof');
  const number = (value: number) => wholeNumber(value, i18n.language);
  return (
    <ScrollArea>
      <DataTable
        aria-labelledby="proof-heads"
        miw={640}
        rows={heads}
        keyOf={({ ordinal, keyId }) => `${ordinal} ${keyId}`}
        columns={[
          {
            label: t('heads.events'),
            cellProps: { className: classes.right },
            cell: ({ ordinal }) => number(ordinal),
          },
          {
            label: t('heads.head'),
            cell: ({ head, ordinal }) => (
              <CopyText text={head} label={t('copyHead', { number: number(ordinal) })} />
            ),
          },
          {
            label: t('heads.signed'),
            cell: ({ at }) => (
              <span className={classes.when}>
                <ExactTime at={at} />
              </span>
            ),
          },
        ]}
      />
    </ScrollArea>
  );
}

const formats = ['csv', 'ndjson'] as const;

/** Exports the audit log of all the caller's spaces with proof. */
function ProvenExport() {
  const { t } = useTranslation('proof');
  const files = formats.map((format) => ({
    label: t(`export.${format}`),
    address: `/audit/proof/export.${format}`,
    fallbackName: `nimo-audit-proven.${format}`,
  }));
  return (
    <section className={classes.card} aria-labelledby="proof-export">
      <h2 id="proof-export" className={classes.title}>
        {t('export.title')}
      </h2>
      <p className={classes.text}>{t('export.text')}</p>
      <Group gap="xs">
        <SaveButtons files={files} cancelLabel={t('export.cancel')} />
      </Group>
      <p className={classes.note}>
        {t('export.check')} <code className={classes.hash}>npm run nimo -- log prove &lt;file&gt;</code>
      </p>
    </section>
  );
}

interface CopyTextProps {
  text: string;
  /** Accessible name of the copy button. */
  label: string;
}

/** A hash or key with a copy button. */
function CopyText({ text, label }: CopyTextProps) {
  const { t } = useTranslation('proof');
  return (
    <span className={classes.copy}>
      <code className={classes.hash}>{text}</code>
      <CopyButton value={text} timeout={timings.copied}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('copied') : label}>
            <ActionIcon
              variant="subtle"
              color={copied ? 'green' : 'gray'}
              onClick={copy}
              aria-label={copied ? t('copied') : label}
            >
              {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </span>
  );
}
