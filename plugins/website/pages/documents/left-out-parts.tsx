/** left-out-parts: what a document says and the record lacks: what could not be read, and what people left out. */
import type { JSX } from 'preact';
import { BY_PERSON } from '../../../../core/base/left-out';
import type { ValueOf } from '../../../../core/http/route';
import { rowOf } from '../add/preview';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Form, What } from '../../parts/form';
import { Rows } from '../../parts/layout';
import type { Whose } from '../../parts/whose';
import { modelTitle, type Fact } from '../../words/facts';
import { comma, commaSeparated } from '../../words/words';
import { isExactPlace, isMendOfFile, leftOutName, leftOutPlace, leftOutReason } from './left-out';

type Read = ValueOf<typeof operations.documents.recordDocumentRead>;
type Of = { readonly visit: PersonVisit; readonly whose: Whose; readonly read: Read };

/** What could not be read of a document, and why. */
export function LeftOut({ visit, read, textAddress }: Of & { readonly textAddress: string }): JSX.Element | null {
  const { words } = visit;
  const { say, rich } = words;
  const leftOut = read.document.leftOut.filter(({ reason }) => reason !== BY_PERSON);
  if (leftOut.length === 0) {
    return null;
  }
  const count = leftOut.reduce((sum, left) => sum + left.count, 0);
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))];
  const mended = leftOut.some(isMendOfFile);
  const nameOf = (name: string): string => leftOutName(name, visit.models, words, modelTitle);
  return (
    <details class="card fold">
      <summary>
        {say('document.left-out')}: {words.number(count)}
      </summary>
      <p class="by">{say('document.left-out-hint', { count })}</p>
      <Rows>
        {reasons.map((reason) => (
          <li>
            <span class="name">
              {leftOut
                .filter((left) => left.reason === reason)
                .map((left, index) => (
                  <>
                    {index > 0 && comma(words)}
                    <bdi>{say('document.left', { name: nameOf(left.model), count: left.count })}</bdi>
                    {isExactPlace(left.where) && ` (${leftOutPlace(left.where, words)})`}
                  </>
                ))}
            </span>
            <span class="by">{leftOutReason(reason, words)}</span>
          </li>
        ))}
      </Rows>
      <p class="more soft">
        {mended && say('add.mended-noted')}
        {!mended && !read.hasNarrative && say('document.nothing-lost')}
        {!mended &&
          read.hasNarrative &&
          rich('document.nothing-lost-read', { a: (chunks) => <a href={textAddress}>{chunks}</a> })}
      </p>
    </details>
  );
}

type Left = Read['leftByPeople']['facts'][number];

function LeftFact({ visit, left, mayChange }: { visit: PersonVisit; left: Left; mayChange: boolean }): JSX.Element {
  const { words, models } = visit;
  const { say } = words;
  const row = left.fact === null ? undefined : rowOf(visit, left.fact as unknown as Fact);
  const title = row?.title ?? leftOutName(left.model, models, words, modelTitle);
  const about = row ? commaSeparated([row.what === title ? '' : row.what, row.line], words) : '';
  return (
    <li>
      <div>
        <span class="name">
          <bdi>{title}</bdi>
        </span>
        {about !== '' && (
          <p class="by">
            <bdi>{about}</bdi>
          </p>
        )}
        {row && row.date !== '' && <p class="by">{row.date}</p>}
        {left.name === null && <p class="by">{say('document.left-not-found')}</p>}
      </div>
      {mayChange && left.name !== null && (
        <Form visit={visit}>
          <What name="in" />
          <input type="hidden" name="fact" value={left.name} />
          <button class="button little">
            {say('document.take-in')}
            <span class="unseen">
              {' '}
              <bdi>{title}</bdi>
            </span>
          </button>
        </Form>
      )}
    </li>
  );
}

/** What people left out of a document when they added it, and how it is taken in. */
export function LeftByPeople({ visit, read, mayChange }: Of & { readonly mayChange: boolean }): JSX.Element | null {
  const { say, number } = visit.words;
  const { count, facts } = read.leftByPeople;
  const isOwn = read.document.creator.id === visit.person.principal.accountId;
  return count === 0 ? null : (
    <details class="card fold" open={visit.query['note'] === 'in'}>
      <summary>
        {say(isOwn ? 'document.left-by-you' : 'document.left-by-others')}: {number(count)}
      </summary>
      <p class="by">{say('document.left-by-you-hint')}</p>
      <Rows>
        {facts.map((left) => (
          <LeftFact visit={visit} left={left} mayChange={mayChange} />
        ))}
      </Rows>
      {facts.length < count && <p class="more soft">{say('document.left-more', { shown: facts.length, count })}</p>}
    </details>
  );
}
