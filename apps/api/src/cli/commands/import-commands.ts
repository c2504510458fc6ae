import { type Command, InvalidArgumentError } from 'commander';
import { closeDemo, seedDemo } from '../demo.command.js';
import { helpText } from '../failure.js';
import { importDump, importSpace } from '../import.command.js';
import { removeUnfinishedImport } from '../remove-import.js';

/** Commands that bring content into a new installation. */
export function setupCommands(program: Command): void {
  const imports = program.command('import').description('import content from elsewhere');
  imports
    .command('stackexchange')
    .argument('<folder>', 'folder with Users.xml, Posts.xml, Comments.xml and Votes.xml')
    .requiredOption('--space <name>', 'name of the new space')
    .option('--origin <url>', 'address of the source site, to rewrite its internal links', parseOrigin)
    .option('--dry-run', 'check the files and count what would be imported, without writing')
    .option('--json', 'print the result as JSON')
    .description('import a Stack Exchange data dump into a new space')
    .addHelpText('after', IMPORT_HELP)
    .action(importDump);
  imports
    .command('space')
    .argument('<file>', 'file exported by nimo space export or from the space settings')
    .requiredOption('--space <name>', 'name of the new space')
    .option('--fingerprint <hex>', 'fingerprint shown at export; any other file is rejected')
    .option('--allow-other-rules', 'import even if the scoring rules differ here, which changes the points')
    .option('--json', 'print the result as JSON')
    .description('import a space exported from another Nimo')
    .addHelpText('after', SPACE_HELP)
    .action(importSpace);
  imports
    .command('remove')
    .argument('<space>', 'name or ID of a space with an unfinished import')
    .option('--yes', 'skip the confirmation prompt')
    .option('--json', 'print the result as JSON')
    .description('remove an unfinished import with its space, accounts and content')
    .addHelpText('after', helpText('import remove "French"', REMOVE_HELP))
    .action(removeUnfinishedImport);
  program
    .command('seed-demo')
    .description('create the demo spaces, students and questions, and print the logins')
    .addHelpText('after', SEED_HELP)
    .action(seedDemo);
  program
    .command('close-demo')
    .option('--json', 'print the result as JSON')
    .description('disable the demo accounts and keep their content')
    .addHelpText('after', helpText('close-demo', CLOSE_HELP))
    .action(closeDemo);
}

/** @throws InvalidArgumentError if it is not an HTTP URL */
function parseOrigin(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('The address must start with https:// or http://.');
  return new URL(text).href;
}

const IMPORT_HELP = `
Users become students without a phone number, and tags become topics of one subject. Posts, comments, votes, accepted
answers and bookmarks keep their dates. All files are checked first, and every problem is reported before anything is
written. Students see the space once the import is complete. If it is interrupted, repeat the command: it resumes
without creating duplicates.

Exit codes: 0 imported or no changes, 1 failure, 2 invalid usage, 130 interrupted.

Example:
  npm run nimo -- import stackexchange ~/french.meta.stackexchange.com --space "French" \\
    --origin https://french.meta.stackexchange.com --dry-run`;

const SPACE_HELP = `
The whole file is checked before anything is written; a file that is altered, truncated or from another version is
rejected. If the import is interrupted, repeat the command: it resumes. Students see the space once it is complete. Their
logins are not imported.

Exit codes: 0 imported, 1 failure, 2 invalid usage, 130 interrupted.

Example:
  npm run nimo -- import space ~/french.zip --space "French"`;

const REMOVE_HELP = `Repeat the import command to resume an interrupted import, or remove it with this one. You can then import the same
dump under the same name. Complete and running imports are not removed. If the removal is interrupted, repeat it.`;

const SEED_HELP = `
Safe to repeat. Not available in production, because the passwords are public.

Example:
  npm run nimo -- seed-demo`;

const CLOSE_HELP = `Nimo does not start in production while a demo account has the demo password. This command removes those passwords, ends
the sessions, revokes the roles and blocks the accounts. Accounts with a changed password are not affected.`;
