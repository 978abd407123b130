/** outline: stored documents without facts, as names and texts. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { outlineOf, type Item } from '../../../plugins/website/pages/documents/outline';

export const lab = Lab.script();
const { describe, it } = lab;

const XML = 'application/xml';

const flat = (items: readonly Item[] = []): readonly string[] =>
  items.flatMap(({ name, text, items: inner }) => [`${name}=${text}`, ...flat(inner)]);
const xml = (text: string) => outlineOf(Buffer.from(text), XML);

describe('the outline of a document', () => {
  it('has names, texts and attributes, in their order', () => {
    const outline = xml(
      '<?xml version="1.0"?><!-- c --><s:Letter xmlns:s="urn:s" xsi:type="x"><s:from kind="school">Miss ' +
        'Honey</s:from><body><p>Well <b>again</b></p><p/></body></s:Letter>',
    );
    expect(flat(outline?.items)).to.equal(['from=Miss Honey', 'kind=school', 'body=', 'p=Well', 'b=again']);
    expect(outline?.cut).to.be.false();
  });

  it('takes characters for what they stand for', () => {
    expect(
      flat(xml('<a><b>&lt;img&gt; &amp;amp; &#233;&#x1F600; <![CDATA[<i>]]></b><c d="&quot;&#0;"/></a>')?.items),
    ).to.equal(['b=<img> &amp; é😀 <i>', 'c=', 'd="']);
    expect(
      flat(
        outlineOf(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a><b>\u00e9</b></a>', 'latin1'), XML)?.items,
      ),
    ).to.equal(['b=é']);
  });

  it('says when it shows no more', () => {
    const many = xml(`<a>${'<b>x</b>'.repeat(1000)}</a>`);
    expect([flat(many?.items).length < 500, many?.cut]).to.equal([true, true]);
    const long = xml(`<a><b>${'long '.repeat(50_000)}</b></a>`);
    expect(long?.cut).to.be.true();
    const deep = xml(`${'<a>'.repeat(200)}x${'</a>'.repeat(200)}`);
    expect(flat(deep?.items).length).to.be.below(30);
    // A cut because of depth is reported, too.
    expect(xml(`<a><b>top</b>${'<c>'.repeat(30)}below${'</c>'.repeat(30)}</a>`)?.cut).to.be.true();
    const nested = (depth: number): unknown => (depth === 0 ? 'below' : { c: nested(depth - 1) });
    const json = outlineOf(Buffer.from(JSON.stringify({ b: 'top', c: nested(30) })), 'application/json');
    expect([flat(json?.items)[0], json?.cut]).to.equal(['b=top', true]);
    expect(xml('<a><b><c>x</c></b></a>')?.cut).to.be.false();
  });

  it('reads JSON, and nothing that is neither', () => {
    const json = outlineOf(
      Buffer.from('{"resourceType":"Basic","list":[{"text":"<b>"},2],"none":null}'),
      'application/fhir+json',
    );
    expect(flat(json?.items)).to.equal(['resourceType=Basic', 'list=', '=', 'text=<b>', '=2']);
    expect(outlineOf(Buffer.from('{'), 'application/json')).to.be.undefined();
    expect(outlineOf(Buffer.from('%PDF-1.7'), 'application/pdf')).to.be.undefined();
    expect(xml('<a/>')).to.be.undefined();
    expect(outlineOf(Buffer.from('<?xml version="1.0" encoding="none-such"?><a>x</a>'), XML)).to.be.undefined();
  });
});
