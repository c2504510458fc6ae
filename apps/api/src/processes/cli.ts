import process from 'node:process';
import { CommanderError } from 'commander';
import { EXIT, exitCodeOf, failureOf } from '../cli/failure.js';
import { nimoProgram } from '../cli/program.js';

try {
  await nimoProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  else {
    process.stderr.write(`nimo: ${failureOf(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}
