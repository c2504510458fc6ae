import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { failureOf } from './cli/failure.js';
import { seedDemo } from './cli/seed-demo.command.js';

const program = new Command('nimo')
  .description('Nimo from the command line. It works beside a running Nimo and without one.')
  .exitOverride()
  .showHelpAfterError('(nimo --help shows what there is)');

program
  .command('seed-demo')
  .description('make the demonstration spaces with their people and questions, and print the log-ins')
  .addHelpText('after', '\nRepeating it doubles nothing. Refused in production, as the passwords are public.')
  .action(seedDemo);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`nimo: ${failureOf(error)}\n`);
    process.exitCode = 1;
  }
}
