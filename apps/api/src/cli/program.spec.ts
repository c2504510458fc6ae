import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { nimoProgram } from './program.js';

describe('nimo --version', () => {
  it('prints the version of package.json', async () => {
    const printed: string[] = [];
    const program = nimoProgram({ writeOut: (text) => printed.push(text) });
    await expect(program.parseAsync(['node', 'nimo', '--version'])).rejects.toMatchObject({ exitCode: 0 });
    const file = readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8');
    const { version } = JSON.parse(file) as { readonly version: string };
    expect(printed).toEqual([`${version}\n`]);
  });
});

describe('nimo import stackexchange', () => {
  it.each(['french.example', 'ftp://french.example', 'https://'])(
    'rejects --origin %s before doing anything',
    async (origin) => {
      const printed: string[] = [];
      const program = nimoProgram({ writeErr: (text) => printed.push(text) });
      const words = ['import', 'stackexchange', '/nowhere', '--space', 'French', '--origin', origin];
      await expect(program.parseAsync(['node', 'nimo', ...words])).rejects.toMatchObject({
        code: 'commander.invalidArgument',
      });
      expect(printed.join('')).toMatch(/The address must start with https:\/\/ or http:\/\//);
    },
  );
});
