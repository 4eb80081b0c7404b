/** Private services of identity. */
import type { ServicesOf } from '@larder-dev/larder/kernel'
import { accountServices } from './accounts/services.ts'
import { createAuditLog } from './audit/audit-log.ts'
import { createLoginCookies } from './domain/login-cookies.ts'
import { operatorServices } from './operators/services.ts'
import { createSettings } from './options.ts'
import { signInServices } from './sign-in/services.ts'
import { userServices } from './users/services.ts'
import { workspaceServices } from './workspaces/services.ts'

export const services = {
  settings: createSettings,
  audit: createAuditLog,
  cookies: createLoginCookies,
  ...userServices,
  ...workspaceServices,
  ...signInServices,
  ...accountServices,
  ...operatorServices,
}
export type IdentityServices = ServicesOf<typeof services>
