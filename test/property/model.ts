/**
 * model: who may see what, written a second time as plainly as possible, and without use of the service's own code: one
 * record with its people, apps, carenets and documents, all in memory.
 */

export type Status = 'active' | 'void' | 'archived';

/** A document with all its versions. */
export type Doc = {
  readonly versions: string[];
  type: string;
  status: Status;
  nevershare: boolean;
  /** Explicit decision by carenet: in or out. */
  readonly wishes: Map<Carenet, boolean>;
};

export type Carenet = {
  readonly id: string;
  readonly members: Set<string>;
  readonly apps: Set<string>;
  readonly types: Set<string>;
  /** Kinds of facts that it sees, whatever document they came in. */
  readonly kinds: Set<string>;
};

/** A token that an app holds: for an account or for itself, on the whole record or on one carenet. */
export type Token = {
  readonly app: string;
  readonly account: string | null;
  readonly carenet: Carenet | null;
  ended: boolean;
};

export type Relation = { readonly type: string; readonly subject: Doc; readonly object: Doc };

/** The caller: a person who is signed in, or an app with a token. */
export type Asker =
  { readonly kind: 'account'; readonly account: string } | { readonly kind: 'token'; readonly token: Token };

export class Model {
  readonly shares = new Set<string>();
  readonly enabled = new Set<string>();
  readonly carenets: Carenet[] = [];
  readonly docs: Doc[] = [];
  readonly relations: Relation[] = [];
  readonly tokens: Token[] = [];

  constructor(
    readonly autonomous: ReadonlySet<string>,
    public owner: string | null,
  ) {}

  controls(account: string): boolean {
    return this.owner === account || this.shares.has(account);
  }

  /** Whether the service still accepts this token at all. */
  works(token: Token): boolean {
    if (token.ended || !this.enabled.has(token.app)) {
      return false;
    }
    if (token.carenet && !(this.carenets.includes(token.carenet) && token.carenet.apps.has(token.app))) {
      return false;
    }
    return token.account === null || this.mayGive(token);
  }

  /** Whether the account of a token still has the access that it gives to the app. */
  mayGive({ account, carenet }: Token): boolean {
    return account !== null && (this.controls(account) || (carenet?.members.has(account) ?? false));
  }

  opensRecord(asker: Asker): boolean {
    if (asker.kind === 'account') {
      return this.controls(asker.account);
    }
    const { token } = asker;
    return (
      this.works(token) &&
      token.carenet === null &&
      (token.account === null ? this.autonomous.has(token.app) : this.controls(token.account))
    );
  }

  opensCarenet(asker: Asker, carenet: Carenet): boolean {
    return (
      (this.carenets.includes(carenet) && this.looksInto(asker, carenet)) ||
      (this.carenets.includes(carenet) && this.opensRecord(asker))
    );
  }

  /**
   * Access to the carenet itself, not by way of the whole record: members, those in control, and tokens of this very
   * carenet.
   */
  looksInto(asker: Asker, carenet: Carenet): boolean {
    if (asker.kind === 'account') {
      return carenet.members.has(asker.account) || this.controls(asker.account);
    }
    return asker.token.carenet === carenet && asker.token.account !== null && this.works(asker.token);
  }

  holds(carenet: Carenet, doc: Doc): boolean {
    if (doc.nevershare) {
      return false;
    }
    return doc.wishes.get(carenet) ?? carenet.types.has(doc.type);
  }

  /**
   * Whether a carenet sees the facts of a document: all columns where it holds the document, else those of their kind.
   * The names of kinds are those of document types with facts. What is typed in (Models) has facts of procedures.
   */
  sees(carenet: Carenet, doc: Doc): boolean {
    if (doc.status !== 'active' || doc.nevershare) {
      return false;
    }
    return (
      doc.wishes.get(carenet) ??
      (carenet.types.has(doc.type) || carenet.kinds.has(doc.type === 'Models' ? 'Procedure' : doc.type))
    );
  }

  /** A carenet shows only the latest version of the documents in it; what a correction removed cannot be seen. */
  shows(carenet: Carenet, doc: Doc, version: string): boolean {
    return this.holds(carenet, doc) && doc.versions.at(-1) === version;
  }

  /** The number of related documents that are active and can be seen, by relation type. */
  related(doc: Doc, side: 'subject' | 'object', seen: (doc: Doc) => boolean): Map<string, number> {
    const counts = new Map<string, number>();
    const other = side === 'subject' ? 'object' : 'subject';
    for (const relation of this.relations) {
      if (relation[side] === doc && relation[other].status === 'active' && seen(relation[other])) {
        counts.set(relation.type, (counts.get(relation.type) ?? 0) + 1);
      }
    }
    return counts;
  }

  endTokens(which: (token: Token) => boolean): void {
    this.tokens.filter(which).forEach((token) => {
      token.ended = true;
    });
  }
}
