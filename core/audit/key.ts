/** key: signs and verifies texts of the audit log. */
export type AuditKey = {
  readonly sign: (text: string) => string;
  readonly verify: (text: string, signature: string) => boolean;
  /** SPKI PEM, for those who check checkpoints elsewhere. */
  readonly publicKey: string;
};
