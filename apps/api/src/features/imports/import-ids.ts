import { v5 as uuidv5 } from 'uuid';

const NAMESPACE = 'c2a9f0d4-5b7e-5c31-8f6a-1e0d7b94a2f3';

/** All ids of one import, from the identity of what is imported and the name of its space: the same however often it runs. */
export class ImportIds {
  readonly importId: string;

  constructor(identity: string, spaceName: string, source = 'stackexchange') {
    this.importId = uuidv5(`${source}:${identity}:${spaceName.trim().toLowerCase()}`, NAMESPACE);
  }

  /** @param attempt how many imports of the same were given up before */
  static of(identity: string, spaceName: string, attempt: number, source?: string): ImportIds {
    return new ImportIds(attempt === 0 ? identity : `${identity}:${attempt}`, spaceName, source);
  }

  /** Of the command for something in the dump. */
  command(what: string): string {
    return uuidv5(what, this.importId);
  }

  /** Here, of what has that id in an exported space. */
  moved(id: string): string {
    return this.command(`id:${id.toLowerCase()}`);
  }

  /** Of what that command creates, as `createdId` derives it. */
  created(what: string, kind: 'space' | 'subject' | 'question' | 'answer' | 'comment'): string {
    return uuidv5(kind, this.command(what));
  }

  student(author: string): string {
    return this.command(`student:${author}`);
  }

  standIn(voter: number): string {
    return this.command(`stand-in:${voter}`);
  }

  question(row: number): string {
    return this.created(`posts:${row}`, 'question');
  }

  answer(row: number): string {
    return this.created(`posts:${row}`, 'answer');
  }

  comment(row: number): string {
    return this.created(`comments:${row}`, 'comment');
  }
}
