import type { ServicesOf } from '@larder-dev/larder/kernel'
import type { AuditRecorder } from '../audit/audit-log.ts'
import type { LoginCookies } from '../domain/login-cookies.ts'
import type { IdentitySettings } from '../options.ts'
import { createProfiles } from './profiles.ts'
import { createUserMail } from './user-mail.ts'
import { createUsers } from './users.ts'

export const userServices = {
  profiles: createProfiles,
  userMail: createUserMail,
  users: createUsers,
}
/** Those of this feature and of the features below it. */
export type UserServices = ServicesOf<typeof userServices> & {
  readonly audit: AuditRecorder
  readonly cookies: LoginCookies
  readonly settings: IdentitySettings
}
