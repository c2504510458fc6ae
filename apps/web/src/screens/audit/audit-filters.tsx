import { useQuery } from '@apollo/client/react';
import { Button, Group, MultiSelect, NumberInput, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOwnSpaces } from './use-own-spaces';
import { AuditSpacesDocument } from '../../generated/graphql';
import { type AuditAddress, emptyAddress, isNarrowed } from './audit-address';
import { auditKinds, classOfKind, isOfView } from './audit-kinds';
import classes from './audit.module.css';

interface AuditFiltersProps {
  address: AuditAddress;
  onChange: (address: AuditAddress) => void;
}

const groups = ['VOTE', 'REPORT', 'ACT', 'READ'] as const;

/** What narrows the list; each counts at once. */
export function AuditFilters({ address, onChange }: AuditFiltersProps) {
  const { t } = useTranslation('audit');
  const { data } = useQuery(AuditSpacesDocument, { fetchPolicy: 'cache-first' });
  const mayLookInto = useOwnSpaces();
  const spaces = (data?.getSpaces ?? []).filter(({ _id }) => mayLookInto(_id));
  const set = (changes: Partial<AuditAddress>) => onChange({ ...address, ...changes });
  const offered = groups.filter((group) => isOfView(address.view, group));
  return (
    <div className={classes.filters} role="group" aria-label={t('filters.label')}>
      <Select
        label={t('filters.space')}
        placeholder={t('filters.anySpace')}
        data={spaces.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={address.space}
        onChange={(space) => set({ space })}
        clearable
        searchable
      />
      <MultiSelect
        className={classes.kinds}
        label={t('filters.kinds')}
        placeholder={address.kinds.length === 0 ? t('filters.anyKind') : undefined}
        data={offered.map((group) => ({
          group: t(`classes.${group}`),
          items: auditKinds
            .filter((kind) => classOfKind(kind) === group)
            .map((kind) => ({ value: kind, label: t(`kinds.${kind}`) })),
        }))}
        value={[...address.kinds]}
        onChange={(chosen) => set({ kinds: auditKinds.filter((kind) => chosen.includes(kind)) })}
        clearable
        searchable
      />
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <DayField label={t('filters.from')} day={address.from} onChange={(from) => set({ from })} />
        <DayField label={t('filters.until')} day={address.until} onChange={(until) => set({ until })} />
      </Group>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <OrdinalField
          label={t('filters.fromOrdinal')}
          ordinal={address.fromOrdinal}
          onChange={(fromOrdinal) => set({ fromOrdinal })}
        />
        <OrdinalField
          label={t('filters.toOrdinal')}
          ordinal={address.toOrdinal}
          onChange={(toOrdinal) => set({ toOrdinal })}
        />
      </Group>
      {isNarrowed(address) && (
        <Button
          variant="subtle"
          onClick={() =>
            onChange({ ...emptyAddress, view: address.view, of: address.of, space: address.space })
          }
        >
          {t('filters.clear')}
        </Button>
      )}
      {address.actor !== null && (
        <p className={classes.also}>{t('filters.byActor', { id: address.actor })}</p>
      )}
      {address.caseId !== null && (
        <p className={classes.also}>{t('filters.ofCase', { id: address.caseId })}</p>
      )}
    </div>
  );
}

interface DayFieldProps {
  label: string;
  day: string | null;
  onChange: (day: string | null) => void;
}

function DayField({ label, day, onChange }: DayFieldProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={day ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    />
  );
}

interface OrdinalFieldProps {
  label: string;
  ordinal: number | null;
  onChange: (ordinal: number | null) => void;
}

function OrdinalField({ label, ordinal, onChange }: OrdinalFieldProps) {
  return (
    <NumberInput
      className={classes.ordinalField}
      label={label}
      value={ordinal ?? ''}
      min={0}
      max={999_999_999}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      onChange={(value) => onChange(typeof value === 'number' ? value : null)}
    />
  );
}
