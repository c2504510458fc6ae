import { ATTACKS } from '@nimo/rich-text/testing';
import { attackEveryField } from './testing/attacks.contract.js';

attackEveryField(ATTACKS);
