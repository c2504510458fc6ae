import { describe, expect, it } from '@jest/globals';
import { expectHelp, usageOf } from '../../../../../test/command-line.js';
import { nimoProgram } from '../program.js';

describe('nimo usage', () => {
  it.each([
    [['grant', 'maintainer', 'nobody_here', '--space', 'x'], /--space is for moderators only/],
    [['space', 'add', 'Red', '--color', 'red'], /six hexadecimal digits/],
    [['space', 'add', 'Red', '--entry', 'door'], /Allowed choices are open, request, invitation/],
    [['space', 'invite', '7b'], /choose one of --link, --code, --list, --domain, --group, --student/],
    [['space', 'invite', '7b', '--link', '--code'], /'--link' cannot be used with option '--code'/],
    [
      ['space', 'invite', '7b', '--domain', 'school.example', '--student', 'asha'],
      /'--domain <domain>' cannot be used with option '--student <user>'/,
    ],
    [['space', 'invite', '7b', '--list', '-', '--uses', '5'], /'--uses <number>' cannot be used with/],
    [['space', 'invite', '7b', '--student', 'asha', '--days', '5'], /'--days <number>' cannot be used with/],
    [['space', 'invite', '7b', '--link', '--uses', 'many'], /'--uses <number>'.+Enter a whole number/],
    [['space', 'invite', '7b', '--group', '7b'], /'--group <provider:group>'.+for example first:class-7b/],
    [['space', 'revoke-invitation', '7b'], /either the ID of an invitation or --student/],
    [['space', 'revoke-invitation', '7b', 'x', '--student', 'asha'], /either the ID of an invitation or/],
    [['student', 'block', 'nobody_here'], /--reason/],
    [['projections', 'switch', 'questions', 'two'], /The generation must be a whole number from 1/],
    [['projections', 'skip', 'questions'], /--reason/],
    [['scoring', 'publish', '/nowhere/rules.json'], /--note/],
  ] as const)('is printed for invalid arguments: %j', async (args, message) => {
    expect(await usageOf(...args)).toMatch(message);
  });

  it.each([
    ['grant'],
    ['revoke'],
    ['space add'],
    ['space archive'],
    ['space unarchive'],
    ['space delete'],
    ['space invite'],
    ['space invitations'],
    ['space revoke-invitation'],
    ['subject change'],
    ['topic change'],
    ['student block'],
    ['student reset-second-factor'],
    ['projections list'],
    ['projections rebuild'],
    ['projections cancel'],
    ['projections switch'],
    ['projections verify'],
    ['projections retry'],
    ['projections skip'],
    ['projections status'],
    ['scoring show'],
    ['scoring try'],
    ['scoring publish'],
  ])('shows an example and the exit codes of %s', (command) => expectHelp(command));

  it('lists all commands in groups', async () => {
    const help = await usageOf('--help');
    const groups = ['Getting started:', 'Spaces and people:', 'Operations:'];
    expect(groups.filter((group) => help.includes(group))).toEqual(groups);
    for (const command of nimoProgram().commands)
      expect(help).toMatch(new RegExp(`^ {2}${command.name()}\\b`, 'm'));
  });
});
