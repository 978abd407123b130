/** cards: reads, changes and prints the emergency card of a record. */
import { errors } from '../../../core/base/errors';
import { toTimestamp } from '../../../core/base/clock';
import type { InRecord } from '../../../core/http/inputs';
import type { Call } from '../../../core/http/route';
import { speechIn } from '../../../core/language/resource-words';
import { canPrint } from '../../../core/paper/templates';
import { findEmergencyCard, saveEmergencyCard } from '../../../core/records/emergency-card';
import { changeRecord, requireRecord } from '../../../core/records/require';
import { effectiveId } from '../../../core/auth/principal';
import * as recordStore from '../../../core/records/store';
import { askingOf } from '../asking';
import { timesAt } from '../links/clinic-content';
import { readClinicFacts } from '../links/clinic-facts';
import { eyesOf } from '../links/link-opening';
import { cardKinds, cardOf, noChoices, type Card, type CardChoices, type CardKind } from './card-paper';
import { paperOfFacts, print, type PaperQuery } from './papers';

export type CardQuery = Pick<PaperQuery, 'language' | 'zone'>;

/** The card as it is, and what a person can tick. */
export type CardView = Card & {
  readonly choices: CardChoices;
  /** As the details of the record say; empty if they do not. */ readonly blood: string;
  readonly known: readonly string[];
  readonly label: string;
  readonly canPrint: boolean;
};

/** What a form says: lists are lines. */
export type CardWish = {
  readonly kinds: string;
  readonly blood: boolean;
  readonly contacts: string;
  readonly own: string;
  readonly organ: string;
  readonly hasOrgan: boolean;
  readonly directive: string;
  readonly hasDirective: boolean;
};

function differentLines(text: string): readonly string[] {
  return [
    ...new Set(
      text
        .split('\n')
        .map((line) => line.replace(/\s+/g, ' ').trim())
        .filter((line) => line !== ''),
    ),
  ];
}

/** What is ticked of somebody whom nobody names any more is as if it were not ticked. */
function choicesIn(stored: string | undefined): CardChoices {
  return stored === undefined ? noChoices : { ...noChoices, ...(JSON.parse(stored) as Partial<CardChoices>) };
}

/** Reads the card as it is now. @throws errors.notFound */
export async function readCard(call: Call<InRecord, CardQuery>): Promise<CardView> {
  const { services, principal, query, request, params } = call;
  const { RECORD_ID: recordId } = params;
  const { label } = await requireRecord(services, recordId);
  const { reads } = services.database;
  const choices = choicesIn(await findEmergencyCard(reads, services.contents, recordId));
  const demographics = await recordStore.findDemographics(reads, recordId);
  const blood = String(demographics?.values['blood_group'] ?? '');
  const known = differentLines(String(demographics?.values['emergency_contacts'] ?? ''));
  const accountId = principal.kind === 'account' ? principal.accountId : '';
  const asking = await askingOf({ services, principal: eyesOf({ accountId, recordId, carenetId: null }), request });
  const now = services.clock.now();
  const facts = await readClinicFacts(asking, choices.kinds, timesAt(now));
  if (!facts) {
    throw errors.notFound('record');
  }
  const speech = speechIn(query.language, query.zone);
  const wish = { kinds: choices.kinds, charts: false, title: '', label, now };
  const own = await paperOfFacts(asking, facts, { ...wish, speech });
  const english = await paperOfFacts(asking, facts, { ...wish, speech: speechIn('en', query.zone) });
  const sections = { own: own.sections, english: english.sections };
  const card = cardOf({ patient: facts.patient, label, choices, blood, known, sections, now }, speech);
  return { ...card, choices, blood, known, label, canPrint: canPrint(services.config) };
}

/** The card as a PDF of two sides. @throws errors.outOfOrder, errors.notFound */
export async function printCard(call: Call<InRecord, CardQuery>): Promise<Buffer> {
  const { paper, canPrint: prints } = await readCard(call);
  if (!prints) {
    throw errors.outOfOrder('this installation cannot make PDFs: its administrator can install the compiler Typst');
  }
  return print(call.services, 'card', paper, effectiveId(call.principal) ?? '');
}

/** Stores what is on the card from now on. @throws errors.notFound, errors.permissionDenied */
export async function saveCard({
  services,
  params,
  body,
  principal,
}: Call<InRecord, unknown, CardWish>): Promise<void> {
  const kinds = body.kinds.split(',').filter((kind): kind is CardKind => cardKinds.includes(kind as CardKind));
  const choices: CardChoices = {
    ...body,
    kinds,
    contacts: differentLines(body.contacts),
    own: differentLines(body.own),
  };
  await changeRecord(services, params.RECORD_ID, (trx, { contentKey }) =>
    saveEmergencyCard(trx, services.contents.under(contentKey), {
      recordId: params.RECORD_ID,
      text: JSON.stringify(choices),
      by: effectiveId(principal) ?? '',
      now: toTimestamp(services.clock.now()),
    }),
  );
}
