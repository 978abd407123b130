/** pages: every page of the website. A new one is a file of its own and a line here. */
import { account } from './account';
import { add } from './add';
import { addFile } from './add-file';
import { addModel } from './add-model';
import { letAppIn, openApp } from './app';
import { apps } from './apps';
import { authorize } from './authorize';
import { data } from './data';
import { document } from './document';
import { documentText } from './document-text';
import { documents } from './documents';
import { exportFile, exportPage } from './export';
import { forgotPassword } from './forgot-password';
import { handOver, takeOver } from './hand-over';
import { history, historyFile } from './history';
import { inbox } from './inbox';
import { link } from './link';
import { links } from './links';
import { mailedLinks } from './mailed-links';
import { message } from './message';
import { missing } from './missing';
import { newAddress } from './new-address';
import { overview } from './overview';
import type { PageSpec } from './page';
import { passkey } from './passkey';
import { records } from './records';
import { secondFactor } from './second-factor';
import { sharing } from './sharing';
import { signIn } from './sign-in';
import { signInCode } from './sign-in-code';
import { signOut } from './sign-out';
import { signUp } from './sign-up';
import { smart } from './smart';
import { startRecord } from './start-record';
import { timeline } from './timeline';
import { welcome } from './welcome';

export const pages: readonly PageSpec[] = [
  account,
  add,
  addFile,
  addModel,
  apps,
  authorize,
  ...data,
  ...document,
  ...documentText,
  ...documents,
  letAppIn,
  openApp,
  exportFile,
  exportPage,
  forgotPassword,
  handOver,
  takeOver,
  history,
  historyFile,
  inbox,
  ...link,
  ...links,
  ...mailedLinks,
  message,
  newAddress,
  ...overview,
  passkey,
  records,
  secondFactor,
  sharing,
  signIn,
  signInCode,
  signOut,
  signUp,
  smart,
  startRecord,
  ...timeline,
  welcome,
  missing,
];
