/** pages: every page of the website. A new one is a file of its own and a line here. */
import { account } from './pages/account/account';
import { add } from './pages/add/add';
import { addFile } from './pages/add/add-file';
import { addTable } from './pages/add/add-table';
import { addModel } from './pages/add/add-model';
import { kept } from './pages/telephone/kept';
import { letAppIn, openApp } from './pages/apps/app';
import { apps } from './pages/apps/apps';
import { authorize } from './pages/apps/authorize';
import { bringIn } from './pages/record/bring-in';
import { card, cardFile } from './pages/paper/card';
import { clinic, clinicLink } from './pages/sharing/clinic';
import { clinicCode } from './pages/sharing/clinic-code';
import { clinicWords } from './pages/sharing/words';
import { data } from './pages/data/data';
import { details } from './pages/record/details';
import { document } from './pages/documents/document';
import { documentFiles } from './pages/documents/files';
import { documentPictures } from './pages/documents/pictures';
import { documentText } from './pages/documents/text';
import { documents } from './pages/documents/documents';
import { exportFile, exportPage } from './pages/record/take-it-with-you';
import { filesZip } from './pages/record/files-zip';
import { forgotPassword } from './pages/sign-in/forgot-password';
import { handOver, takeOver } from './pages/sharing/hand-over';
import { history, historyFile } from './pages/record/who-looked';
import { inbox } from './pages/inbox/inbox';
import { invitation } from './pages/sharing/invitation';
import { invite } from './pages/sharing/invite';
import { link } from './pages/sharing/link';
import { line } from './pages/lines/line';
import { links } from './pages/sharing/links';
import { list } from './pages/lines/list';
import { questions } from './pages/lines/questions';
import { mailedLinks } from './pages/sign-in/mailed-links';
import { message } from './pages/inbox/message';
import { missing } from './http/missing';
import { newAddress } from './pages/account/new-address';
import { overview } from './pages/record/overview';
import type { PageSpec } from './http/page';
import { paper, paperFile } from './pages/paper/paper';
import { passkey } from './pages/account/passkey';
import { quick } from './pages/quick/quick';
import { search } from './pages/record/search';
import { records } from './pages/record/records';
import { secondFactor } from './pages/account/second-factor';
import { personSharing } from './pages/sharing/person';
import { circle, sharing } from './pages/sharing/sharing';
import { signIn } from './pages/sign-in/sign-in';
import { signInCode } from './pages/sign-in/sign-in-code';
import { signOut } from './pages/sign-in/sign-out';
import { signUp } from './pages/sign-in/sign-up';
import { smart } from './pages/apps/smart';
import { startRecord } from './pages/record/start-record';
import { test } from './pages/tests/test';
import { tests } from './pages/tests/tests';
import { timeline } from './pages/record/timeline';
import { people } from './pages/visits/people';
import { person } from './pages/visits/person';
import { visitPage } from './pages/visits/visit';
import { visits } from './pages/visits/visits';
import { welcome } from './pages/sign-in/welcome';

export const pages: readonly PageSpec[] = [
  account,
  add,
  addFile,
  addTable,
  addModel,
  apps,
  authorize,
  bringIn,
  card,
  cardFile,
  ...clinic,
  ...clinicCode,
  clinicLink,
  clinicWords,
  ...data,
  details,
  ...document,
  ...documentText,
  ...documentFiles,
  ...documentPictures,
  ...documents,
  letAppIn,
  openApp,
  exportFile,
  filesZip,
  exportPage,
  forgotPassword,
  handOver,
  takeOver,
  history,
  historyFile,
  inbox,
  invitation,
  kept,
  invite,
  ...link,
  ...line,
  ...links,
  ...list,
  questions,
  ...paper,
  ...paperFile,
  ...mailedLinks,
  message,
  newAddress,
  ...overview,
  passkey,
  ...quick,
  records,
  ...search,
  secondFactor,
  sharing,
  circle,
  personSharing,
  signIn,
  signInCode,
  signOut,
  signUp,
  smart,
  startRecord,
  ...test,
  ...tests,
  ...timeline,
  ...people,
  ...person,
  ...visits,
  ...visitPage,
  welcome,
  missing,
];
