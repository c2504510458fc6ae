// Stands in for the CLI.
import process from 'node:process';

process.stdout.write(`demo log-ins of ${process.argv[2]}\n`);
