/**
 * Passkeys (WebAuthn) by `@simplewebauthn/server`. They are discoverable and verify the person, so that they sign in
 * without an address and without a second factor.
 */
import { type Caller, common, type Deps, MINUTE, newId, together } from '@larder-dev/larder/kernel'
import { importOptional } from '@larder-dev/larder/kernel/internal'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type AuditRecorder, actorOf } from '../../audit/audit-log.ts'
import { timeAt } from '../../domain/time.ts'
import { accountTable } from '../../users/records/account.ts'
import type { SignInIdentities } from '../identities.ts'
import type { VerifiedCredential } from '../logins.ts'
import { identityTable } from '../records/sign-in.ts'
import { PASSKEY } from '../sign-in-methods.ts'
import { passkeyProblems } from './problems.ts'
import { type AuthenticationBody, challengeTable, passkeyTable, type RegistrationBody } from './records.ts'

const CHALLENGE_TTL_MS = 5 * MINUTE
const MAX_PASSKEYS = 20

interface Options {
  readonly challenge: string
  readonly options: Record<string, unknown>
}
export interface Passkeys {
  /** Options for a new passkey of the caller. Throws `too_many_passkeys`. */
  registrationOptions(caller: Caller): Promise<Options>
  /**
   * Throws `invalid_passkey`, `too_many_passkeys`, and `identity_taken` for a passkey that is registered already. Returns
   * its ID.
   */
  register(caller: Caller, body: RegistrationBody): Promise<string>
  authenticationOptions(): Promise<Options>
  /** Null unless the passkey proves a user. */
  authenticate(body: AuthenticationBody): Promise<(VerifiedCredential & { readonly email: string }) | null>
}
interface StoredPasskey {
  readonly identityId: string
  readonly userId: string
  readonly publicKey: Buffer
  readonly counter: string
  readonly transports: string[]
}
type Needs = Deps<'systemDatabase' | 'clock' | 'operator' | 'product'> & {
  readonly audit: AuditRecorder
  readonly identities: SignInIdentities
}

// Loaded with the first passkey: most processes never need it.
const webauthn = () => importOptional('@simplewebauthn/server', () => import('@simplewebauthn/server'))

export function createPasskeys({ systemDatabase, clock, operator, product, audit, identities }: Needs): Passkeys {
  const { hostname: rpId, origin } = new URL(product.publicUrl)
  const users = () => systemDatabase.acrossTenants('a passkey belongs to a user, not to a tenant')

  async function storeChallenge(challenge: string, userId: string | null): Promise<string> {
    const id = newId('pkc', clock.now())
    await challengeTable.insert(users(), { id, challenge, userId, expiresAt: timeAt(clock, CHALLENGE_TTL_MS) })
    return id
  }
  /** Undefined for a challenge that was used, has expired or belongs to somebody else. */
  async function useChallenge(id: string, userId: string | null): Promise<string | undefined> {
    const { rows } = await users().query<{ challenge: string }>(
      `delete from identity_passkey_challenges
       where id = $1 and expires_at > $2 and user_id is not distinct from $3 returning challenge`,
      [id, timeAt(clock), userId],
    )
    return rows[0]?.challenge
  }

  async function find(credentialId: string): Promise<StoredPasskey | undefined> {
    const { rows } = await users().query<StoredPasskey>(
      `select p.identity_id as "identityId", i.user_id as "userId", p.public_key as "publicKey", p.counter, p.transports
       from identity_sign_in_identities i join identity_passkeys p on p.identity_id = i.id
       where i.method = $1 and i.provider = $2 and i.subject = $3`,
      [PASSKEY, rpId, credentialId],
    )
    return rows[0]
  }

  /** Returns the new counter, or null if the response isn't from this passkey. */
  async function verify(
    response: AuthenticationBody['response'],
    challenge: string,
    passkey: StoredPasskey,
  ): Promise<number | null> {
    const { verifyAuthenticationResponse } = await webauthn()
    const stored = Number(passkey.counter)
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: true,
        credential: {
          id: response.id,
          publicKey: new Uint8Array(passkey.publicKey),
          // Compared below, so that a wrong signature isn't taken for a copy.
          counter: 0,
          transports: passkey.transports,
        },
      })
      if (!verified) return null
      const { newCounter } = authenticationInfo
      const isCopy = (newCounter > 0 || stored > 0) && newCounter <= stored
      if (!isCopy) return newCounter
      await recordCopy(passkey)
      return null
    } catch {
      // The library throws an Error for each way in which a response can be wrong.
      return null
    }
  }

  async function recordCopy({ identityId: subject, userId }: StoredPasskey): Promise<void> {
    const actor = { kind: 'system', id: PASSKEY, userId } as const
    const entry = { tenantId: operator.tenantId, action: 'sign_in_method.cloned', actor, subject }
    await users().transaction(unit => audit.record(unit, entry))
  }

  return {
    async registrationOptions({ userId }) {
      const unit = users()
      const { account, own } = await together({
        account: accountTable.find(unit, { id: userId }),
        own: identityTable.findMany(unit, { userId, method: PASSKEY }),
      })
      if (!account) throw common.unauthenticated()
      if (own.length >= MAX_PASSKEYS) throw passkeyProblems.too_many_passkeys({ limit: MAX_PASSKEYS })
      const { generateRegistrationOptions } = await webauthn()
      const options = await generateRegistrationOptions({
        rpName: product.name,
        rpID: rpId,
        userID: new TextEncoder().encode(userId),
        userName: account.email,
        userDisplayName: account.name ?? account.email,
        excludeCredentials: own.map(({ subject }) => ({ id: subject })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      return { challenge: await storeChallenge(options.challenge, userId), options: { ...options } }
    },

    async register(caller, { challenge: id, label, response }) {
      const { userId } = caller
      const challenge = await useChallenge(id, userId)
      if (challenge === undefined) throw passkeyProblems.invalid_passkey()
      const { verifyRegistrationResponse } = await webauthn()
      const { registrationInfo } = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: true,
      }).catch(() => {
        throw passkeyProblems.invalid_passkey()
      })
      if (!registrationInfo) throw passkeyProblems.invalid_passkey()
      const { credential } = registrationInfo
      return users().transaction(async unit => {
        const identity = { method: PASSKEY, provider: rpId, subject: credential.id, label: label ?? 'Passkey' }
        const stored = await identities.add(unit, userId, identity, actorOf(caller))
        // Challenges are given out before the passkeys that they lead to. Changes of the same user wait for each other.
        const own = await identityTable.findMany(unit, { userId, method: PASSKEY })
        if (own.length > MAX_PASSKEYS) throw passkeyProblems.too_many_passkeys({ limit: MAX_PASSKEYS })
        const { counter, transports = [] } = credential
        const publicKey = Buffer.from(credential.publicKey)
        await passkeyTable.insert(unit, { identityId: stored.id, publicKey, counter, transports })
        return stored.id
      })
    },

    async authenticationOptions() {
      const { generateAuthenticationOptions } = await webauthn()
      const options = await generateAuthenticationOptions({ rpID: rpId, userVerification: 'required' })
      return { challenge: await storeChallenge(options.challenge, null), options: { ...options } }
    },

    async authenticate({ challenge: id, response }) {
      const { challenge, passkey } = await together({ challenge: useChallenge(id, null), passkey: find(response.id) })
      if (challenge === undefined || !passkey || !isHandleOf(passkey.userId, response.response.userHandle)) return null
      const counter = await verify(response, challenge, passkey)
      if (counter === null) return null
      return users().transaction(async unit => {
        const { rowCount } = await unit.query(
          `update identity_passkeys set counter = $2 where identity_id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
          [passkey.identityId, counter],
        )
        if (rowCount === 0) return null
        await unit.defer([identityTable.updateStep({ id: passkey.identityId }, { lastUsedAt: timeAt(clock) })])
        const account = await accountTable.get(unit, { id: passkey.userId })
        return { userId: account.id, email: account.email, passwordVersion: account.passwordVersion }
      })
    },
  }
}

/** Authenticators may leave the handle out. One that they send names the user whom the passkey was registered for. */
const isHandleOf = (userId: string, handle: string | null | undefined): boolean =>
  handle === undefined || handle === null || handle === '' || Buffer.from(handle, 'base64url').toString() === userId
