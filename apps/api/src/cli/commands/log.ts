import type { Command } from 'commander';
import { helpText } from '../failure.js';
import { copy } from '../log/copy.js';
import { head, publicKey, verify } from '../log/verify.js';
import { HERE, ordinalArgument, publicKeyArgument, endpointArgument } from '../log/log-session.js';
import { checkBundleFile, prove } from '../log/prove.js';
import { exportTo, importFrom } from '../log/transfer.js';

const JSON_FLAG = ['--json', 'print the result as JSON'] as const;
const FORCE_FLAG = ['--force', 'replace an existing file'] as const;
const KEY_FLAG = '--public-key <key>';
const KEY_TEXT = 'an additional trusted public key, as a PEM file or base64; may be repeated';

/** Verifies, proves and moves the event log. */
export function logCommands(program: Command): void {
  const log = program.command('log').description('verify, export, import and copy the event log');

  log
    .command('verify')
    .option('--from <ordinal>', 'first event to verify', ordinalArgument)
    .option(KEY_FLAG, KEY_TEXT, publicKeyArgument)
    .option(...JSON_FLAG)
    .description('recompute the hash chain and report the first mismatch')
    .addHelpText(
      'after',
      helpText(
        'log verify',
        `Compares every event with the chain table and with the signed heads kept outside the database (LOG_HEADS_DIR,
LOG_CHECKPOINT_URL). Nimo may be running or not. Exits with 3 on a mismatch, or if an external checkpoint is missing, empty,
behind or lacks a head. Kinds of mismatch: altered, missing, inserted, reordered, duplicated, chain-changed, and rewritten,
which only a signed head can reveal.`,
      ),
    )
    .action(verify);

  log
    .command('head')
    .option(...JSON_FLAG)
    .description('print the head of the chain and the last signed head')
    .addHelpText(
      'after',
      helpText(
        'log head',
        'Record the head elsewhere from time to time: events up to it can then no longer be rewritten unnoticed.',
      ),
    )
    .action(head);

  log
    .command('public-key')
    .option(...JSON_FLAG)
    .description('print the public key that verifies signed heads and proofs')
    .addHelpText(
      'after',
      helpText(
        'log public-key > nimo.pem',
        'Send it to the people who will check proofs, through a separate channel.',
      ),
    )
    .action(publicKey);

  log
    .command('prove')
    .argument('<file>', 'audit exported as NDJSON or CSV')
    .option(
      '--line <number>',
      'only this line, counted from 1; in CSV, line 1 is the header',
      ordinalArgument,
    )
    .option('--bundle <file>', 'write a proof of that line that can be checked without the database')
    .option(...FORCE_FLAG)
    .option(KEY_FLAG, KEY_TEXT, publicKeyArgument)
    .option(...JSON_FLAG)
    .description('prove that an exported audit matches the log')
    .addHelpText(
      'after',
      helpText(
        'log prove audit.ndjson --line 12 --bundle line-12.json',
        `Proves that the file is unchanged since its export, and that the event of each line is in the log and leads to the head
signed with the export. Exits with 3 and names the line on a mismatch, or if an external checkpoint is missing or lacks a
head.`,
      ),
    )
    .option('--whole-event', 'write the bundle even if it reveals other lines of the same event')
    .action(prove);

  log
    .command('check-bundle')
    .argument('<file>', 'bundle written by nimo log prove --bundle')
    .requiredOption(
      KEY_FLAG,
      'public key of the installation that made it, as a PEM file or base64',
      publicKeyArgument,
    )
    .option(...JSON_FLAG)
    .description('check a proof bundle without a database')
    .addHelpText(
      'after',
      helpText('log check-bundle line-12.json --public-key nimo.pem', 'Uses only the file and the key.'),
    )
    .action(checkBundleFile);

  log
    .command('export')
    .requiredOption('--to <file>', 'target file; - for standard output, .gz to compress')
    .option(...FORCE_FLAG)
    .option(...JSON_FLAG)
    .description('export the whole log to a file')
    .addHelpText(
      'after',
      helpText(
        'log export --to nimo-log.ndjson.gz',
        `Writes one event per line, as the bytes that its chain hash is computed from, between a header and a footer. Personal
data stays encrypted, and the keys are not included. Nimo may be running; events appended later are not in the file.`,
      ),
    )
    .action(exportTo);

  log
    .command('import')
    .requiredOption('--from <file>', 'exported log; - for standard input, .gz if compressed')
    .option('--yes', 'skip the confirmation prompt')
    .option(...JSON_FLAG)
    .description('import an exported log into an empty one')
    .addHelpText(
      'after',
      helpText(
        'log import --from nimo-log.ndjson.gz --yes',
        `Order, IDs and chain stay the same in either log engine. If the import is interrupted, repeat it: it resumes. Run it
before the first start of Nimo, and copy the keys too. Exits with 3 if the file is damaged or the log holds other events.`,
      ),
    )
    .action(importFrom);

  log
    .command('copy')
    .requiredOption(
      '--from <url>',
      `source: postgresql://…, esdb://…, kurrentdb://…, or ${HERE} for the PostgreSQL of this installation`,
      endpointArgument,
    )
    .requiredOption('--to <url>', 'target, in the same form', endpointArgument)
    .option('--switch', 'then switch this installation to the target; Nimo must be stopped')
    .option('--yes', 'skip the confirmation prompt')
    .option(...JSON_FLAG)
    .description('copy the log to another store and verify the copy')
    .addHelpText(
      'after',
      helpText(
        `log copy --from ${HERE} --to 'kurrentdb://eventstore:2113?tls=false' --yes`,
        `Order, ordinals, IDs, data and metadata stay the same. If the copy is interrupted or killed, repeat it: it resumes at
the end of the target. A target that differs from the start of the source is rejected, and the first difference is shown.
Finally both logs are read from the start and compared event by event and stream by stream.

Nimo may run on the source during the copy. To move the log: copy, stop Nimo, copy again with --switch (takes seconds),
set EVENTSTORE_URL, start Nimo. Exits with 3 if the logs differ and with 4 if the copy is not confirmed.`,
      ),
    )
    .action(copy);
}
