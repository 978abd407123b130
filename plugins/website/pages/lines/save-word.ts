/** save-word: stores what the person says of statements, as a document of its own. */
import { AppError } from '../../../../core/base/errors';
import type { Verdict } from '../../../../core/lines/own-words';
import { element, writeXml } from '../../../../core/xml/write';
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';

export type About = {
  readonly verdict: Verdict;
  readonly statements: readonly string[];
  readonly words: string;
  /** Which test a name means, or does not mean. */ readonly test?: string;
};

const LONGEST = 500;

/** The document by which the person says it. */
function wordDocument(visit: PersonVisit, model: string, { verdict, statements, words, test }: About): Buffer {
  const root = element('OwnWord', { xmlns: `${visit.settings.vocabBase}/xml/documents#` }, [
    element('verdict', {}, verdict),
    element('date', {}, new Date(visit.now).toISOString()),
    ...(test === undefined ? [] : [element('test', {}, test)]),
    element('words', {}, words.slice(0, LONGEST)),
    ...statements.map((statement) => element('about', { model, statement })),
  ]);
  return Buffer.from(writeXml(root));
}

/**
 * Stores it once, however often the button of the form is pressed.
 * @returns the id of the document; undefined where the form has stored one before
 */
export async function saveWord(visit: PersonVisit, model: string, about: About): Promise<string | undefined> {
  try {
    const { id } = await visit.ask(operations.documents.documentCreate, {
      params: { RECORD_ID: visit.params['RECORD_ID'] ?? '' },
      body: wordDocument(visit, model, about),
      mediaType: 'application/xml',
      form: { token: visit.form.text('form') },
    });
    return id;
  } catch (error) {
    if (error instanceof AppError && error.code === 'duplicate') {
      return undefined;
    }
    throw error;
  }
}
