import { Button, Checkbox, Group, SegmentedControl, TextInput } from '@mantine/core';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { MoreButton } from '../../../components/paged-rows';
import { PageHeading } from '../../../components/page-heading';
import { SaveButtons } from '../../../components/save-buttons';
import { SkeletonRows } from '../../../components/skeletons';
import { useAddressParams } from '../../../features/filters/address-params';
import { useFindSubject } from '../../../features/filters/subject-input';
import type { AuditFilterInput } from '../../../generated/graphql';
import { useLoadMore } from '../../../lib/api/paged-list';
import {
  type AuditAddress,
  auditAddressFrom,
  auditFilterOf,
  auditParamsOf,
  auditViews,
  classOfKind,
  emptyAddress,
  exportQuery,
  isFiltered,
  isOfView,
  isWithoutSubject,
} from './audit-address';
import { AuditFilters } from './audit-filters';
import { AuditSums } from './audit-sums';
import { AuditTable } from './audit-table';
import classes from './audit.module.css';
import { SubjectBar } from './subject-bar';
import { useAudit } from './use-audit';

/** The audit log, newest first. View and filters are in the URL. */
export default function AuditScreen() {
  const { t } = useTranslation('audit');
  const [params, change] = useAddressParams();
  const address = auditAddressFrom(params);
  const show = (changes: Partial<AuditAddress>) =>
    change((latest) => auditParamsOf({ ...auditAddressFrom(latest), ...changes }));
  const showAll = () => show({ ...emptyAddress, view: address.view, of: address.of, space: address.space });
  const isOpen = !isWithoutSubject(address);
  const audit = useAudit(auditFilterOf(address), !isOpen);
  const showView = (view: AuditAddress['view']) =>
    show({
      view,
      of: personOf(address.view) && personOf(view) ? address.of : null,
      ...withoutOwn(view),
      kinds: address.kinds.filter((kind) => isOfView(view, classOfKind(kind))),
    });
  return (
    <div className={classes.screen}>
      <PageHeading
        actions={<ExportButtons query={exportQuery(address)} disabled={!isOpen || !audit.lines?.length} />}
      >
        {t('title')}
      </PageHeading>
      <p className={classes.lead}>{t('lead')}</p>
      <SegmentedControl
        className={classes.views}
        aria-label={t('views.label')}
        value={address.view}
        onChange={(value) => showView(auditViews.find((view) => view === value) ?? 'space')}
        data={auditViews.map((view) => ({ value: view, label: t(`views.${view}`) }))}
      />
      <SubjectField
        key={`${address.view} ${address.of ?? ''}`}
        address={address}
        onChoose={(of) => show({ of })}
      />
      {isOpen && <SubjectBar address={address} first={audit.lines?.[0]} />}
      <AuditFilters address={address} lines={audit.lines} onChange={show} onClear={showAll} />
      {isOpen ? (
        <Lines
          audit={audit}
          filter={auditFilterOf(address)}
          isFiltered={isFiltered(address)}
          onShowAll={showAll}
        />
      ) : (
        <EmptyState icon={IconSearch} title={t('choose.title')} text={t(`choose.${choosing(address)}`)} />
      )}
    </div>
  );
}

const personOf = (view: AuditAddress['view']): boolean => view === 'voter' || view === 'receiver';
/** A view of one voter, author or post drops the filter of the same kind. */
function withoutOwn(view: AuditAddress['view']): Partial<AuditAddress> {
  if (view === 'voter') return { voter: null };
  if (view === 'receiver') return { author: null };
  return view === 'post' ? { post: null } : {};
}
const choosing = ({ view }: AuditAddress) => (view === 'post' ? 'post' : 'person');

interface LinesProps {
  audit: ReturnType<typeof useAudit>;
  filter: AuditFilterInput;
  isFiltered: boolean;
  onShowAll: () => void;
}

function Lines({ audit, filter, isFiltered, onShowAll }: LinesProps) {
  const { lines, error, refetch } = audit;
  if (error && !lines) return <ErrorNotice error={error} onRetry={refetch} />;
  if (!lines) return <SkeletonRows count={12} height={44} />;
  if (lines.length === 0) return <Nothing isFiltered={isFiltered} onShowAll={onShowAll} />;
  return (
    <>
      <AuditSums key={JSON.stringify(filter)} filter={filter} />
      <AuditTable lines={lines} />
      <Older audit={audit} count={lines.length} />
    </>
  );
}

function Older({ audit, count }: Pick<LinesProps, 'audit'> & { count: number }) {
  const { t } = useTranslation('audit');
  const { hasMore, nextPage } = audit;
  const end = useLoadMore(audit);
  return (
    <div className={classes.older}>
      <div ref={end} />
      {hasMore ? (
        <MoreButton nextPage={nextPage}>{t('older')}</MoreButton>
      ) : (
        <p className={classes.end} role="status">
          {t('end', { count })}
        </p>
      )}
    </div>
  );
}

function Nothing({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
  const { t } = useTranslation('audit');
  return (
    <EmptyState
      icon={IconHistory}
      title={t(isFiltered ? 'empty.filteredTitle' : 'empty.title')}
      text={t(isFiltered ? 'empty.filteredText' : 'empty.text')}
      action={
        isFiltered && (
          <Button variant="default" onClick={onShowAll}>
            {t('empty.showAll')}
          </Button>
        )
      }
    />
  );
}

const formats = ['csv', 'ndjson'] as const;

/** Exports the filtered list as a file, optionally with proof. */
function ExportButtons({ query, disabled }: { query: string; disabled: boolean }) {
  const { t } = useTranslation('audit');
  const [isProven, setProven] = useState(false);
  const files = formats.map((format) => ({
    label: t(`export.${format}`),
    address: `/audit/${isProven ? 'proof/' : ''}export.${format}?${query}`,
    fallbackName: `nimo-audit${isProven ? '-proven' : ''}.${format}`,
  }));
  return (
    <Group gap="sm">
      <Checkbox
        label={t('export.withProof')}
        checked={isProven}
        disabled={disabled}
        onChange={({ currentTarget }) => setProven(currentTarget.checked)}
      />
      <SaveButtons files={files} cancelLabel={t('export.cancel')} disabled={disabled} />
    </Group>
  );
}

interface SubjectFieldProps {
  address: AuditAddress;
  onChoose: (id: string) => void;
}

/** Selects the post or person to view, by link or ID, or by username. */
function SubjectField({ address: { view, of, space }, onChoose }: SubjectFieldProps) {
  const { t } = useTranslation('audit');
  const [text, setText] = useState(of ?? '');
  const [error, setError] = useState<string>();
  const [isLooking, setLooking] = useState(false);
  const find = useFindSubject(space);
  if (view === 'space' || view === 'acts' || view === 'reads') return null;
  const what = view === 'post' ? 'post' : 'person';

  const choose = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    setLooking(true);
    const seen = await find(what, text);
    setLooking(false);
    if ('id' in seen) onChoose(seen.id);
    else setError(seen.wrong);
  };
  return (
    <form onSubmit={(event) => void choose(event)} className={classes.subject}>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          className={classes.subjectText}
          label={t(`subject.${what}`)}
          description={t(`subject.${what}Hint`)}
          value={text}
          error={error}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" loading={isLooking}>
          {t('subject.show')}
        </Button>
      </Group>
    </form>
  );
}
