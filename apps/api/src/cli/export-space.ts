import process from 'node:process';
import { link, rm } from 'node:fs/promises';
import { FILES } from '../platform/adapters/tokens.js';
import type { FileStore } from '../platform/adapters/files/file-store.js';
import { writeArchive, type WrittenArchive } from '../features/space-archive/archive-writer.js';
import { withSession, interruptible, recordRead, withProjections } from './cli-session.js';
import { resolveSpace } from './lookup.js';
import { pathExists } from './new-file.js';
import { formatCount, type JsonFlag, printResult } from './output.js';
import { UsageError } from './failure.js';

export interface ExportFlags extends JsonFlag {
  readonly to: string;
}

/** Implements `nimo space export`. The target file is either complete or absent. */
export async function exportSpace(name: string, { to, ...flags }: ExportFlags): Promise<void> {
  if (await pathExists(to)) throw new UsageError(`${to} already exists. Choose another file with --to.`);
  await interruptible((signal) =>
    withSession(({ container, runtime }) =>
      withProjections(runtime, async () => {
        const { _id: id, name: shown, entry } = await resolveSpace(runtime, name);
        if (entry === 'IMPORTING')
          throw new UsageError(`The import of "${shown}" is incomplete. Repeat the import command first.`);
        await recordRead({ container, runtime }, 'SPACE_EXPORT', { spaceIds: [id], rows: null });
        const files = container.get<FileStore>(FILES, { strict: false });
        const unfinished = `${to}.${process.pid}.unfinished`;
        try {
          const made = await writeArchive({
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

const textOf = (space: string, to: string, { counts: { lines }, fingerprint }: WrittenArchive): string =>
  `Exported "${space}" to ${to}: ${formatCount(lines.events)} events, ${formatCount(lines.people)} students, ${formatCount(lines.pictures)} pictures.\n` +
  `Fingerprint: ${fingerprint}`;
