/** site: three hundred decisions on the pages of the website with every test run; `site.rest.test.ts` makes 8,000. */
import * as Lab from '@hapi/lab';
import { siteTrial } from './site-trial';

export const lab = Lab.script();

siteTrial(lab, 300);
