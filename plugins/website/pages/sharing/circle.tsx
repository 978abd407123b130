/** circle: the page of one circle that several people share: what lies in it, who is in it, and its kinds. */
import { errors } from '../../../../core/base/errors';
import { shown, type PersonVisit, type Shown } from '../../http/page';
import { Summary, type Wrong } from '../../parts/form';
import { Head, Part, Rows, Say } from '../../parts/layout';
import { recordBase } from '../../parts/record-frame';
import { circleName } from '../../words/circle-names';
import { ByKind, kindsIn } from './kinds';
import { SingleFacts } from './single-facts';
import { Differ, Members, notes, OneCarenet, type SharingPage } from './view';

/** The data of the page with this circle only. @throws AppError not_found for one that is not of the record */
function onlyThis(visit: PersonVisit, sharing: SharingPage): SharingPage {
  const own = <C extends { readonly id: string; readonly name: string }>(circles: readonly C[]): readonly C[] =>
    circles
      .filter(({ id }) => id === visit.params['CARENET_ID'])
      .map((circle) => ({ ...circle, name: circleName(circle.name, visit.words) }));
  const carenets = own(sharing.carenets);
  if (carenets.length === 0) {
    throw errors.notFound('carenet');
  }
  return { ...sharing, carenets, facts: sharing.facts && { ...sharing.facts, carenets: own(sharing.facts.carenets) } };
}

export function circleView(visit: PersonVisit, all: SharingPage, wrong?: Wrong, said = visit.query['note']): Shown {
  const { say } = visit.words;
  const sharing = onlyThis(visit, all);
  // The kinds of documents stay those of the whole page, so that a box names the same types there and here.
  const kinds = kindsIn(all, visit);
  const [circle] = sharing.carenets;
  const note = notes.find((known) => known === said);
  return shown(
    wrong ? say('form.error-title', { title: circle!.name }) : circle!.name,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={Object.keys(wrong ?? {})} />
      {!wrong && note && (
        <Say tone={note === 'saved-but' ? 'wait' : 'good'} role="status" title={say(`sharing.note-${note}`)} />
      )}
      <Head title={<bdi>{circle!.name}</bdi>} back={{ to: `${recordBase(visit)}sharing`, text: say('frame.sharing') }}>
        {say('sharing.part-hint')}
      </Head>
      <Part title={say('person.now')}>
        <Rows>
          <OneCarenet visit={visit} sharing={sharing} carenet={circle!} kinds={kinds} />
        </Rows>
      </Part>
      <Members visit={visit} carenet={circle!} wrong={wrong} isFolded={false} />
      <ByKind visit={visit} sharing={sharing} kinds={kinds} isFolded={false} />
      {sharing.facts && <SingleFacts visit={visit} facts={sharing.facts} />}
      <Differ visit={visit} isFolded={false} />
    </>,
    { record: { base: recordBase(visit), name: sharing.record.label }, ...(wrong ? { status: 400 } : {}) },
  );
}
