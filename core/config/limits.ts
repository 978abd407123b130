/** limits: figures that are the same everywhere, because no operator has a reason to change them. */
import type { Config } from './schema';

export const limits = {
  /** The health-app platform whose RDF vocabulary is used. */ platformBase: 'http://smartplatforms.org',
  /** PDFs are made wherever the optional compiler is installed. */ paper: true,
  longReadSeconds: 10,
  maxUploadBytes: 1_000_000_000,
  uploadDocuments: 25_000,
  uploadTotalBytes: 10_000_000_000,
  bodySeconds: 60,
  refreshTokenSeconds: 7_776_000,
  /** A search without a rare word counts as eleven. */ rateCodesPerMinute: 600,
  appDocumentBytes: 1_048_576,
  appStorageBytes: 52_428_800,
  /** One goes on while the other has a slow document; `serve --workers` makes more. */ xmlWorkers: 2,
} satisfies Partial<Config>;
