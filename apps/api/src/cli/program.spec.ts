import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { nimoProgram } from './program.js';

describe('nimo --version', () => {
  it('prints the version of package.json, which is the one place that says it', async () => {
    const printed: string[] = [];
    const program = nimoProgram({ writeOut: (text) => printed.push(text) });
    await expect(program.parseAsync(['node', 'nimo', '--version'])).rejects.toMatchObject({ exitCode: 0 });
    const file = readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8');
    const { version } = JSON.parse(file) as { readonly version: string };
    expect(printed).toEqual([`${version}\n`]);
  });
});
