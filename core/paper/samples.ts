/** samples: prints an example of each page with the templates in force, for `svc check`. */
import { canPrint, readTemplate, templateFile } from './templates';
import { paperNames, type CardPaper, type Paper, type Papers, type StoryPaper } from './paper';
import type { Printing } from './typst';

const layout = { language: 'en', dir: 'ltr', size: 'a4', one: '1', pages: ['page ', ' of ', ''] } as const;
const person = { name: 'Mira Halvorsen', born: 'Born 17 April 1968' };
const drawing = {
  svg: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  alt: 'An example',
};
const saying = { said: '132 / 82 mmHg', when: '3 March 2026', source: 'A clinic' };

const story: StoryPaper = { ...layout, title: 'In your own words', person, made: ['Today'], paragraphs: ['Words'] };
const summary: Paper = {
  ...layout,
  title: 'For your doctor',
  person,
  made: ['Today'],
  sections: [
    { kind: 'allergies', title: 'Allergies', rows: [], empty: 'Nothing is known' },
    {
      kind: 'vitals',
      title: 'Vital signs',
      english: 'Vital signs',
      rows: [
        { name: 'Blood pressure', sayings: [saying, saying], chart: drawing, differs: 'Sources differ' },
        { name: 'Weight', sayings: [saying] },
      ],
      empty: '',
    },
  ],
  story,
};
const card: CardPaper = {
  language: 'en',
  dir: 'ltr',
  title: 'Emergency card',
  person,
  lines: [
    { kind: 'allergies', title: 'Allergien', english: 'Allergies', items: ['Penicillin'], alert: true },
    { kind: 'problems', title: 'Problems', english: '', items: ['Asthma', 'Gout'], alert: false },
  ],
  dropped: ['problems'],
  more: 'There is more',
  isPart: true,
  code: drawing,
  made: 'Today',
};

const samples: Papers = { summary, story, card };

type Checked = {
  readonly problems: readonly string[];
  readonly summary: readonly string[];
  readonly warnings: readonly string[];
};

type CheckedSettings = { readonly pipelineConfigDirs: readonly string[]; readonly paper: boolean };

/** @param print fails with `LINE: REASON` where a template is at fault */
export async function checkTemplates(
  { pipelineConfigDirs, ...settings }: CheckedSettings,
  print: (printing: Printing) => Promise<unknown>,
): Promise<Checked> {
  if (!canPrint(settings)) {
    const warnings = settings.paper
      ? ['no PDFs are made: the optional dependency for that (Typst) is not installed for this machine']
      : [];
    return { problems: [], summary: [], warnings };
  }
  const problems: string[] = [];
  for (const name of paperNames) {
    const template = await readTemplate(pipelineConfigDirs, name);
    try {
      await print({ template, data: JSON.stringify(samples[name]), at: 0 });
    } catch (error) {
      problems.push(`${templateFile(pipelineConfigDirs, name)}:${(error as Error).message}`);
    }
  }
  return { problems, summary: [`${paperNames.length} templates of paper`], warnings: [] };
}
