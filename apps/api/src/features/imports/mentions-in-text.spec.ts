import { describe, expect, it } from '@jest/globals';
import { mention } from '@nimo/domain';
import { withMentions } from './import-ids.js';

const jez = { studentId: '11111111-1111-4111-8111-111111111111', name: 'Jez' };
const marie = { studentId: '22222222-2222-4222-8222-222222222222', name: 'Marie Dupont' };
const mario = { studentId: '33333333-3333-4333-8333-333333333333', name: 'Mario' };
const participants = [jez, marie, mario];

describe('withMentions', () => {
  it.each([
    ['@Jez well', `${mention(jez.studentId)} well`],
    ['@jez: yes', `${mention(jez.studentId)}: yes`],
    ['ask @MarieDupont.', `ask ${mention(marie.studentId)}.`],
    ['@Marie, @Jez', `${mention(marie.studentId)}, ${mention(jez.studentId)}`],
    ['@Mari is two people', '@Mari is two people'],
    ['@Je is too short', '@Je is too short'],
    ['@nobody', '@nobody'],
    ['a @ b', 'a @ b'],
    ['arr = @[0], @[bar], @[Jez]', 'arr = @[0], @[bar], @[Jez]'],
    ['@[00000000-0000-4000-8000-000000000000]', '@[00000000-0000-4000-8000-000000000000]'],
  ])('turns %j into %j', (text, expected) => expect(withMentions(text, participants)).toBe(expected));
});
