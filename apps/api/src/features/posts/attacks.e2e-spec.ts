import { ATTACKS } from '@nimo/rich-text/testing';
import { attackEveryField } from './testing/attacks.contract.js';

/** The first of each class; attacks.slow-spec.ts sends all of them. */
const oneOfEach = new Map(ATTACKS.toReversed().map((attack) => [attack.kind, attack]));

attackEveryField([...oneOfEach.values()]);
