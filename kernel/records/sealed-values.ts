/** Values that are stored encrypted with LARDER_SECRET. */
import type { Problem } from '../base/index.ts'
import type { Deps, Unit } from '../contract/index.ts'

const BATCH_SIZE = 500

type Needs = Deps<'secrets' | 'log'>

export interface SealedValues {
  seal(plain: string): Buffer
  /**
   * @param unreadable what the caller is told about a value that no accepted LARDER_SECRET decrypts. Says how to replace it
   * @param about is added to the log
   */
  open(sealed: Buffer, unreadable: () => Problem, about?: object): string
  /** Undefined for a value that no accepted LARDER_SECRET decrypts, which is logged. */
  tryOpen(sealed: Buffer, about?: object): string | undefined
}

/**
 * Encrypts and decrypts values of a column with LARDER_SECRET.
 * @param purpose names the subkey of LARDER_SECRET, and the values in the log
 */
export function sealedValues({ secrets, log }: Needs, purpose: string): SealedValues {
  const tryOpen: SealedValues['tryOpen'] = (sealed, about = {}) => {
    try {
      return secrets.decrypt(purpose, sealed)
    } catch {
      log.error({ purpose, ...about }, 'a stored value was encrypted with a LARDER_SECRET that is no longer configured')
      return undefined
    }
  }
  return {
    seal: plain => secrets.encrypt(purpose, plain),
    tryOpen,
    open(sealed, unreadable, about) {
      const plain = tryOpen(sealed, about)
      if (plain === undefined) throw unreadable()
      return plain
    },
  }
}

/** A column of sealed values, for `reencryptColumn`. */
export interface SealedColumn {
  readonly table: string
  /** A unique column of texts. */
  readonly key: string
  /** A column of bytes. */
  readonly column: string
  readonly purpose: string
}

/**
 * Encrypts the values of the column with the current LARDER_SECRET, so that the older one can be removed. Does nothing
 * while only one is accepted. Skips values that no accepted one decrypts, and logs how many there are. Don't call it at
 * the start: in a rolling restart, other processes don't have the new secret yet.
 */
export async function reencryptColumn(
  { secrets, log }: Needs,
  unit: Unit,
  { table, key, column, purpose }: SealedColumn,
  signal?: AbortSignal,
): Promise<void> {
  if (!secrets.rotating) return
  let [after, count, unreadable] = ['', 0, 0]
  const encryptAgain = (sealed: Buffer): Buffer | undefined => {
    try {
      return secrets.reencrypt(purpose, sealed)
    } catch {
      unreadable++
      return undefined
    }
  }
  for (;;) {
    const { rows } = await unit.query<{ id: string; sealed: Buffer }>(
      `select ${key} as id, ${column} as sealed from ${table}
       where ${key} > $1 and ${column} is not null order by ${key} limit ${BATCH_SIZE}`,
      [after],
    )
    const changed = rows.flatMap(row => {
      const again = encryptAgain(row.sealed)
      return again ? [{ ...row, again }] : []
    })
    if (changed.length > 0)
      await unit.query(
        `update ${table} t set ${column} = r.again
         from unnest($1::text[], $2::bytea[], $3::bytea[]) as r (id, sealed, again)
         where t.${key} = r.id and t.${column} = r.sealed`,
        [changed.map(({ id }) => id), changed.map(({ sealed }) => sealed), changed.map(({ again }) => again)],
      )
    count += changed.length
    after = rows.at(-1)?.id ?? after
    if (rows.length < BATCH_SIZE || signal?.aborted) break
  }
  if (count > 0) log.info({ table, column, count }, 'values encrypted with the current LARDER_SECRET')
  if (unreadable > 0)
    log.error({ table, column, count: unreadable }, 'values that no configured LARDER_SECRET decrypts were skipped')
}
