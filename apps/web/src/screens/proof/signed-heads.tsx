import { ScrollArea, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../components/relative-time';
import type { LogProofQuery } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import { CopyText } from './copy-text';
import classes from './proof.module.css';

type Heads = LogProofQuery['getLogProof']['signedHeads'];

/** What was signed last, and lies in a file outside of the database. */
export function SignedHeads({ heads }: { heads: Heads }) {
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
  return (
    <ScrollArea>
      <Table aria-labelledby="proof-heads" miw={640}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.right}>{t('heads.events')}</Table.Th>
            <Table.Th>{t('heads.head')}</Table.Th>
            <Table.Th>{t('heads.signed')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {heads.map(({ ordinal, head, at, keyId }) => (
            <Table.Tr key={`${ordinal} ${keyId}`}>
              <Table.Td className={classes.right}>{wholeNumber(ordinal, i18n.language)}</Table.Td>
              <Table.Td>
                <CopyText
                  text={head}
                  label={t('copyHead', { number: wholeNumber(ordinal, i18n.language) })}
                />
              </Table.Td>
              <Table.Td className={classes.when}>
                <RelativeTime at={at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}
