import type { Command } from 'commander';
import { helpText } from '../failure.js';
import { copy } from '../log/copy.js';
import { head, publicKey, verify } from '../log/verify.js';
import { HERE, ordinalArgument, publicKeyArgument, sideArgument } from '../log/log-session.js';
import { checkBundleFile, prove } from '../log/prove.js';
import { exportTo, importFrom } from '../log/transfer.js';

const JSON_FLAG = ['--json', 'print the result as one JSON document'] as const;
const FORCE_FLAG = ['--force', 'replace the file where it is there already'] as const;
const KEY_FLAG = '--public-key <key>';
const KEY_TEXT = 'a key whose signatures are believed too: a PEM file or base64; may be repeated';

/** The event log as a whole: what it is proven by, and how it is moved. */
export function logCommands(program: Command): void {
  const log = program.command('log').description('prove, export and import the event log');

  log
    .command('verify')
    .option('--from <ordinal>', 'first event to look at', ordinalArgument)
    .option(KEY_FLAG, KEY_TEXT, publicKeyArgument)
    .option(...JSON_FLAG)
    .description('compute the hash chain anew and name the first event that does not fit')
    .addHelpText(
      'after',
      helpText(
        'log verify',
        `Compares every event with the chain's table and with the signed heads that lie outside of the database
(LOG_HEADS_DIR, LOG_WITNESS_URL). It works with a running Nimo and without one. Ends with 3 where something does not
fit, or where a place for signed heads is missing, empty, behind or lacks a head. It says what: altered, missing, inserted, reordered, doubled, chain-changed, or rewritten (only a signed head shows that).`,
      ),
    )
    .action(verify);

  log
    .command('head')
    .option(...JSON_FLAG)
    .description('print how far the chain is, its head, and the last signed one')
    .addHelpText(
      'after',
      helpText('log head', 'Note it somewhere else now and then: what is noted cannot be rewritten.'),
    )
    .action(head);

  log
    .command('public-key')
    .option(...JSON_FLAG)
    .description('print the key by which others check signed heads and proofs')
    .addHelpText(
      'after',
      helpText(
        'log public-key > nimo.pem',
        'Give it to whoever is to check proofs, on another way than the proofs.',
      ),
    )
    .action(publicKey);

  log
    .command('prove')
    .argument('<file>', 'an audit that was exported as NDJSON or CSV')
    .option('--line <number>', 'only this line, counted from 1; in CSV the heading is 1', ordinalArgument)
    .option('--bundle <file>', 'write a proof of that line that others check without the database')
    .option(...FORCE_FLAG)
    .option(KEY_FLAG, KEY_TEXT, publicKeyArgument)
    .option(...JSON_FLAG)
    .description('show that the lines of an exported audit belong to the log')
    .addHelpText(
      'after',
      helpText(
        'log prove audit.ndjson --line 12 --bundle line-12.json',
        `Of each line: its event is in the log as it was chained, and leads to the head signed with the export. Of the file:
it is as it was exported. Ends with 3 and the line where that is not so, and also where a place for signed heads is
missing or lacks a head.`,
      ),
    )
    .option('--whole-event', 'also where the event has other lines, which can then be read from the bundle')
    .action(prove);

  log
    .command('check-bundle')
    .argument('<file>', 'written by: nimo log prove --bundle')
    .requiredOption(
      KEY_FLAG,
      'the public key of the installation it comes from: a PEM file or base64',
      publicKeyArgument,
    )
    .option(...JSON_FLAG)
    .description('check the proof of a line; needs no database')
    .addHelpText(
      'after',
      helpText(
        'log check-bundle line-12.json --public-key nimo.pem',
        'Nothing but the file and the key is looked at.',
      ),
    )
    .action(checkBundleFile);

  log
    .command('export')
    .requiredOption('--to <file>', 'where to; - is standard output, .gz is compressed')
    .option(...FORCE_FLAG)
    .option(...JSON_FLAG)
    .description('write the whole log to a file, as it is stored')
    .addHelpText(
      'after',
      helpText(
        'log export --to nimo-log.ndjson.gz',
        `One event a line, the bytes that its leaf of the chain is computed from, between a header and an end. Personal data
stays sealed; the keys are not part of it. The log goes on meanwhile; what comes later is not in the file.`,
      ),
    )
    .action(exportTo);

  log
    .command('import')
    .requiredOption('--from <file>', 'a log that was exported; - is standard input, .gz is compressed')
    .option('--yes', 'do not ask')
    .option(...JSON_FLAG)
    .description('bring an exported log into an empty one')
    .addHelpText(
      'after',
      helpText(
        'log import --from nimo-log.ndjson.gz --yes',
        `Order, ids and chain stay the same, whichever engine it comes into. It may be interrupted; the same command goes on
where it was. Do it before the first start of Nimo there, and bring the keys along. Ends with 3 where the file or the
log does not fit.`,
      ),
    )
    .action(importFrom);

  log
    .command('copy')
    .requiredOption(
      '--from <url>',
      `the log to copy: postgresql://…, esdb://…, kurrentdb://…, or ${HERE} for the PostgreSQL of this installation`,
      sideArgument,
    )
    .requiredOption('--to <url>', 'where to, written in the same way', sideArgument)
    .option('--switch', 'then let this installation go on with the target; Nimo must be stopped')
    .option('--yes', 'do not ask')
    .option(...JSON_FLAG)
    .description('copy the log into another store and prove that it is the same')
    .addHelpText(
      'after',
      helpText(
        `log copy --from ${HERE} --to 'kurrentdb://eventstore:2113?tls=false' --yes`,
        `Order, ordinals, ids, data and metadata stay. It may be interrupted or killed at any moment: the same command goes
on where the target ends. A target that has anything but the beginning of the source is refused, with the first event
that differs. At the end both logs are read from their beginning and compared, each event and each stream.

Nimo may run on the source meanwhile. To move: copy, stop Nimo, copy again with --switch (seconds, for what came since
then), set EVENTSTORE_URL, start. Ends with 3 where the logs are not the same, with 4 where nobody said yes.`,
      ),
    )
    .action(copy);
}
