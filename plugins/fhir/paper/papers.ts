/** papers: reads what stands on a page for a doctor, and prints it. */
import { errors } from '../../../core/base/errors';
import type { Id } from '../../../core/base/types';
import type { Language } from '../../../core/base/languages';
import type { SmartPrincipal } from '../../../core/auth/principal';
import type { ReportScope } from '../../../core/sharing/containment';
import * as documentStore from '../../../core/documents/store';
import { documentIn, instant } from '../../../core/fhir/resource';
import type { Call } from '../../../core/http/route';
import { dayWords, speechIn, type Speech } from '../../../core/language/resource-words';
import {
  isolated,
  lacksLetters,
  type Paper,
  type PaperName,
  type Papers,
  type StoryPaper,
} from '../../../core/paper/paper';
import { canPrint, readTemplate, templateFile } from '../../../core/paper/templates';
import { ReportFailure } from '../../../core/pipeline/report-modules';
import { requireCarenet, requireRecord } from '../../../core/records/require';
import type { Services } from '../../../core/services';
import { askingOf, type Asking } from '../asking';
import { clinicKindNames, timesAt, type ClinicKind } from '../links/clinic-content';
import { readClinicFacts, type ClinicFactsRead } from '../links/clinic-facts';
import { eyesOf } from '../links/link-opening';
import { readOwnWords } from './own-words';
import { layoutFor, madeOf, paperPerson, summaryPaper, type PaperSource } from './summary-paper';

export type PaperQuery = {
  readonly kinds: string;
  readonly months: number;
  readonly charts: boolean;
  readonly words: boolean;
  readonly language: Language;
  readonly zone: string;
};

/** The names of the documents from which resources come, as the person calls them, else who wrote them. */
async function readPaperSources(
  asking: Asking,
  { shown, sides, asides }: ClinicFactsRead,
  speech: Speech,
): Promise<ReadonlyMap<Id, PaperSource>> {
  const all = [...shown, ...[...sides.values()].flat()];
  const denials = [...asides.values()].flatMap((aside) => aside.denials);
  const ids = [...new Set([...all.map(documentIn), ...denials.map(({ documentId }) => documentId)])];
  const documents = await documentStore.findDocuments(asking.services.database.reads, asking.scope, ids);
  return new Map(
    documents.map(({ id, label, about, createdAt }) => {
      const instead = about?.from ?? speech.say('paper.own-document', { date: dayWords(instant(createdAt), speech) });
      return [id, { name: label ?? instead, instead }];
    }),
  );
}

type Wish = Pick<PaperQuery, 'charts'> & {
  readonly kinds: readonly ClinicKind[];
  readonly speech: Speech;
  readonly title: string;
  readonly label: string;
  readonly now: number;
};

/** The page of what was read of a record or circle. */
export async function paperOfFacts(asking: Asking, facts: ClinicFactsRead, wish: Wish): Promise<Paper> {
  const { speech, title, ...rest } = wish;
  const sources = await readPaperSources(asking, facts, speech);
  const isCircle = asking.scope.carenetId !== undefined;
  return summaryPaper({ ...facts, ...rest, sources, isCircle }, speech, title);
}

/** The person's words as a page of their own. */
export function storyPaper(
  text: string,
  facts: ClinicFactsRead,
  wish: Omit<Wish, 'charts' | 'kinds' | 'title'>,
): StoryPaper {
  const { speech, label, now } = wish;
  return {
    ...layoutFor(facts.patient, speech),
    title: speech.say('paper.story'),
    person: paperPerson(facts.patient, label, speech),
    made: madeOf(now, false, speech),
    paragraphs: text
      .split(/\n+/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => isolated(line, speech.dir)),
  };
}

/** The page, which says so where letters of it are printed as boxes. */
function withBoxesTold<P extends Papers[PaperName]>(paper: P): P {
  if (!lacksLetters(paper)) {
    return paper;
  }
  const told = speechIn(paper.language, 'UTC').say('paper.letters');
  return { ...paper, made: typeof paper.made === 'string' ? `${paper.made} ${told}` : [...paper.made, told] };
}

/** @throws errors.outOfOrder where a template cannot be used, errors.unavailable */
export async function print<N extends PaperName>(
  { config, reader, log, clock }: Services,
  name: N,
  paper: Papers[N],
  owner: string,
): Promise<Buffer> {
  const template = await readTemplate(config.pipelineConfigDirs, name);
  try {
    return await reader.print({ template, data: JSON.stringify(withBoxesTold(paper)), at: clock.now() }, owner);
  } catch (error) {
    if (error instanceof ReportFailure) {
      // What the template says may quote the person's texts.
      log.error({ template: templateFile(config.pipelineConfigDirs, name) }, 'a template could not be printed');
      throw errors.outOfOrder(`the template ${name} of printed pages cannot be used`);
    }
    throw error;
  }
}

/** What a page for a doctor is about. */
export type PaperView = {
  readonly paper: Paper;
  /** The person's words, if they are asked for and there are any. */ readonly story: StoryPaper | undefined;
  readonly hasWords: boolean;
  /** The name of the record. */ readonly label: string;
  /** The name of the carenet; empty for a record. */ readonly carenetName: string;
  readonly canPrint: boolean;
  readonly kinds: readonly ClinicKind[];
};

type InScope = Readonly<Record<string, string>>;

async function findPaperScope({ services, params }: Call<InScope, unknown>): Promise<{
  readonly scope: ReportScope;
  readonly label: string;
  readonly carenetName: string;
}> {
  const { RECORD_ID, CARENET_ID } = params;
  const carenet = RECORD_ID === undefined ? await requireCarenet(services, CARENET_ID ?? '') : undefined;
  const recordId = RECORD_ID ?? carenet!.recordId;
  const { label } = await requireRecord(services, recordId);
  const scope = carenet ? { recordId, carenetId: carenet.id } : { recordId };
  return { scope, label, carenetName: carenet?.name ?? '' };
}

/** The caller sees with the rights that the operation's rule has checked, and only the record or circle of the path. */
function eyesIn({ principal }: Call<InScope, unknown>, { recordId, carenetId }: ReportScope): SmartPrincipal {
  return eyesOf({
    accountId: principal.kind === 'account' ? principal.accountId : '',
    recordId,
    carenetId: carenetId ?? null,
  });
}

/** Reads what stands on the page. @throws errors.notFound, errors.invalidParameter */
export async function readPaper(call: Call<InScope, PaperQuery>): Promise<PaperView> {
  const { services, query, request } = call;
  const { scope, label, carenetName } = await findPaperScope(call);
  const asking = await askingOf({ services, principal: eyesIn(call, scope), request });
  const [speech, now] = [speechIn(query.language, query.zone), services.clock.now()];
  const kinds = askedKinds(query.kinds);
  const facts = await readClinicFacts(asking, kinds, timesAt(now, query.months, query.months));
  if (!facts) {
    throw errors.notFound('record');
  }
  const text = await readOwnWords(asking.services, asking.scope);
  const wish = { kinds, charts: query.charts, speech, title: speech.say('paper.title'), label, now };
  return {
    paper: await paperOfFacts(asking, facts, wish),
    story: query.words && text !== undefined ? storyPaper(text, facts, wish) : undefined,
    hasWords: text !== undefined,
    label,
    carenetName,
    canPrint: canPrint(services.config),
    kinds: clinicKindNames,
  };
}

/** @throws errors.invalidParameter */
function askedKinds(asked: string): readonly ClinicKind[] {
  const names = asked.split(',').filter((name) => name !== '');
  const known = clinicKindNames.filter((kind) => names.length === 0 || names.includes(kind));
  if (names.some((name) => !(clinicKindNames as readonly string[]).includes(name))) {
    throw errors.invalidParameter('kind', `choose among ${clinicKindNames.join(', ')}`);
  }
  return known;
}

/** The page as a PDF, with the person's words behind it. @throws as `readPaper`, errors.outOfOrder */
export async function printPaper(call: Call<InScope, PaperQuery>): Promise<Buffer> {
  const { services, principal } = call;
  const { paper, story, canPrint: prints } = await readPaper(call);
  if (!prints) {
    throw errors.outOfOrder('this installation cannot make PDFs: its administrator can install the compiler Typst');
  }
  const owner = principal.kind === 'account' ? principal.accountId : '';
  return print(services, 'summary', story ? { ...paper, story } : paper, owner);
}
