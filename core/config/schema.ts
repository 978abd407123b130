/** schema: every setting, with its default and its meaning. The only place that knows their names. */
import Joi from 'joi';
import { problemsOf } from '../base/errors';
import { languages, type Language } from '../base/languages';
import { networksOf } from '../base/networks';
import { parseMysqlUrl } from './mysql-url';

export type Config = {
  readonly host: string;
  readonly port: number;
  /** Public address without a trailing slash; empty: made from host and port once the port is known. */
  readonly baseUrl: string;
  readonly uiBaseUrl: string;
  /** True: the pages below /my are served. */
  readonly website: boolean;
  /** True: the FHIR door and its SMART authorization are served. */
  readonly fhir: boolean;
  /** True: pages can be printed as PDFs, if the compiler is installed. */
  readonly paper: boolean;
  /** Whether files without text are read by a machine: true, false, or undefined for where the program is installed. */
  readonly ocr: boolean | undefined;
  /** True: anybody may make an account at the website. */
  readonly signUp: boolean;
  readonly invitations: boolean;
  readonly databaseUrl: string;
  readonly databasePool: number;
  /** How long the long reads of one call may run in all. */ readonly longReadSeconds: number;
  readonly autoMigrate: boolean;
  readonly vocabBase: string;
  readonly platformBase: string;
  readonly pipelineConfigDirs: readonly string[];
  readonly datamodelsDirs: readonly string[];
  readonly manifestsDirs: readonly string[];
  /** The key that seals, and behind it others that open, with a comma between them. */ readonly secretKey: string;
  readonly secretKeyFile: string;
  readonly secretKeyCommand: string;
  readonly smtpUrl: string;
  readonly mailDir: string;
  readonly mailFrom: string;
  /** The language of mails to people who have not used the website yet. */ readonly language: Language;
  readonly authSystems: readonly string[];
  readonly maxDocumentBytes: number;
  /** The largest file that somebody may send at the website for a format to read; it may hold many documents. */
  readonly maxUploadBytes: number;
  /** The most documents of such a file. */ readonly uploadDocuments: number;
  /** The largest archive that a person may bring in as a new record. */ readonly bringInMegabytes: number;
  /** How many bytes such files of all people may have on the disk. */ readonly uploadTotalBytes: number;
  /** The folder in which such files lie, sealed, until they are added: made by `load`. */ readonly uploadDir: string;
  /** How long the body of a request may take; a large file only has to keep coming. */ readonly bodySeconds: number;
  readonly transformSeconds: number;
  readonly maxLimit: number;
  readonly sessionIdleSeconds: number;
  readonly sessionMaxSeconds: number;
  readonly requestTokenSeconds: number;
  readonly accessTokenSeconds: number;
  readonly connectTokenSeconds: number;
  /** How long an app of the FHIR door may renew its access without asking anew. */
  readonly refreshTokenSeconds: number;
  readonly rateAccountPerMinute: number;
  readonly rateConsumerPerMinute: number;
  readonly rateAddressPerMinute: number;
  readonly rateCodesPerMinute: number;
  readonly callbackAllowPrivate: boolean;
  /** What others are told whose links are fetched here. */ readonly name: string;
  readonly lockoutFailures: number;
  readonly lockoutSeconds: number;
  readonly passwordLeast: number;
  readonly appDocumentBytes: number;
  readonly appStorageBytes: number;
  readonly probesLoopbackOnly: boolean;
  /** Addresses and networks of proxies that are trusted to name the caller. */
  readonly trustedProxies: readonly string[];
  /** The most processes that read documents, for each process that serves. */ readonly xmlWorkers: number;
  readonly drainSeconds: number;
  readonly logLevel: string;
  /** Where OpenTelemetry's traces go; empty: none are made. */
  readonly tracesEndpoint: string;
  /** Path of a file, or `syslog:`. */ readonly auditHead: string;
  readonly auditSyslog: string;
  readonly auditAnonymousDays: number;
};

type Setting = { readonly key: keyof Config; readonly schema: Joi.Schema; readonly meaning: string };

const text = Joi.string().allow('');
const flag = Joi.boolean().truthy('1').falsy('0');
const count = Joi.number().integer().min(0).max(1e9);
const seconds = Joi.number().integer().min(1).max(1e9);

/**
 * Adds a rule for a text: `problemOf` returns why the text cannot be used, without repeating a password that is in it.
 */
function refusing(schema: Joi.StringSchema, problemOf: (value: string) => string | undefined): Joi.StringSchema {
  return schema.custom((value: string, { message }) => {
    const problem = problemOf(value);
    return problem === undefined ? value : message({ custom: problem });
  });
}

function uri(...scheme: string[]) {
  return Joi.string()
    .uri({ scheme })
    .messages({
      'string.uriCustomScheme': `must be an address that begins with ${scheme.map((name) => `${name}://`).join(' or ')}, without spaces`,
    });
}
const httpUrl = refusing(uri('http', 'https'), (value) => {
  if (!URL.canParse(value)) {
    return 'must be an address with a port of at most 65535';
  }
  // The address is shown to everybody.
  return /^[^/]*\/\/[^/]*@/.test(value) ? 'must be an address without a user and a password' : undefined;
}).custom((value: string) => value.replace(/\/+$/, ''));
// Paths are appended to this address.
const pathPrefix = refusing(httpUrl, (value) =>
  /[?#]/.test(value) ? 'must be an address without a query (?) and without a fragment (#)' : undefined,
);
// This address becomes part of XML texts and of namespaces, and names are appended to it after a # of their own.
const vocabulary = refusing(pathPrefix, (value) =>
  /[&<>"'\s]/.test(value)
    ? 'must be an address without & < > " \' and white space, because it becomes part of XML'
    : undefined,
);
const syslogAddress = refusing(text, (value) =>
  value === '' || /^(udp|tcp|tls):\/\/(\[[\da-fA-F:.]+\]|[\w.-]+):\d{1,5}$/.test(value)
    ? undefined
    : 'must be udp://host:port, tcp://host:port or tls://host:port',
);
function list(separator: string) {
  return text.custom((value: string) =>
    value
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
}

function folders(name: string) {
  return list(':')
    .custom((value: string[], { message }) => (value.length > 0 ? value : message({ custom: 'must name a folder' })))
    .default([name]);
}

// Sessions of external systems need no password, so `password` must never be the name of one.
const authSystems = list(',').custom((value: string[], { message }) => {
  const wrong = value.find((name) => !/^[\w.-]{1,100}$/.test(name) || name === 'password');
  return wrong === undefined
    ? value
    : message({
        custom:
          wrong === 'password'
            ? 'must not name password, which is always there'
            : 'must be short names of letters, digits, dots and hyphens',
      });
});

export const USUAL_PORT = 8000;

/** The fewest characters of a key. */
export const SHORTEST_KEY = 16;

/** The path of the website below the public address. */
export const SITE = '/my';

const networks = list(',').custom((value: string[], { message }) => {
  try {
    networksOf(value);
    return value;
  } catch {
    return message({ custom: 'must be IP addresses or networks such as 10.0.0.0/8, separated by commas' });
  }
});

/** A pattern whose message says what to write and never repeats the value, which may hold a password. */
function shaped(pattern: RegExp, says: string) {
  return Joi.string().pattern(pattern).messages({ 'string.pattern.base': says });
}

/**
 * One slash after `sqlite:` begins a path, and so do three. Two slashes would quietly make a file at the root of the
 * machine.
 */
function databaseProblem(value: string): string | undefined {
  if (/^sqlite:\/\/[^/]/.test(value)) {
    return 'write sqlite:PATH without // before the path: sqlite:var/svc.sqlite, or sqlite:/srv/svc.sqlite for an absolute one';
  }
  if (/^sqlite:./.test(value)) {
    return undefined;
  }
  if (!value.startsWith('mysql:')) {
    return 'write sqlite:PATH, sqlite::memory: or mysql://user:pass@host:port/db';
  }
  try {
    parseMysqlUrl(value);
    return undefined;
  } catch (error) {
    return problemsOf(error)
      .join('; ')
      .replace(/^SVC_DATABASE_URL: /, '');
  }
}

function smtpProblem(value: string): string | undefined {
  return URL.canParse(value) && new URL(value).hostname !== ''
    ? undefined
    : 'write smtp://host:port or smtps://user:pass@host:port, with a port of at most 65535';
}

/** While the key is changed, the old one stands behind the new one. A space beside the comma would belong to a key. */
function keyProblem(value: string): string | undefined {
  if (/\p{Cc}|^\s|\s$|\s,|,\s/u.test(value)) {
    return 'must be one line, without white space at its ends or beside a comma';
  }
  return value.split(',').some((key) => key.length < SHORTEST_KEY)
    ? `must be at least ${SHORTEST_KEY} characters, and so must each key behind a comma`
    : undefined;
}

/** Environment name -> setting. The order is that of the documentation. */
export const settings: Readonly<Record<string, Setting>> = {
  SVC_HOST: { key: 'host', schema: Joi.string().hostname().default('127.0.0.1'), meaning: 'address to listen on' },
  SVC_PORT: {
    key: 'port',
    schema: Joi.number().port().default(USUAL_PORT),
    meaning: 'port to listen on; 0 takes a free one',
  },
  SVC_BASE_URL: {
    key: 'baseUrl',
    schema: pathPrefix.empty('').default(''),
    meaning: 'public address: OAuth base strings, APIBase, links, passkeys',
  },
  SVC_UI_BASE_URL: {
    key: 'uiBaseUrl',
    schema: httpUrl.empty('').default(''),
    meaning: 'prefix of e-mail links and of relative app URLs; unset: the website, or with SVC_WEBSITE=0 SVC_BASE_URL',
  },
  SVC_WEBSITE: { key: 'website', schema: flag.default(true), meaning: 'serve the website below /my; 0 leaves it out' },
  SVC_FHIR: {
    key: 'fhir',
    schema: flag.default(true),
    meaning: 'serve FHIR R4 below /fhir, with SMART authorization where there is a website; 0 leaves both out',
  },
  SVC_OCR: {
    key: 'ocr',
    schema: flag.empty(''),
    meaning:
      'read scans and photos for searches, with the program tesseract; 0 leaves it out; unset: where the program is installed',
  },
  SVC_SIGN_UP: {
    key: 'signUp',
    schema: flag.default(false),
    meaning: 'whoever opens the website may make an account; otherwise accounts are given out',
  },
  SVC_INVITATIONS: {
    key: 'invitations',
    schema: flag.default(true),
    meaning:
      'whoever is invited by mail to see a record may make an account for that; 0: only where SVC_SIGN_UP lets everybody',
  },
  SVC_DATABASE_URL: {
    key: 'databaseUrl',
    schema: refusing(Joi.string(), databaseProblem).default('sqlite:var/svc.sqlite'),
    meaning: 'sqlite:PATH, sqlite::memory: or mysql://user:pass@host:port[,host:port]/db[?tls=1]',
  },
  SVC_DATABASE_POOL: {
    key: 'databasePool',
    schema: Joi.number().integer().min(1).max(1000).default(10),
    meaning: 'connections per process (MySQL)',
  },
  SVC_AUTO_MIGRATE: { key: 'autoMigrate', schema: flag.default(true), meaning: 'serve migrates the database first' },
  SVC_VOCAB_BASE: {
    key: 'vocabBase',
    schema: vocabulary.default('https://svc.example/vocab'),
    meaning: 'replaces {vocab_base} everywhere',
  },
  SVC_PIPELINE_CONFIG_DIR: {
    key: 'pipelineConfigDirs',
    schema: folders('pipeline-config'),
    meaning: 'folders of document formats, separated by :',
  },
  SVC_DATAMODELS_DIR: {
    key: 'datamodelsDirs',
    schema: folders('datamodels'),
    meaning: 'folders of data models, separated by :',
  },
  SVC_MANIFESTS_DIR: { key: 'manifestsDirs', schema: folders('manifests'), meaning: 'folders of apps, separated by :' },
  SVC_SECRET_KEY: {
    key: 'secretKey',
    schema: refusing(Joi.string(), keyProblem).empty('').default(''),
    meaning:
      'encrypts secrets, documents and messages at rest; made in var/secret.key with SQLite, required with MySQL; while it is changed: the new key, a comma, the old one',
  },
  SVC_SECRET_KEY_FILE: {
    key: 'secretKeyFile',
    schema: Joi.string().empty('').default(''),
    meaning: 'a file that holds the key, instead of SVC_SECRET_KEY; each further line is a key that opens only',
  },
  SVC_SECRET_KEY_COMMAND: {
    key: 'secretKeyCommand',
    schema: Joi.string().empty('').default(''),
    meaning: 'a command that prints the key, instead of SVC_SECRET_KEY; run once at the start of each process',
  },
  SVC_SMTP_URL: {
    key: 'smtpUrl',
    schema: refusing(uri('smtp', 'smtps'), smtpProblem).empty('').default(''),
    meaning: 'smtps://user:pass@host or smtp://host:port; unset: mails become files in SVC_MAIL_DIR',
  },
  SVC_MAIL_DIR: {
    key: 'mailDir',
    schema: Joi.string().default('var/mail'),
    meaning: 'folder of .eml files when no SMTP server is set',
  },
  SVC_MAIL_FROM: {
    key: 'mailFrom',
    schema: shaped(
      /^([^\r\n<>]*<)?[^\s<>@]+@[^\s<>@]+>?$/,
      'must be an e-mail address, with a name before it or not',
    ).default('svc@localhost'),
    meaning: 'sender of mails',
  },
  SVC_LANGUAGE: {
    key: 'language',
    schema: Joi.string()
      .valid(...Object.keys(languages))
      .default('en'),
    meaning: `language of mails to people who have not used the website yet: ${Object.keys(languages).join(', ')}`,
  },
  SVC_AUTH_SYSTEMS: {
    key: 'authSystems',
    schema: authSystems.default([]),
    meaning: 'external auth systems in addition to password, comma-separated',
  },
  SVC_MAX_DOCUMENT_BYTES: {
    key: 'maxDocumentBytes',
    schema: count.min(1).default(10_485_760),
    meaning: 'largest document; above: 413',
  },
  SVC_BRING_IN_MB: {
    key: 'bringInMegabytes',
    schema: count.min(0).default(2000),
    meaning:
      'largest archive, in megabytes, that a person may bring in at the website as a new record of their own; 0: none',
  },
  SVC_TRANSFORM_SECONDS: {
    key: 'transformSeconds',
    schema: Joi.number().min(0.1).max(3600).default(10),
    meaning: 'time limit of one stylesheet or module run, in processor time; one that waits is ended by the clock',
  },
  SVC_MAX_LIMIT: {
    key: 'maxLimit',
    schema: count.min(1).default(1000),
    meaning: 'larger limit values are lowered to it',
  },
  SVC_SESSION_IDLE_SECONDS: {
    key: 'sessionIdleSeconds',
    schema: seconds.default(1800),
    meaning: 'a session ends after this time without a call',
  },
  SVC_SESSION_MAX_SECONDS: {
    key: 'sessionMaxSeconds',
    schema: seconds.default(43_200),
    meaning: 'a session ends after this time whatever happens',
  },
  SVC_REQUEST_TOKEN_SECONDS: {
    key: 'requestTokenSeconds',
    schema: seconds.default(3600),
    meaning: 'life of a request token',
  },
  SVC_ACCESS_TOKEN_SECONDS: {
    key: 'accessTokenSeconds',
    schema: seconds.default(86_400),
    meaning: 'life of an access token',
  },
  SVC_CONNECT_TOKEN_SECONDS: {
    key: 'connectTokenSeconds',
    schema: seconds.default(1800),
    meaning: 'life of connect and REST tokens, and of those that setup issues to an app that is not autonomous',
  },
  SVC_RATE_ACCOUNT_PER_MINUTE: {
    key: 'rateAccountPerMinute',
    schema: count.default(10),
    meaning: 'failed credential attempts per account; 0: no limit',
  },
  SVC_RATE_CONSUMER_PER_MINUTE: {
    key: 'rateConsumerPerMinute',
    schema: count.default(600),
    meaning: 'failed credential attempts per consumer; 0: no limit',
  },
  SVC_RATE_ADDRESS_PER_MINUTE: {
    key: 'rateAddressPerMinute',
    schema: count.default(60),
    meaning:
      'failed attempts at the website from one network address; one SMART app may ask people ten times as often from there; 0: no limit',
  },
  SVC_CALLBACK_ALLOW_PRIVATE: {
    key: 'callbackAllowPrivate',
    schema: flag.default(false),
    meaning:
      'pings, calls for the keys of apps (jwks_uri), and links that people fetch may reach private and loopback addresses',
  },
  SVC_NAME: {
    key: 'name',
    schema: Joi.string()
      .max(100)
      .pattern(/^[^\p{Cc}]+$/u)
      .empty('')
      .default('A personal health record'),
    meaning: 'what the other side is told when a person fetches a health link here; never the name of the person',
  },
  SVC_LOCKOUT_FAILURES: {
    key: 'lockoutFailures',
    schema: count.min(1).default(3),
    meaning: 'failed log-ins that lock the password of an account',
  },
  SVC_LOCKOUT_SECONDS: {
    key: 'lockoutSeconds',
    schema: count.default(900),
    meaning: 'a locked password works again after this time',
  },
  SVC_PASSWORD_LEAST: {
    key: 'passwordLeast',
    schema: count.min(1).max(24).default(8),
    meaning: 'least number of characters of a new password',
  },
  SVC_PROBES_LOOPBACK_ONLY: {
    key: 'probesLoopbackOnly',
    schema: flag.default(false),
    meaning: 'health and metrics answer loopback callers only',
  },
  SVC_TRUSTED_PROXIES: {
    key: 'trustedProxies',
    schema: networks.default([]),
    meaning: 'addresses and networks of proxies whose X-Forwarded-For names the caller, comma-separated',
  },
  // Only the deployer knows how often a load balancer asks; without one a stop need not wait.
  SVC_DRAIN_SECONDS: {
    key: 'drainSeconds',
    schema: Joi.number().min(0).max(3600).default(0),
    meaning:
      'when the service stops, /health/ready answers 503 for this long before connections are refused, so that a load balancer can turn away',
  },
  SVC_LOG_LEVEL: {
    key: 'logLevel',
    schema: Joi.string().valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
    meaning: 'structured JSON lines on stderr',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    key: 'tracesEndpoint',
    schema: httpUrl.empty('').default(''),
    meaning: 'http(s) address of an OpenTelemetry receiver that traces are sent to; unset: none are made',
  },
  SVC_AUDIT_HEAD: {
    key: 'auditHead',
    schema: Joi.string().default('var/audit.head'),
    meaning:
      'file outside the database in which the ends of the audit log are kept, or syslog: for the server of SVC_AUDIT_SYSLOG',
  },
  SVC_AUDIT_SYSLOG: {
    key: 'auditSyslog',
    schema: syslogAddress.default(''),
    meaning: 'udp://, tcp:// or tls://host:port: every audit row is sent there as syslog; unset: none is',
  },
  SVC_AUDIT_ANONYMOUS_DAYS: {
    key: 'auditAnonymousDays',
    schema: count.default(90),
    meaning: 'audit rows of refused calls without credentials are shortened after this many days; 0: never',
  },
};
