import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readChainTip, readLinks } from '../chain/chain-table.js';
import { signHead } from '../chain/signed-head.js';
import { publicKeyOf, publicKeyText, signingKeyOf } from '../chain/signing-key.js';
import { ChainedLog } from '../chain/testing/chained-log.js';
import { sealedExport } from './sealed-export.js';
import { type ExportFormat, ExportSealer, sealLine } from './export-seal.js';
import { checkBundle, makeBundle, type ProofBundle } from './proof-bundle.js';
import { proveExport, type ProveReport } from './prove-export.js';

const EVENTS = 10;

describe('an exported audit', () => {
  let log: ChainedLog;
  beforeAll(async () => {
    log = await ChainedLog.create();
    await log.append(EVENTS);
    await log.chain();
  });
  afterAll(() => log.drop());

  /** Every other event, the newest first, with text that needs quotes. */
  async function exported(format: ExportFormat): Promise<string> {
    const links = (await readLinks(log.pool, 0, EVENTS)).filter(({ ordinal }) => ordinal % 2 === 0).reverse();
    const eol = format === 'csv' ? '\r\n' : '\n';
    const lines = links.map(({ ordinal, eventId }) => {
      const text = `vote ${ordinal},\n"quoted"\u2028end`;
      return format === 'ndjson'
        ? JSON.stringify({ ordinal, line: 0, eventId, text })
        : `${ordinal},0,${eventId},"${text.replaceAll('"', '""')}"`;
    });
    const all = format === 'csv' ? ['ordinal,line,eventId,text', ...lines] : lines;
    const text = (async function* () {
      for (const line of all) yield line + eol;
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
    });
    expect(report.problems).toMatchObject([{ kind: 'unknown-key' }]);
  });

  it('leaves out what came after the signed head', async () => {
    const links = await readLinks(log.pool, 0, EVENTS);
    const earlier = links[3];
    if (!earlier) throw new Error('ordinal 4 is chained');
    const text = (async function* () {
      for (const { ordinal, eventId } of links) yield `${JSON.stringify({ ordinal, eventId })}\n`;
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
      return makeBundle({ pool: log.pool, open: opened(text), format, line, seal });
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
      expect(checkBundle(bundle, publicKey())).toMatchObject({ isProven: true });
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
      ['nothing in it', () => ({}), /no proof/],
      ['null', () => null, /no proof/],
    ])('proves nothing with %s', async (_, change, reason) => {
      const check = checkBundle(change(await bundleOf(3)), publicKey());
      expect(check).toMatchObject({ isProven: false, reason: expect.stringMatching(reason) as unknown });
    });

    it('proves nothing with another key', async () => {
      expect(checkBundle(await bundleOf(3), signingKeyOf(randomBytes(32)))).toMatchObject({
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
      eventId: link?.eventId,
      leaf: link?.leaf.toString('hex'),
      id: randomUUID(),
    });
    sealer.add(line);
    const seal = sealer.seal(signHead(await readChainTip(log.pool), log.key, new Date()), log.key);
    await log.append(2);
    await log.tamper(`UPDATE log.events SET data = '{"n":999}' WHERE position = 2`);
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
    });
    expect(report).toMatchObject({
      proven: 0,
      problems: [{ kind: 'log', misfit: { kind: 'altered', ordinal: 2 } }],
    });
    await log.drop();
  });
});
