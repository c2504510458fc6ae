import { describe, expect, it } from '@jest/globals';
import { commandTraces, commandNames } from './command-traces.js';
import { nimoProgram } from './program.js';

const named = commandNames(nimoProgram());

describe('commandTraces', () => {
  it('every command leaves an audit trace or declares why not', () => {
    expect([...named].sort()).toEqual(Object.keys(commandTraces).sort());
  });

  it('holds at least one event, or a reason of several words', () => {
    for (const trace of Object.values(commandTraces))
      if ('events' in trace) expect(trace.events.length).toBeGreaterThan(0);
      else expect(trace.noTraceBecause.split(' ').length).toBeGreaterThan(2);
  });
});
