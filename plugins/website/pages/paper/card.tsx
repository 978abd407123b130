/** card: the emergency card of a record: large on the screen, as a PDF, as a code; and the ticks that say what is on it. */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import { operations } from '../../http/operations';
import { go, page, shown, type Answer, type PersonVisit, type Shown } from '../../http/page';
import { Buttons, Field, Form, idOf, Summary, type Wrong } from '../../parts/form';
import { Tile } from '../../parts/icons';
import { Head, Part, Say } from '../../parts/layout';
import { Qr } from '../../parts/qr';
import { inRecord, recordBase } from '../../parts/record-frame';
import { localTime } from '../../words/zoned';

type View = ValueOf<typeof operations.papers.recordCard>;
type Choices = View['choices'];

const PATH = '/records/{RECORD_ID}/card';
const KINDS = ['allergies', 'medicines', 'problems', 'procedures'] as const;
const NOTES = ['organ', 'directive'] as const;
/** How many people to call can be written for the card alone. */
const OWN = [0, 1, 2] as const;
/** The longest line, as in the details of a record; and the longest note. */
const [LONGEST, LONGEST_NOTE] = [200, 120];

function spoken({ words: { language, zone } }: PersonVisit) {
  return { language, zone };
}

function askCard(visit: PersonVisit): Promise<View> {
  return visit.ask(operations.papers.recordCard, { params: inRecord(visit), query: spoken(visit) });
}

type TickProps = { readonly name: string; readonly value?: string; readonly on: boolean; readonly text: string };

function CardTick({ name, value = '1', on, text }: TickProps): JSX.Element {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value={value} checked={on} />
      <span>
        <bdi>{text}</bdi>
      </span>
    </label>
  );
}

function titleInBoth({ title, english }: View['paper']['lines'][number]): JSX.Element {
  return (
    <>
      {title}
      {english !== '' && (
        <>
          {' '}
          <span class="by" lang="en" dir="ltr">
            {english}
          </span>
        </>
      )}
    </>
  );
}

/** The card itself, in large letters. */
function Shows({ view: { paper } }: { readonly view: View }): JSX.Element {
  return (
    <section class="emergency stack" aria-label={paper.title}>
      <p class="who">
        <b>{paper.person.name}</b> {paper.person.born}
      </p>
      {paper.lines.map((line) => (
        <div class={line.alert ? 'line-of alert' : 'line-of'}>
          <h2>{titleInBoth(line)}</h2>
          <ul>
            {line.items.map((item) => (
              <li>
                <bdi>{item}</bdi>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p class="by">{paper.made}</p>
    </section>
  );
}

function Code({ visit, view }: { readonly visit: PersonVisit; readonly view: View }): JSX.Element {
  const { say } = visit.words;
  return (
    <Part title={say('card.code')} hint={say('card.code-hint')}>
      <Qr text={view.text} label={say('card.code')} wide />
      <details class="more">
        <summary>{say('card.text')}</summary>
        <p class="as-written" dir="auto">
          {view.text}
        </p>
      </details>
      <p class="by">{say('card.part')}</p>
    </Part>
  );
}

type Choosing = { readonly visit: PersonVisit; readonly view: View; readonly wrong?: Wrong | undefined };

function ownName(at: number): string {
  return `own-${at}`;
}

function detailsLink(visit: PersonVisit, key: string): ReturnType<PersonVisit['words']['rich']> {
  return visit.words.rich(key, { a: (chunks) => <a href={`${recordBase(visit)}details`}>{chunks}</a> });
}

function People({ visit, view: { choices, known }, wrong }: Choosing): JSX.Element {
  const { say } = visit.words;
  return (
    <fieldset id={idOf('contacts')}>
      <legend>{say('card.contacts')}</legend>
      <p class="by">{detailsLink(visit, 'card.known')}</p>
      {known.map((line) => (
        <CardTick name="contact" value={line} on={choices.contacts.includes(line)} text={line} />
      ))}
      {OWN.map((at) => {
        const line = choices.own[at] ?? '';
        return (
          <>
            <Field
              label={`${say('card.own')} (${visit.words.number(at + 1)})`}
              hint={say('card.own-hint')}
              name={ownName(at)}
              value={line}
              wrong={wrong}
              autocomplete="off"
              dir="auto"
            />
            <CardTick
              name={`${ownName(at)}-on`}
              on={line !== '' && choices.contacts.includes(line)}
              text={`${say('card.on')} (${visit.words.number(at + 1)})`}
            />
          </>
        );
      })}
    </fieldset>
  );
}

function Notes({ visit, view: { choices }, wrong }: Choosing): JSX.Element {
  const { say } = visit.words;
  const on = { organ: choices.hasOrgan, directive: choices.hasDirective };
  return (
    <fieldset>
      <legend>{say('card.notes')}</legend>
      {NOTES.map((name) => (
        <>
          <Field
            label={say(`card.${name}`)}
            hint={say(`card.${name}-hint`)}
            name={name}
            value={choices[name]}
            wrong={wrong}
            autocomplete="off"
            dir="auto"
          />
          <CardTick name={`${name}-on`} on={on[name]} text={say(`card.${name}-on`)} />
        </>
      ))}
    </fieldset>
  );
}

/** Folded once there is a card: that comes first, and the form needs a network. */
function Choose({ visit, view, wrong }: Choosing): JSX.Element {
  const { say } = visit.words;
  const { choices, blood } = view;
  return (
    <div class="no-print">
      <Part title={say('card.what')} hint={say('card.what-hint')}>
        <details class="more" open={wrong !== undefined || view.paper.lines.length === 0}>
          <summary>{say('card.change')}</summary>
          <Form visit={visit}>
            <fieldset>
              <legend>{say('card.kinds')}</legend>
              {KINDS.map((kind) => (
                <CardTick name="kind" value={kind} on={choices.kinds.includes(kind)} text={say(`card.kind-${kind}`)} />
              ))}
              {blood === '' ? (
                <p class="by">{detailsLink(visit, 'card.no-blood')}</p>
              ) : (
                <CardTick name="blood" on={choices.blood} text={say('card.blood', { group: blood })} />
              )}
            </fieldset>
            <People visit={visit} view={view} wrong={wrong} />
            <Notes visit={visit} view={view} wrong={wrong} />
            <Buttons text={say('card.save')} first />
          </Form>
        </details>
      </Part>
    </div>
  );
}

/** What was typed is shown again where something of it is wrong. */
function cardPage(visit: PersonVisit, view: View, wrong?: Wrong, saved = false): Shown {
  const { say } = visit.words;
  const base = recordBase(visit);
  const title = say('card.title');
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={[...OWN.map(ownName), ...NOTES]} />
      {saved && <Say tone="good" role="status" title={say('card.saved')} />}
      <Head
        title={title}
        avatar={<Tile name="alert" kind="k-all" />}
        action={
          view.canPrint && (
            <span class="buttons no-print">
              <a class="button first" href={`${base}card.pdf`}>
                {say('card.pdf')}
              </a>
            </span>
          )
        }
      >
        {say('card.about')}
      </Head>
      {!view.canPrint && <Say tone="wait" title={say('card.cannot')} />}
      {view.paper.lines.length === 0 && <p class="soft no-print">{say('card.empty')}</p>}
      <div class="halves">
        <div class="stack">
          <Shows view={view} />
          <Code visit={visit} view={view} />
        </div>
        <Choose visit={visit} view={view} wrong={wrong} />
      </div>
    </>,
    {
      record: { base, name: view.label },
      headers: { 'cache-control': 'no-store' },
      ...(wrong ? { status: 400 } : {}),
    },
  );
}

function oneLine(typed: string): string {
  return typed.replace(/\s+/g, ' ').trim();
}

/** What the form says, as choices. */
function choicesIn({ form }: PersonVisit): Choices {
  const typed = OWN.map((at) => oneLine(form.text(ownName(at))));
  const ticked = typed.filter((line, at) => line !== '' && form.text(`${ownName(at)}-on`) !== '');
  return {
    kinds: KINDS.filter((kind) => form.all('kind').includes(kind)),
    blood: form.text('blood') !== '',
    contacts: [...form.all('contact').map(oneLine), ...ticked],
    own: typed.filter((line) => line !== ''),
    organ: oneLine(form.text('organ')),
    hasOrgan: form.text('organ-on') !== '',
    directive: oneLine(form.text('directive')),
    hasDirective: form.text('directive-on') !== '',
  };
}

function wrongChoices({ words: { say } }: PersonVisit, choices: Choices): Wrong {
  const long = (text: string, most: number): boolean => [...text].length > most;
  return Object.fromEntries([
    ...OWN.filter((at) => long(choices.own[at] ?? '', LONGEST)).map((at) => [
      ownName(at),
      say('card.wrong', { most: LONGEST }),
    ]),
    ...NOTES.filter((name) => long(choices[name], LONGEST_NOTE)).map((name) => [
      name,
      say('card.wrong', { most: LONGEST_NOTE }),
    ]),
  ]) as Wrong;
}

async function saveCard(visit: PersonVisit): Promise<Answer> {
  const view = await askCard(visit);
  const typed = choicesIn(visit);
  // Somebody whom nobody names any more, and what a form was made to say, is not ticked.
  const choices = {
    ...typed,
    contacts: typed.contacts.filter((line) => view.known.includes(line) || typed.own.includes(line)),
  };
  const wrong = wrongChoices(visit, choices);
  if (Object.keys(wrong).length > 0) {
    return cardPage(visit, { ...view, choices }, wrong);
  }
  await visit.ask(operations.papers.recordCardSave, {
    params: inRecord(visit),
    body: {
      ...choices,
      kinds: choices.kinds.join(','),
      blood: String(choices.blood),
      contacts: choices.contacts.join('\n'),
      own: choices.own.join('\n'),
      hasOrgan: String(choices.hasOrgan),
      hasDirective: String(choices.hasDirective),
    },
  });
  return go(`${recordBase(visit)}card?note=saved`);
}

export const card = page({
  path: PATH,
  show: async (visit) => cardPage(visit, await askCard(visit), undefined, visit.query['note'] === 'saved'),
  again: {
    keeps: () => true,
    show: async (visit) => cardPage(visit, { ...(await askCard(visit)), choices: choicesIn(visit) }),
  },
  submit: saveCard,
});

export const cardFile = page({
  path: `${PATH}.pdf`,
  show: async (visit) => {
    const body = await visit.ask(operations.papers.recordCardPrint, { params: inRecord(visit), query: spoken(visit) });
    const { day } = localTime(visit.words.zone, visit.now);
    return { kind: 'file', body, type: 'application/pdf', name: `emergency-card-${day}.pdf` };
  },
});
