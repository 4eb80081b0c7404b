/** What identity gives to other modules. */
import { createAuthenticator } from './authenticator.ts'
import { createIdentity } from './identity.ts'
import { createAudit } from './services/audit.ts'
import { createPeople } from './services/people.ts'

export const provides = {
  identity: createIdentity,
  authenticator: createAuthenticator,
  people: createPeople,
  auditLog: createAudit,
}
