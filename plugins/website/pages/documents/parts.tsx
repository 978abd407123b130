/**
 * parts: what a person may do with a document of their record: share it, look at its versions, name it, and
 * put it away.
 */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Buttons, Field, Form, What, type Wrong } from '../../parts/form';
import { Folded } from '../../parts/folded';
import { Rows, Tag } from '../../parts/layout';
import { Pager } from '../../parts/pager';
import type { Whose } from '../../parts/whose';
import { circleName } from '../../words/circle-names';

type Document = ValueOf<typeof operations.documents.recordDocumentRead>['document'];
type History = ValueOf<typeof operations.documents.recordDocumentHistory>;

type Of = { readonly visit: PersonVisit; readonly document: Document };

/** Whether the address asks for one of these places on the page, so that what is folded there is shown. */
function isAskedPlace({ query }: PersonVisit, ...places: readonly string[]): boolean {
  return places.includes(query['at'] ?? '');
}

/** How many versions, changes and circles a page shows. */
const LISTED = 20;

const lists = ['versions', 'changes', 'carenets'] as const;

/** The places of all lists but the one that the person pages through. */
function placesBut({ query }: PersonVisit, turned?: (typeof lists)[number]): Readonly<Record<string, string>> {
  return Object.fromEntries(lists.filter((name) => name !== turned).map((name) => [name, query[name] ?? '']));
}

export function historyQuery(visit: PersonVisit): Readonly<Record<string, string>> {
  return {
    limit: String(LISTED),
    ...placesBut(visit),
  };
}

function ByWhom({ visit, at, name }: { readonly visit: PersonVisit; readonly at: string; readonly name: string }) {
  return (
    <span class="by">
      {visit.words.date(at, 'time')}
      <br />
      <bdi>{name}</bdi>
    </span>
  );
}

function Carenet({ visit, document, carenet }: Of & { readonly carenet: History['carenets'][number] }) {
  const { say } = visit.words;
  const name = circleName(carenet.name, visit.words);
  return (
    <li>
      <div>
        <span class="name">
          <bdi>{name}</bdi>
        </span>
        <p class="by">{say(carenet.holds ? 'document.held' : 'document.not-held')}</p>
      </div>
      {!document.nevershare && (
        <Form visit={visit}>
          <What name={carenet.holds ? 'take' : 'place'} />
          <input type="hidden" name="carenet" value={carenet.id} />
          <button class="button little">
            {say(carenet.holds ? 'document.take' : 'frame.add')}
            <span class="unseen"> {say(carenet.holds ? 'document.take-of' : 'document.add-to', { name })}</span>
          </button>
        </Form>
      )}
    </li>
  );
}

export function Sharing({
  visit,
  whose,
  document,
  history: { carenets, carenetPages },
}: Of & { readonly whose: Whose; readonly history: History }): JSX.Element {
  const { say } = visit.words;
  return (
    <Folded
      id="sharing"
      title={say('document.sharing')}
      by={document.nevershare ? say('documents.never') : undefined}
      isOpen={isAskedPlace(visit, 'sharing') || visit.query['carenets'] !== undefined}
    >
      <>
        {document.nevershare ? (
          <p>{say('document.is-never')}</p>
        ) : (
          <>
            <Rows kind="do">
              {carenets.map((carenet) => (
                <Carenet visit={visit} document={document} carenet={carenet} />
              ))}
            </Rows>
            <Pager
              visit={visit}
              pages={carenetPages}
              shown={carenets.length}
              place="carenets"
              query={placesBut(visit, 'carenets')}
              of={say('document.sharing')}
              at="sharing"
            />
          </>
        )}
        <Form visit={visit} className="buttons">
          <What name={document.nevershare ? 'again' : 'never'} />
          <button class="button little">{say(document.nevershare ? 'document.again' : 'document.never')}</button>
          {!document.nevershare && <span class="by soft small">{say('document.never-hint')}</span>}
        </Form>
        <p class="more">
          <a href={`${whose.base}sharing`}>{say('document.all-sharing')}</a>
        </p>
      </>
    </Folded>
  );
}

export function Versions({
  visit,
  whose,
  document,
  history: { versions, versionCount, firstVersion, versionPages },
}: Of & { readonly whose: Whose; readonly history: History }): JSX.Element {
  const { say, number } = visit.words;
  return (
    <Folded
      id="versions"
      title={say('document.versions')}
      by={number(versionCount)}
      isOpen={
        isAskedPlace(visit, 'versions') || visit.query['versions'] !== undefined || document.id !== document.latest.id
      }
    >
      <>
        <p class="by">{say('document.versions-hint')}</p>
        <ol class="rows two">
          {versions.map((version, index) => {
            const text = say('document.version', { number: number(firstVersion - index) });
            return (
              <li>
                <div>
                  {version.id === document.id ? (
                    <>
                      <b>{text}</b> <Tag tone="good">{say('document.this')}</Tag>
                    </>
                  ) : (
                    <a class="name" href={`${whose.base}documents/${encodeURIComponent(version.id)}`}>
                      {text}
                    </a>
                  )}
                </div>
                <ByWhom visit={visit} at={version.createdAt} name={version.creator.name} />
              </li>
            );
          })}
        </ol>
        <Pager
          visit={visit}
          pages={versionPages}
          shown={versions.length}
          total={versionCount}
          place="versions"
          query={placesBut(visit, 'versions')}
          of={say('document.versions')}
          at="versions"
        />
      </>
    </Folded>
  );
}

function Changes({
  visit,
  history: { changes, changePages },
}: {
  readonly visit: PersonVisit;
  readonly history: History;
}) {
  const { say } = visit.words;
  return (
    <>
      <ol class="rows two">
        {changes.map(({ status, reason, changedAt, changedByName }) => (
          <li>
            <div>
              <b>{say(`document.became-${status}`)}</b>
              <p>
                <bdi>{reason}</bdi>
              </p>
            </div>
            <ByWhom visit={visit} at={changedAt} name={changedByName} />
          </li>
        ))}
      </ol>
      <Pager
        visit={visit}
        pages={changePages}
        shown={changes.length}
        place="changes"
        query={placesBut(visit, 'changes')}
        of={say('document.place')}
      />
    </>
  );
}

/** The first button sets the status of the field `status`, the second one its own. */
function Status({ visit, document, wrong }: Of & { readonly wrong: Wrong | undefined }): JSX.Element {
  const { say } = visit.words;
  const inUse = document.status === 'active';
  return (
    <Form visit={visit}>
      <What name="status" />
      <input type="hidden" name="status" value={inUse ? 'archived' : 'active'} />
      <Field
        label={say('document.reason')}
        name="reason"
        hint={say(inUse ? 'document.reason-hint' : 'document.reason-back')}
        value={wrong ? visit.form.text('reason') : ''}
        dir="auto"
        wrong={wrong}
      />
      <Buttons text={say(inUse ? 'document.archive' : 'document.activate')} end={inUse}>
        {inUse && (
          <button class="button end" name="instead" value="void">
            {say('document.void')}
          </button>
        )}
      </Buttons>
    </Form>
  );
}

/** What people say of a document beside it, to be changed where it stands. */
export function OwnDetails({ visit, document, wrong }: Of & { readonly wrong: Wrong | undefined }): JSX.Element {
  const { say } = visit.words;
  const { date, kind, tags } = document.own;
  const isWrong = ['label', 'own_date', 'own_kind', 'tags'].some((name) => wrong?.[name] !== undefined);
  const valueOf = (name: string, kept: string): string => (isWrong ? visit.form.text(name) : kept);
  const field = (name: string, text: string, kept: string) => ({
    name,
    label: say(`document.${text}`),
    hint: say(`document.${text}-hint`),
    value: valueOf(name, kept),
    wrong,
  });
  return (
    <details class="fold no-print" id="details" open={isWrong || isAskedPlace(visit, 'details', 'field-tags')}>
      <summary>{say('document.menu-change')}</summary>
      <Form visit={visit}>
        <What name="details" />
        <Field {...field('label', 'label', document.label ?? '')} dir="auto" />
        <div class="side-by">
          <Field {...field('own_date', 'own-date', date ?? '')} type="date" />
          <Field {...field('own_kind', 'own-kind', kind ?? '')} dir="auto" />
        </div>
        <Field {...field('tags', 'tags', tags.join(', '))} dir="auto" />
        <Buttons text={say('form.save')} />
      </Form>
    </details>
  );
}

/** Its status with what was said about it, and the form that changes it. */
export function Place({
  visit,
  document,
  history,
  wrong,
}: Of & { readonly history: History; readonly wrong: Wrong | undefined }): JSX.Element {
  const { say } = visit.words;
  const { status } = document;
  return (
    <Folded
      id="status"
      title={say(status === 'active' ? 'document.menu-archive' : 'document.place')}
      by={say(`document.place-${status}`)}
      isOpen={wrong?.['reason'] !== undefined || status !== 'active' || isAskedPlace(visit, 'status')}
    >
      <>
        <Status visit={visit} document={document} wrong={wrong?.['reason'] ? wrong : undefined} />
        {history.changes.length > 0 && (
          <>
            <hr />
            <Changes visit={visit} history={history} />
          </>
        )}
      </>
    </Folded>
  );
}
