import { useQuery } from '@apollo/client/react';
import { Button, Group, Select, TextInput } from '@mantine/core';
import IconDatabaseSearch from '@tabler/icons-react/dist/esm/icons/IconDatabaseSearch.mjs';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { SkeletonRows } from '../../../components/skeletons';
import { useAddressParams } from '../../../features/filters/address-params';
import { LogEventsDocument, type LogEventsQuery, LogFiltersDocument } from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';
import { paths } from '../../../lib/paths';
import classes from './event-log.module.css';
import { LogTable } from './log-table';

/** Rows of a page, as the API's default. */
const PAGE_ROWS = 50;

const ordinalIn = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;

/** The event log, newest first. Filters and page are in the URL. */
export default function LogScreen() {
  const { t } = useTranslation('eventLog');
  const [params, change] = useAddressParams();
  const [type, category] = [params.get('type'), params.get('category')];
  const [before, after] = [ordinalIn(params.get('before')), ordinalIn(params.get('after'))];
  const { data, previousData, error, refetch } = useQuery(LogEventsDocument, {
    variables: { type, category, before, after },
    fetchPolicy: 'network-only',
  });
  const shown = data ?? previousData;
  const show = (changes: Readonly<Record<string, string | number | null>>) =>
    change((latest) => {
      const next = new URLSearchParams(latest);
      // Without a page in the changes, the newest events.
      for (const name of ['before', 'after', ...Object.keys(changes)]) next.delete(name);
      for (const [name, value] of Object.entries(changes)) if (value !== null) next.set(name, String(value));
      return next;
    });
  return (
    <div className={classes.screen}>
      <PageHeading>{t('title')}</PageHeading>
      <p className={classes.lead}>{t('lead')}</p>
      <div className={classes.tools}>
        <Filters type={type} category={category} onChange={show} />
        <GoTo />
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !shown && <SkeletonRows count={12} height={40} />}
      {!error && shown && <Page page={shown.getLogEvents} onShow={show} />}
    </div>
  );
}

interface FiltersProps {
  type: string | null;
  category: string | null;
  onChange: (changes: Readonly<Record<string, string | null>>) => void;
}

function Filters({ type, category, onChange }: FiltersProps) {
  const { t } = useTranslation('eventLog');
  const { data } = useQuery(LogFiltersDocument, { fetchPolicy: 'cache-first' });
  return (
    <>
      <Select
        label={t('filter.type')}
        placeholder={t('filter.any')}
        data={data?.getLogFilters.types ?? []}
        value={type}
        onChange={(chosen) => onChange({ type: chosen })}
        clearable
        searchable
      />
      <Select
        label={t('filter.category')}
        placeholder={t('filter.any')}
        data={data?.getLogFilters.categories ?? []}
        value={category}
        onChange={(chosen) => onChange({ category: chosen })}
        clearable
        searchable
      />
    </>
  );
}

/** Opens an event by its number, or a stream by its name. */
function GoTo() {
  const { t } = useTranslation('eventLog');
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const name = text.trim();
    // Numbers may be typed as the table shows them.
    const ordinal = ordinalIn(name.replaceAll(/[\s.,’]/g, ''));
    if (name !== '') void navigate(ordinal === null ? paths.logStream(name) : paths.logEvent(ordinal));
  };
  return (
    <form className={classes.goTo} onSubmit={submit}>
      <TextInput
        label={t('goTo.label')}
        placeholder={t('goTo.hint')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" variant="default">
        {t('goTo.button')}
      </Button>
    </form>
  );
}

interface PageProps {
  page: LogEventsQuery['getLogEvents'];
  onShow: (changes: Readonly<Record<string, number | null>>) => void;
}

function Page({ page, onShow }: PageProps) {
  const { t, i18n } = useTranslation('eventLog');
  const { events, fromOrdinal, toOrdinal, lastOrdinal } = page;
  const number = (ordinal: number) => wholeNumber(ordinal, i18n.language);
  const hasOlder = fromOrdinal > 1;
  const isEndOfSearch = events.length < PAGE_ROWS && hasOlder && fromOrdinal <= toOrdinal;
  return (
    <>
      {events.length === 0 ? (
        <EmptyState
          icon={IconDatabaseSearch}
          title={t('empty.title')}
          text={t('empty.text', { from: number(fromOrdinal), to: number(toOrdinal) })}
        />
      ) : (
        <LogTable label={t('title')} events={events} />
      )}
      <p className={classes.searched} role="status">
        {isEndOfSearch
          ? t('searchedBack', { ordinal: number(fromOrdinal), last: number(lastOrdinal) })
          : t('range', { from: number(fromOrdinal), to: number(toOrdinal), last: number(lastOrdinal) })}
      </p>
      <Group gap="xs">
        <Button
          variant="default"
          disabled={toOrdinal >= lastOrdinal}
          onClick={() => onShow(toOrdinal + PAGE_ROWS >= lastOrdinal ? {} : { after: toOrdinal })}
        >
          {t('newer')}
        </Button>
        <Button variant="default" disabled={!hasOlder} onClick={() => onShow({ before: fromOrdinal })}>
          {isEndOfSearch ? t('searchOn') : t('older')}
        </Button>
      </Group>
    </>
  );
}
