import { GrowingList, HashedNumbers, mixed, spread } from './postings.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const WORDS = 4;
const HEX = 16;
const HEX_DIGITS = 8;
/** Where the parts of an id end that is written in five. */
const DASHES = [8, 12, 16, 20];
const QUARTER = new Uint32Array(WORDS);

/** Ids under numbers from one on; zero is none. Nearly all are UUIDs, which take 16 bytes here and a hundred as texts. */
export class Ids {
  private readonly quarters = new GrowingList(new Uint32Array(WORDS));
  private readonly hashed = new HashedNumbers((number) => this.hashAt(number));
  /** Those that are no UUIDs, under numbers of the same row. */
  private readonly others = new Map<string, number>();
  private readonly otherTexts = new Map<number, string>();
  private count = 0;

  get bytes(): number {
    return this.quarters.bytes + this.hashed.bytes;
  }

  at(number: number): string {
    const other = this.otherTexts.get(number);
    if (other !== undefined) return other;
    let digits = '';
    for (let place = 0; place < WORDS; place += 1)
      digits += this.quarterOf(number, place).toString(HEX).padStart(HEX_DIGITS, '0');
    return [...DASHES, digits.length].map((end, part) => digits.slice(DASHES[part - 1] ?? 0, end)).join('-');
  }

  numberOf(id: string): number | undefined {
    if (!UUID.test(id)) return this.others.get(id);
    readQuarters(id);
    return this.find(hashOfQuarter());
  }

  add(id: string): number {
    if (!UUID.test(id)) return this.addOther(id);
    readQuarters(id);
    const hash = hashOfQuarter();
    const known = this.find(hash);
    if (known !== undefined) return known;
    this.count += 1;
    for (let place = 0; place < WORDS; place += 1)
      this.quarters.set(this.count * WORDS + place, QUARTER[place] ?? 0);
    this.hashed.add(hash, this.count);
    return this.count;
  }

  private addOther(id: string): number {
    const known = this.others.get(id);
    if (known !== undefined) return known;
    this.count += 1;
    this.others.set(id, this.count);
    this.otherTexts.set(this.count, id);
    return this.count;
  }

  private quarterOf(number: number, place: number): number {
    return this.quarters.at(number * WORDS + place);
  }

  private find(hash: number): number | undefined {
    return this.hashed.find(hash, (number) => {
      for (let place = 0; place < WORDS; place += 1)
        if (this.quarterOf(number, place) !== QUARTER[place]) return false;
      return true;
    });
  }

  private hashAt(number: number): number {
    for (let place = 0; place < WORDS; place += 1) QUARTER[place] = this.quarterOf(number, place);
    return hashOfQuarter();
  }
}

function readQuarters(id: string): void {
  let digits = 0;
  for (let place = 0; place < id.length; place += 1) {
    const code = id.charCodeAt(place);
    if (code === 45) continue;
    const quarter = digits >> 3;
    QUARTER[quarter] = ((QUARTER[quarter] ?? 0) << 4) | (code < 58 ? code - 48 : code - 87);
    digits += 1;
  }
}

function hashOfQuarter(): number {
  let hash = 0;
  for (const quarter of QUARTER) hash = mixed(hash, quarter);
  return spread(hash);
}
