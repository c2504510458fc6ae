import { useQuery } from '@apollo/client/react';
import { Button, Group, MultiSelect, NumberInput, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MinuteInput, SubjectInput } from '../../../features/filters/subject-input';
import { AuditSpacesDocument, type AuditLineFragment } from '../../../generated/graphql';
import { type AuditAddress, auditKinds, classOfKind, isFiltered, isOfView } from './audit-address';
import classes from './audit.module.css';
import { useOwnSpaces } from './use-audit';
import { usePersonName } from './audit-words';

interface AuditFiltersProps {
  address: AuditAddress;
  /** Entries on the screen, to name the IDs in the filters. */
  lines: readonly AuditLineFragment[] | undefined;
  onChange: (changes: Partial<AuditAddress>) => void;
  onClear: () => void;
}

const groups = ['VOTE', 'REPORT', 'ACT', 'READ'] as const;

/** Filters of the list, applied immediately. */
export function AuditFilters({ address, lines, onChange: set, onClear }: AuditFiltersProps) {
  const { t } = useTranslation('audit');
  const { t: areas } = useTranslation('areas');
  const { data } = useQuery(AuditSpacesDocument, { fetchPolicy: 'cache-first' });
  const isModerated = useOwnSpaces();
  const spaces = (data?.getSpaces ?? []).filter(({ _id }) => isModerated(_id));
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
      <SubjectFilters address={address} lines={lines} onChange={set} />
      <Group gap="xs" align="flex-end">
        <MinuteInput label={areas('filters.from')} minute={address.from} onChange={(from) => set({ from })} />
        <MinuteInput
          label={areas('filters.until')}
          minute={address.until}
          onChange={(until) => set({ until })}
        />
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
      {isFiltered(address) && (
        <Button variant="subtle" onClick={onClear}>
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

interface SubjectFiltersProps {
  address: AuditAddress;
  lines: readonly AuditLineFragment[] | undefined;
  onChange: (changes: Partial<AuditAddress>) => void;
}

/** Filters by voter, author and post, except the one that the view itself selects. */
function SubjectFilters({
  address: { view, space, voter, author, post },
  lines = [],
  onChange,
}: SubjectFiltersProps) {
  const { t } = useTranslation('areas');
  const nameOf = usePersonName();
  const person = lines.find((line) => line.voter?._id === voter)?.voter;
  const writer = lines.find((line) => line.receiver?._id === author)?.receiver;
  return (
    <>
      {view !== 'voter' && (
        <SubjectInput
          label={t('filters.voter')}
          kind="person"
          chosen={voter}
          name={person ? nameOf(person) : undefined}
          space={space}
          onChange={(id) => onChange({ voter: id })}
        />
      )}
      {view !== 'receiver' && (
        <SubjectInput
          label={t('filters.author')}
          kind="person"
          chosen={author}
          name={writer ? nameOf(writer) : undefined}
          space={space}
          onChange={(id) => onChange({ author: id })}
        />
      )}
      {view !== 'post' && (
        <SubjectInput
          label={t('filters.post')}
          kind="post"
          chosen={post}
          name={lines.find((line) => line.post?._id === post)?.post?.title}
          space={space}
          onChange={(id) => onChange({ post: id })}
        />
      )}
    </>
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
