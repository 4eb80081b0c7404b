/**
 * The secrets of the last start, as fingerprints in the database. A start that shares none of them is refused before it
 * writes anything: it could not decrypt what is stored, and it would replace the password of the app role.
 */
import { subkey } from '@larder-dev/larder/kernel/internal'
import type pg from 'pg'
import { operatorErrors } from './operator-errors.ts'

const UNDEFINED_TABLE = '42P01'
const UNDEFINED_COLUMN = '42703'

export const fingerprints = (secrets: readonly string[]): string[] =>
  secrets.map(secret => subkey(secret, 'fingerprint').toString('base64url'))

/** True if the database has a fingerprint of one of these secrets, or no fingerprints. */
export async function isSecretKnown(client: pg.Client, secrets: readonly string[]): Promise<boolean> {
  try {
    const { rows } = await seeingAll(client, () =>
      client.query(
        `select 1 from larder_installation where secret_fingerprints <> '{}' and not secret_fingerprints && $1`,
        [fingerprints(secrets)],
      ),
    )
    return rows.length === 0
  } catch (error) {
    if (isUndefined(error)) return true
    throw error
  }
}

/**
 * Runs the statement so that it sees the row of the installation. Forced row level security hides it from the owner of a
 * restored database, who may have no rights of the roles that its policies name.
 */
async function seeingAll<T>(client: pg.Client, statement: () => Promise<T>): Promise<T> {
  const { rows } = await client.query('select from larder_installation')
  if (rows.length > 0) return statement()
  await client.query('begin; alter table larder_installation no force row level security')
  try {
    const result = await statement()
    await client.query('alter table larder_installation force row level security; commit')
    return result
  } catch (error) {
    // The first error is the cause.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** @throws OperatorError `secret_mismatch` */
export async function assertSecretKnown(client: pg.Client, secrets: readonly string[]): Promise<void> {
  if (!(await isSecretKnown(client, secrets))) throw operatorErrors.secret_mismatch()
}

/** Records the accepted secrets. Those of earlier starts are forgotten. */
export async function recordSecrets(client: pg.Client, secrets: readonly string[]): Promise<void> {
  try {
    const own = [fingerprints(secrets)]
    await seeingAll(client, () =>
      client.query('update larder_installation set secret_fingerprints = $1 where secret_fingerprints <> $1', own),
    )
  } catch (error) {
    if (!isUndefined(error)) throw error
  }
}

/** Records these secrets in place of lost ones. Returns false if one of them was already known. */
export async function replaceSecrets(client: pg.Client, secrets: readonly string[]): Promise<boolean> {
  if (await isSecretKnown(client, secrets)) return false
  await recordSecrets(client, secrets)
  return true
}

/** The database was never migrated, or by a version without fingerprints. */
function isUndefined(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN
}
