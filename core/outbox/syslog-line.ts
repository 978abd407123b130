/**
 * syslog-line: writes one message in the form of RFC 5424, and in the frame of RFC 6587 and RFC 5425 for a stream
 * (pure).
 */
/** What a delivery holds: rows of a chain, or a signed head of one. */
export type SyslogPayload =
  | { readonly chain: string; /** Exclusive. */ readonly after: number; readonly to: number }
  | { readonly head: string; readonly at: string };

export type SyslogMessage = {
  readonly at: string;
  readonly host: string;
  /** RFC 5424's MSGID. */ readonly id: string;
  /** 5: normal but significant; 4: a warning. */ readonly severity: 4 | 5;
  readonly text: string;
};

/** Security and authorization messages, as DICOM PS3.15 A.6 requires. */
const FACILITY = 10;

function printable(value: string, length: number): string {
  return value.replace(/[^\x21-\x7e]/g, '').slice(0, length) || '-';
}

/** RFC 5424 requires a byte order mark before UTF-8 text. */
const MARK = '\ufeff';

export function syslogLine({ at, host, id, severity, text }: SyslogMessage): Buffer {
  return Buffer.from(
    `<${FACILITY * 8 + severity}>1 ${at} ${printable(host, 255)} svc ${process.pid} ${printable(id, 32)} - ${MARK}${text}`,
  );
}

/** Counts the octets of a message, because it may hold any byte. */
export function framed(line: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${line.length} `), line]);
}
