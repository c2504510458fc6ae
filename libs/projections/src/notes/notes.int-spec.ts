import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aggregate, type NoteEvent, noteDecider } from '@nimo/domain';
import { randomUUID } from 'node:crypto';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const past = new EventHistory();
const [spaceId, authorId] = [randomUUID(), randomUUID()];
const record = (studentId: string, ...events: NoteEvent[]) =>
  past.append(aggregate(noteDecider, spaceId, studentId).streamId, ...events);
const written = (studentId: string, text: string | null): NoteEvent => ({
  type: 'StudentNoteWritten',
  data: { noteId: randomUUID(), spaceId, studentId, authorId, text },
});
const textsOn = async (studentId: string): Promise<string[]> => {
  await side.record(past);
  const { rows } = await side.pool.query<{ notes: readonly { text: string }[] }>(
    'select notes from read.student_notes where student_id = $1',
    [studentId],
  );
  return rows.flatMap(({ notes }) => notes.map(({ text }) => text));
};

describe('notes on students', () => {
  it('stay in order until removed, also after a rebuild', async () => {
    const studentId = past.newStudent();
    const first = written(studentId, 'Spams');
    record(studentId, first, written(studentId, 'Has stopped'));
    expect(await textsOn(studentId)).toEqual(['Spams', 'Has stopped']);
    record(studentId, {
      type: 'StudentNoteRemoved',
      data: { noteId: first.data.noteId, spaceId, studentId },
    });
    expect(await textsOn(studentId)).toEqual(['Has stopped']);
    await side.rebuild('notes');
    expect(await textsOn(studentId)).toEqual(['Has stopped']);
  });

  it('leave no row after an erasure or after the last one is removed', async () => {
    const [erased, cleared] = [past.newStudent(), past.newStudent()];
    const only = written(cleared, 'Spams');
    record(erased, written(erased, 'Spams'));
    record(cleared, only);
    past.erase(erased);
    // The log returns a null text for an erased student.
    record(erased, written(erased, null));
    record(cleared, { type: 'StudentNoteRemoved', data: { ...only.data } });
    expect(await textsOn(erased)).toEqual([]);
    const { rowCount } = await side.pool.query('select from read.student_notes where student_id = any($1)', [
      [erased, cleared],
    ]);
    expect(rowCount).toBe(0);
  });
});
