import { describe, expect, it } from '@jest/globals';
import { commandTraces, namesOfCommands } from './command-traces.js';
import { nimoProgram } from './program.js';

const named = namesOfCommands(nimoProgram());

describe('the traces of the command line', () => {
  it('are told of every command, or why there is none', () => {
    expect([...named].sort()).toEqual(Object.keys(commandTraces).sort());
  });

  it('are at least one event, or a reason in words', () => {
    for (const trace of Object.values(commandTraces))
      if ('events' in trace) expect(trace.events.length).toBeGreaterThan(0);
      else expect(trace.noTraceBecause.split(' ').length).toBeGreaterThan(2);
  });
});
