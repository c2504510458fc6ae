import { ActionIcon, Group, NumberInput, SegmentedControl, Slider, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryRangePartsFragment } from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';
import { auditKinds } from '../audit/audit-address';
import classes from './as-of.module.css';
import {
  exactMoment,
  localTime,
  type Mark,
  placeMarks,
  neighbourOf,
  type Point,
  pointAt,
  convertPoint,
  scaleOf,
  valueOf,
} from './point';

/** Debounce of the slider, which passes many points while dragged. */
const SLIDER_DEBOUNCE_MS = 200;

interface PointPickerProps {
  range: HistoryRangePartsFragment;
  point: Point;
  onChange: (point: Point) => void;
}

/** Selects a point in the past by slider, field or step to the next mark. */
export function PointPicker({ range, point, onChange }: PointPickerProps) {
  const { t, i18n } = useTranslation('asOf');
  // Show the chosen point until the URL has changed, or the handle would jump back.
  const [chosen, setChosen] = useState<{ readonly from: number; readonly to: Point }>();
  const settle = useDebouncedCallback(onChange, SLIDER_DEBOUNCE_MS);
  const shown = chosen?.from === valueOf(point) ? chosen.to : point;
  const choose = (to: Point) => {
    setChosen({ from: valueOf(point), to });
    settle(to);
  };
  const scale = scaleOf(range, shown.by);
  const format = (value: number) =>
    shown.by === 'moment'
      ? exactMoment(new Date(value).toISOString(), i18n.language)
      : wholeNumber(value, i18n.language);
  const markName = useMarkName();
  const placed = placeMarks(range.marks, shown.by, scale);
  const formatWithMarks = (value: number) => {
    const here = placed.find((mark) => mark.value === value);
    return here ? `${format(value)}, ${markName(here.marks, shown.by)}` : format(value);
  };
  const slider = useHandleText(formatWithMarks(valueOf(shown)));
  return (
    <section className={classes.picker} aria-label={t('picker.label')}>
      <Group gap="md" align="end" wrap="wrap">
        <SegmentedControl
          aria-label={t('picker.by')}
          value={shown.by}
          onChange={(by) => choose(convertPoint(shown, by === 'ordinal' ? by : 'moment', range))}
          data={[
            { value: 'moment', label: t('picker.byMoment') },
            { value: 'ordinal', label: t('picker.byOrdinal') },
          ]}
        />
        <PointField range={range} point={shown} onChange={choose} />
        <Steps range={range} point={shown} onChange={choose} />
      </Group>
      <Slider
        ref={slider}
        className={classes.slider ?? ''}
        min={scale.min}
        max={Math.max(scale.max, scale.min + 1)}
        step={scale.step}
        value={Math.min(Math.max(valueOf(shown), scale.min), scale.max)}
        marks={placed.map(({ value, marks }) => ({
          value,
          label: <MarkSign name={markName(marks, shown.by)} isMany={marks.length > 1} />,
        }))}
        label={format}
        thumbLabel={t('picker.slider')}
        onChange={(value) => choose(pointAt(shown.by, value))}
      />
      <p className={classes.ends}>
        <span>{format(scale.min)}</span>
        <span>{format(scale.max)}</span>
      </p>
    </section>
  );
}

/** Sets `aria-valuetext` on the slider's handle, which Mantine does not forward. */
function useHandleText(text: string) {
  const slider = useRef<HTMLDivElement>(null);
  useEffect(() => {
    slider.current?.querySelector('[role="slider"]')?.setAttribute('aria-valuetext', text);
  }, [text]);
  return slider;
}

/** A mark below the track, with a tooltip. A click on it moves to the mark. */
function MarkSign({ name, isMany }: { name: string; isMany: boolean }) {
  return (
    <Tooltip label={name} multiline maw={320}>
      <span role="img" aria-label={name} className={classes.mark} data-many={isMany || undefined} />
    </Tooltip>
  );
}

function PointField({ range, point, onChange }: PointPickerProps) {
  const { t } = useTranslation('asOf');
  if (point.by === 'ordinal')
    return (
      <NumberInput
        label={t('picker.ordinal')}
        value={point.ordinal}
        min={1}
        max={range.lastOrdinal}
        allowDecimal={false}
        clampBehavior="blur"
        w={170}
        onChange={(value) => {
          if (typeof value === 'number' && value >= 1 && value <= range.lastOrdinal)
            onChange({ by: 'ordinal', ordinal: value });
        }}
      />
    );
  return (
    <TextInput
      type="datetime-local"
      step={1}
      label={t('picker.moment')}
      value={localTime(point.at)}
      max={localTime(new Date().toISOString())}
      onChange={({ currentTarget: { value } }) => {
        const time = new Date(value);
        if (!Number.isNaN(time.getTime()) && time.getTime() <= Date.now())
          onChange({ by: 'moment', at: time.toISOString() });
      }}
    />
  );
}

function Steps({ range, point, onChange }: PointPickerProps) {
  const { t } = useTranslation('asOf');
  const markName = useMarkName();
  return (
    <Group gap={4}>
      {(
        [
          ['before', IconChevronLeft],
          ['after', IconChevronRight],
        ] as const
      ).map(([direction, StepIcon]) => {
        const next = neighbourOf(range.marks, point, direction);
        const label = next
          ? t(`picker.${direction}Named`, { what: markName(next.marks, point.by) })
          : t(`picker.${direction}`);
        return (
          <Tooltip key={direction} label={label} multiline maw={320}>
            <ActionIcon
              variant="default"
              size={36}
              aria-label={label}
              disabled={!next}
              onClick={() => next && onChange(next.point)}
            >
              <StepIcon size={18} stroke={1.75} aria-hidden />
            </ActionIcon>
          </Tooltip>
        );
      })}
    </Group>
  );
}

/** Events of a question's page that are not in the audit log. */
const pageKinds = [
  'QuestionAsked',
  'QuestionEdited',
  'AnswerPosted',
  'AnswerEdited',
  'AnswerAccepted',
  'CommentPosted',
] as const;

/** Label of a mark, or of several that share a place on the slider. */
function useMarkName(): (marks: readonly Mark[], by: Point['by']) => string {
  const { t, i18n } = useTranslation('asOf');
  const { t: audit } = useTranslation('audit');
  const kindName = (kind: string): string => {
    const onPage = pageKinds.find((known) => known === kind);
    if (onPage) return t(`marks.${onPage}`);
    const audited = auditKinds.find((known) => known === kind);
    return audited ? audit(`kinds.${audited}`) : t('marks.other');
  };
  const formatPosition = ({ ordinal, at }: Mark, by: Point['by']): string =>
    by === 'moment'
      ? exactMoment(at, i18n.language)
      : t('picker.ordinalOf', { ordinal: wholeNumber(ordinal, i18n.language) });
  return (marks, by) => {
    const times = new Map<string, number>();
    for (const { kind } of marks) times.set(kindName(kind), (times.get(kindName(kind)) ?? 0) + 1);
    const what = [...times].map(([name, count]) => (count > 1 ? `${name} × ${count}` : name)).join(', ');
    const [first, last] = [marks[0], marks.at(-1)];
    const places = [first, last].flatMap((mark) => (mark ? [formatPosition(mark, by)] : []));
    return `${what} (${[...new Set(places)].join(' – ')})`;
  };
}
