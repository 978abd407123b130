/** site: 8,000 decisions on the pages of the website on each database. */
import * as Lab from '@hapi/lab';
import { siteTrial } from './site-trial';

export const lab = Lab.script();

siteTrial(lab, 8000);
