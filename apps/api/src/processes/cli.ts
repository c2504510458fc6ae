import process from 'node:process';
import { CommanderError } from 'commander';
import { EXIT, exitCodeOf, describeFailure } from '../cli/failure.js';
import { printNote } from '../cli/output.js';
import { nimoProgram } from '../cli/program.js';

try {
  await nimoProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  else {
    printNote(`nimo: ${describeFailure(error)}`);
    process.exitCode = exitCodeOf(error);
  }
}
