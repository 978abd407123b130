/** drafts: of equal drafts one is kept, readings become vital signs, labels lead to facts, and what is left is counted. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { modelsOfDrafts } from '../../../core/xml/drafts';
import { openXmlEngine, type PlainElement, type XmlEngine } from '../../../core/xml/engine';

export const lab = Lab.script();
const { describe, it, before } = lab;

const TABLES =
  'columns="|LabResult.value=0 |Fill.postalcode=12 yes|Note.place=20 |" terms="|33586001=Sitting|" loinc="loinc" ' +
  'snomed="snomed" lists="lists/"';
const ROWS = '<reason code="repeated">once more</reason><reading column="heart_rate" unit="/min"/>';

/** An element as short words: `Model(name=A)[Field(name=b)b text]`. */
function shown({ name, attributes, elements, text }: PlainElement): string {
  const said = [...attributes].map(([attribute, value]) => `${attribute}=${value}`).join(',');
  const inside = elements.length === 0 ? '' : `[${elements.map(shown).join('')}]`;
  return `${name}${said === '' ? '' : `(${said})`}${text}${inside}`;
}

describe('modelsOfDrafts', () => {
  let engine: XmlEngine;
  before(async () => {
    engine = await openXmlEngine();
  });
  const make = (inside: string): string =>
    shown(
      modelsOfDrafts(engine.readPlain(`<Drafts ${TABLES}>${ROWS}${inside}</Drafts>`)!, (model) =>
        model === 'Bare' ? undefined : 'words',
      ),
    );
  const field = (name: string, value: string): string => `<Field name="${name}">${value}</Field>`;

  it('keeps one of equal drafts with an id, and counts the others by place', () => {
    const model = `<Model name="A" id="1">${field('b', ' x \n y ')}</Model>`;
    const other = `<Model name="A" id="1">${field('b', 'z')}</Model>`;
    expect(make(`<At where=" one " part="7">${model}${model}${other}</At><At where="two">${model}</At>`)).to.equal(
      'Models[Model(part=7,name=A)[Field(name=b)x y]Model(part=7,name=A)[Field(name=b)z]' +
        'LeftOut(model=A,reason=repeated,count=1,where=one,parts=7)once moreLeftOut(model=A,reason=repeated,count=1,where=two)once more]',
    );
    expect(make(`<Model name="A">${field('b', 'x')}</Model><Model name="A">${field('b', 'x')}</Model>`)).to.equal(
      'Models[Model(name=A)[Field(name=b)x]Model(name=A)[Field(name=b)x]]',
    );
  });

  it('tells odd dates in the notes of the model, where it has any', () => {
    const odd = (model: string): string =>
      `<Model name="${model}" sent-odd-dates="0214-01-01">${field('words', 'Seen')}</Model>`;
    expect(make(odd('A'))).to.startWith(
      'Models[Model(name=A)[Field(name=words)Seen. Date as it is written: 0214-01-01.]',
    );
    expect(make(odd('Bare'))).to.startWith('Models[Model(name=Bare)[Field(name=words)Seen]');
    expect(make(odd('Bare'))).to.contain('LeftOut(model=Bare,reason=odd_date,count=1');
  });

  it('does not compare what is apart', () => {
    const nested = (apart: string, value: string): string =>
      `<Model name="A" id="1"><Field name="n"${apart}><Models><Model name="B">${field('b', value)}</Model></Models></Field></Model>`;
    expect(make(nested('', 'x') + nested('', 'y')).match(/name=A/g)).to.have.length(2);
    expect(make(nested(' apart="yes"', 'x') + nested(' apart="yes"', 'y')).match(/name=A/g)).to.have.length(1);
  });

  it('cuts texts to their columns by characters, and drops codes and what is empty', () => {
    const long = '𝒳'.repeat(300);
    expect(
      make(`<Model name="LabResult">${field('value', long)}${field('other', long)}${field('e', ' ')}</Model>`),
    ).to.equal(`Models[Model(name=LabResult)[Field(name=value)${long}Field(name=other)${'𝒳'.repeat(252)}...]]`);
    expect(
      make(`<Model name="Fill">${field('postalcode', '1'.repeat(13))}${field('a_system', long)}</Model>`),
    ).to.equal('Models[Model(name=Fill)]');
    expect(make(`<Model name="Note">${field('place', 'abcdefghijklmnopqrstuvwxyz')}</Model>`)).to.equal(
      'Models[Model(name=Note)[Field(name=place)abcdefghijklmnopq...]]',
    );
  });

  it('makes one fact of the readings of a group, with its encounter inside, and a second one where two differ', () => {
    const reading = (value: string): string =>
      `<Reading group="g" column="heart_rate" value="${value}" code="8867-4" title="Pulse" date="2024-01-01" statement="s"` +
      ` position="33586001" encounter="v"/>`;
    const said = (value: string): string =>
      `Field(name=heart_rate_value)${value}Field(name=heart_rate_unit)/minField(name=heart_rate_name_identifier)8867-4` +
      'Field(name=heart_rate_name_title)PulseField(name=heart_rate_name_system)loincField(name=bp_position_identifier)33586001' +
      'Field(name=bp_position_title)SittingField(name=bp_position_system)snomed]';
    const visit = `<Model name="Encounter" visit="v">${field('a', 'b')}</Model>`;
    expect(make(`${reading('60')}${reading('60')}${reading('61')}${visit}`)).to.equal(
      'Models[Model(statement=s,name=VitalSigns)[Field(name=date)2024-01-01Field(name=encounter)[Model(name=Encounter)[Field(name=a)b]]' +
        `${said('60')}Model(statement=s#2,name=VitalSigns)[Field(name=date)2024-01-01${said('61')}` +
        'LeftOut(model=VitalSigns,reason=repeated,count=1)once more]',
    );
  });

  it('leads members and links to the facts of a label, in the order of the document', () => {
    const result = (label: string, title: string): string =>
      `<Model name="LabResult" label="${label}">${field('test_name_title', title)}</Model>`;
    const panel =
      '<Model name="LabPanel"><Field name="results"><Member of="2"/><Member of="1"/><Member of="3"/></Field></Model>';
    const link =
      '<Model name="A"><Field name="of"><Link of="2"/></Field><Field name="no"><Link of="3"/></Field></Model>';
    const member = (number: number, title: string): string =>
      `Model(name=LabPanelResult)[Field(name=result)fact${number}Field(name=test)${title}]`;
    expect(make(result('1', 'Iron') + result('2', 'Zinc') + panel + link)).to.equal(
      'Models[Model(name=LabResult,label=fact1)[Field(name=test_name_title)Iron]' +
        'Model(name=LabResult,label=fact2)[Field(name=test_name_title)Zinc]' +
        `Model(name=LabPanel)[Field(name=results)[Models[${member(1, 'Iron')}${member(2, 'Zinc')}]]]` +
        'Model(name=A)[Field(name=of)fact2]]',
    );
  });

  it('takes over what is said of the document, and parts of no code', () => {
    const about = `<About title=" a  b " code="${'1'.repeat(101)}" system="s"/>`;
    const back = '<At where="x"><LeftOut model="A" reason="negated"/><TakenBack model="A" name="n" sent-in="i"/></At>';
    expect(make(`${about}<Source sender="h"/>${back}`)).to.equal(
      'Models[LeftOut(model=A,reason=negated,count=1,where=x)About(title=a b)Source(sender=h)TakenBack(model=A,name=n,sent-in=i)]',
    );
  });
});
