/** shared-documents: the PDFs in what a clinic fetches: all of it in words, and what the person wrote. */
import { AppError } from '../../../core/base/errors';
import { isLanguage } from '../../../core/base/languages';
import type { Papers } from '../../../core/paper/paper';
import { canPrint } from '../../../core/paper/templates';
import { requireRecord } from '../../../core/records/require';
import type { HealthLink } from '../../../core/sharing/health-links-store';
import { speechIn } from '../../../core/language/resource-words';
import type { Asking } from '../asking';
import type { PersonsDocument } from '../links/clinic-bundle';
import type { ClinicKind } from '../links/clinic-content';
import type { ClinicFactsRead } from '../links/clinic-facts';
import { DOCUMENT_TYPES } from '../../../core/received/clinic-profile';
import { readOwnWords } from './own-words';
import { paperOfFacts, print, storyPaper } from './papers';

/** A template that an operator broke must not keep the facts from a clinic; the log tells of it. */
async function printed<N extends keyof Papers>(
  { services }: Asking,
  name: N,
  paper: Papers[N],
  owner: string,
): Promise<readonly Buffer[]> {
  try {
    return [await print(services, name, paper, owner)];
  } catch (error) {
    if (error instanceof AppError && error.code === 'out_of_order') {
      return [];
    }
    throw error;
  }
}

/** The PDFs of what was read; none where this installation cannot make any. */
export async function sharedDocuments(
  asking: Asking,
  facts: ClinicFactsRead,
  { clinic, recordId, accountId }: Pick<HealthLink, 'clinic' | 'recordId' | 'accountId'>,
): Promise<readonly PersonsDocument[]> {
  const { services, scope } = asking;
  if (!canPrint(services.config)) {
    return [];
  }
  const language = clinic?.language ?? '';
  const speech = speechIn(isLanguage(language) ? language : 'en', 'UTC');
  const { label } = await requireRecord(services, recordId);
  const title = speech.say('paper.summary');
  const kinds = (clinic?.kinds ?? []) as readonly ClinicKind[];
  const wish = { kinds, charts: false, speech, title, label, now: services.clock.now() };
  const text = clinic?.words === true ? await readOwnWords(services, scope) : undefined;
  const summary = await printed(asking, 'summary', await paperOfFacts(asking, facts, wish), accountId);
  const story = text === undefined ? undefined : storyPaper(text, facts, wish);
  const words = story ? await printed(asking, 'story', story, accountId) : [];
  return [
    ...summary.map((pdf) => ({ type: DOCUMENT_TYPES.summary, title, pdf })),
    ...words.map((pdf) => ({ type: DOCUMENT_TYPES.words, title: speech.say('paper.story'), pdf })),
  ];
}
