import { randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { positionOfOrdinal } from '../postgres/event-queries.js';
import { readFrom } from '../contract/event-fixtures.js';
import { EMPTY_CHAIN, linksOf } from './event-chain.js';
import { signHead, signingKeyOf } from './signed-head.js';
import { ChainedLog } from './testing/chained-log.js';

const EVENTS = 12;

describe('verifying a log', () => {
  let log: ChainedLog;
  beforeAll(async () => {
    log = await ChainedLog.create();
    await log.append(EVENTS);
    await log.chain();
    await log.keep();
  });
  beforeEach(() => log.putBack());
  afterAll(() => log.drop());

  it('finds nothing where nothing was touched', async () => {
    const report = await log.verify();
    expect(report).toMatchObject({
      ordinal: EVENTS,
      chainLag: 0,
      misfit: null,
      signedHeads: { last: EVENTS, unknownKey: 0, forged: 0 },
    });
    expect(report.signedHeads.compared).toBeGreaterThan(0);
  });

  it.each(['metadata', 'data'])('names the event whose %s was changed', async (column) => {
    await log.tamper(`update log.events set ${column} = '{"n":999}' where position = 7`);
    const [event] = (await readFrom(log.log, undefined)).slice(6);
    expect((await log.verify()).misfit).toMatchObject({
      kind: 'altered',
      ordinal: 7,
      eventId: await log.eventId(7),
      streamId: event?.streamId,
      revision: 0,
    });
  });

  it('does not mind another spelling of the same JSON', async () => {
    await log.tamper(`update log.events set data = ' { "n" : 6.0 } ' where position = 7`);
    expect((await log.verify()).misfit).toBeNull();
  });

  it.each([`type = 'Other'`, `stream_id = 'elsewhere'`, 'revision = 5', `data = '{"n":1e400}'`])(
    'names the event with %s',
    async (change) => {
      await log.tamper(`update log.events set ${change} where position = 7`);
      expect((await log.verify()).misfit).toMatchObject({ kind: 'altered', ordinal: 7 });
    },
  );

  it('names an event that is gone', async () => {
    await log.tamper('delete from log.events where position = 7');
    expect((await log.verify()).misfit).toMatchObject({
      kind: 'missing',
      ordinal: 7,
      eventId: await log.eventId(7),
    });
  });

  it('names an event that is gone although the others closed up', async () => {
    await log.tamper(
      'delete from log.events where position = 7',
      'update log.events set position = -position where position > 7',
      'update log.events set position = -position - 1 where position < 0',
    );
    expect((await log.verify()).misfit).toMatchObject({ kind: 'missing', ordinal: 7 });
  });

  it('names the first of the last events that are gone', async () => {
    await log.tamper('delete from log.events where position > 9');
    expect((await log.verify()).misfit).toMatchObject({
      kind: 'missing',
      ordinal: 10,
      eventId: await log.eventId(10),
    });
  });

  it('finds by a signed head that the end is gone from log and chain', async () => {
    await log.tamper(
      'delete from log.events where position > 9',
      'delete from log.chain where ordinal > 9',
      `update state.log_chain_place set ordinal = 9, position = lpad('9', 19, '0')`,
    );
    const { misfit } = await log.verify();
    expect(misfit).toMatchObject({ kind: 'missing', ordinal: 10 });
    expect(misfit?.detail).toContain('a signed head reaches to 12');
  });

  it('finds an emptied log', async () => {
    await log.tamper('delete from log.events');
    expect((await log.verify()).misfit).toMatchObject({ kind: 'missing', ordinal: 1 });
  });

  it('names the first of two that were swapped', async () => {
    await log.tamper(
      'update log.events set position = -4 where position = 4',
      'update log.events set position = 4 where position = 8',
      'update log.events set position = 8 where position = -4',
    );
    const { misfit } = await log.verify();
    expect(misfit).toMatchObject({ kind: 'reordered', ordinal: 4, eventId: await log.eventId(8) });
    expect(misfit?.detail).toContain('ordinal 8');
  });

  it('names an event that was put in between', async () => {
    const id = randomUUID();
    await log.tamper(
      'update log.events set position = -position where position > 6',
      'update log.events set position = -position + 1 where position < 0',
      `insert into log.events values (7, 'thing-x', 0, '${id}', 'ThingHappened', '{"n":1}', '{}')`,
    );
    expect((await log.verify()).misfit).toMatchObject({
      kind: 'inserted',
      ordinal: 7,
      eventId: id,
      streamId: 'thing-x',
    });
  });

  it('names an event that took the place of another', async () => {
    const id = randomUUID();
    await log.tamper(`update log.events set event_id = '${id}' where position = 7`);
    const { misfit } = await log.verify();
    expect(misfit).toMatchObject({ kind: 'missing', ordinal: 7, eventId: await log.eventId(7) });
    expect(misfit?.detail).toContain(id);
  });

  it('names an event that is there twice', async () => {
    await log.tamper(
      'alter table log.events drop constraint events_event_id_key',
      'update log.events set position = -position where position > 6',
      'update log.events set position = -position + 1 where position < 0',
      `insert into log.events select 7, 'thing-again', 0, event_id, type, data, metadata from log.events where position = 3`,
    );
    const { misfit } = await log.verify();
    expect(misfit).toMatchObject({ kind: 'doubled', ordinal: 7, eventId: await log.eventId(3) });
    expect(misfit?.detail).toContain('ordinal 3');
    await log.putBack();
    await log.tamper('alter table log.events add constraint events_event_id_key unique (event_id)');
  });

  it('finds by a signed head alone that the chain was rewritten with the log', async () => {
    await log.append(6);
    await log.chain();
    await log.tamper(`update log.events set data = '{"n":999}' where position = 15`);
    const links = linksOf(EMPTY_CHAIN, await readFrom(log.log, undefined));
    await log.tamper(
      ...links.map(
        ({ ordinal, leaf, head }) =>
          `update log.chain set leaf = '\\x${leaf.toString('hex')}', head = '\\x${head.toString('hex')}' where ordinal = ${ordinal}`,
      ),
    );
    const { misfit } = await log.verify();
    expect(misfit).toMatchObject({ kind: 'rewritten', ordinal: 18, since: 13 });
    expect(misfit?.detail).toContain('between ordinal 12 and 18');
    await rm(log.folder.path, { recursive: true });
    expect((await log.verify()).misfit).toBeNull();
  });

  it("tells when the chain's own table was changed", async () => {
    await log.tamper(`update log.chain set head = leaf where ordinal = 5`);
    expect((await log.verify()).misfit).toMatchObject({ kind: 'chain-changed', ordinal: 5 });
  });

  it.each([
    ['in the middle', 'BETWEEN 5 AND 6', 5],
    ['at the end', '> 10', 11],
  ])('tells when rows of it are gone %s', async (_, where, ordinal) => {
    await log.tamper(`delete from log.chain where ordinal ${where}`);
    expect((await log.verify()).misfit).toMatchObject({ kind: 'chain-changed', ordinal });
  });

  it('counts what the chain does not have yet', async () => {
    await log.append(3);
    expect(await log.verify()).toMatchObject({ ordinal: EVENTS + 3, chainLag: 3, misfit: null });
  });

  it('starts where it is told, by counting or by reading', async () => {
    const seek = (ordinal: number) => positionOfOrdinal(log.pool, ordinal);
    await log.tamper(`update log.events set data = '{"n":999}' where position = 3`);
    for (const options of [{ from: 5 }, { from: 5, seek }]) {
      expect(await log.verify(options)).toMatchObject({ from: 5, ordinal: EVENTS, misfit: null });
    }
    expect((await log.verify({ from: 3 })).misfit).toMatchObject({ ordinal: 3 });
    await expect(log.verify({ from: 50 })).rejects.toThrow(RangeError);
  });

  it('believes no head that is forged, and compares none of a key that it does not know', async () => {
    const [genuine] = (await log.folder.read()).heads;
    if (!genuine) throw new Error('nothing was signed');
    const tip = { ordinal: 3, head: randomBytes(32) };
    await log.folder.append([{ ...genuine, ordinal: 3 }]);
    await log.folder.append([signHead(tip, signingKeyOf(randomBytes(32)), new Date())]);
    expect(await log.verify()).toMatchObject({ misfit: null, signedHeads: { unknownKey: 1, forged: 1 } });
  });

  it('refuses every change of the chain without such rights', async () => {
    for (const statement of [
      'update log.chain set leaf = head',
      'delete from log.chain',
      'truncate log.chain',
      `update log.signed_heads set signature = ''`,
      'delete from log.signed_heads',
      'truncate log.signed_heads',
    ]) {
      await expect(log.pool.query(statement)).rejects.toThrow('append-only');
    }
  });
});
