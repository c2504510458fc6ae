import { ATTACKS } from '@nimo/rich-text/testing';
import { attackEveryField } from './testing/attacks.contract.js';

/** The first attack of each class; attacks.slow-spec.ts sends all. */
const oneOfEach = new Map(ATTACKS.toReversed().map((attack) => [attack.kind, attack]));

attackEveryField([...oneOfEach.values()]);
