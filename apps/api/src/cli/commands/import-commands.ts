import { type Command, InvalidArgumentError } from 'commander';
import { closeDemo, seedDemo } from '../demo.command.js';
import { helpText } from '../failure.js';
import { importDump, importSpace } from '../import.command.js';
import { removeUnfinished } from '../remove-import.js';

/** What fills a Nimo in which nothing is yet. */
export function beginningCommands(program: Command): void {
  const imports = program.command('import').description('bring in another community');
  imports
    .command('stackexchange')
    .argument('<folder>', 'with Users.xml, Posts.xml, Comments.xml and Votes.xml')
    .requiredOption('--space <name>', 'the new space that it comes into')
    .option('--origin <url>', "the source's address, for links within it", originOf)
    .option('--dry-run', 'write nothing: check the files and count what would come in')
    .option('--json', 'print what came in and what did not as JSON')
    .description('read a Stack Exchange data dump into a space')
    .addHelpText('after', IMPORT_HELP)
    .action(importDump);
  imports
    .command('space')
    .argument('<file>', 'what nimo space export, or the page of the space, made')
    .requiredOption('--space <name>', 'the new space that it comes into')
    .option('--fingerprint <hex>', 'what whoever exported it was told; another file is refused')
    .option('--other-rules', 'import although the scoring rules differ here: points will, too')
    .option('--json', 'print what came in as JSON')
    .description('bring in a space that another Nimo exported')
    .addHelpText('after', SPACE_HELP)
    .action(importSpace);
  imports
    .command('remove')
    .argument('<space>', 'name or id of a space whose import is not complete')
    .option('--yes', 'do not ask')
    .option('--json', 'print as JSON')
    .description('give up an interrupted import: its space, its accounts and what they wrote')
    .addHelpText('after', helpText('import remove "French"', REMOVE_HELP))
    .action(removeUnfinished);
  program
    .command('seed-demo')
    .description('make the demonstration spaces with their people and questions, and print the log-ins')
    .addHelpText('after', SEED_HELP)
    .action(seedDemo);
  program
    .command('close-demo')
    .option('--json', 'print as JSON')
    .description('take the log-ins of the demonstration away; what it wrote stays')
    .addHelpText('after', helpText('close-demo', CLOSE_HELP))
    .action(closeDemo);
}

/** @throws InvalidArgumentError where it is no address of the web */
function originOf(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('An address begins with https:// or http://.');
  return new URL(text).href;
}

const IMPORT_HELP = `
Users become students without a phone, tags become topics under one subject, and all posts, comments, votes,
accepted answers and bookmarks keep their dates. The files are checked before anything is written, and every problem
is named. Students see the space once the import is complete. If it is interrupted, repeat the same command: it
resumes and doubles nothing.

Exit codes: 0 imported or nothing new, 1 failed, 2 wrong usage, 130 interrupted.

Example:
  npm run nimo -- import stackexchange ~/french.meta.stackexchange.com --space "French" \\
    --origin https://french.meta.stackexchange.com --dry-run`;

const SPACE_HELP = `
The whole file is checked before anything is written: one that was altered, cut off or made by another version is
refused. It may be interrupted (Ctrl-C, or worse): the same command goes on where it was, and nobody sees the space
before it is whole. Students come without their log-ins.

Exit codes: 0 imported, 1 failed, 2 wrong usage, 130 interrupted.

Example:
  npm run nimo -- import space ~/french.zip --space "French"`;

const REMOVE_HELP = `An interrupted import can be resumed by its own command, or removed by this one. The same dump can be imported under
the same name afterwards. A space whose import is complete is not removed, nor is one whose import is running. If the
removal is interrupted, repeat it: it does what is left.`;

const SEED_HELP = `
Repeating it doubles nothing. Refused in production, as the passwords are public.

Example:
  npm run nimo -- seed-demo`;

const CLOSE_HELP = `Production does not start while a demo account has the demo password. This removes those passwords, ends the sessions,
revokes the roles and blocks the accounts. An account whose password was changed is left alone.`;
