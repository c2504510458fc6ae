import { DomainError } from '@nimo/domain';
import type { StoppedEventView } from '../../features/projections/projection-admin.js';
import { confirm } from '../confirm.js';
import { UsageError } from '../failure.js';
import { type JsonFlag, printNote, textTable } from '../output.js';
import { type MaintenanceSession, withMaintenance } from './maintenance-session.js';
import { printStatuses } from './status.js';

export interface SkipFlags extends JsonFlag {
  readonly reason: string;
  readonly all?: true;
  readonly event?: string;
  readonly yes?: true;
}

/** Shows the event before it asks. @throws UsageError if neither or both of a name and `--all` are given */
export async function skip(name: string | undefined, flags: SkipFlags): Promise<void> {
  if ((name === undefined) !== (flags.all === true))
    throw new UsageError('Give either the name of a projection or --all.');
  await withMaintenance((session) =>
    name === undefined ? skipEverywhere(session, flags) : skipIn(session, name, flags),
  );
}

async function skipIn({ admin, request }: MaintenanceSession, name: string, flags: SkipFlags): Promise<void> {
  const { error } = await admin.statusOf(name);
  const eventId = flags.event ?? error?.eventId ?? '';
  const stop = (await admin.stoppedEvents()).find((event) => event.eventId === eventId);
  if (stop) await showAndConfirm(stop, name, flags);
  await request(name, { kind: 'skip', eventId, reason: flags.reason });
  printStatuses([await admin.statusOf(name)], flags);
}

async function skipEverywhere({ admin, skipEvent }: MaintenanceSession, flags: SkipFlags): Promise<void> {
  const stop = chosen(await admin.stoppedEvents(), flags.event);
  await showAndConfirm(stop, stop.projections.join(', '), flags);
  printStatuses(await admin.status(await skipEvent(stop.eventId, flags.reason)), flags);
}

/** @throws UsageError if projections are stopped at several events and none is named */
function chosen(stops: readonly StoppedEventView[], eventId: string | undefined): StoppedEventView {
  const found = stops.filter((stop) => eventId === undefined || stop.eventId === eventId);
  const [only] = found;
  if (only === undefined) throw new DomainError('NO_PROJECTION_STOPPED');
  if (found.length === 1) return only;
  const listed = found.map(
    (stop) => `  --event ${stop.eventId}  ${titleOf(stop)} in ${stop.projections.join(', ')}`,
  );
  throw new UsageError(['Projections are stopped at several events. Choose one:', ...listed].join('\n'));
}

async function showAndConfirm(stop: StoppedEventView, where: string, flags: SkipFlags): Promise<void> {
  printNote(payloadText(stop));
  await confirm(`Permanently skip event ${titleOf(stop)} in ${where}?`, flags);
}

const titleOf = ({ ordinal, eventType }: StoppedEventView): string => `${ordinal} (${eventType})`;

function payloadText(stop: StoppedEventView): string {
  if (stop.data === null) return `The log has no event ${stop.eventId} at this position.`;
  const rows = stop.data.map(({ name, value, isProtected }) => [
    name,
    isProtected ? `[protected: ${value}]` : value,
  ]);
  return [`Event ${titleOf(stop)}, ${stop.eventId}`, textTable(rows, [0, 1])].join('\n');
}
