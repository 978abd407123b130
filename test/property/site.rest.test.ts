/** site: 20,000 decisions on the pages of the website on each database. */
import * as Lab from '@hapi/lab';
import { siteTrial } from './site-trial';

export const lab = Lab.script();

siteTrial(lab, 20_000);
