import {
  type Attributes,
  integer,
  type NumberedRow,
  utc,
  type DumpFile,
  FILE_NAMES,
  ImportError,
} from './dump-row.js';
import type { XmlText } from './xml-text.js';

interface Columns {
  /** Whole numbers that every row has. */
  readonly numbers: readonly string[];
  /** Texts that some row has. */
  readonly texts: readonly string[];
  /** Nothing is imported from these. */
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

/** Stack Exchange began in 2008; communities that came from elsewhere may be older, the web's are not. */
const EARLIEST = '2000-01-01T00:00:00.000Z';
const MAX_RULES = 40;
const MIN_DAMAGED_ROWS = 10;
const MAX_DAMAGED_SHARE = 0.01;

/** A rule that a file breaks, first in `line`. */
export interface Problem {
  readonly file: DumpFile;
  readonly line?: number;
  readonly rule: string;
  readonly rows: number;
}

/** Whether one file of a dump is what its name says. Looks at all of it, and names each rule that is broken once. */
export class FileCheck {
  readonly droppedCharacters = new Map<string, number>();
  private readonly broken = new Map<string, { readonly line: number; rows: number }>();
  private readonly seen = new Set<string>();
  private readonly known: ReadonlySet<string>;
  private readonly latest: string;
  private stopped = false;
  private rows = 0;
  private damagedRows = 0;
  private isMostlyDamaged = false;

  /** @param now nothing in a dump is later */
  constructor(
    private readonly file: DumpFile,
    now: Date,
  ) {
    const { numbers, texts, others } = COLUMNS[file];
    this.known = new Set(['CreationDate', ...numbers, ...texts, ...others]);
    this.latest = now.toISOString();
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  /** The rest of the file is ignored. */
  stop(line: number, rule: string): void {
    if (!this.stopped) this.note(line, rule);
    this.stopped = true;
  }

  root(line: number, name: string): void {
    if (name.toLowerCase() !== this.file)
      this.stop(line, `the root element is <${name}>, not <${this.file}>`);
  }

  encoding(name: string): void {
    this.stop(1, `the encoding is ${name}, not UTF-8`);
  }

  rootless(line: number, why: string): void {
    this.stop(line, `not XML with the root element <${this.file}>: ${why}`);
  }

  dropped({ dropped, damagedRows, isMostlyDamaged }: XmlText): void {
    for (const [kind, count] of dropped) this.droppedCharacters.set(kind, count);
    this.damagedRows = damagedRows;
    this.isMostlyDamaged = isMostlyDamaged;
  }

  row({ line, attributes }: NumberedRow): void {
    this.rows += 1;
    for (const name of Object.keys(attributes)) {
      this.seen.add(name);
      if (!this.known.has(name)) this.note(line, `unknown column ${JSON.stringify(name)}`);
    }
    for (const name of COLUMNS[this.file].numbers) this.number(line, name, attributes);
    this.date(line, attributes['CreationDate']);
  }

  /** Once the file was read. */
  problems(): readonly Problem[] {
    const { file } = this;
    const { texts, mayBeEmpty } = COLUMNS[file];
    const found: Problem[] = Array.from(this.broken, ([rule, { line, rows }]) => ({
      file,
      line,
      rule,
      rows,
    }));
    if (this.isInAnotherEncoding()) found.unshift({ file, rule: this.notUtf8(), rows: 0 });
    if (this.stopped) return found;
    if (this.rows === 0) return mayBeEmpty ? found : [...found, { file, rule: 'has no rows', rows: 0 }];
    const missing = texts.filter((name) => !this.seen.has(name));
    return [...found, ...missing.map((name) => ({ file, rule: `no row has the column ${name}`, rows: 0 }))];
  }

  /** A few damaged bytes are dropped. Another encoding damages many rows, and in a file of few rows nearly every letter outside ASCII. */
  private isInAnotherEncoding(): boolean {
    const { damagedRows, isMostlyDamaged, rows } = this;
    if (damagedRows >= MIN_DAMAGED_ROWS && damagedRows > rows * MAX_DAMAGED_SHARE) return true;
    return damagedRows > 1 && isMostlyDamaged;
  }

  private notUtf8(): string {
    const [damaged, all] = [this.damagedRows, this.rows].map((count) => count.toLocaleString('en-US'));
    return `not UTF-8: ${damaged} of ${all} rows have bytes of another encoding; convert the file to UTF-8`;
  }

  private number(line: number, name: string, attributes: Attributes): void {
    const value = attributes[name];
    if (value === undefined) this.note(line, `the column ${name} is missing`);
    else if (integer(value) === null) this.note(line, `${name} is not a whole number`);
  }

  private date(line: number, value: string | undefined): void {
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

/** Refuses the dump with every problem in a line of its own. */
export const wrongFiles = (problems: readonly Problem[]): ImportError =>
  new ImportError(
    `Nothing was imported. Wrong in the dump:\n${problems.map((problem) => `  ${problemLine(problem)}`).join('\n')}`,
  );

/** One line for people. */
function problemLine({ file, line, rule, rows }: Problem): string {
  const where = line === undefined ? FILE_NAMES[file] : `${FILE_NAMES[file]}, line ${line}`;
  const others = rows - 1;
  const more =
    others > 0 ? ` (and in ${others.toLocaleString('en-US')} more row${others === 1 ? '' : 's'})` : '';
  return `${where}: ${rule}${more}`;
}

function words(text: string): readonly string[] {
  return text.split(' ');
}
