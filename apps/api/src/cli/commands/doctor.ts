import process from 'node:process';
import type { Command } from 'commander';
import { examine } from '../doctor/examine.js';
import type { Finding, FindingStatus } from '../doctor/finding.js';
import { EXIT, helpText } from '../failure.js';
import { type JsonFlag, printResult } from '../output.js';

/** Checks the installation for common mistakes. */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .option('--json', 'print the result as JSON')
    .description('check every configured component and suggest fixes; exits with 3 if something is broken')
    .addHelpText('after', helpText('doctor', HELP))
    .action(doctor);
}

const HELP = `Checks Node, settings, data folder, database (connections, version, encoding, collation, durability, clock, schema,
role, pooler), event log, keys, Redis, picture store (bucket, key, CORS, lifecycle), search, mail, SMS, sign-in
providers, public URL, proxy and certificate. Changes nothing. Nimo may be running or not.`;

async function doctor(flags: JsonFlag): Promise<void> {
  const findings = await examine();
  printResult(findings, flags, () => findings.map(findingText).join('\n'));
  if (findings.some(({ status }) => status === 'broken')) process.exitCode = EXIT.different;
}

const LABELS: Readonly<Record<FindingStatus, string>> = { ok: 'ok    ', advice: 'advice', broken: 'BROKEN' };

const findingText = ({ check, status, message, fix }: Finding): string =>
  `${LABELS[status]}  ${check}: ${message}${fix === undefined ? '' : ` ${fix}`}`;
