import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { signedNumber, wholeNumber } from '../../../lib/format';
import type { Rules } from './rules';
import { ActiveSafeguards } from './safeguards';

/** Points per action, read only. */
export function RulesTable({ rules, label }: { rules: Rules; label: string }) {
  const { t, i18n } = useTranslation('scoringRules');
  const points = (value: number) => (value === 0 ? '–' : signedNumber(value, i18n.language));
  return (
    <>
      <Table verticalSpacing={6} className="nimo-tabular" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('action')}</Table.Th>
            <Table.Th ta="end">{t('merit')}</Table.Th>
            <Table.Th ta="end">{t('impact')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rules.weights.map(({ kind, merit, impact }) => (
            <Table.Tr key={kind}>
              <Table.Th scope="row" fw={400}>
                {t(`kind.${kind}`)}
              </Table.Th>
              <Table.Td ta="end">{points(merit)}</Table.Td>
              <Table.Td ta="end">{points(impact)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Caption>
          <Text span size="sm">
            {t('threshold', { number: wholeNumber(rules.reportThreshold, i18n.language) })}
          </Text>
        </Table.Caption>
      </Table>
      <ActiveSafeguards safeguards={rules.safeguards} />
    </>
  );
}
