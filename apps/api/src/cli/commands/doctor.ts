import process from 'node:process';
import type { Command } from 'commander';
import { examine } from '../doctor/examine.js';
import type { Finding, Verdict } from '../doctor/finding.js';
import { EXIT, helpText } from '../failure.js';
import { type JsonFlag, printResult } from '../output.js';

/** What an operator can get wrong, looked at all together. */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .option('--json', 'print as JSON')
    .description(
      'try every part that the settings name, and say what to mend; ends with 3 where something must be',
    )
    .addHelpText('after', helpText('doctor', HELP))
    .action(doctor);
}

const HELP = `Looks at Node, settings, data folder, database (addresses, version, encoding, collation, durability, clock, schema,
role, pooler), event log, keys, Redis, picture store (bucket, key, CORS, lifecycle), search, mail, SMS, sign-in
providers, public address, proxy and certificate. Changes nothing. Works beside a running Nimo and without one.`;

async function doctor(flags: JsonFlag): Promise<void> {
  const findings = await examine();
  printResult(findings, flags, () => findings.map(described).join('\n'));
  if (findings.some(({ verdict }) => verdict === 'broken')) process.exitCode = EXIT.different;
}

const SIGNS: Readonly<Record<Verdict, string>> = { fine: 'ok    ', advice: 'advice', broken: 'BROKEN' };

const described = ({ check, verdict, says, remedy }: Finding): string =>
  `${SIGNS[verdict]}  ${check}: ${says}${remedy === undefined ? '' : ` ${remedy}`}`;
