/** Rows of one query: those that wait for a server that doesn't answer hold up few others. */
export const BATCH_SIZE = 20

/**
 * Examines rows in the order of their IDs, a batch at a time.
 * @param read the next `BATCH_SIZE` rows after an ID
 */
export async function examineAll<Row extends { readonly id: string }>(
  read: (after: string) => Promise<readonly Row[]>,
  examine: (row: Row) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (let after = ''; !signal.aborted; ) {
    const due = await read(after)
    await Promise.all(due.map(examine))
    const last = due[BATCH_SIZE - 1]
    if (!last) return
    after = last.id
  }
}
