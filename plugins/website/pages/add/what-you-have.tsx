/** what-you-have: the first page of adding: where files are dropped, what people have and what they do with it. */
import type { JSX } from 'preact';
import { modelName } from '../../words/facts';
import { kindsToWrite } from '../../words/kinds-to-write';
import type { PersonVisit } from '../../http/page';
import { recordBase } from '../../parts/record-frame';
import { Buttons, Form, idOf, type Wrong } from '../../parts/form';
import { Icon, Tile, type IconName } from '../../parts/icons';
import { Rows } from '../../parts/layout';
import { QuickNav, quickAt } from '../quick/nav';

const FILES = 'file';

export function DropFiles({ visit, wrong }: { readonly visit: PersonVisit; readonly wrong: Wrong | undefined }) {
  const { say } = visit.words;
  const [id, why] = [idOf(FILES), wrong?.[FILES]];
  return (
    <Form visit={visit} action={`${recordBase(visit)}add`} files>
      {why && (
        <p class="why" id={`${id}-why`}>
          {why}
        </p>
      )}
      <div class="drop">
        <label for={id}>
          <Icon name="upload" />
          <b>{say('add.drop')}</b>
          <span class="hint">{say('add.can-read')}</span>
        </label>
        <input
          type="file"
          id={id}
          name={FILES}
          multiple
          aria-describedby={why ? `${id}-why` : undefined}
          aria-invalid={why ? 'true' : undefined}
        />
      </div>
      <Buttons text={say('add.look')} first>
        <a class="button" href={quickAt(visit, 'photo')}>
          <Icon name="camera" />
          {say('add.take-photo')}
        </a>
      </Buttons>
    </Form>
  );
}

type Having = readonly [name: 'paper' | 'pdf' | 'zip' | 'phone' | 'table' | 'record', icon: IconName];

const havings: readonly Having[] = [
  ['paper', 'camera'],
  ['pdf', 'document'],
  ['zip', 'archive'],
  ['phone', 'device'],
  ['table', 'table'],
  ['record', 'app'],
];

export function WhatYouHave({ visit }: { readonly visit: PersonVisit }): JSX.Element {
  const { say } = visit.words;
  return (
    <section class="card">
      <header>
        <h2>{say('add.have')}</h2>
      </header>
      <ul class="list ic-list">
        {havings.map(([name, icon]) => (
          <li>
            <Tile name={icon} kind="k-doc" />
            <div>
              <a class="name" href={name === 'paper' ? quickAt(visit, 'photo') : `#${idOf(FILES)}`}>
                {say(`add.have-${name}`)}
              </a>
              <p class="by">{say(`add.have-${name}-how`)}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function TypeIn({ visit }: { readonly visit: PersonVisit }): JSX.Element {
  const { say } = visit.words;
  const { usual, others } = kindsToWrite(visit.models, visit.words);
  const all = [...usual, ...others];
  return (
    <section class="card">
      <header>
        <h2>{say('add.write')}</h2>
      </header>
      <QuickNav visit={visit} first />
      <details class="more-below">
        <summary>{say('add.all-kinds', { count: all.length })}</summary>
        <Rows>
          {all.map((model) => (
            <li>
              <a class="name" href={`${recordBase(visit)}add/${encodeURIComponent(model.name)}`}>
                {modelName(model, visit.words)}
              </a>
            </li>
          ))}
        </Rows>
      </details>
    </section>
  );
}
