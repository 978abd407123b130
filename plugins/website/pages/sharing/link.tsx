/** link: the page that shows a health link in a browser: first a question, then the summary with its documents. */
import type { JSX } from 'preact';
import { WrongPasscode } from '../../../../core/base/errors';
import { resourceName, type Resource } from '../../../../core/fhir/resource';
import type { ValueOf } from '../../../../core/http/route';
import { dateWords } from '../../words/facts';
import { operations } from '../../http/operations';
import { fileToKeep } from '../documents/download';
import { go, openPage, shown, type Answer, type Visit } from '../../http/page';
import { Buttons, Field, Form, Summary, type Wrong } from '../../parts/form';
import { Head, Pairs, Part, Rows } from '../../parts/layout';
import { PrintedFor } from '../../parts/printed';
import { comma } from '../../words/words';
import { resourceWords } from '../../words/summary-words';
import { besideName, documentName as nameOfDocument, undatedName } from '../../words/kinds';

type Opened = ValueOf<typeof operations.links.healthLinkSummary>;

/** The address is a secret. No search engine may keep it, and no other site may receive it. */
const headers = { 'x-robots-tag': 'noindex', 'referrer-policy': 'same-origin', 'cache-control': 'no-store' };

function inLink({ params }: Visit) {
  return { HEALTH_LINK: params['HEALTH_LINK']! };
}
function inTicket(visit: Visit) {
  return { ...inLink(visit), LINK_TICKET: visit.params['LINK_TICKET']! };
}

async function question(visit: Visit, wrong?: Wrong): Promise<Answer> {
  const { say } = visit.words;
  const { hasPasscode } = await visit.ask(operations.links.healthLink, { params: inLink(visit) });
  const title = say('link.title');
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={['recipient', 'passcode']} />
      <Head title={title}>{say('link.about')}</Head>
      <Part title={say('link.who')} hint={say('link.who-hint')}>
        <Form visit={visit}>
          <Field
            label={say('link.recipient')}
            name="recipient"
            value={visit.form.text('recipient')}
            autocomplete="organization"
            dir="auto"
            most={200}
            required
            wrong={wrong}
          />
          {hasPasscode && (
            <Field
              label={say('links.passcode')}
              name="passcode"
              hint={say('link.passcode-hint')}
              autocomplete="off"
              exact
              required
              wrong={wrong}
            />
          )}
          <Buttons text={say('link.open')} first />
        </Form>
      </Part>
    </>,
    { headers, ...(wrong ? { status: wrong['passcode'] ? 403 : 400 } : {}) },
  );
}

async function open(visit: Visit): Promise<Answer> {
  const { words, form } = visit;
  const recipient = form.text('recipient');
  if (recipient === '') {
    return question(visit, { recipient: words.say('form.missing') });
  }
  try {
    const { ticket } = await visit.ask(operations.links.healthLinkOpen, {
      params: inLink(visit),
      body: { recipient: [...recipient].slice(0, 200).join(''), passcode: form.exact('passcode') },
    });
    return go(`${visit.path}/${ticket}`);
  } catch (error) {
    if (error instanceof WrongPasscode) {
      return question(visit, { passcode: words.say('link.passcode-wrong', { count: error.remaining }) });
    }
    throw error;
  }
}

type Reference = { readonly reference: string };
type Section = {
  readonly title: string;
  readonly code: { readonly coding: readonly [{ readonly code: string }] };
  readonly entry?: readonly Reference[];
};
type Name = { readonly text?: string; readonly given?: readonly string[]; readonly family?: string };

function resourcesIn({ summary }: Opened): readonly Resource[] {
  return (summary['entry'] as readonly { readonly resource: Resource }[]).map(({ resource }) => resource);
}

/** LOINC codes of sections -> their texts. */
const titles: Readonly<Record<string, string>> = {
  '11450-4': 'problems',
  '48765-2': 'allergies',
  '10160-0': 'medications',
  '11369-6': 'immunizations',
  '30954-2': 'results',
  '47519-4': 'procedures',
  '46264-8': 'devices',
  '11348-0': 'past',
  '8716-3': 'vitals',
};

/** Puts allergies first, as on the overview. */
function allergiesFirst(sections: readonly Section[]): readonly Section[] {
  return [true, false].flatMap((first) =>
    sections.filter(({ code }) => (titles[code.coding[0].code] === 'allergies') === first),
  );
}

/** The statuses of a medicine that is not taken, or no longer taken. */
const OVER = ['completed', 'stopped', 'cancelled', 'not-taken'];

/** Puts medicines that are over behind all others, so that a doctor first reads what is taken now. */
function overLast(resources: readonly Resource[]): readonly Resource[] {
  const over = ({ resourceType, status }: Resource): boolean =>
    resourceType.startsWith('Medication') && OVER.includes(String(status));
  return [false, true].flatMap((last) => resources.filter((one) => over(one) === last));
}

function OneSection({
  visit,
  section: { code, title, entry = [] },
  find,
}: {
  visit: Visit;
  section: Section;
  find: (name: string) => Resource | undefined;
}): JSX.Element {
  const { say } = visit.words;
  const text = titles[code.coding[0].code];
  const all = overLast(entry.flatMap(({ reference }) => find(reference) ?? [])).flatMap((resource) => {
    const device = resource['device'] as Reference | undefined;
    return resourceWords(resource, visit, find(device?.reference ?? '') ?? resource);
  });
  // Several codes may mean the same reading. The latest is the first, and the others are left out.
  const said = all.filter(
    ({ reading }, index) => reading === undefined || all.findIndex((other) => other.reading === reading) === index,
  );
  return (
    <Part title={text === undefined ? title : say(`link.${text}`)}>
      {said.length === 0 ? (
        <p class="soft">{say('link.nothing')}</p>
      ) : (
        <Rows kind="two">
          {said.map(({ name, parts, date }) => (
            <li>
              <div>
                <span class="name">
                  <bdi>{name}</bdi>
                </span>
                {parts.length > 0 && (
                  <p>
                    {parts.map((part, index) => (
                      <>
                        {index > 0 && comma(visit.words)}
                        <bdi>{part}</bdi>
                      </>
                    ))}
                  </p>
                )}
              </div>
              <span class="by">{date}</span>
            </li>
          ))}
        </Rows>
      )}
    </Part>
  );
}

function personIn(resources: readonly Resource[]) {
  const patient = resources.find(({ resourceType }) => resourceType === 'Patient');
  const [name] = (patient?.['name'] ?? []) as readonly Name[];
  return {
    name: name ? (name.text ?? [...(name.given ?? []), name.family ?? ''].join(' ').trim()) : '',
    born: patient?.['birthDate'] as string | undefined,
    sex: patient?.['gender'] as string | undefined,
  };
}

function SharedDocuments({ visit, documents }: { visit: Visit; documents: Opened['documents'] }): JSX.Element {
  const { say } = visit.words;
  return (
    <Part title={say('frame.documents')} hint={say('link.documents-hint')}>
      <Rows>
        {documents.map((one) => (
          <li>
            <a class="name" href={`${visit.path}/documents/${encodeURIComponent(one.id)}`} download>
              <bdi>{nameOfDocument(one, visit)}</bdi>
            </a>
            <p class="by">{besideName(one, visit)}</p>
          </li>
        ))}
      </Rows>
    </Part>
  );
}

async function openLink(visit: Visit): Promise<Answer> {
  const { say, rich, date } = visit.words;
  const opened = await visit.ask(operations.links.healthLinkSummary, { params: inTicket(visit) });
  const resources = resourcesIn(opened);
  const { name, born, sex } = personIn(resources);
  const byName = new Map(resources.map((resource) => [resourceName(resource), resource]));
  const composition = resources.find(({ resourceType }) => resourceType === 'Composition');
  const title = name === '' ? say('link.title') : say('link.title-of', { name });
  return shown(
    title,
    <>
      {name !== '' && <PrintedFor visit={visit} name={name} born={born} />}
      <Head title={name === '' ? title : rich('link.title-of', { name: <bdi>{name}</bdi> })}>
        {say('link.until', { date: date(visit.now, 'time') })}
      </Head>
      {(born !== undefined || sex === 'female' || sex === 'male') && (
        <Part title={say('link.person')}>
          <Pairs
            pairs={[
              ...(born === undefined ? [] : [[say('form.born'), dateWords(born, visit.words)] as const]),
              ...(sex === 'female' || sex === 'male' ? [[say('form.sex'), say(`form.${sex}`)] as const] : []),
            ]}
          />
        </Part>
      )}
      {allergiesFirst((composition?.['section'] ?? []) as readonly Section[]).map((section) => (
        <OneSection visit={visit} section={section} find={(one) => byName.get(one)} />
      ))}
      {opened.documents.length > 0 && <SharedDocuments visit={visit} documents={opened.documents} />}
      <Part title={say('link.know')}>
        <p>{say('link.know-source')}</p>
        <p>{say('link.know-looked')}</p>
      </Part>
    </>,
    { headers },
  );
}

async function downloadShared(visit: Visit): Promise<Answer> {
  const params = { ...inTicket(visit), DOCUMENT_ID: visit.params['DOCUMENT_ID']! };
  const { document, ...stored } = await visit.ask(operations.links.healthLinkDocument, { params });
  const name = `${undatedName(document, visit)} ${document.createdAt.slice(0, 10)}`;
  return fileToKeep(visit, stored, name);
}

const path = '/link/{HEALTH_LINK}';

export const link = [
  openPage({ path, show: (visit) => question(visit), submit: open }),
  openPage({ path: `${path}/{LINK_TICKET}`, show: openLink }),
  openPage({ path: `${path}/{LINK_TICKET}/documents/{DOCUMENT_ID}`, show: downloadShared }),
];
