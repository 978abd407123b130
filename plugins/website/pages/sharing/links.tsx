/**
 * links: the page of the health links of a record: what each shows, how often it was opened, a picture for telephones,
 * and forms to make and end links.
 */
import type { ComponentChildren, JSX } from 'preact';
import { AppError, errors } from '../../../../core/base/errors';
import { newToken } from '../../../../core/base/ids';
import type { ValueOf } from '../../../../core/http/route';
import { isDay } from '../../words/day';
import { documentKind, ownDate, saidOf, titleOf } from '../../words/kinds';
import { operations } from '../../http/operations';
import { go, page, shown, type Answer, type PersonVisit, type Shown } from '../../http/page';
import { Buttons, Field, Form, Select, Summary, What, type Wrong } from '../../parts/form';
import { Head, Pairs, Part, Rows, Say, Tag } from '../../parts/layout';
import { Qr } from '../../parts/qr';
import { inRecord } from '../../parts/record-frame';
import { whoseNamed, type Whose } from '../../parts/whose';
import { commaSeparated } from '../../words/words';
import { ClinicRow } from './clinic-parts';
import { pointInTime } from '../../words/zoned';
import { circleName } from '../../words/circle-names';

type Link = ValueOf<typeof operations.links.recordLinks>[number];
type Found = ValueOf<typeof operations.documents.recordDocumentSearch>;
type Chosen = ValueOf<typeof operations.documents.recordDocumentsListed>;

/** How many documents are shown to choose from; others are searched for. */
const CHOICE = 50;
const MOST_SEARCHED = 200;
const ID_CHARACTERS = 36;
/** How many chosen documents are kept while the person searches for others; a link accepts twenty. */
const MOST_CHOSEN = 50;

/** Whether the person searches for documents and does not make a link yet. */
function isLooking({ form }: PersonVisit): boolean {
  return form.text('what') === 'find' || form.text('place') !== '';
}

function linkName(visit: PersonVisit, { label, createdAt }: Link): string {
  return label || visit.words.say('links.unnamed', { date: visit.words.date(createdAt) });
}

function End({ visit, whose, link }: { visit: PersonVisit; whose: Whose; link: Link }): JSX.Element {
  return (
    <Form visit={visit} action={`${whose.base}links`}>
      <What name="end" />
      <input type="hidden" name="link" value={link.id} />
      <button class="button little end">
        {visit.words.say('links.end')}
        <span class="unseen"> {linkName(visit, link)}</span>
      </button>
    </Form>
  );
}

function Ends({ visit, link }: { visit: PersonVisit; link: Link }): JSX.Element {
  const { say, date } = visit.words;
  if (link.over === 'passcodes') {
    return <Tag tone="alert">{say('links.over-passcodes')}</Tag>;
  }
  if (link.over === 'openings') {
    return <Tag tone="off">{say('links.over-openings')}</Tag>;
  }
  if (link.expiresAt === null) {
    return <>{say('links.never')}</>;
  }
  const when = date(link.expiresAt, 'time');
  return link.over === 'expired' ? <Tag tone="off">{say('links.over-expired', { date: when })}</Tag> : <>{when}</>;
}

/** What the link shows, and who has opened it. */
function AboutLink({ visit, link }: { visit: PersonVisit; link: Link }): JSX.Element {
  const { say, rich, number, date } = visit.words;
  const [last] = link.opened;
  const opened: ComponentChildren = last
    ? rich('links.opened', { count: number(link.openings), when: date(last.at, 'time'), by: <bdi>{last.by}</bdi> })
    : say('links.unopened');
  return (
    <Pairs
      pairs={[
        [
          say('links.shows'),
          <>
            {link.carenetName === null
              ? say('links.shows-all')
              : rich('links.shows-part', { carenet: <bdi>{circleName(link.carenetName, visit.words)}</bdi> })}
            {link.documents > 0 && ` ${say('links.with-documents', { count: link.documents })}`}
          </>,
        ],
        [say('links.passcode'), say(link.hasPasscode ? 'links.asked' : 'links.not-asked')],
        [say('links.ends'), <Ends visit={visit} link={link} />],
        [
          say('links.openings'),
          <>
            {opened}
            {link.mostOpenings !== null && `; ${say('links.most-openings', { count: link.mostOpenings })}`}
          </>,
        ],
        ...(link.makerId === visit.person.principal.accountId
          ? []
          : [[say('links.maker'), <bdi>{link.makerName}</bdi>] as [string, ComponentChildren]]),
      ]}
    />
  );
}

function Address({ visit, link }: { visit: PersonVisit; link: Link }): JSX.Element {
  return (
    <p class="more">
      <a href={link.text} dir="ltr" class="address">
        {link.text}
      </a>
      <br />
      <span class="soft">{visit.words.say('links.address-about')}</span>
    </p>
  );
}

function One({ visit, whose, link }: { visit: PersonVisit; whose: Whose; link: Link }): JSX.Element {
  return (
    <li>
      <div>
        <a class="name" href={`${whose.base}links/${encodeURIComponent(link.id)}`}>
          <bdi>{linkName(visit, link)}</bdi>
        </a>
        <AboutLink visit={visit} link={link} />
      </div>
      <End visit={visit} whose={whose} link={link} />
    </li>
  );
}

function DocumentBox({
  visit,
  one,
  ticked,
}: {
  visit: PersonVisit;
  one: Chosen[number];
  ticked: boolean;
}): JSX.Element {
  const { words } = visit;
  const [title, kind, said] = [titleOf(one, visit), documentKind(one, visit), saidOf(one, visit)];
  const day = ownDate(one, visit) || words.say('overview.added', { date: words.date(one.createdAt) });
  return (
    <label class="choice">
      <input type="checkbox" name="document" value={one.id} checked={ticked} />
      <span>
        <bdi>{title}</bdi>
        <span class="hint">
          <bdi>{said || commaSeparated([kind === title ? '' : kind, day], words)}</bdi>
        </span>
      </span>
    </label>
  );
}

/** A button that leads to documents that are not shown. It sends the whole form, which is shown again as it was. */
function Look({ visit, name, value, text }: { visit: PersonVisit; name: string; value: string; text: string }) {
  return (
    <button class="button little" name={name} value={value} formaction={`${visit.path}#choice`}>
      {text}
    </button>
  );
}

function Search({ visit, found }: { readonly visit: PersonVisit; readonly found: Found }): JSX.Element {
  const { say } = visit.words;
  return (
    <>
      <Field
        label={say('links.find')}
        name="q"
        type="search"
        hint={say('links.find-hint', { shown: found.documents.length, count: found.total })}
        value={visit.form.text('q')}
        autocomplete="off"
      />
      <div class="buttons">
        <Look visit={visit} name="what" value="find" text={say('documents.search')} />
      </div>
    </>
  );
}

function Leaf({ visit, pages: { previous, next } }: { visit: PersonVisit; pages: Found['pages'] }) {
  const { say } = visit.words;
  return previous === undefined && next === undefined ? null : (
    <div class="buttons">
      {previous !== undefined && <Look visit={visit} name="place" value={previous} text={say('pager.previous')} />}
      {next !== undefined && <Look visit={visit} name="place" value={next} text={say('pager.next')} />}
    </div>
  );
}

function Choice({ visit, found, chosen }: { visit: PersonVisit; found: Found; chosen: Chosen }): JSX.Element {
  const { say } = visit.words;
  const ticked = visit.form.all('document');
  const listed = new Set(found.documents.map(({ id }) => id));
  const more = isLooking(visit) || found.total > found.documents.length;
  return (
    <details class="more stack" id="choice" open={ticked.length > 0 || isLooking(visit)}>
      <summary>{say('links.documents')}</summary>
      <p class="soft">{say('links.documents-about')}</p>
      {more && <Search visit={visit} found={found} />}
      <fieldset>
        <legend class="unseen">{say('links.documents')}</legend>
        {[...chosen.filter(({ id }) => !listed.has(id)), ...found.documents].map((one) => (
          <DocumentBox visit={visit} one={one} ticked={ticked.includes(one.id)} />
        ))}
        {found.documents.length === 0 && <p>{say('links.none-found')}</p>}
      </fieldset>
      <Leaf visit={visit} pages={found.pages} />
    </details>
  );
}

type Making = {
  readonly visit: PersonVisit;
  readonly carenets: readonly { readonly id: string; readonly name: string }[];
  readonly found: Found;
  readonly chosen: Chosen;
  readonly wrong: Wrong | undefined;
};

type LimitOf = { readonly visit: PersonVisit; readonly value: string; readonly wrong: Wrong | undefined };

function Limit({ visit: { words }, value, wrong }: LimitOf): JSX.Element {
  return (
    <Field
      label={words.say('links.openings')}
      name="openings"
      hint={words.say('links.limit-hint')}
      type="number"
      numeric
      short
      value={value}
      wrong={wrong}
    />
  );
}

function Make({ visit, carenets, found, chosen, wrong }: Making): JSX.Element {
  const { say } = visit.words;
  const again = wrong !== undefined || isLooking(visit);
  const kept = (name: string): string => (again ? visit.form.text(name) : '');
  return (
    <Part title={say('links.make')} hint={say('links.make-hint')}>
      <Form visit={visit}>
        <What name="create" />
        <input type="hidden" name="form" value={kept('form') || newToken()} />
        <Field
          label={say('links.label')}
          name="label"
          hint={say('links.label-hint')}
          value={kept('label')}
          autocomplete="off"
          most={80}
          wrong={wrong}
        />
        <Select
          label={say('links.shows')}
          name="carenet"
          value={kept('carenet')}
          options={[
            { value: '', text: say('links.shows-all') },
            ...carenets.map(({ id, name }) => ({ value: id, text: say('links.in-carenet', { carenet: name }) })),
          ]}
          wrong={wrong}
        />
        <Field
          label={say('links.passcode')}
          name="passcode"
          hint={say('links.passcode-hint')}
          value={again ? visit.form.exact('passcode') : ''}
          autocomplete="off"
          exact
          most={100}
          wrong={wrong}
        />
        <Field
          label={say('links.ends')}
          name="ends"
          hint={say('links.ends-hint')}
          type="date"
          value={kept('ends')}
          short
          wrong={wrong}
        />
        <Limit visit={visit} value={kept('openings')} wrong={wrong} />
        {(found.total > 0 || isLooking(visit)) && <Choice visit={visit} found={found} chosen={chosen} />}
        <Buttons text={say('links.create')} first />
      </Form>
    </Part>
  );
}

const notes = ['ended', 'not-there'] as const;

/** The fields of the form in their order. */
const FIELDS = ['label', 'carenet', 'passcode', 'ends', 'openings', 'document'];

async function linksView(visit: PersonVisit, wrong?: Wrong, said = visit.query['note']): Promise<Shown> {
  const note = notes.find((known) => known === said);
  const { say } = visit.words;
  const params = inRecord(visit);
  const ids = visit.form.all('document').filter((id) => id !== '' && id.length <= ID_CHARACTERS);
  const ticked = ids.slice(0, MOST_CHOSEN);
  const [links, clinic, record, carenets, found, chosen] = await Promise.all([
    visit.ask(operations.links.recordLinks, { params }),
    visit.ask(operations.links.recordClinic, { params }),
    visit.ask(operations.records.record, { params }),
    visit.ask(operations.carenets.carenetList, { params, query: { limit: '100' } }),
    visit.ask(operations.documents.recordDocumentSearch, {
      params,
      query: {
        q: [...visit.form.text('q')].slice(0, MOST_SEARCHED).join(''),
        language: visit.words.language,
        limit: String(CHOICE),
        place: visit.form.text('place'),
      },
    }),
    ticked.length > 0
      ? visit.ask(operations.documents.recordDocumentsListed, { params, query: { ids: ticked.join(',') } })
      : [],
  ]);
  const whose = whoseNamed(visit, record.label);
  const title = say('links.title');
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={FIELDS} />
      {!wrong && note && <Say tone="good" role="status" title={say(`links.note-${note}`)} />}
      <Head title={title} back={{ to: `${whose.base}sharing`, text: say('sharing.title') }}>
        {say('links.about')}
      </Head>
      <Part title={say('links.made')}>
        {links.length === 0 ? (
          <p>{say('links.none')}</p>
        ) : (
          <Rows kind="do">
            {links.map((link) => (
              <One visit={visit} whose={whose} link={link} />
            ))}
          </Rows>
        )}
      </Part>
      {clinic.links.length > 0 && (
        <Part title={say('clinic.links')}>
          <Rows kind="do">
            {clinic.links.map((link) => (
              <ClinicRow visit={visit} base={whose.base} link={link} />
            ))}
          </Rows>
        </Part>
      )}
      <Make visit={visit} carenets={carenets.carenets} found={found} chosen={chosen} wrong={wrong} />
    </>,
    { record: whose.frame, ...(wrong ? { status: 400 } : {}) },
  );
}

/** Fields of the operation -> those of the form. */
const fieldOf: Readonly<Record<string, string>> = {
  expires: 'ends',
  documents: 'document',
  carenet: 'carenet',
  label: 'label',
  passcode: 'passcode',
  openings: 'openings',
};

async function createLink(visit: PersonVisit): Promise<Answer> {
  const { words, form } = visit;
  const ends = form.text('ends');
  if (ends !== '' && !isDay(ends)) {
    return linksView(visit, { ends: words.say('links.ends-wrong') });
  }
  // A link ends at the end of that day in the time zone of the person.
  const expires = ends === '' ? '' : new Date(pointInTime(words.zone, ends, '23:59')).toISOString();
  try {
    const id = await visit.ask(operations.links.recordLinkCreate, {
      params: inRecord(visit),
      body: {
        label: form.text('label'),
        passcode: form.exact('passcode'),
        expires,
        carenet: form.text('carenet'),
        documents: form.all('document').join(','),
        openings: form.text('openings'),
      },
      form: { token: form.text('form') || newToken() },
    });
    return go(`${visit.path}/${encodeURIComponent(id)}?note=made`);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 400) {
      throw error;
    }
    const field = Object.entries(fieldOf).find(([name]) => error.message.includes(`parameter ${name} `))?.[1];
    return linksView(visit, { [field ?? 'label']: words.say(field ? `links.${field}-wrong` : 'links.too-many') });
  }
}

async function end(visit: PersonVisit): Promise<Answer> {
  const params = { ...inRecord(visit), LINK_ID: visit.form.text('link') || '-' };
  try {
    await visit.ask(operations.links.recordLinkEnd, { params });
  } catch (error) {
    // The button was pressed twice, or somebody else has ended the link meanwhile.
    if (error instanceof AppError && error.code === 'not_found') {
      return { ...(await linksView(visit, undefined, 'not-there')), status: 404 };
    }
    throw error;
  }
  return go(`${visit.path}?note=ended`);
}

async function lookAtLink(visit: PersonVisit): Promise<Answer> {
  const { say, rich, date } = visit.words;
  const params = inRecord(visit);
  const [links, record] = await Promise.all([
    visit.ask(operations.links.recordLinks, { params }),
    visit.ask(operations.records.record, { params }),
  ]);
  const link = links.find(({ id }) => id === visit.params['LINK_ID']);
  if (!link) {
    throw errors.notFound('link');
  }
  const whose = whoseNamed(visit, record.label);
  const title = linkName(visit, link);
  return shown(
    title,
    <>
      {visit.query['note'] === 'made' && <Say tone="good" role="status" title={say('links.note-made')} />}
      <Head title={<bdi>{title}</bdi>} back={{ to: `${whose.base}links`, text: say('links.title') }}>
        {say('links.show-it')}
      </Head>
      {link.over === null && (
        <Part title={say('links.give')} hint={say('links.give-hint')}>
          <Qr text={link.text} label={say('links.picture')} wide />
          <Address visit={visit} link={link} />
        </Part>
      )}
      <Part title={say('links.what')}>
        <AboutLink visit={visit} link={link} />
        <div class="buttons">
          <End visit={visit} whose={whose} link={link} />
        </div>
      </Part>
      {link.opened.length > 0 && (
        <Part title={say('links.openings')} hint={say('links.openings-hint')}>
          <Rows>
            {link.opened.map(({ at, by }) => (
              <li>{rich('links.one-opening', { when: date(at, 'time'), by: <bdi>{by}</bdi> })}</li>
            ))}
          </Rows>
        </Part>
      )}
    </>,
    { record: whose.frame },
  );
}

export const links = [
  page({
    path: '/records/{RECORD_ID}/links',
    show: (visit) => linksView(visit),
    submit: (visit) => {
      const what = visit.form.text('what');
      if (what === 'end') {
        return end(visit);
      }
      return what === 'create' && !isLooking(visit) ? createLink(visit) : linksView(visit);
    },
  }),
  page({ path: '/records/{RECORD_ID}/links/{LINK_ID}', show: lookAtLink }),
];
