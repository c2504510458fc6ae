import { GrowableArray, HashIndex, mixHash, finalizeHash } from './postings.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const QUARTER_COUNT = 4;
const HEX = 16;
const HEX_DIGITS = 8;
/** Ends of the first four groups of a UUID, in hex digits. */
const GROUP_ENDS = [8, 12, 16, 20];
const QUARTERS = new Uint32Array(QUARTER_COUNT);

/** Maps ids to numbers from 1; 0 means none. Nearly all ids are UUIDs, stored in 16 bytes instead of about 100 as strings. */
export class Ids {
  private readonly quarters = new GrowableArray(new Uint32Array(QUARTER_COUNT));
  private readonly index = new HashIndex((number) => this.hashAt(number));
  /** Ids that are not UUIDs, numbered from the same sequence. */
  private readonly others = new Map<string, number>();
  private readonly othersByNumber = new Map<number, string>();
  private count = 0;

  get bytes(): number {
    return this.quarters.bytes + this.index.bytes;
  }

  at(number: number): string {
    const other = this.othersByNumber.get(number);
    if (other !== undefined) return other;
    let digits = '';
    for (let position = 0; position < QUARTER_COUNT; position += 1)
      digits += this.quarterOf(number, position).toString(HEX).padStart(HEX_DIGITS, '0');
    return [...GROUP_ENDS, digits.length]
      .map((end, part) => digits.slice(GROUP_ENDS[part - 1] ?? 0, end))
      .join('-');
  }

  numberOf(id: string): number | undefined {
    if (!UUID.test(id)) return this.others.get(id);
    parseQuarters(id);
    return this.find(hashOfQuarters());
  }

  add(id: string): number {
    if (!UUID.test(id)) return this.addOther(id);
    parseQuarters(id);
    const hash = hashOfQuarters();
    const known = this.find(hash);
    if (known !== undefined) return known;
    this.count += 1;
    for (let position = 0; position < QUARTER_COUNT; position += 1)
      this.quarters.set(this.count * QUARTER_COUNT + position, QUARTERS[position] ?? 0);
    this.index.add(hash, this.count);
    return this.count;
  }

  private addOther(id: string): number {
    const known = this.others.get(id);
    if (known !== undefined) return known;
    this.count += 1;
    this.others.set(id, this.count);
    this.othersByNumber.set(this.count, id);
    return this.count;
  }

  private quarterOf(number: number, position: number): number {
    return this.quarters.at(number * QUARTER_COUNT + position);
  }

  private find(hash: number): number | undefined {
    return this.index.find(hash, (number) => {
      for (let position = 0; position < QUARTER_COUNT; position += 1)
        if (this.quarterOf(number, position) !== QUARTERS[position]) return false;
      return true;
    });
  }

  private hashAt(number: number): number {
    for (let position = 0; position < QUARTER_COUNT; position += 1)
      QUARTERS[position] = this.quarterOf(number, position);
    return hashOfQuarters();
  }
}

function parseQuarters(id: string): void {
  let digits = 0;
  for (let position = 0; position < id.length; position += 1) {
    const code = id.charCodeAt(position);
    if (code === 45) continue;
    const quarter = digits >> 3;
    QUARTERS[quarter] = ((QUARTERS[quarter] ?? 0) << 4) | (code < 58 ? code - 48 : code - 87);
    digits += 1;
  }
}

function hashOfQuarters(): number {
  let hash = 0;
  for (const quarter of QUARTERS) hash = mixHash(hash, quarter);
  return finalizeHash(hash);
}
