import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readChainTip, readLinks } from './chain-table.js';
import { DatabaseHeads } from './log-heads.js';
import { publicKeyOf, publicKeyText, signHead, signingKeyOf } from './signed-head.js';
import { standingHeads } from './witness-faults.js';
import { ChainedLog } from './testing/chained-log.js';
import { type LineTeller, NO_LINES, type ExportFormat } from './log-lines.js';
import { ExportSealer, sealedExport, sealLine } from './export-seal.js';
import { checkBundle, makeBundle, ManyLinesError, type ProofBundle } from './proof-bundle.js';
import { proveExport, type ProveReport } from './prove-export.js';

const EVENTS = 10;

/** The fixture's events count from 0. */
const teller: LineTeller = {
  columns: ['ordinal', 'line', 'eventId', 'n', 'text'],
  fromEvent: ['ordinal', 'line', 'eventId', 'n'],
  inCsv: (cell) => String(cell ?? ''),
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

  /** Every other event, the newest first, with text that needs quotes. */
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
      teller,
      ...(line !== undefined && { line }),
    });

  it.each<ExportFormat>(['ndjson', 'csv'])('is proven line by line (%s)', async (format) => {
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
    ['other text in a line', 'ndjson', (text) => text.replace('vote 6', 'vote 5'), 'changed-file'],
    ['other text in a cell', 'csv', (text) => text.replace('vote 6', 'vote 5'), 'changed-file'],
    ['a line less', 'ndjson', (text) => text.replace(/^[^\n]*\n/, ''), 'changed-file'],
    ['a line twice', 'ndjson', (text) => text.replace(/^([^\n]*\n)/, '$1$1'), 'changed-file'],
    ['no seal', 'ndjson', (text) => text.replace(/.*\n$/, ''), 'no-seal'],
    ['a changed seal', 'csv', (text) => text.replace('""lines"":6', '""lines"":7'), 'no-seal'],
  ])('is not with %s (%s)', async (_, format, change, kind) => {
    const report = await prove(change(await exported(format)), format);
    expect(report.problems[0]).toMatchObject({ kind });
    expect(report.proven).toBe(0);
  });

  it('names the line whose text was changed, and says that one was taken out', async () => {
    const text = await exported('ndjson');
    expect((await prove(text.replace('vote 6', 'vote 5'), 'ndjson')).problems).toEqual([
      { kind: 'changed-file', detail: 'The text was changed after export (line 3).' },
    ]);
    const shorter = text
      .split('\n')
      .filter((line) => !line.includes('"ordinal":8'))
      .join('\n');
    expect((await prove(shorter, 'ndjson')).problems[0]?.detail).toBe(
      'The file has 4 lines, and 5 were exported. The first that is another is line 2.',
    );
  });

  /** As who can change what is exported before it is sealed. */
  it.each<ExportFormat>(['ndjson', 'csv'])(
    'is not where a line does not say what its event says (%s)',
    async (format) => {
      const invented = format === 'csv' ? [',5,"vote 6', ',77,"vote 6'] : ['"n":5', '"n":77'];
      const text = await exported(format, (line) => line.replace(invented[0] ?? '', invented[1] ?? ''));
      const report = await prove(text, format);
      expect(report).toMatchObject({ lines: 5, proven: 4 });
      expect(report.problems).toEqual([
        { kind: 'line', line: format === 'csv' ? 4 : 3, detail: 'n is 77, and its event says 5.' },
      ]);
    },
  );

  it('names the line whose event is another', async () => {
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
    [/"leaf":"[0-9a-f]{64}"/, `"leaf":"${'0'.repeat(64)}"`, 'another leaf'],
    [/"ordinal":10/, '"ordinal":99', 'behind the signed head'],
    [/"leaf"/, '"fallen"', 'names no event'],
  ])('names the first line with %s', async (search, instead, detail) => {
    const text = (await exported('ndjson')).replace(search, instead);
    const { problems } = await prove(text, 'ndjson');
    expect(problems.at(-1)).toMatchObject({
      kind: 'line',
      line: 1,
      detail: expect.stringContaining(detail) as unknown,
    });
  });

  it('is not with a key that is not known here', async () => {
    const text = await exported('ndjson');
    const report = await proveExport({
      pool: log.pool,
      log: log.log,
      open: opened(text),
      format: 'ndjson',
      keys: [signingKeyOf(randomBytes(32))],
      heads: [],
      teller,
    });
    expect(report.problems).toMatchObject([{ kind: 'unknown-key' }]);
  });

  it('leaves out what came after the signed head', async () => {
    const links = await readLinks(log.pool, 0, EVENTS);
    const earlier = links[3];
    if (!earlier) throw new Error('ordinal 4 is chained');
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
    'is not sealed with the line %s',
    async (line) => {
      const text = (async function* () {
        yield `${line}\n`;
      })();
      const signed = signHead(await readChainTip(log.pool), log.key, new Date());
      const parts = sealedExport({ pool: log.pool, text, format: 'ndjson', signed, key: log.key });
      await expect(parts.next()).rejects.toThrow();
    },
  );

  describe('as a bundle for one line', () => {
    async function bundleOf(line: number, format: ExportFormat = 'ndjson'): Promise<ProofBundle> {
      const text = await exported(format);
      const { seal } = await prove(text, format, line);
      if (!seal) throw new Error('the export has no seal');
      return makeBundle({ pool: log.pool, log: log.log, teller, open: opened(text), format, line, seal });
    }
    const publicKey = () => {
      const key = publicKeyOf(publicKeyText(log.key));
      if (!key) throw new Error('the key can be read back');
      return key;
    };

    it.each<[number, ExportFormat]>([
      [1, 'ndjson'],
      [5, 'ndjson'],
      [2, 'csv'],
    ])('proves line %d (%s) by the public key alone', async (line, format) => {
      const bundle = JSON.parse(JSON.stringify(await bundleOf(line, format))) as unknown;
      expect(checkBundle(bundle, publicKey(), teller)).toMatchObject({ isProven: true });
    });

    it('shows nothing of other lines', async () => {
      const bundle = JSON.stringify(await bundleOf(1));
      expect(bundle).toContain('vote 10');
      expect(bundle).not.toMatch(/vote [2468]/);
    });

    it.each<[string, (bundle: ProofBundle) => unknown, RegExp]>([
      [
        'another text',
        (bundle) => ({ ...bundle, line: bundle.line.replace('vote', 'veto') }),
        /not as it was exported/,
      ],
      [
        'another leaf',
        (bundle) => ({
          ...bundle,
          leaves: Buffer.alloc(Buffer.from(bundle.leaves, 'base64').length).toString('base64'),
        }),
        /another than that of the chain/,
      ],
      [
        'a leaf less',
        (bundle) => ({
          ...bundle,
          leaves: Buffer.from(bundle.leaves, 'base64').subarray(32).toString('base64'),
        }),
        /not as many hashes/,
      ],
      [
        'another beginning',
        (bundle) => ({ ...bundle, headBefore: '00'.repeat(32) }),
        /do not lead to the signed head/,
      ],
      [
        'another seal',
        (bundle) => ({ ...bundle, seal: { ...bundle.seal, lines: 1 } }),
        /signature of the seal/,
      ],
      [
        'another event',
        (bundle) => ({ ...bundle, event: bundle.event.replace('"n":5', '"n":6') }),
        /event is another than that of the leaf/,
      ],
      ['nothing in it', () => ({}), /no proof/],
      ['null', () => null, /no proof/],
    ])('proves nothing with %s', async (_, change, reason) => {
      const check = checkBundle(change(await bundleOf(3)), publicKey(), teller);
      expect(check).toMatchObject({ isProven: false, reason: expect.stringMatching(reason) as unknown });
    });

    it('proves nothing with a line that its event does not say, sealed as it may be', async () => {
      const good = await bundleOf(3);
      const line = good.line.replace('"n":5', '"n":77');
      const sealer = new ExportSealer();
      sealer.add(line);
      const seal = sealer.seal(good.seal.signed, log.key);
      const bundle = { ...good, line, digestBefore: NO_LINES.toString('hex'), linesAfter: '', seal };
      expect(checkBundle(bundle, publicKey(), teller)).toEqual({
        isProven: false,
        reason: 'The line does not say what its event says: n is 77, and its event says 5.',
      });
    });

    it('is not made by chance of an event that other lines can be read from', async () => {
      const two: LineTeller = {
        ...teller,
        linesOf: (...of) => [...teller.linesOf(...of), ...teller.linesOf(...of)],
      };
      const text = await exported('ndjson');
      const { seal } = await prove(text, 'ndjson', 1);
      if (!seal) throw new Error('the export has no seal');
      const source = {
        pool: log.pool,
        log: log.log,
        teller: two,
        open: opened(text),
        format: 'ndjson',
        line: 1,
        seal,
      } as const;
      await expect(makeBundle(source)).rejects.toThrow(ManyLinesError);
      expect(await makeBundle({ ...source, isWholeEvent: true })).toMatchObject({ exported: 'ndjson' });
    });

    it('proves nothing with another key', async () => {
      expect(checkBundle(await bundleOf(3), signingKeyOf(randomBytes(32)), teller)).toMatchObject({
        isProven: false,
      });
    });
  });
});

describe('an export of a log that was changed since', () => {
  it('is not proven, and names the event', async () => {
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
      teller,
    });
    expect(report).toMatchObject({
      proven: 0,
      problems: [{ kind: 'log', misfit: { kind: 'altered', ordinal: 2 } }],
    });
    await log.drop();
  });
});

describe('a log that was changed together with its chain', () => {
  let log: ChainedLog;
  beforeEach(async () => {
    log = await ChainedLog.create();
    await log.append(8);
    await log.chain();
    await log.tamper(`update log.events set data = '{"n":999}' where position = 3`);
    await log.rewriteChain();
  });
  afterEach(() => log.drop());

  it('gives away an export that was sealed afterwards, by the heads signed before', async () => {
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
    const given = { pool: log.pool, log: log.log, open, format: 'ndjson', keys: [log.key], teller } as const;
    expect(await proveExport({ ...given, heads: [] })).toMatchObject({ proven: 1, problems: [] });
    const { heads } = await log.folder.read();
    expect(await proveExport({ ...given, heads })).toMatchObject({
      proven: 0,
      problems: [{ kind: 'log', misfit: { kind: 'rewritten', ordinal: 8 } }],
    });
  });

  it('is not signed any more, neither by the worker nor for an export', async () => {
    const before = await log.folder.read();
    await log.append(6);
    await log.chain();
    expect(await log.folder.read()).toEqual(before);
    expect(await new DatabaseHeads(log.pool).read()).toEqual(before);
    const [misfit] = log.misfits;
    expect(misfit).toMatchObject({ kind: 'rewritten', ordinal: 8 });
    expect(misfit?.detail).toMatch(
      /^The chain no longer holds the head signed at .* for ordinal 8 \(the heads folder\)/,
    );
    const standing = await standingHeads({
      pool: log.pool,
      witnesses: [log.folder],
      keys: [log.key],
    });
    expect(standing.misfit).toMatchObject({ kind: 'rewritten', ordinal: 8 });
  });
});
