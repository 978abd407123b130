/** view: the page that says in sentences who can see what, with a form to change each. */
import type { ComponentChildren, JSX } from 'preact';
import { newToken } from '../../../../core/base/ids';
import { circleName } from '../../words/circle-names';
import { besideName, documentName } from '../../words/kinds';
import { recordBase } from '../../parts/record-frame';
import type { Kind } from '../../words/type-words';
import { ByKind, kindsIn, whatIn, type Carenet, type Sharing } from './kinds';
import { AddByKinds } from './add-person';
import { Invited, type Invitation } from './invited';
import { circlePage, People } from './people';
import { namedKinds, type Seers } from './kind-ticks';
import type { FactKinds } from './single-facts';
import { shown, type PersonVisit, type Shown } from '../../http/page';
import { Buttons, Field, Form, Summary, type Wrong } from '../../parts/form';
import { listNames, listText } from '../../parts/list';
import { Folded } from '../../parts/folded';
import { Head, Part, Rows, Say, Tag } from '../../parts/layout';
import { Pager } from '../../parts/pager';
import { comma, commaSeparated } from '../../words/words';

/** The data of the page: who sees what, and which kinds of facts circles were given. */
export type SharingPage = Sharing & {
  readonly facts: FactKinds | undefined;
  readonly seers: Seers;
  readonly invitations: readonly Invitation[];
};
type Looking = { readonly visit: PersonVisit; readonly sharing: SharingPage };
type Failing = { readonly wrong: Wrong | undefined };

export const notes = [
  'saved',
  'saved-but',
  'added',
  'added-before',
  'out',
  'shared',
  'shared-before',
  'stopped',
  'person',
  'created',
  'deleted',
  'in',
  'again',
  'ended',
] as const;
export type Note = (typeof notes)[number];

/** How many rows each list has on a page. */
export const LISTED = 20;

/**
 * The parameters of the address with the places of its lists. `carenet` is the carenet whose people are paged through.
 */
export const places = ['people', 'carenet', 'members', 'decided'] as const;

function kept({ query }: PersonVisit, without: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(places.filter((name) => !without.includes(name)).map((name) => [name, query[name] ?? '']));
}

function hidden(fields: Readonly<Record<string, string>>): JSX.Element[] {
  return Object.entries(fields).map(([name, value]) => <input type="hidden" name={name} value={value} />);
}

function Since({ visit, id, since }: { visit: PersonVisit; id: string; since: string }) {
  return <p class="by">{visit.words.rich('sharing.since', { id: <bdi>{id}</bdi>, date: visit.words.date(since) })}</p>;
}

/** A form with one button that acts on one of several entries. */
function Do({
  visit,
  fields,
  text,
  rest,
}: {
  visit: PersonVisit;
  fields: Readonly<Record<string, string>>;
  text: string;
  rest: string;
}) {
  return (
    <Form visit={visit}>
      {hidden(fields)}
      <button class="button little end">
        {text}
        <span class="unseen"> {rest}</span>
      </button>
    </Form>
  );
}

function Whole({ visit, sharing, wrong }: Looking & Failing): JSX.Element {
  const { say } = visit.words;
  if (!sharing.mine) {
    return (
      <Part title={say('sharing.whole')} hint={say('sharing.whole-hint')}>
        <p>{say('sharing.owner-decides')}</p>
      </Part>
    );
  }
  return (
    <Part title={say('sharing.whole')} hint={say('sharing.whole-hint')}>
      {sharing.people.whole === 0 && <p>{say('sharing.nobody-whole')}</p>}
      <details class="more" open={wrong?.['whole'] !== undefined}>
        <summary>{say('sharing.whole-do')}</summary>
        <Form visit={visit}>
          {hidden({ what: 'whole' })}
          <p>{say('sharing.whole-about')}</p>
          <Field
            label={say('sharing.who')}
            name="who"
            id="whole"
            value={wrong?.['whole'] ? visit.form.text('who') : ''}
            autocomplete="off"
            exact
            wrong={wrong}
          />
          <Buttons text={say('sharing.whole-do')} />
        </Form>
      </details>
    </Part>
  );
}

function carenetAnchor(carenet: Carenet): string {
  return `carenet-${carenet.id}`;
}

function See({ visit, carenet }: { visit: PersonVisit; carenet: Carenet }) {
  const { say, rich } = visit.words;
  const [first] = carenet.members;
  return (
    <a href={`${visit.site}/carenets/${encodeURIComponent(carenet.id)}/`}>
      {first ? rich('sharing.see-as', { name: <bdi>{first.name}</bdi> }) : say('sharing.see-empty')}
    </a>
  );
}

/** If there are more people than these, only their number is shown. */
const NAMED = 5;

/** What the people of a circle see: documents, and single facts whatever paper they came in. */
function whatAll(visit: PersonVisit, documents: string, given: readonly string[]): string {
  const { words } = visit;
  const facts = words.say('sharing.facts-seen', { kinds: listText(given, words) });
  if (given.length === 0) {
    return documents;
  }
  return documents === words.say('sharing.nothing') ? facts : listText([documents, facts], words);
}

type OneProps = Looking & { readonly carenet: Carenet; readonly kinds: readonly Kind[] };

export function OneCarenet({ visit, sharing, carenet, kinds }: OneProps): JSX.Element {
  const { say, rich } = visit.words;
  const documents = whatIn(carenet, kinds, visit.words);
  const given = namedKinds(visit, sharing.seers.given.get(carenet.id) ?? []);
  const what = whatAll(visit, documents, given);
  const names = carenet.members.slice(0, NAMED).map(({ name }) => name);
  const others = carenet.memberCount - names.length;
  const holds = [
    ...(what === say('sharing.nothing') ? [] : [say('sharing.holds', { count: carenet.documents })]),
    ...(carenet.keptOut > 0 ? [say('sharing.kept-out', { count: carenet.keptOut })] : []),
  ];
  return (
    <li>
      <h3 class="name">
        <bdi>{carenet.name}</bdi>
      </h3>
      <p>
        {names.length === 0
          ? say('sharing.would', { what })
          : rich('sharing.sees', {
              who: (
                <b>
                  {others > 0
                    ? rich('sharing.and-others', {
                        names: names.flatMap((name, index) => [index > 0 && comma(visit.words), <bdi>{name}</bdi>]),
                        count: others,
                      })
                    : listNames(names, visit.words)}
                </b>
              ),
              n: carenet.memberCount,
              what,
            })}
      </p>
      {holds.length > 0 && <p class="by">{holds.join(' ')}</p>}
      <p class="by line-links">
        <See visit={visit} carenet={carenet} />
        <a href={circlePage(visit, carenet.id)}>{rich('sharing.change', { name: <bdi>{carenet.name}</bdi> })}</a>
      </p>
    </li>
  );
}

function Parts({ visit, sharing, kinds, wrong }: Looking & Failing & { kinds: readonly Kind[] }): JSX.Element {
  const { say } = visit.words;
  return (
    <Part title={say('sharing.circles')} hint={say('sharing.part-hint')}>
      <Rows>
        {sharing.carenets.map((carenet) => (
          <OneCarenet visit={visit} sharing={sharing} carenet={carenet} kinds={kinds} />
        ))}
      </Rows>
      <details class="more" open={wrong?.['new'] !== undefined || sharing.carenets.length === 0}>
        <summary>{say('sharing.another')}</summary>
        <Form visit={visit}>
          {hidden({ what: 'create', form: newToken() })}
          <Field
            label={say('form.name')}
            name="name"
            id="new"
            value={wrong?.['new'] ? visit.form.text('name') : ''}
            autocomplete="off"
            wrong={wrong}
          />
          <Buttons text={say('sharing.create')} />
        </Form>
      </details>
    </Part>
  );
}

function Decided({ visit, sharing }: Looking): JSX.Element {
  const { say } = visit.words;
  const { documents, total, pages } = sharing.decided;
  const base = recordBase(visit);
  const namesOf = (one: (typeof documents)[number], shared: boolean): string =>
    listText(
      one.carenets.filter((carenet) => carenet.shared === shared).map(({ name }) => name),
      visit.words,
    );
  const decision = (one: (typeof documents)[number]): ComponentChildren => {
    if (one.nevershare) {
      return <Tag tone="alert">{say('sharing.never')}</Tag>;
    }
    const [into, out] = [namesOf(one, true), namesOf(one, false)];
    return (
      <span>
        {commaSeparated(
          [into && say('sharing.decided-in', { carenets: into }), out && say('sharing.decided-out', { carenets: out })],
          visit.words,
        )}
      </span>
    );
  };
  return (
    <Folded
      title={say('sharing.one-by-one')}
      by={visit.words.number(total)}
      isOpen={(visit.query['decided'] ?? '') !== ''}
    >
      <p class="by">{say('sharing.one-by-one-hint')}</p>
      {documents.length === 0 ? (
        <p>{say('sharing.none-decided')}</p>
      ) : (
        <Rows kind="two">
          {documents.map((one) => (
            <li>
              <div>
                <a class="name" href={`${base}documents/${encodeURIComponent(one.documentId)}`}>
                  <bdi>{documentName(one, visit)}</bdi>
                </a>
                <p class="by">{besideName(one, visit)}</p>
              </div>
              {decision(one)}
            </li>
          ))}
        </Rows>
      )}
      <Pager
        visit={visit}
        pages={pages}
        shown={documents.length}
        total={total}
        place="decided"
        query={kept(visit, ['decided'])}
        of={say('sharing.one-by-one')}
      />
    </Folded>
  );
}

function AddPerson({ visit, carenet: { id, name }, wrong }: { visit: PersonVisit; carenet: Carenet } & Failing) {
  const { say } = visit.words;
  const added = `add-${id}`;
  return (
    <Form visit={visit}>
      {hidden({ what: 'add', carenet: id })}
      <Field
        label={say('sharing.who')}
        name="who"
        id={added}
        value={wrong?.[added] ? visit.form.text('who') : ''}
        autocomplete="off"
        exact
        wrong={wrong}
      />
      <Buttons text={say('sharing.add')} rest={say('sharing.add-rest', { name })} />
    </Form>
  );
}

function RenameOrDelete({ visit, carenet: { id, name }, wrong }: { visit: PersonVisit; carenet: Carenet } & Failing) {
  const { say } = visit.words;
  const renamed = `rename-${id}`;
  return (
    <details class="more" open={wrong?.[renamed] !== undefined}>
      <summary>{say('sharing.rename-or-delete', { name })}</summary>
      <Form visit={visit}>
        {hidden({ what: 'rename', carenet: id })}
        <Field
          label={say('form.name')}
          name="name"
          id={renamed}
          value={wrong?.[renamed] ? visit.form.text('name') : name}
          autocomplete="off"
          wrong={wrong}
        />
        <Buttons text={say('sharing.rename')} rest={name} />
      </Form>
      <hr />
      <Form visit={visit}>
        {hidden({ what: 'delete', carenet: id, form: newToken() })}
        <p>{say('sharing.delete-about')}</p>
        <Buttons text={say('sharing.delete')} rest={name} end />
      </Form>
    </details>
  );
}

type MembersProps = { readonly visit: PersonVisit; readonly carenet: Carenet } & Failing;

/** The people of a circle, and the forms that add one, rename the circle and delete it. */
function MemberForms({ visit, carenet, wrong }: MembersProps): JSX.Element {
  const { say } = visit.words;
  const { id, name, members } = carenet;
  return (
    <>
      {members.length === 0 ? (
        <p>{say('sharing.nobody-in')}</p>
      ) : (
        <Rows kind="do">
          {members.map((member) => (
            <li>
              <div>
                <bdi class="name">{member.name}</bdi>
                <Since visit={visit} id={member.accountId} since={member.since} />
              </div>
              <Do
                visit={visit}
                fields={{ what: 'take-out', carenet: id, account: member.accountId }}
                text={say('sharing.take-out')}
                rest={member.name}
              />
            </li>
          ))}
        </Rows>
      )}
      <Pager
        visit={visit}
        pages={carenet.memberPages}
        shown={members.length}
        total={carenet.memberCount}
        place="members"
        query={{ ...kept(visit, ['members']), carenet: id }}
        of={say('sharing.in-carenet', { name })}
        at={carenetAnchor(carenet)}
      />
      <hr />
      <AddPerson visit={visit} carenet={carenet} wrong={wrong} />
      <RenameOrDelete visit={visit} carenet={carenet} wrong={wrong} />
    </>
  );
}

/** @param isFolded on the page of all circles; open where its people are paged through, or something is wrong in it */
export function Members({ isFolded, ...props }: MembersProps & { readonly isFolded: boolean }): JSX.Element {
  const { visit, carenet, wrong } = props;
  const title = visit.words.say('sharing.in-carenet', { name: carenet.name });
  const isWrong = wrong !== undefined && [`add-${carenet.id}`, `rename-${carenet.id}`].some((name) => wrong[name]);
  return isFolded ? (
    <Folded
      id={carenetAnchor(carenet)}
      title={title}
      by={visit.words.number(carenet.memberCount)}
      isOpen={isWrong || visit.query['carenet'] === carenet.id}
    >
      <MemberForms {...props} />
    </Folded>
  ) : (
    <div id={carenetAnchor(carenet)}>
      <Part title={title}>
        <MemberForms {...props} />
      </Part>
    </div>
  );
}

/** What counts where two answers differ. @param isFolded on the page of all circles */
export function Differ({ visit, isFolded }: { visit: PersonVisit; isFolded: boolean }): JSX.Element {
  const { say } = visit.words;
  const rules = (
    <>
      <ol class="steps">
        {(['never', 'one', 'kind', 'fact', 'else'] as const).map((name) => (
          <li>{say(`sharing.differ-${name}`)}</li>
        ))}
      </ol>
      <p>{say('sharing.differ-versions')}</p>
    </>
  );
  return isFolded ? (
    <Folded title={say('sharing.differ')} isOpen={false}>
      {rules}
    </Folded>
  ) : (
    <Part title={say('sharing.differ')}>{rules}</Part>
  );
}

/** What is shared with several people: without the circles that are one person's own, under the names that people read. */
function circlesOf(sharing: SharingPage, { words }: PersonVisit): SharingPage {
  const own = new Set(sharing.seers.ownCircles);
  const shared = <C extends { readonly id: string; readonly name: string }>(circles: readonly C[]): readonly C[] =>
    circles.filter(({ id }) => !own.has(id)).map((circle) => ({ ...circle, name: circleName(circle.name, words) }));
  return {
    ...sharing,
    carenets: shared(sharing.carenets),
  };
}

/** Who sees the record and who is invited. Whoever came by an invitation waits for an answer, so they stand first. */
function PeopleAndInvited({ visit, sharing }: Looking): JSX.Element {
  const invited = <Invited visit={visit} sharing={sharing} invitations={sharing.invitations} />;
  const someCame = sharing.invitations.some(({ guest }) => guest);
  return (
    <>
      {someCame && invited}
      <People visit={visit} sharing={sharing} seers={sharing.seers} query={kept(visit, ['people'])} />
      {!someCame && invited}
    </>
  );
}

/** The ways to show the record to somebody without an account. */
function Links({ visit }: Pick<Looking, 'visit'>): JSX.Element {
  const { say } = visit.words;
  return (
    <Part title={say('links.title')} hint={say('links.go-hint')}>
      <div class="no-print">
        <p>
          <a href={`${recordBase(visit)}links`}>{say('links.go')}</a>
        </p>
        <p>
          <a href={`${recordBase(visit)}clinic`}>{say('clinic.title')}</a>
        </p>
      </div>
    </Part>
  );
}

export function sharingView(visit: PersonVisit, all: SharingPage, wrong?: Wrong, said = visit.query['note']): Shown {
  const { say, rich } = visit.words;
  const sharing = circlesOf(all, visit);
  const kinds = kindsIn(sharing, visit);
  const title = say('sharing.title');
  const note = notes.find((known) => known === said);
  const { whole, part } = sharing.people;
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={Object.keys(wrong ?? {})} />
      {!wrong && note && (
        <Say tone={note === 'saved-but' ? 'wait' : 'good'} role="status" title={say(`sharing.note-${note}`)} />
      )}
      <Head
        title={title}
        action={
          <a class="button no-print" href={`${recordBase(visit)}sharing/invite`}>
            {say('invite.title')}
          </a>
        }
      >
        {sharing.mine
          ? say(whole + part === 0 ? 'sharing.mine-alone' : 'sharing.mine', { whole, part })
          : rich('sharing.theirs', { owner: <bdi>{sharing.owner?.name ?? '–'}</bdi>, part })}
      </Head>
      {(sharing.more || sharing.seers.more) && <Say tone="wait" title={say('sharing.too-many')} />}
      <div class="halves wide-start">
        <div class="col">
          <PeopleAndInvited visit={visit} sharing={all} />
          <AddByKinds visit={visit} wrong={wrong} />
          <Whole visit={visit} sharing={sharing} wrong={wrong} />
          <Parts visit={visit} sharing={sharing} kinds={kinds} wrong={wrong} />
          <ByKind visit={visit} sharing={sharing} kinds={kinds} isFolded />
        </div>
        <div class="col">
          <Links visit={visit} />
          {sharing.carenets.map((carenet) => (
            <Members visit={visit} carenet={carenet} wrong={wrong} isFolded />
          ))}
          <Decided visit={visit} sharing={sharing} />
          <Differ visit={visit} isFolded />
        </div>
      </div>
    </>,
    {
      record: { base: recordBase(visit), name: sharing.record.label },
      ...(wrong ? { status: 400 } : {}),
    },
  );
}
