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

/** A column of bytes that are encrypted with LARDER_SECRET. The module lists it in `sealedColumns`. */
export type SealedColumn = {
  readonly table: string
  readonly column: string
  /** Names the subkey of LARDER_SECRET, and the values in the log. */
  readonly purpose: string
} & (
  | {
      /** Unique columns. By them, a daily job encrypts the values again while LARDER_SECRET is rotated. */
      readonly key: readonly string[]
    }
  | {
      /** A condition of SQL that holds for the values that are still read. They expire within a day. */
      readonly readWhile: string
    }
)

/** Encrypts and decrypts values of the column with LARDER_SECRET. */
export function sealedValues({ secrets, log }: Needs, { purpose }: SealedColumn): SealedValues {
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

type LastingColumn = Extract<SealedColumn, { readonly key: unknown }>

/** Whether its values outlive an older LARDER_SECRET. */
export const isLasting = (column: SealedColumn): column is LastingColumn => 'key' in column

interface Row {
  readonly place: string
  /** The values of the key's columns, in their order. */
  readonly key: readonly string[]
  readonly sealed: Buffer | null
}
interface Changed {
  readonly place: string
  readonly sealed: Buffer
  readonly again: Buffer
}

/**
 * Encrypts the values of the column with the current LARDER_SECRET, so that the older one can be removed. Does nothing
 * while only one is accepted. Skips values that no accepted one decrypts, and logs how many there are. Don't call it at
 * the start: in a rolling restart, other processes don't have the new secret yet.
 */
export async function reencryptColumn(
  { secrets, log }: Needs,
  unit: Unit,
  { table, key, column, purpose }: LastingColumn,
  signal?: AbortSignal,
): Promise<void> {
  if (!secrets.rotating) return
  function changesOf(rows: readonly Row[]): { changed: Changed[]; unreadable: number } {
    const changed: Changed[] = []
    let unreadable = 0
    for (const { place, sealed } of rows)
      try {
        const again = sealed && secrets.reencrypt(purpose, sealed)
        if (sealed && again) changed.push({ place, sealed, again })
      } catch {
        unreadable++
      }
    return { changed, unreadable }
  }
  const keys = key.join(', ')
  const beyond = `where (${keys}) > (${key.map((_, at) => `$${at + 1}`).join(', ')})`
  let [count, unreadable] = [0, 0]
  let after: readonly string[] = []
  while (!signal?.aborted) {
    // Rows without a value, too: a search for the next 500 with one has no limit of time.
    const { rows } = await unit.query<Row>(
      `select ctid::text as place, array[${key.map(name => `${name}::text`).join(', ')}] as key, ${column} as sealed
       from ${table} ${after.length > 0 ? beyond : ''} order by ${keys} limit ${BATCH_SIZE}`,
      after,
    )
    const { changed, unreadable: skipped } = changesOf(rows)
    const { rowCount } = await replaceValues(unit, table, column, changed)
    count += rowCount
    // A row that somebody has changed meanwhile is at another place.
    if (rowCount < changed.length) continue
    unreadable += skipped
    after = rows.at(-1)?.key ?? after
    if (rows.length < BATCH_SIZE) break
  }
  if (count > 0) log.info({ table, column, count }, 'values encrypted with the current LARDER_SECRET')
  if (unreadable > 0)
    log.error({ table, column, count: unreadable }, 'values that no configured LARDER_SECRET decrypts were skipped')
}

async function replaceValues(
  unit: Unit,
  table: string,
  column: string,
  changed: readonly Changed[],
): Promise<{ rowCount: number }> {
  if (changed.length === 0) return { rowCount: 0 }
  return unit.query(
    `update ${table} t set ${column} = r.again
     from unnest($1::tid[], $2::bytea[], $3::bytea[]) as r (place, sealed, again)
     where t.ctid = r.place and t.${column} = r.sealed`,
    [changed.map(({ place }) => place), changed.map(({ sealed }) => sealed), changed.map(({ again }) => again)],
  )
}
