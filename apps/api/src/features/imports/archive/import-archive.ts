import { isDeepStrictEqual } from 'node:util';
import type { CommandBus } from '@nestjs/cqrs';
import {
  currentSchemaVersion,
  type EventMetadata,
  type EventType,
  fold,
  latestVersion,
  requireSpaceName,
  SCORING_RULES_STREAM,
  scoringRulesDecider,
  type ScoringRules,
  type ScoringRulesEvent,
  spaceDecider,
  studentDecider,
} from '@nimo/domain';
import type { EventStore, JsonObject, NewEvent } from '@nimo/event-store';
import type { Pool } from 'pg';
import type { FileStore } from '../../../platform/adapters/files/file-store.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import type { Runtime } from '../../../platform/runtime/runtime.js';
import {
  type ArchivedPerson,
  type ArchiveManifest,
  picturePath,
  thumbnailPath,
} from '../../space-archive/archive-format.js';
import { SpaceNames } from '../../spaces/space-names.js';
import { STORAGE_PATHS } from '../../uploads/picture-access.js';
import { waitForProjections, withLiveImportLock } from '../import-order.js';
import {
  assertNameIsFree,
  currentIds,
  ImportContexts,
  ImportPeople,
  type ImportState,
  readImportState,
} from '../import-people.js';
import { ImportIds } from '../import-ids.js';
import type { ImportProgress } from '../import-stack-exchange.js';
import { ArchiveContents } from './archive-contents.js';
import { ArchiveFile, OrderedAppends } from './archive-file.js';
import type { TranslatedEvent } from './event-translator.js';
import { ImportError } from '../dump-row.js';

const SOURCE = 'nimo';
const PEOPLE_BATCH_SIZE = 16;
/** Hides an incomplete space. */
const HIDDEN = { entry: 'IMPORTING', publicPages: false, hiddenFromSearchEngines: true } as const;

export interface ArchiveImportOptions {
  readonly runtime: Runtime;
  readonly commands: CommandBus;
  readonly files: FileStore;
  /** Path of the exported space. */
  readonly file: string;
  readonly spaceName: string;
  /** Fingerprint printed by the export; not checked if undefined. */
  readonly fingerprint?: string | undefined;
  /** Whether to accept different scoring rules, and thus different points. */
  readonly otherRules: boolean;
  /** Name of the operator, recorded with each event. */
  readonly operator: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
}

export interface ArchiveReport {
  readonly spaceId: string;
  readonly space: string;
  readonly fingerprint: string;
  /** State before this run. */
  readonly state: ImportState;
  readonly isComplete: boolean;
  readonly people: number;
  readonly pictures: number;
  readonly events: ArchiveManifest['counts']['events'];
  readonly seconds: number;
}

/**
 * Imports an exported space. Validates the whole file before writing anything. IDs are deterministic, so an interrupted import resumes; the
 * space stays hidden until it is complete.
 *
 * @throws ImportError for problems that the operator can fix
 */
export async function importArchive(options: ArchiveImportOptions): Promise<ArchiveReport> {
  const { runtime, signal, onProgress } = options;
  const started = performance.now();
  const file = await ArchiveFile.open(options.file);
  try {
    const { manifest, fingerprint } = file;
    if (options.fingerprint !== undefined && options.fingerprint.toLowerCase() !== fingerprint)
      throw new ImportError(
        `The fingerprint of the file is ${fingerprint}, so it is not the exported file. Nothing was imported.`,
      );
    const spaceName = requireSpaceName(options.spaceName);
    let done = 0;
    await file.verify(
      (bytes) => onProgress({ phase: 'reading', done: (done += bytes), total: file.bytes }),
      signal,
    );
    const spaceIdOf = (candidate: ImportIds): string => candidate.mapped(manifest.space.id);
    const ids = await currentIds(
      runtime.store,
      (attempt) => ImportIds.forAttempt(fingerprint, spaceName, attempt, SOURCE),
      spaceIdOf,
    );
    const contents = new ArchiveContents(file, ids, spaceName);
    await contents.check(signal);
    if (!options.otherRules) await assertSameRules(runtime.store, manifest.scoringRules);
    const spaceId = spaceIdOf(ids);
    const { state, isComplete } = await withLiveImportLock(runtime, spaceId, async () => {
      await assertNameIsFree(spaceName, spaceId, runtime, 'file');
      const before = await readImportState(runtime.store, spaceId, ids);
      const isFinished = before === 'complete' || (await new ArchiveRun(options, file, contents, ids).run());
      if (isFinished)
        await waitForProjections(runtime, signal, () =>
          onProgress({ phase: 'following', done: 0, total: 1 }),
        );
      return { state: before, isComplete: isFinished };
    });
    const { lines, events } = manifest.counts;
    const seconds = (performance.now() - started) / 1000;
    return { spaceId, space: spaceName, fingerprint, state, isComplete, ...lines, events, seconds };
  } finally {
    file.close();
  }
}

/** Points depend on the rules of the installation, which an import must not change. */
async function assertSameRules(store: EventStore, theirs: readonly ScoringRules[]): Promise<void> {
  const stored = await store.readStream(SCORING_RULES_STREAM);
  // The stream contains only these events.
  const ours = fold(scoringRulesDecider, stored as unknown as readonly ScoringRulesEvent[]).versions;
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(ours)), JSON.parse(JSON.stringify(theirs)))) return;
  throw new ImportError(
    `The space was exported under different scoring rules (version ${latestVersion(theirs)}, here version ${latestVersion(ours)}), so points would differ. ` +
      'Publish the same rules first, or import with --allow-other-rules. Nothing was imported.',
  );
}

const isSpaceEvent = ({ type }: TranslatedEvent): boolean =>
  type === 'SpaceCreated' || type === 'SpaceChanged';

class ArchiveRun {
  private readonly contexts: ImportContexts;
  private readonly people: ImportPeople;
  private readonly pool: Pool;

  constructor(
    private readonly options: ArchiveImportOptions,
    private readonly file: ArchiveFile,
    private readonly contents: ArchiveContents,
    private readonly ids: ImportIds,
  ) {
    const { commands, operator, runtime } = options;
    this.contexts = new ImportContexts(ids, operator);
    this.pool = runtime.pool;
    this.people = new ImportPeople({
      commands,
      store: runtime.store,
      contexts: this.contexts,
      source: SOURCE,
    });
  }

  /** @returns false if aborted before the end */
  async run(): Promise<boolean> {
    const { onProgress, signal } = this.options;
    const { pictures, people } = this.file.manifest.counts.lines;
    await this.space();
    let done = 0;
    for await (const { key, by } of this.contents.pictures()) {
      if (signal.aborted) return false;
      await this.picture(key, by);
      onProgress({ phase: 'pictures', done: (done += 1), total: pictures });
    }
    let batch: ArchivedPerson[] = [];
    done = 0;
    const importBatch = async (): Promise<void> => {
      await Promise.all(batch.map((person) => this.person(person)));
      done += batch.length;
      batch = [];
      onProgress({ phase: 'people', done, total: people });
    };
    for await (const person of this.contents.persons()) {
      if (signal.aborted) return false;
      batch.push(person);
      if (batch.length === PEOPLE_BATCH_SIZE) await importBatch();
    }
    await importBatch();
    return this.events();
  }

  /** Appends only the first event, so that an import interrupted later can be removed by its space. */
  private async space(): Promise<void> {
    const { spaceName, runtime } = this.options;
    const spaceId = this.ids.mapped(this.file.manifest.space.id);
    const appends = new OrderedAppends(runtime.store, this.isQueued);
    await new SpaceNames(this.pool, runtime.store).whileFree(
      { spaceId, name: spaceName, isNew: true },
      async () => {
        for await (const { event, bytes } of this.contents.events()) {
          await this.push(event, 0, appends, bytes);
          await appends.flush();
          return;
        }
      },
    );
  }

  /** Stores the file before the row, so that no row refers to a missing file. */
  private async picture(key: string, by: string | null): Promise<void> {
    const { files } = this.options;
    const here = this.contents.keyOf(key);
    await files.put(STORAGE_PATHS.thumbnail(here), await this.file.picture(thumbnailPath(key)), 'image/webp');
    await files.put(STORAGE_PATHS.picture(here), await this.file.picture(picturePath(key)), 'image/webp');
    const owner = by !== null && this.contents.isPerson(by) ? this.ids.mapped(by) : this.ids.importId;
    await this.pool.query(
      `insert into state.upload (key, student_id, status, expires_at) values ($1, $2, 'ready', now()) on conflict do nothing`,
      [here, owner],
    );
  }

  private async person(person: ArchivedPerson): Promise<void> {
    const studentId = this.ids.mapped(person.id);
    if (person.erased) {
      await this.erased(studentId, person);
      return;
    }
    const { id: sourceId, at, userName, firstName, lastName, profileDesc, standIn } = person;
    const realProfilePicUrl = this.contents.profilePicture(person.realProfilePicUrl);
    const named = { userName, firstName, lastName, profileDesc, realProfilePicUrl };
    await this.people.add({ studentId, sourceId, ...named, standIn, at: new Date(at) });
  }

  /** Creates the erased account without personal data. */
  private async erased(
    studentId: string,
    { at, standIn, withWords }: Extract<ArchivedPerson, { readonly erased: true }>,
  ): Promise<void> {
    const nameless = {
      userName: null,
      firstName: null,
      lastName: null,
      profileDesc: null,
      realProfilePicUrl: null,
    };
    const context = this.contexts.operator(`erased:${studentId}`, new Date(at));
    const appends = new OrderedAppends(this.options.runtime.store, this.isQueued);
    const streamId = studentDecider.stream(studentId);
    const imported = { studentId, ...nameless, source: SOURCE, sourceId: null, standIn };
    const events = [
      this.newEvent('StudentImported', imported, context, `imported:${studentId}`),
      this.newEvent('StudentErased', { studentId, withWords }, context, `erased:${studentId}`),
    ];
    for (const event of events) await appends.push(streamId, event, 0);
    await appends.flush();
  }

  private async events(): Promise<boolean> {
    const { onProgress, runtime, signal } = this.options;
    const total = this.file.manifest.counts.lines.events;
    const appends = new OrderedAppends(runtime.store, this.isQueued);
    let space: TranslatedEvent | undefined;
    let done = 0;
    for await (const { event, bytes } of this.contents.events()) {
      if (signal.aborted) {
        await appends.flush();
        return false;
      }
      if (isSpaceEvent(event)) space = event;
      await this.push(event, done, appends, bytes);
      onProgress({ phase: 'importing', done: (done += 1), total });
    }
    // Always set: `check` requires one.
    if (space) await this.open(space, appends);
    await appends.flush();
    return true;
  }

  private push(event: TranslatedEvent, index: number, appends: OrderedAppends, bytes: number): Promise<void> {
    const { streamId, type } = event;
    const data = isSpaceEvent(event) ? { ...event.data, ...HIDDEN } : event.data;
    const context = this.contextOf(event, index);
    return appends.push(streamId, this.newEvent(type, data, context, `event:${index}`), bytes);
  }

  /** Restores the original visibility of the space. */
  private async open({ data }: TranslatedEvent, appends: OrderedAppends): Promise<void> {
    const context = this.contexts.operator('open', new Date(this.file.manifest.madeAt));
    const streamId = spaceDecider.stream(this.ids.mapped(this.file.manifest.space.id));
    await appends.push(streamId, this.newEvent('SpaceChanged', data, context, 'open'), 0);
  }

  private contextOf(
    { by, occurredAt }: TranslatedEvent,
    index: number,
  ): CommandContext | ReturnType<ImportContexts['operator']> {
    const at = new Date(occurredAt);
    return by !== null && this.contents.isPerson(by)
      ? this.contexts.student(this.ids.mapped(by), `act:${index}`, at)
      : this.contexts.operator(`act:${index}`, at);
  }

  private newEvent(
    type: EventType,
    data: JsonObject,
    { actor, commandId, correlationId, causationId, occurredAt }: ReturnType<ImportContexts['operator']>,
    name: string,
  ): NewEvent {
    const recordedAt = this.options.runtime.clock().toISOString();
    const metadata: EventMetadata = {
      occurredAt: occurredAt ?? recordedAt,
      recordedAt,
      actor,
      commandId,
      correlationId,
      causationId,
      schemaVersion: currentSchemaVersion(type),
    };
    return { id: this.ids.command(name), type, data, metadata };
  }

  private get isQueued(): boolean {
    return this.options.runtime.settings.eventStoreUrl === undefined;
  }
}
