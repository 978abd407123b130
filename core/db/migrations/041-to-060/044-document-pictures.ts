/** 044-document-pictures: pages of documents as pictures, made when they were first asked for. No archive has them. */
import type { TableSpec } from '../tables';

export const documentPictures: readonly TableSpec[] = [
  {
    table: 'document_picture',
    sequence: true,
    columns: {
      record_id: 'id',
      document_id: 'id',
      lineage_id: 'id',
      /** From 1; 0: the small picture of the first one. */ page: 'int',
      /** How many pages can be drawn; 0: this one could not. */ pages: 'int',
      width: 'int',
      height: 'int',
      /** Why it could not be drawn. */ problem: 'text:10?',
      made_at: 'stamp',
      /** PNG. */ content: 'bytes',
      /** 1: the content is sealed. */ sealed: 'flag?',
    },
    unique: [['document_id', 'page']],
    indexes: [['lineage_id']],
  },
];
