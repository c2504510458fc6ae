import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readChainTip, readLinks } from './chain-table.js';
import { DatabaseHeads } from './log-heads.js';
import { publicKeyOf, publicKeyText, signHead, signingKeyOf } from './signed-head.js';
import { readCheckpointState } from './checkpoint-faults.js';
import { ChainedLog } from './testing/chained-log.js';
import { type LineRenderer, NO_LINES, type ExportFormat } from './log-lines.js';
import { ExportSealer, sealedExport, sealLine } from './export-seal.js';
import { checkBundle, makeBundle, ManyLinesError, type ProofBundle } from './proof-bundle.js';
import { proveExport, type ProveReport } from './prove-export.js';

const EVENTS = 10;

/** `n` of the fixture's events starts at 0. */
const renderer: LineRenderer = {
  columns: ['ordinal', 'line', 'eventId', 'n', 'text'],
  fromEvent: ['ordinal', 'line', 'eventId', 'n'],
  toCsv: (cell) => String(cell ?? ''),
  linesOf: ({ id, data }, ordinal) => [{ ordinal, line: 0, eventId: id, n: Number(data['n']) }],
};

describe('an exported audit', () => {
  let log: ChainedLog;
  beforeAll(async () => {
    log = await ChainedLog.create();
    await log.append(EVENTS);
    await log.chain();
  });
  afterAll(() => log.drop());

  /** Every other event, newest first, with text that needs quoting. */
  async function exported(
    format: ExportFormat,
    change: (line: string) => string = (line) => line,
  ): Promise<string> {
    const links = (await readLinks(log.pool, 0, EVENTS)).filter(({ ordinal }) => ordinal % 2 === 0).reverse();
    const eol = format === 'csv' ? '\r\n' : '\n';
    const lines = links.map(({ ordinal, eventId }) => {
      const text = `vote ${ordinal},\n"quoted"\u2028end`;
      return format === 'ndjson'
        ? JSON.stringify({ ordinal, line: 0, eventId, n: ordinal - 1, text })
        : `${ordinal},0,${eventId},${ordinal - 1},"${text.replaceAll('"', '""')}"`;
    });
    const all = format === 'csv' ? ['ordinal,line,eventId,n,text', ...lines] : lines;
    const text = (async function* () {
      for (const line of all) yield change(line) + eol;
    })();
    const signed = signHead(await readChainTip(log.pool), log.key, new Date());
    let file = '';
    for await (const part of sealedExport({ pool: log.pool, text, format, signed, key: log.key }))
      file += part;
    return file;
  }

  const opened = (text: string) =>
    async function* () {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += 37) yield bytes.subarray(at, at + 37);
    };

  const prove = (text: string, format: ExportFormat, line?: number): Promise<ProveReport> =>
    proveExport({
      pool: log.pool,
      log: log.log,
      open: opened(text),
      format,
      keys: [log.key],
      heads: [],
      renderer,
      ...(line !== undefined && { line }),
    });

  it.each<ExportFormat>(['ndjson', 'csv'])('proves every line (%s)', async (format) => {
    const text = await exported(format);
    expect(await prove(text, format)).toMatchObject({
      lines: 5,
      proven: 5,
      problems: [],
      seal: { signed: { ordinal: EVENTS } },
    });
    expect(await prove(text, format, 3)).toMatchObject({ lines: 1, proven: 1, problems: [] });
  });

  it.each<[string, ExportFormat, (text: string) => string, string]>([
    ['a changed line', 'ndjson', (text) => text.replace('vote 6', 'vote 5'), 'changed-file'],
    ['a changed cell', 'csv', (text) => text.replace('vote 6', 'vote 5'), 'changed-file'],
    ['a missing line', 'ndjson', (text) => text.replace(/^[^\n]*\n/, ''), 'changed-file'],
    ['a duplicated line', 'ndjson', (text) => text.replace(/^([^\n]*\n)/, '$1$1'), 'changed-file'],
    ['no seal', 'ndjson', (text) => text.replace(/.*\n$/, ''), 'no-seal'],
    ['a changed seal', 'csv', (text) => text.replace('""lines"":6', '""lines"":7'), 'no-seal'],
  ])('rejects %s (%s)', async (_, format, change, kind) => {
    const report = await prove(change(await exported(format)), format);
    expect(report.problems[0]).toMatchObject({ kind });
    expect(report.proven).toBe(0);
  });

  it('reports the changed line, or the line count if one was removed', async () => {
    const text = await exported('ndjson');
    expect((await prove(text.replace('vote 6', 'vote 5'), 'ndjson')).problems).toEqual([
      { kind: 'changed-file', detail: 'The text was changed after export (line 3).' },
    ]);
    const shorter = text
      .split('\n')
      .filter((line) => !line.includes('"ordinal":8'))
      .join('\n');
    expect((await prove(shorter, 'ndjson')).problems[0]?.detail).toBe(
      'The file has 4 lines, but 5 were exported. The first difference is at line 2.',
    );
  });

  /** Changes the export before it is sealed. */
  it.each<ExportFormat>(['ndjson', 'csv'])(
    'rejects a line that does not match its event (%s)',
    async (format) => {
      const replacement = format === 'csv' ? [',5,"vote 6', ',77,"vote 6'] : ['"n":5', '"n":77'];
      const text = await exported(format, (line) => line.replace(replacement[0] ?? '', replacement[1] ?? ''));
      const report = await prove(text, format);
      expect(report).toMatchObject({ lines: 5, proven: 4 });
      expect(report.problems).toEqual([
        { kind: 'line', line: format === 'csv' ? 4 : 3, detail: 'n is 77, but the event has 5.' },
      ]);
    },
  );

  it('reports a line with a different event', async () => {
    const [other] = await readLinks(log.pool, 2, 3);
    const text = (await exported('ndjson')).replace(
      /"ordinal":6,"line":0,"eventId":"[^"]+"/,
      `"ordinal":6,"line":0,"eventId":"${other?.eventId}"`,
    );
    expect((await prove(text, 'ndjson')).problems).toMatchObject([
      { kind: 'changed-file' },
      { kind: 'line', line: 3 },
    ]);
  });

  it.each([
    [/"leaf":"[0-9a-f]{64}"/, `"leaf":"${'0'.repeat(64)}"`, 'a different leaf'],
    [/"ordinal":10/, '"ordinal":99', 'after the signed head'],
    [/"leaf"/, '"fallen"', 'does not identify an event'],
  ])('reports a line with %s', async (search, instead, detail) => {
    const text = (await exported('ndjson')).replace(search, instead);
    const { problems } = await prove(text, 'ndjson');
    expect(problems.at(-1)).toMatchObject({
      kind: 'line',
      line: 1,
      detail: expect.stringContaining(detail) as unknown,
    });
  });

  it('rejects an unknown key', async () => {
    const text = await exported('ndjson');
    const report = await proveExport({
      pool: log.pool,
      log: log.log,
      open: opened(text),
      format: 'ndjson',
      keys: [signingKeyOf(randomBytes(32))],
      heads: [],
      renderer,
    });
    expect(report.problems).toMatchObject([{ kind: 'unknown-key' }]);
  });

  it('omits events after the signed head', async () => {
    const links = await readLinks(log.pool, 0, EVENTS);
    const earlier = links[3];
    if (!earlier) throw new Error('ordinal 4 is not chained');
    const text = (async function* () {
      for (const { ordinal, eventId } of links)
        yield `${JSON.stringify({ ordinal, line: 0, eventId, n: ordinal - 1, text: '' })}\n`;
    })();
    const signed = signHead(earlier, log.key, new Date());
    let file = '';
    for await (const part of sealedExport({ pool: log.pool, text, format: 'ndjson', signed, key: log.key }))
      file += part;
    expect(await prove(file, 'ndjson')).toMatchObject({ lines: 4, proven: 4, problems: [] });
  });

  it.each(['{"ordinal":1,"eventId":"6f2f6e0e-52b6-4c61-8d7a-0a6ecf1c1b11"}', '{"a":1}'])(
    'does not seal the line %s',
    async (line) => {
      const text = (async function* () {
        yield `${line}\n`;
      })();
      const signed = signHead(await readChainTip(log.pool), log.key, new Date());
      const parts = sealedExport({ pool: log.pool, text, format: 'ndjson', signed, key: log.key });
      await expect(parts.next()).rejects.toThrow();
    },
  );

  describe('bundle of one line', () => {
    async function bundleOf(line: number, format: ExportFormat = 'ndjson'): Promise<ProofBundle> {
      const text = await exported(format);
      const { seal } = await prove(text, format, line);
      if (!seal) throw new Error('the export has no seal');
      return makeBundle({ pool: log.pool, log: log.log, renderer, open: opened(text), format, line, seal });
    }
    const publicKey = () => {
      const key = publicKeyOf(publicKeyText(log.key));
      if (!key) throw new Error('the key cannot be read back');
      return key;
    };

    it.each<[number, ExportFormat]>([
      [1, 'ndjson'],
      [5, 'ndjson'],
      [2, 'csv'],
    ])('proves line %d (%s) with only the public key', async (line, format) => {
      const bundle = JSON.parse(JSON.stringify(await bundleOf(line, format))) as unknown;
      expect(checkBundle(bundle, publicKey(), renderer)).toMatchObject({ isProven: true });
    });

    it('reveals nothing about other lines', async () => {
      const bundle = JSON.stringify(await bundleOf(1));
      expect(bundle).toContain('vote 10');
      expect(bundle).not.toMatch(/vote [2468]/);
    });

    it.each<[string, (bundle: ProofBundle) => unknown, RegExp]>([
      [
        'a different text',
        (bundle) => ({ ...bundle, line: bundle.line.replace('vote', 'veto') }),
        /differs from the exported one/,
      ],
      [
        'a different leaf',
        (bundle) => ({
          ...bundle,
          leaves: Buffer.alloc(Buffer.from(bundle.leaves, 'base64').length).toString('base64'),
        }),
        /differs from the one in the chain/,
      ],
      [
        'a missing leaf',
        (bundle) => ({
          ...bundle,
          leaves: Buffer.from(bundle.leaves, 'base64').subarray(32).toString('base64'),
        }),
        /number of hashes does not match/,
      ],
      [
        'a different start',
        (bundle) => ({ ...bundle, headBefore: '00'.repeat(32) }),
        /do not lead to the signed head/,
      ],
      [
        'a different seal',
        (bundle) => ({ ...bundle, seal: { ...bundle.seal, lines: 1 } }),
        /signature of the seal/,
      ],
      [
        'a different event',
        (bundle) => ({ ...bundle, event: bundle.event.replace('"n":5', '"n":6') }),
        /event does not match its leaf/,
      ],
      ['no content', () => ({}), /not a proof/],
      ['null', () => null, /not a proof/],
    ])('rejects %s', async (_, change, reason) => {
      const check = checkBundle(change(await bundleOf(3)), publicKey(), renderer);
      expect(check).toMatchObject({ isProven: false, reason: expect.stringMatching(reason) as unknown });
    });

    it('rejects a line that does not match its event, even if it is sealed', async () => {
      const good = await bundleOf(3);
      const line = good.line.replace('"n":5', '"n":77');
      const sealer = new ExportSealer();
      sealer.add(line);
      const seal = sealer.seal(good.seal.signed, log.key);
      const bundle = { ...good, line, digestBefore: NO_LINES.toString('hex'), linesAfter: '', seal };
      expect(checkBundle(bundle, publicKey(), renderer)).toEqual({
        isProven: false,
        reason: 'The line does not match its event: n is 77, but the event has 5.',
      });
    });

    it('does not reveal other lines of an event unless requested', async () => {
      const two: LineRenderer = {
        ...renderer,
        linesOf: (...args) => [...renderer.linesOf(...args), ...renderer.linesOf(...args)],
      };
      const text = await exported('ndjson');
      const { seal } = await prove(text, 'ndjson', 1);
      if (!seal) throw new Error('the export has no seal');
      const source = {
        pool: log.pool,
        log: log.log,
        renderer: two,
        open: opened(text),
        format: 'ndjson',
        line: 1,
        seal,
      } as const;
      await expect(makeBundle(source)).rejects.toThrow(ManyLinesError);
      expect(await makeBundle({ ...source, isWholeEvent: true })).toMatchObject({ exported: 'ndjson' });
    });

    it('rejects a different key', async () => {
      expect(checkBundle(await bundleOf(3), signingKeyOf(randomBytes(32)), renderer)).toMatchObject({
        isProven: false,
      });
    });
  });
});

describe('an export of a log that was changed later', () => {
  it('is rejected with the changed event', async () => {
    const log = await ChainedLog.create();
    await log.append(4);
    await log.chain();
    const sealer = new ExportSealer();
    const [, , link] = await readLinks(log.pool, 0, 4);
    const line = JSON.stringify({
      ordinal: 3,
      line: 0,
      eventId: link?.eventId,
      n: 2,
      text: '',
      leaf: link?.leaf.toString('hex'),
    });
    sealer.add(line);
    const seal = sealer.seal(signHead(await readChainTip(log.pool), log.key, new Date()), log.key);
    await log.append(2);
    await log.tamper(`update log.events set data = '{"n":999}' where position = 2`);
    const text = `${line}\n${sealLine(seal, 'ndjson')}\n`;
    const open = async function* () {
      yield Buffer.from(text);
    };
    const report = await proveExport({
      pool: log.pool,
      log: log.log,
      open,
      format: 'ndjson',
      keys: [log.key],
      heads: [],
      renderer,
    });
    expect(report).toMatchObject({
      proven: 0,
      problems: [{ kind: 'log', mismatch: { kind: 'altered', ordinal: 2 } }],
    });
    await log.drop();
  });
});

describe('a log changed together with its chain', () => {
  let log: ChainedLog;
  beforeEach(async () => {
    log = await ChainedLog.create();
    await log.append(8);
    await log.chain();
    await log.tamper(`update log.events set data = '{"n":999}' where position = 3`);
    await log.rewriteChain();
  });
  afterEach(() => log.drop());

  it('is detected in a later export by the heads signed earlier', async () => {
    const [, , link] = await readLinks(log.pool, 0, 8);
    const line = { ordinal: 3, line: 0, eventId: link?.eventId, n: 999, text: '' };
    const text = (async function* () {
      yield `${JSON.stringify(line)}\n`;
    })();
    const signed = signHead(await readChainTip(log.pool), log.key, new Date());
    let file = '';
    for await (const part of sealedExport({ pool: log.pool, text, format: 'ndjson', signed, key: log.key }))
      file += part;
    const open = async function* () {
      yield Buffer.from(file);
    };
    const options = {
      pool: log.pool,
      log: log.log,
      open,
      format: 'ndjson',
      keys: [log.key],
      renderer,
    } as const;
    expect(await proveExport({ ...options, heads: [] })).toMatchObject({ proven: 1, problems: [] });
    const { heads } = await log.folder.read();
    expect(await proveExport({ ...options, heads })).toMatchObject({
      proven: 0,
      problems: [{ kind: 'log', mismatch: { kind: 'rewritten', ordinal: 8 } }],
    });
  });

  it('is no longer signed, neither by the worker nor for an export', async () => {
    const before = await log.folder.read();
    await log.append(6);
    await log.chain();
    expect(await log.folder.read()).toEqual(before);
    expect(await new DatabaseHeads(log.pool).read()).toEqual(before);
    const [mismatch] = log.mismatches;
    expect(mismatch).toMatchObject({ kind: 'rewritten', ordinal: 8 });
    expect(mismatch?.detail).toMatch(
      /^The chain no longer matches the head signed at .* for ordinal 8 \(the heads folder\)/,
    );
    const state = await readCheckpointState({
      pool: log.pool,
      externalCheckpoints: [log.folder],
      keys: [log.key],
    });
    expect(state.mismatch).toMatchObject({ kind: 'rewritten', ordinal: 8 });
  });
});
