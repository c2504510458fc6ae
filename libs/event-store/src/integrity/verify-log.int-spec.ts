import { randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { positionOfOrdinal } from '../postgres/event-queries.js';
import { readFrom } from '../contract/event-fixtures.js';
import { EMPTY_CHAIN, linksOf } from './event-chain.js';
import { signHead, signingKeyOf } from './signed-head.js';
import { ChainedLog } from './testing/chained-log.js';

const EVENTS = 12;

describe('verifyLog', () => {
  let log: ChainedLog;
  beforeAll(async () => {
    log = await ChainedLog.create();
    await log.append(EVENTS);
    await log.chain();
    await log.save();
  });
  beforeEach(() => log.restore());
  afterAll(() => log.drop());

  it('finds nothing in an intact log', async () => {
    const report = await log.verify();
    expect(report).toMatchObject({
      ordinal: EVENTS,
      chainLag: 0,
      mismatch: null,
      signedHeads: { last: EVENTS, unknownKey: 0, forged: 0 },
    });
    expect(report.signedHeads.compared).toBeGreaterThan(0);
  });

  it.each(['metadata', 'data'])('reports the event with changed %s', async (column) => {
    await log.tamper(`update log.events set ${column} = '{"n":999}' where position = 7`);
    const [event] = (await readFrom(log.log, undefined)).slice(6);
    expect((await log.verify()).mismatch).toMatchObject({
      kind: 'altered',
      ordinal: 7,
      eventId: await log.eventId(7),
      streamId: event?.streamId,
      revision: 0,
    });
  });

  it('accepts a different notation of the same JSON', async () => {
    await log.tamper(`update log.events set data = ' { "n" : 6.0 } ' where position = 7`);
    expect((await log.verify()).mismatch).toBeNull();
  });

  it.each([`type = 'Other'`, `stream_id = 'elsewhere'`, 'revision = 5', `data = '{"n":1e400}'`])(
    'reports the event with %s',
    async (change) => {
      await log.tamper(`update log.events set ${change} where position = 7`);
      expect((await log.verify()).mismatch).toMatchObject({ kind: 'altered', ordinal: 7 });
    },
  );

  it('reports a missing event', async () => {
    await log.tamper('delete from log.events where position = 7');
    expect((await log.verify()).mismatch).toMatchObject({
      kind: 'missing',
      ordinal: 7,
      eventId: await log.eventId(7),
    });
  });

  it('reports a missing event even if positions are gapless', async () => {
    await log.tamper(
      'delete from log.events where position = 7',
      'update log.events set position = -position where position > 7',
      'update log.events set position = -position - 1 where position < 0',
    );
    expect((await log.verify()).mismatch).toMatchObject({ kind: 'missing', ordinal: 7 });
  });

  it('reports the first of several missing events at the end', async () => {
    await log.tamper('delete from log.events where position > 9');
    expect((await log.verify()).mismatch).toMatchObject({
      kind: 'missing',
      ordinal: 10,
      eventId: await log.eventId(10),
    });
  });

  it('detects by a signed head that the end of log and chain is missing', async () => {
    await log.tamper(
      'delete from log.events where position > 9',
      'delete from log.chain where ordinal > 9',
      `update state.log_chain_position set ordinal = 9, position = lpad('9', 19, '0')`,
    );
    const { mismatch } = await log.verify();
    expect(mismatch).toMatchObject({ kind: 'missing', ordinal: 10 });
    expect(mismatch?.detail).toContain('a signed head reaches ordinal 12');
  });

  it('detects an emptied log', async () => {
    await log.tamper('delete from log.events');
    expect((await log.verify()).mismatch).toMatchObject({ kind: 'missing', ordinal: 1 });
  });

  it('reports the first of two swapped events', async () => {
    await log.tamper(
      'update log.events set position = -4 where position = 4',
      'update log.events set position = 4 where position = 8',
      'update log.events set position = 8 where position = -4',
    );
    const { mismatch } = await log.verify();
    expect(mismatch).toMatchObject({ kind: 'reordered', ordinal: 4, eventId: await log.eventId(8) });
    expect(mismatch?.detail).toContain('ordinal 8');
  });

  it('reports an inserted event', async () => {
    const id = randomUUID();
    await log.tamper(
      'update log.events set position = -position where position > 6',
      'update log.events set position = -position + 1 where position < 0',
      `insert into log.events values (7, 'thing-x', 0, '${id}', 'ThingHappened', '{"n":1}', '{}')`,
    );
    expect((await log.verify()).mismatch).toMatchObject({
      kind: 'inserted',
      ordinal: 7,
      eventId: id,
      streamId: 'thing-x',
    });
  });

  it('reports a replaced event', async () => {
    const id = randomUUID();
    await log.tamper(`update log.events set event_id = '${id}' where position = 7`);
    const { mismatch } = await log.verify();
    expect(mismatch).toMatchObject({ kind: 'missing', ordinal: 7, eventId: await log.eventId(7) });
    expect(mismatch?.detail).toContain(id);
  });

  it('reports a duplicated event', async () => {
    await log.tamper(
      'alter table log.events drop constraint events_event_id_key',
      'update log.events set position = -position where position > 6',
      'update log.events set position = -position + 1 where position < 0',
      `insert into log.events select 7, 'thing-again', 0, event_id, type, data, metadata from log.events where position = 3`,
    );
    const { mismatch } = await log.verify();
    expect(mismatch).toMatchObject({ kind: 'duplicated', ordinal: 7, eventId: await log.eventId(3) });
    expect(mismatch?.detail).toContain('ordinal 3');
    await log.restore();
    await log.tamper('alter table log.events add constraint events_event_id_key unique (event_id)');
  });

  it('detects only by a signed head that the chain was rewritten with the log', async () => {
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
    const { mismatch } = await log.verify();
    expect(mismatch).toMatchObject({ kind: 'rewritten', ordinal: 18, since: 13 });
    expect(mismatch?.detail).toContain('between ordinals 12 and 18');
    await rm(log.folder.path, { recursive: true });
    expect((await log.verify()).mismatch).toBeNull();
  });

  it('detects a changed chain table', async () => {
    await log.tamper(`update log.chain set head = leaf where ordinal = 5`);
    expect((await log.verify()).mismatch).toMatchObject({ kind: 'chain-changed', ordinal: 5 });
  });

  it.each([
    ['in the middle', 'BETWEEN 5 AND 6', 5],
    ['at the end', '> 10', 11],
  ])('detects missing chain rows %s', async (_, where, ordinal) => {
    await log.tamper(`delete from log.chain where ordinal ${where}`);
    expect((await log.verify()).mismatch).toMatchObject({ kind: 'chain-changed', ordinal });
  });

  it('counts events not yet in the chain', async () => {
    await log.append(3);
    expect(await log.verify()).toMatchObject({ ordinal: EVENTS + 3, chainLag: 3, mismatch: null });
  });

  it('starts at a given ordinal, with and without seeking', async () => {
    const seek = (ordinal: number) => positionOfOrdinal(log.pool, ordinal);
    await log.tamper(`update log.events set data = '{"n":999}' where position = 3`);
    for (const options of [{ from: 5 }, { from: 5, seek }]) {
      expect(await log.verify(options)).toMatchObject({ from: 5, ordinal: EVENTS, mismatch: null });
    }
    expect((await log.verify({ from: 3 })).mismatch).toMatchObject({ ordinal: 3 });
    await expect(log.verify({ from: 50 })).rejects.toThrow(RangeError);
  });

  it('ignores forged heads and heads of unknown keys', async () => {
    const [genuine] = (await log.folder.read()).heads;
    if (!genuine) throw new Error('nothing was signed');
    const tip = { ordinal: 3, head: randomBytes(32) };
    await log.folder.append([{ ...genuine, ordinal: 3 }]);
    await log.folder.append([signHead(tip, signingKeyOf(randomBytes(32)), new Date())]);
    expect(await log.verify()).toMatchObject({ mismatch: null, signedHeads: { unknownKey: 1, forged: 1 } });
  });

  it('rejects changes to the chain without superuser rights', async () => {
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
