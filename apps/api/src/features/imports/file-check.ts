import {
  type Attributes,
  integer,
  type NumberedRow,
  utc,
  type DumpFile,
  DUMP_FILE_NAMES,
  ImportError,
} from './dump-row.js';
import type { XmlText } from './xml-text.js';

interface Columns {
  /** Integer columns required in every row. */
  readonly numbers: readonly string[];
  /** Text columns required in at least one row. */
  readonly texts: readonly string[];
  /** Other known columns, not validated. */
  readonly others: readonly string[];
  readonly mayBeEmpty: boolean;
}

const COLUMNS: Readonly<Record<DumpFile, Columns>> = {
  users: {
    numbers: ['Id'],
    texts: ['DisplayName'],
    others: words(
      'Reputation LastAccessDate WebsiteUrl Location AboutMe Views UpVotes DownVotes AccountId Age EmailHash ProfileImageUrl',
    ),
    mayBeEmpty: false,
  },
  posts: {
    numbers: ['Id', 'PostTypeId'],
    texts: ['Title', 'Body'],
    others: words(
      'ParentId AcceptedAnswerId DeletionDate Score ViewCount OwnerUserId OwnerDisplayName LastEditorUserId LastEditorDisplayName LastEditDate LastActivityDate CommunityOwnedDate ClosedDate Tags AnswerCount CommentCount FavoriteCount ContentLicense',
    ),
    mayBeEmpty: false,
  },
  comments: {
    numbers: ['Id', 'PostId'],
    texts: ['Text'],
    others: words('Score UserId UserDisplayName ContentLicense'),
    mayBeEmpty: true,
  },
  votes: {
    numbers: ['Id', 'PostId', 'VoteTypeId'],
    texts: [],
    others: words('UserId BountyAmount'),
    mayBeEmpty: true,
  },
};

/** Stack Exchange started in 2008, but communities migrated from elsewhere can be older. */
const EARLIEST = '2000-01-01T00:00:00.000Z';
const MAX_RULES = 40;
const MIN_DAMAGED_ROWS = 10;
const MAX_DAMAGED_SHARE = 0.01;

/** A violated rule with the line of its first occurrence. */
export interface Problem {
  readonly file: DumpFile;
  readonly line?: number;
  readonly rule: string;
  readonly rows: number;
}

/** Validates one file of a dump in full and reports each violated rule once. */
export class FileCheck {
  readonly droppedCharacters = new Map<string, number>();
  private readonly broken = new Map<string, { readonly line: number; rows: number }>();
  private readonly seen = new Set<string>();
  private readonly existing: ReadonlySet<string>;
  private readonly latest: string;
  private stopped = false;
  private rows = 0;
  private damagedRows = 0;
  private isMostlyDamaged = false;

  /** @param now upper limit for dates in the dump */
  constructor(
    private readonly file: DumpFile,
    now: Date,
  ) {
    const { numbers, texts, others } = COLUMNS[file];
    this.existing = new Set(['CreationDate', ...numbers, ...texts, ...others]);
    this.latest = now.toISOString();
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  /** Records the problem and ignores the rest of the file. */
  stop(line: number, rule: string): void {
    if (!this.stopped) this.note(line, rule);
    this.stopped = true;
  }

  checkRoot(line: number, name: string): void {
    if (name.toLowerCase() !== this.file)
      this.stop(line, `the root element is <${name}>, not <${this.file}>`);
  }

  rejectEncoding(name: string): void {
    this.stop(1, `the encoding is ${name}, not UTF-8`);
  }

  rejectRootless(line: number, why: string): void {
    this.stop(line, `not XML with the root element <${this.file}>: ${why}`);
  }

  recordDropped({ dropped, damagedRows, isMostlyDamaged }: XmlText): void {
    for (const [kind, count] of dropped) this.droppedCharacters.set(kind, count);
    this.damagedRows = damagedRows;
    this.isMostlyDamaged = isMostlyDamaged;
  }

  checkRow({ line, attributes }: NumberedRow): void {
    this.rows += 1;
    for (const name of Object.keys(attributes)) {
      this.seen.add(name);
      if (!this.existing.has(name)) this.note(line, `unknown column ${JSON.stringify(name)}`);
    }
    for (const name of COLUMNS[this.file].numbers) this.checkInteger(line, name, attributes);
    this.checkDate(line, attributes['CreationDate']);
  }

  /** Call after reading the file. */
  problems(): readonly Problem[] {
    const { file } = this;
    const { texts, mayBeEmpty } = COLUMNS[file];
    const found: Problem[] = Array.from(this.broken, ([rule, { line, rows }]) => ({
      file,
      line,
      rule,
      rows,
    }));
    if (this.hasOtherEncoding()) found.unshift({ file, rule: this.notUtf8(), rows: 0 });
    if (this.stopped) return found;
    if (this.rows === 0) return mayBeEmpty ? found : [...found, { file, rule: 'has no rows', rows: 0 }];
    const missing = texts.filter((name) => !this.seen.has(name));
    return [...found, ...missing.map((name) => ({ file, rule: `no row has the column ${name}`, rows: 0 }))];
  }

  /** Tolerates a few damaged bytes. Another encoding damages many rows or, in a small file, most letters outside ASCII. */
  private hasOtherEncoding(): boolean {
    const { damagedRows, isMostlyDamaged, rows } = this;
    if (damagedRows >= MIN_DAMAGED_ROWS && damagedRows > rows * MAX_DAMAGED_SHARE) return true;
    return damagedRows > 1 && isMostlyDamaged;
  }

  private notUtf8(): string {
    const [damaged, all] = [this.damagedRows, this.rows].map((count) => count.toLocaleString('en-US'));
    return `not UTF-8: ${damaged} of ${all} rows have bytes of another encoding; convert the file to UTF-8`;
  }

  private checkInteger(line: number, name: string, attributes: Attributes): void {
    const value = attributes[name];
    if (value === undefined) this.note(line, `the column ${name} is missing`);
    else if (integer(value) === null) this.note(line, `${name} is not a whole number`);
  }

  private checkDate(line: number, value: string | undefined): void {
    if (value === undefined) {
      this.note(line, 'the column CreationDate is missing');
      return;
    }
    const at = utc(value);
    if (at === undefined) this.note(line, 'CreationDate is not a date');
    else if (at > this.latest) this.note(line, 'CreationDate is in the future');
    else if (at < EARLIEST) this.note(line, `CreationDate is before ${EARLIEST.slice(0, 4)}`);
  }

  private note(line: number, rule: string): void {
    const known = this.broken.get(rule);
    if (known) known.rows += 1;
    else if (this.broken.size < MAX_RULES) this.broken.set(rule, { line, rows: 1 });
  }
}

/** Lists every problem on its own line. */
export const invalidDump = (problems: readonly Problem[]): ImportError =>
  new ImportError(
    `Nothing was imported. Problems in the dump:\n${problems.map((problem) => `  ${problemLine(problem)}`).join('\n')}`,
  );

function problemLine({ file, line, rule, rows }: Problem): string {
  const where = line === undefined ? DUMP_FILE_NAMES[file] : `${DUMP_FILE_NAMES[file]}, line ${line}`;
  const others = rows - 1;
  const suffix =
    others > 0 ? ` (and in ${others.toLocaleString('en-US')} more row${others === 1 ? '' : 's'})` : '';
  return `${where}: ${rule}${suffix}`;
}

function words(text: string): readonly string[] {
  return text.split(' ');
}
