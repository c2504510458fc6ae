import process from 'node:process';
import { link, rm } from 'node:fs/promises';
import { FILES } from '../platform/adapters/tokens.js';
import type { FileStore } from '../platform/adapters/files/file-store.js';
import { makeArchive, type MadeArchive } from '../features/space-archive/archive-maker.js';
import { inSession, interruptible, tellOfRead, withProjections } from './cli-session.js';
import { spaceNamed } from './lookup.js';
import { isThere } from './new-file.js';
import { grouped, type JsonFlag, printResult } from './output.js';
import { UsageError } from './failure.js';

export interface ExportFlags extends JsonFlag {
  readonly to: string;
}

/** `nimo space export`: under the name that was asked for there is a whole file or none. */
export async function exportSpace(name: string, { to, ...flags }: ExportFlags): Promise<void> {
  if (await isThere(to)) throw new UsageError(`${to} is there already: name another file with --to.`);
  await interruptible((signal) =>
    inSession(({ container, runtime }) =>
      withProjections(runtime, async () => {
        const { _id: id, name: shown, entry } = await spaceNamed(runtime, name);
        if (entry === 'IMPORTING')
          throw new UsageError(`The import of "${shown}" is not complete: repeat its command first.`);
        await tellOfRead({ container, runtime }, 'SPACE_EXPORT', { spaceIds: [id], rows: null });
        const files = container.get<FileStore>(FILES, { strict: false });
        const unfinished = `${to}.${process.pid}.unfinished`;
        try {
          const made = await makeArchive({
            ...{ store: runtime.store, pool: runtime.pool, waiter: runtime.waiter, files },
            space: { id, name: shown },
            to: unfinished,
            onProgress: () => signal.throwIfAborted(),
          });
          await link(unfinished, to);
          printResult({ space: id, file: to, ...made }, flags, () => textOf(shown, to, made));
        } finally {
          await rm(unfinished, { force: true });
        }
      }),
    ),
  );
}

const textOf = (space: string, to: string, { counts: { lines }, fingerprint }: MadeArchive): string =>
  `Exported "${space}" to ${to}: ${grouped(lines.events)} events, ${grouped(lines.people)} students, ${grouped(lines.pictures)} pictures.\n` +
  `Fingerprint: ${fingerprint}`;
