/** examples: replies for the API reference, as a test run last saw them (test/docs/replies.test.ts writes and checks them). */
import { existsSync, readFileSync } from 'node:fs';
import { inProject } from '../base/paths';

export type Example = { readonly type: string; readonly body: string };
/** By `METHOD path`. */
export type Examples = Readonly<Record<string, Example>>;

export const examplesFile = inProject('core', 'http', 'examples.json');

export const readExamples = (): Examples => (existsSync(examplesFile) ? (JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples) : {});
