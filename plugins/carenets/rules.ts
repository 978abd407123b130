/** rules: an account may read its own permissions in a carenet, as a member or through an app. */
import { appInCarenet, carenetMember, type AccessRule } from '../../core/access/rules';

export const ownPermissionsOfMember: AccessRule = {
  name: 'own_permissions_of_member',
  says: 'the account named in the path, while it is in the carenet',
  callers: ['account'],
  test: (question) =>
    question.principal.kind === 'account' &&
    question.principal.accountId === question.params['ACCOUNT_ID'] &&
    carenetMember.test(question),
};

export const ownPermissionsOfApp: AccessRule = {
  name: 'own_permissions_of_app',
  says: 'a user app with an access token of the account named in the path for this carenet',
  callers: ['account_token'],
  test: (question) =>
    question.principal.kind === 'access_token' &&
    question.principal.accountId === question.params['ACCOUNT_ID'] &&
    appInCarenet.test(question),
};
