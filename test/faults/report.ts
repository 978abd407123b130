/** report: the figures of a campaign, and all of them as one table. */
import type { Ledger } from './ledger';
import type { Arrivals } from './mailbox';

export type Figures = {
  readonly writesAcknowledged: number;
  readonly outcomesUnknown: number;
  readonly refused: number;
  readonly noticedFull: number;
  readonly answersChecked: number;
  readonly documentsChecked: number;
  readonly mails: { readonly arrived: number; readonly twice: number };
  readonly pings: { readonly arrived: number; readonly twice: number };
  readonly seconds: number;
};

export type Report = {
  readonly database: string;
  readonly began: number;
  rounds: number;
  readonly kills: { readonly service: number; readonly database: number };
  /** How many times each possible fault was made. */
  readonly faultsMade: Record<string, number>;
  /** Faults that cannot be made on this machine. */
  readonly impossible: readonly string[];
  requests: number;
  auditVerified: string;
  readonly faults: string[];
  figures?: Figures;
};

const counted = (arrivals: Arrivals): Figures['mails'] => ({
  arrived: arrivals.size,
  twice: [...arrivals.values()].filter(({ length }) => length > 1).length,
});

export const summary = (
  ledger: Ledger,
  { mail, ping }: { readonly mail: Arrivals; readonly ping: Arrivals },
  began: number,
): Figures => ({
  writesAcknowledged: ledger.acknowledged,
  outcomesUnknown: ledger.unknown,
  refused: ledger.refused,
  noticedFull: ledger.noticedFull,
  answersChecked: ledger.told.length,
  documentsChecked: ledger.documents.size,
  mails: counted(mail),
  pings: counted(ping),
  seconds: Math.round((Date.now() - began) / 1000),
});

const deliveries = ({ arrived, twice }: Figures['mails'] = { arrived: 0, twice: 0 }): string =>
  `${arrived}, ${twice} of them twice under one key`;

const rowsOf = ({
  rounds,
  kills,
  faultsMade,
  impossible,
  requests,
  auditVerified,
  faults,
  figures,
}: Report): readonly (readonly [string, string | number])[] => [
  ['rounds, each ended by a kill -9 or a power cut', rounds],
  ['kills of the service', kills.service],
  ['kills of the database server', kills.database],
  ...[
    'service killed',
    'database killed',
    'service and database killed',
    'power cut',
    'process frozen',
    'connections closed',
    'clock stopped',
    'disk full',
  ].map((name) => [`  ${name}`, faultsMade[name] ?? '-'] as const),
  ['full disks that callers noticed (503)', figures?.noticedFull ?? 0],
  ['requests', requests],
  ['  refused with 503', figures?.refused ?? 0],
  ['writes whose outcome was lost', figures?.outcomesUnknown ?? 0],
  ['acknowledged writes checked', figures?.writesAcknowledged ?? 0],
  ['  documents byte for byte with their facts', figures?.documentsChecked ?? 0],
  ['answers checked for their audit row', figures?.answersChecked ?? 0],
  ['verify-audit', auditVerified],
  ['mails', deliveries(figures?.mails)],
  ['pings', deliveries(figures?.pings)],
  ['not possible on this machine', impossible.join('; ') || 'nothing'],
  ['seconds', figures?.seconds ?? 0],
  ['faults found', faults.length],
];

/** A row for each figure and a column for each database; below them every fault that was found. */
export const table = (reports: readonly Report[]): string => {
  const columns = reports.map(rowsOf);
  const names = (columns[0] ?? []).map(([name]) => name);
  const lines = [
    ['', ...reports.map(({ database }) => database)],
    ...names.map((name, row) => [name, ...columns.map((column) => String(column[row]![1]))]),
  ];
  const widths = lines[0]!.map((_cell, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const written = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`);
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [
    written[0],
    rule,
    ...written.slice(1),
    ...reports.flatMap(({ database, faults }) => faults.map((fault) => `${database}: ${fault}`)),
  ].join('\n');
};
