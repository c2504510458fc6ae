import { ATTACKS } from '../../../../../test/attacks.js';
import { attackEveryField } from './testing/attacks.contract.js';

attackEveryField(ATTACKS);
