import { operatorProblems } from './operators/problems.ts'
import { codeProblems } from './sign-in/codes/problems.ts'
import { impersonationProblems } from './sign-in/impersonation/problems.ts'
import { passkeyProblems } from './sign-in/passkeys/problems.ts'
import { passwordProblems } from './sign-in/password/problems.ts'
import { signInProblems } from './sign-in/problems.ts'
import { providerProblems } from './sign-in/providers/problems.ts'
import { secondFactorProblems } from './sign-in/second-factor/problems.ts'
import { ssoProblems } from './sign-in/sso/problems.ts'
import { accountProblems } from './users/problems.ts'
import { memberProblems } from './workspaces/members/problems.ts'
import { workspaceProblems } from './workspaces/problems.ts'
import { roleProblems } from './workspaces/roles/problems.ts'

/** Those of all features. */
export const problems = {
  ...signInProblems,
  ...passwordProblems,
  ...codeProblems,
  ...passkeyProblems,
  ...secondFactorProblems,
  ...providerProblems,
  ...ssoProblems,
  ...accountProblems,
  ...workspaceProblems,
  ...memberProblems,
  ...roleProblems,
  ...impersonationProblems,
  ...operatorProblems,
}
