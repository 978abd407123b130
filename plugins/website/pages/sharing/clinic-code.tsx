/** clinic-code: the page with the code that a clinic scans, which can be looked at until the link ends. */
import { errors } from '../../../../core/base/errors';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Head, Part } from '../../parts/layout';
import { Qr } from '../../parts/qr';
import { forBoth } from '../../parts/whose';
import { endClinicLink, linksAt, readClinicPlace } from './clinic';
import { AboutClinic, CLINIC_PATHS, End, timeWords } from './clinic-parts';

/** @throws errors.notFound for a link that has ended, as for one that never was */
async function showClinicCode(visit: PersonVisit): Promise<Answer> {
  const place = await readClinicPlace(visit);
  const link = linksAt(place).find(({ id }) => id === visit.params['LINK_ID']);
  if (link?.over !== null) {
    throw errors.notFound('link');
  }
  const { say } = visit.words;
  const { base, frame } = place.whose;
  return shown(
    say('clinic.code'),
    <>
      <Head title={say('clinic.code')} back={{ to: `${base}clinic`, text: say('clinic.title') }}>
        {say('clinic.code-about', { when: timeWords(visit, link.expiresAt) })}
      </Head>
      <Part title={say('clinic.scan')} hint={say('clinic.scan-hint')}>
        <Qr text={link.shlink} label={say('links.picture')} wide />
        <div class="buttons">
          <End visit={visit} base={base} link={link} />
        </div>
      </Part>
      <Part title={say('links.what')}>
        <AboutClinic visit={visit} link={link} />
      </Part>
      <Part title={say('clinic.text')} hint={say('clinic.text-hint')}>
        <p>
          <a href={link.text} dir="ltr" class="address">
            {link.text}
          </a>
        </p>
      </Part>
    </>,
    { record: frame, headers: { 'cache-control': 'no-store' } },
  );
}

export const clinicCode = forBoth((begin) =>
  page({
    path: `${begin}${CLINIC_PATHS.code}`,
    show: showClinicCode,
    submit: (visit) => endClinicLink(visit, visit.params['LINK_ID'] ?? ''),
  }),
);
