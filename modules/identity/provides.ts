/** What identity gives to other modules. */

import { createAudit } from './services/audit.ts'
import { createAuthenticator } from './services/authenticator.ts'
import { createIdentity } from './services/identity.ts'
import { createPeople } from './services/people.ts'

export const provides = {
  identity: createIdentity,
  authenticator: createAuthenticator,
  people: createPeople,
  auditLog: createAudit,
}
