import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventCodec, withCodec } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { REWRITING_EVENTS } from './registry.js';
import { studentsProjection } from './students/students.projection.js';
import { liveHash } from '@nimo/projection-engine/testing';
import { ProjectionMaintenance, ProjectionWorker } from '@nimo/projection-engine';
import { EventHistory } from './testing/event-history.fixture.js';

describe('verification', () => {
  let database: TestDatabase;
  let worker: ProjectionWorker | undefined;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await worker?.stop();
    await database.drop();
  });

  it('finds a real difference, but none from an erasure while it runs', async () => {
    const pool = database.pool();
    const log = new InMemoryEventStore();
    const past = new EventHistory();
    const studentId = past.newStudent();
    past.newStudent();
    const before = past.appends.length;
    past.erase(studentId);
    const [erasure] = past.appends.slice(before);
    if (!erasure) throw new Error('no erasure was appended');
    let isFolding = false;
    let isErased = false;
    // Decodes like the application: without the sealed data of an erased student.
    const codec: EventCodec = {
      encode: async (events) => [...events],
      decode: async (events) => {
        if (isFolding && events.some(({ type }) => type === 'StudentRegistered')) {
          isFolding = false;
          await log.append([erasure]);
          isErased = true;
        }
        return events.map((event) =>
          isErased && event.type === 'StudentRegistered' && event.data['studentId'] === studentId
            ? {
                ...event,
                data: { ...event.data, userName: null, firstName: null, lastName: null, profileDesc: null },
              }
            : event,
        );
      },
    };
    const store = withCodec(log, codec);
    const options = { pool, store, projections: [studentsProjection] };
    await store.append(past.appends.slice(0, before));
    worker = new ProjectionWorker({
      ...options,
      rewriting: REWRITING_EVENTS,
      onError: () => undefined,
      retryMs: 20,
    });
    await worker.start();
    await liveHash(pool, studentsProjection, store);
    isFolding = true;
    const maintenance = new ProjectionMaintenance(options);
    expect(await maintenance.verify('students')).toMatchObject({ outcome: 'EQUAL' });
    expect(isErased).toBe(true);

    await liveHash(pool, studentsProjection, store);
    await pool.query(`update read.students set user_name = 'tampered' where student_id <> $1`, [studentId]);
    expect(await maintenance.verify('students')).toMatchObject({ outcome: 'DIFFERENT' });
  });
});
